"""The table of cases and languages: everything in work, and every published case that nobody has edited here."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from cases.document import LANGUAGES, Language, case_id
from cases.models import Case, LanguageVersion

from .assignments import of_all
from .models import Assignment, Manuscript
from .queue import MINE, Wanted, assigned_as, in_work


@dataclass(frozen=True)
class Cell:
    """Where one language of a case stands, since when, and whose work it is."""

    language: Language
    state: str
    since: dt.datetime | None
    assignment: Assignment | None


@dataclass(frozen=True)
class Row:
    """One case."""

    number: int
    org: str
    title_en: str | None
    title_ko: str | None
    cells: list[Cell]

    @property
    def id(self) -> str:
        return case_id(self.number)


def numbers(wanted: Wanted, state: str = "") -> list[int]:
    """Find the cases for the table by their numbers, the highest first."""
    drafts = _in(wanted, state, in_work(wanted).filter(assigned_as(wanted, wanted.languages)))
    found = list(drafts.values_list("number", flat=True))
    if wanted.assigned != MINE:
        found += _in(wanted, state, _unedited(wanted)).values_list("number", flat=True)
    return sorted(found, reverse=True)


def rows(page: Collection[int]) -> list[Row]:
    """Prepare the rows of one page, in three queries."""
    drafts = list(Manuscript.objects.filter(number__in=page))
    unedited = _unedited(Wanted()).filter(number__in=page).select_related("org")
    held = of_all([one.pk for one in drafts])
    found = [_row(one, held) for one in (*drafts, *unedited)]
    return sorted(found, key=lambda row: row.number, reverse=True)


def _row(one: Any, held: Any) -> Row:
    """Make a row of a manuscript, or of a case as ``_unedited`` finds it."""
    is_draft = isinstance(one, Manuscript)
    cells = [
        Cell(
            language,
            getattr(one, f"state_{language}"),
            getattr(one, f"state_{language}_at"),
            held.get((one.pk, language)) if is_draft else None,
        )
        for language in LANGUAGES
    ]
    return Row(one.number, one.org if is_draft else one.org.name, one.title_en, one.title_ko, cells)


def _unedited(wanted: Wanted) -> QuerySet[Case]:
    """Find published cases without a manuscript, with what readers are told of each language."""
    cases = Case.objects.filter(status=Case.Status.PUBLISHED, manuscript=None)
    if wanted.org:
        cases = cases.filter(org__name=wanted.org)
    told: dict[str, Any] = {}
    for language in LANGUAGES:
        version = LanguageVersion.objects.filter(
            edition__case=OuterRef("pk"), edition__number=OuterRef("edition_number"), language=language
        )
        since = version.annotate(since=Coalesce(F("reviewed_at"), F("edition__published_at")))
        told[f"state_{language}"] = Subquery(version.values("state")[:1])
        told[f"state_{language}_at"] = Subquery(since.values("since")[:1])
    return cases.annotate(**told)


def _in(wanted: Wanted, state: str, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Keep what has one of the languages in a state, for so long."""
    if not state and not wanted.days:
        return rows
    kept = Q(pk__in=[])
    for language in wanted.languages:
        here = Q(**{f"state_{language}": state}) if state else Q()
        kept |= here & Q(**{f"state_{language}_at__lte": wanted.before}) if wanted.days else here
    return rows.filter(kept)


def orgs() -> list[str]:
    """Name the organisations of everything in the table, for a filter."""
    drafts = Manuscript.objects.order_by().values_list("org", flat=True)
    unedited = Case.objects.filter(manuscript=None).order_by().values_list("org__name", flat=True)
    return sorted(drafts.union(unedited))
