"""Pinning a case to another one, keeping two apart, and taking it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from cases import pairings
from cases.document import Language, case_id
from cases.models import Pairing
from cases.pairings import pairing_of
from cases.publishing import WrongStatus
from review.log import record
from review.models import Event
from review.permissions import Act, can

from .manuscripts import person_of
from .refusals import Conflict, Refused, require

if TYPE_CHECKING:
    from django.contrib.auth.models import User

VERBS = {Pairing.Verdict.PIN: Event.Verb.PINNED, Pairing.Verdict.VETO: Event.Verb.KEPT_APART}


def pair(
    user: User, number: int, other: int, verdict: Pairing.Verdict, note: dict[Language, str | None], seen: str
) -> None:
    """Decide on two cases. ``seen`` is the verdict that the person was shown, empty where there was none."""
    if not any(note.values()):
        raise Refused(_("Say why: a note is needed, in one language at least."))
    with transaction.atomic():
        _may(user, number, other, seen)
        try:
            pairings.pair(number, other, verdict, note)
        except WrongStatus:
            raise Refused(_("Both cases must be public, and both examples or neither.")) from None
        _log(user, VERBS[verdict], number, other, note["en"] or note["ko"] or "")


def unpair(user: User, number: int, other: int, seen: str) -> None:
    """Take back what was decided on two cases."""
    with transaction.atomic():
        _may(user, number, other, seen)
        pairings.unpair(number, other)
        _log(user, Event.Verb.UNPAIRED, number, other, "")


def _may(user: User, number: int, other: int, seen: str) -> None:
    require(can(user, Act.PAIR))
    present = pairing_of(number, other)
    if seen != (present.verdict if present else ""):
        raise Conflict(_("Somebody else has decided on these two cases meanwhile. Reload the page."))


def _log(user: User, verb: Event.Verb, number: int, other: int, note: str) -> None:
    about = case_id(other)
    record(person_of(user), verb, number=number, about=about, note=f"{about}: {note}" if note else about)
