"""What the editors decide of two cases as neighbours: pinned to each other, or kept apart. The desk calls this.

Both cases get a line in the public log, by which every process and every cache learns of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q, QuerySet

from cases.catalog import write_rows
from cases.document import Language
from cases.models import Case, Change, Pairing
from cases.publishing import WrongStatus, log_changes


def pairings_of(number: int) -> QuerySet[Pairing]:
    return Pairing.objects.filter(Q(first=number) | Q(second=number))


def pairing_of(number: int, other: int) -> Pairing | None:
    """Return what is decided of two cases, in whichever order they are given."""
    first, second = sorted((number, other))
    return Pairing.objects.filter(first=first, second=second).first()


def pair(number: int, other: int, verdict: Pairing.Verdict, note: Mapping[Language, str | None]) -> None:
    """Pin two published cases to each other or keep them apart, instead of what was decided before.

    Examples and real cases do not stand beside each other. Raises WrongStatus.
    """
    with transaction.atomic():
        cases = _published(number, other)
        if cases[0].example != cases[1].example:
            raise WrongStatus
        first, second = sorted((number, other))
        told = {"verdict": verdict, "note_en": note.get("en"), "note_ko": note.get("ko")}
        Pairing.objects.update_or_create(first=first, second=second, defaults=told)
        _tell(cases)


def unpair(number: int, other: int) -> None:
    """Take back what was decided of two cases. Raises WrongStatus where nothing was."""
    with transaction.atomic():
        first, second = sorted((number, other))
        if not Pairing.objects.filter(first=first, second=second).delete()[0]:
            raise WrongStatus
        _tell(list(Case.objects.filter(number__in=(number, other), status=Case.Status.PUBLISHED)))


def _published(number: int, other: int) -> list[Case]:
    found = list(Case.objects.filter(number__in=(number, other), status=Case.Status.PUBLISHED))
    if len(found) != 2:  # noqa: PLR2004  (a pair; a case is not beside itself)
        raise WrongStatus
    return found


def _tell(cases: list[Case]) -> None:
    write_rows(cases)
    log_changes([(case.number, Change.Kind.PAIRED) for case in cases])
