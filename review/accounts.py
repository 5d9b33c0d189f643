"""Who has an account and what they hold. Each act is an administrator's, in one transaction, and in the log.

The log names persons by their ids and roles by short signs such as ``+publisher -reviewer/ko``. Accounts are never
deleted: a deactivated one holds nothing and cannot sign in.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from cases import publishing
from cases.models import Change, LanguageVersion, Person
from cases.rendering import store_rendered

from .log import record
from .models import ADMINISTRATOR, GROUPS, WRITER, Event, LanguageRole
from .permissions import NOTHING, Act, Standing, can
from .workflow import Conflict, Refused, person_of, require

if TYPE_CHECKING:
    from django.db.models import QuerySet

# A program saves and submits under its owner's eyes; it never decides.
AGENTS_HOLD = {WRITER, "writer", "translator"}


# What is so


def held_by(user: User) -> Standing:
    """Return the roles given to an account, even while it is deactivated (``Standing.of`` says what counts now)."""
    groups = {group.name for group in user.groups.all() if group.name in GROUPS}
    if user.is_superuser:
        groups.add(ADMINISTRATOR)
    roles = user.language_roles.all()
    return Standing(frozenset(groups), frozenset((role.role, role.language) for role in roles))


def signs(holds: Standing) -> list[str]:
    """Write roles as the log does: ``publisher``, ``reviewer/ko``."""
    return [*sorted(holds.groups), *sorted(f"{role}/{language}" for role, language in holds.roles)]


def waits_for_password(user: User) -> bool:
    """Tell whether an invited person has not chosen a password yet. A program never gets one."""
    return not user.has_usable_password() and not is_program(user)


def is_program(user: User) -> bool:
    person = getattr(user, "person", None)  # None before the first act of an account
    return person is not None and person.kind == Person.Kind.AGENT


def administrators() -> QuerySet[User]:
    """Return the accounts that can manage people today; invited ones without a password cannot yet."""
    found = User.objects.filter(Q(is_superuser=True) | Q(groups__name=ADMINISTRATOR), is_active=True)
    return found.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX).distinct()


# Acts


@transaction.atomic
def invite(
    actor: User, username: str, mail: str, name: str, holds: Standing, channel: str = Event.Channel.DESK
) -> User:
    """Create an account without a password. Raises ``ValidationError`` for a name or an address that is taken.

    A public name that has no account yet, such as one that came with an import, becomes this person's.
    """
    person = _begin(actor)
    user = _create(username, mail)
    invited = _named(user, name)
    _give(user, invited, holds)
    record(person, Event.Verb.INVITED, note=_difference(NOTHING, holds), about=_about(invited), channel=channel)
    return user


@transaction.atomic
def first_administrator(username: str, mail: str, name: str) -> User:
    """Create an administrator from the command line, where nobody is signed in: they enter the log themselves."""
    lock()
    user = _create(username, mail)
    user.is_superuser = True
    person = _named(user, name)
    holds = Standing(frozenset({ADMINISTRATOR}), frozenset())
    _give(user, person, holds)
    note, channel = _difference(NOTHING, holds), Event.Channel.COMMAND
    record(person, Event.Verb.INVITED, note=note, about=_about(person), channel=channel)
    return user


@transaction.atomic
def set_roles(actor: User, user: User, holds: Standing, seen: str | None = None) -> None:
    """Let an account hold exactly these roles. Setting what is so already writes nothing.

    ``seen`` are the signs that the actor had in view; other ones now are a ``Conflict``.
    """
    person = _begin(actor)
    user = User.objects.get(pk=user.pk)
    before = held_by(user)
    if seen is not None and seen != " ".join(signs(before)):
        raise Conflict(_("Somebody else changed these roles meanwhile. This is how they are now."))
    if note := _difference(before, holds):
        _give(user, person_of(user), holds)
        _require_an_administrator()
        record(person, Event.Verb.CHANGED_ROLES, note=note, about=_about(person_of(user)))


@transaction.atomic
def rename(actor: User, user: User, name: str) -> None:
    """Replace a person's public name, also where readers see it now. History keeps the id, so it follows."""
    person = _begin(actor)
    renamed = person_of(user)
    if renamed.name == name:
        return
    if Person.objects.filter(name__iexact=name).exclude(pk=renamed.pk).exists():
        raise ValidationError({"public_name": _("Somebody else has this public name.")})
    Person.objects.filter(pk=renamed.pk).update(name=name)
    numbers = _cases_naming(renamed)
    publishing.log_changes([(number, Change.Kind.REVIEWED) for number in numbers])
    publishing.refresh(numbers)
    record(person, Event.Verb.RENAMED, about=_about(renamed))
    transaction.on_commit(partial(store_rendered, numbers))


@transaction.atomic
def deactivate(actor: User, user: User) -> None:
    """End an account: its sessions are dead at once, its name stays under what it wrote."""
    _set_active(actor, user, is_active=False)


@transaction.atomic
def reactivate(actor: User, user: User) -> None:
    """Let a deactivated account sign in again, with the roles it had."""
    _set_active(actor, user, is_active=True)


@transaction.atomic
def renew_invitation(actor: User, user: User) -> None:
    """Make the links sent before useless, so that a new one can be made.

    Only for who never had a password: otherwise an administrator could take over an account, and its approvals.
    """
    person = _begin(actor)
    user.refresh_from_db()
    if not user.is_active or not waits_for_password(user):
        raise Refused(_("Only an invited person who has no password yet gets a new link."))
    user.set_unusable_password()
    user.save(update_fields=["password"])
    record(person, Event.Verb.RENEWED_INVITATION, about=_about(person_of(user)))


# How


def lock() -> None:
    """Make other acts on people wait: two administrators must not end each other at the same time."""
    Group.objects.select_for_update().get(name=ADMINISTRATOR)


def _begin(actor: User) -> Person:
    """Lock, and only then look whether the actor may do this; return who acts."""
    lock()
    require(can(User.objects.get(pk=actor.pk), Act.MANAGE))
    return person_of(actor)


def _create(username: str, mail: str) -> User:
    if User.objects.filter(username__iexact=username).exists():
        raise ValidationError({"username": _("This username is taken.")})
    if User.objects.filter(email__iexact=mail).exists():
        raise ValidationError({"mail": _("Somebody has this mail address already.")})
    return User.objects.create_user(username, mail)


def _named(user: User, name: str) -> Person:
    """Give a new account its public name."""
    person = Person.objects.filter(name__iexact=name).first()
    if person is None:
        return Person.objects.create(name=name, user=user)
    if person.user_id is not None or person.kind == Person.Kind.AGENT or person.name != name:
        raise ValidationError({"public_name": _("Somebody else has this public name.")})
    person.user = user
    person.save(update_fields=["user"])
    return person


def _give(user: User, person: Person, holds: Standing) -> None:
    """Write what an account holds: groups, roles in languages, and the flags of the admin that follow from them."""
    asked: Collection[str] = holds.groups | {role for role, _language in holds.roles}
    if person.kind == Person.Kind.AGENT and not AGENTS_HOLD.issuperset(asked):
        raise Refused(_("A program may write and translate, but never decides."))
    user.is_staff = ADMINISTRATOR in holds.groups
    user.is_superuser = user.is_superuser and user.is_staff
    user.save(update_fields=["is_staff", "is_superuser"])
    user.groups.set([*user.groups.exclude(name__in=GROUPS), *Group.objects.filter(name__in=holds.groups)])
    LanguageRole.objects.filter(user=user).delete()
    LanguageRole.objects.bulk_create(
        LanguageRole(user=user, role=role, language=language) for role, language in sorted(holds.roles)
    )
    if user.is_staff:
        _open_the_admin()


def _open_the_admin() -> None:
    """Let administrators edit words, organisations and checks in the admin; what is read-only there stays so."""
    group = Group.objects.get(name=ADMINISTRATOR)
    group.permissions.add(*Permission.objects.filter(content_type__app_label="cases"))


def _set_active(actor: User, user: User, *, is_active: bool) -> None:
    person = _begin(actor)
    if User.objects.filter(pk=user.pk).exclude(is_active=is_active).update(is_active=is_active):
        _require_an_administrator()
        verb = Event.Verb.REACTIVATED if is_active else Event.Verb.DEACTIVATED
        record(person, verb, about=_about(person_of(user)))


def _require_an_administrator() -> None:
    if not administrators().exists():
        raise Refused(_("Nobody would be left to manage people. Make somebody else an administrator first."))


def _cases_naming(person: Person) -> list[int]:
    """Return the numbers of the cases whose current edition shows this person's name."""
    current = LanguageVersion.objects.filter(edition__number=F("edition__case__edition_number"))
    named = current.filter(Q(written_by=person) | Q(reviewed_by=person))
    return sorted(set(named.values_list("edition__case__number", flat=True)))


def _difference(before: Standing, after: Standing) -> str:
    gone, new = set(signs(before)) - set(signs(after)), set(signs(after)) - set(signs(before))
    return " ".join([*(f"+{sign}" for sign in sorted(new)), *(f"-{sign}" for sign in sorted(gone))])


def _about(person: Person) -> str:
    return f"person {person.pk}"
