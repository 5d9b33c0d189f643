"""Programs that write for somebody, and their tokens. Each act is the owner's, in one transaction, and in the log.

A program has an account without a password. What it may do is what its owner may write at that moment, and of that no
more than the token says; its work counts as its owner's.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cases.models import Person

from .accounts import is_program, lock
from .answers import YES, Answer, no
from .log import record
from .models import Event, Token
from .permissions import Standing
from .workflow import Refused, person_of, require

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

MARK = "ilt_"
SHOWN = 10
MOST_PROGRAMS, MOST_TOKENS = 20, 10
# How often the time of the last use is written at most.
USE_NOTED_EVERY = dt.timedelta(minutes=10)
WRITES_NOTHING: StrPromise = gettext_lazy("You write nothing here, so a program of yours could not either.")
NOT_A_PROGRAM: StrPromise = gettext_lazy("A program has no programs of its own.")


def may_own_programs(user: User) -> Answer:
    if is_program(user):
        return no(NOT_A_PROGRAM, "program")
    return YES if Standing.of(user).lent().has_part() else no(WRITES_NOTHING, "writes-nothing")


def programs_of(user: User) -> QuerySet[Person]:
    """Return the programs of somebody that have an account."""
    return Person.objects.filter(owner__user=user, user__isnull=False).select_related("user").order_by("name")


@transaction.atomic
def create_program(owner: User, name: str) -> Person:
    """Make a program with this public name. Raises ``ValidationError`` for a name that is taken, ``Refused`` for many.

    A name that an import or a draft gave to a program of the same owner becomes this one's.
    """
    lock()
    require(may_own_programs(owner))
    if programs_of(owner).count() >= MOST_PROGRAMS:
        raise Refused(_("You have %(most)s programs. More are not needed.") % {"most": MOST_PROGRAMS})
    person = person_of(owner)
    program = Person.objects.filter(name__iexact=name).first() or Person(
        name=name, kind=Person.Kind.AGENT, owner=person
    )
    if program.name != name or program.user_id is not None or program.owner != person:
        raise ValidationError({"public_name": _("Somebody else has this public name.")})
    program.user = User.objects.create_user(f"program-{secrets.token_hex(5)}")
    program.save()
    record(person, Event.Verb.CREATED_PROGRAM, about=f"person {program.pk}")
    return program


@transaction.atomic
def make_token(owner: User, program: Person, name: str, scopes: Sequence[str], days: int) -> tuple[Token, str]:
    """Make a token for a program of the owner; return it with the secret, which is nowhere to be read afterwards."""
    lock()
    require(may_own_programs(owner))
    at = timezone.now()
    if program.tokens.filter(revoked_at=None, expires_at__gt=at).count() >= MOST_TOKENS:
        raise Refused(_("This program has %(most)s tokens in force. Revoke one first.") % {"most": MOST_TOKENS})
    secret = MARK + secrets.token_urlsafe(32)
    token = Token.objects.create(
        program=program,
        name=name,
        start=secret[:SHOWN],
        sha256=digest(secret),
        scopes=sorted(scopes),
        created_at=at,
        expires_at=at + dt.timedelta(days=days),
    )
    record(person_of(owner), Event.Verb.MADE_TOKEN, note=" ".join(token.scopes), about=_about(token))
    return token, secret


@transaction.atomic
def revoke(owner: User, token: Token) -> None:
    """End a token at once. Revoking it again changes nothing."""
    if Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        record(person_of(owner), Event.Verb.REVOKED_TOKEN, about=_about(token))


def digest(secret: str) -> str:
    """Hash a secret. It has 256 random bits, so nothing slower is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def find_token(secret: str) -> Token | None:
    """Find the token with this secret, whether or not it is in force."""
    tokens = Token.objects.select_related("program__user", "program__owner__user")
    return tokens.filter(sha256=digest(secret)).first()


def note_use(token: Token) -> None:
    """Write down that a token is used, now and then."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > USE_NOTED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)


def _about(token: Token) -> str:
    return f"token {token.pk} of person {token.program_id}"
