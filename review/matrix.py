"""The table of cases and languages: everything in work, and every published case that nobody has edited here."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from cases.document import LANGUAGES, Language, case_id
from cases.models import Case, LanguageVersion

from .assignments import of_all
from .models import Assignment, Manuscript
from .queue import MINE, Wanted, assigned_as, in_work

# All of them computed, so that both halves of the union have them in the same order.
TOLD = ("number", "title_en", "title_ko", "state_en", "state_en_at", "state_ko", "state_ko_at")
COLUMNS = {f"row_{name}": F(name) for name in TOLD} | {"row_pk": F("found_pk"), "row_org": F("found_org")}


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

    id: str
    org: str
    title_en: str | None
    title_ko: str | None
    cells: list[Cell]


def found(wanted: Wanted, state: str = "") -> QuerySet[Any, dict[str, Any]]:
    """Find the cases for the table, the highest number first, as plain columns that a page slices."""
    drafts = in_work(wanted).annotate(found_pk=F("pk"), found_org=F("org")).filter(assigned_as(wanted, wanted.languages))
    rows = _in(wanted, state, drafts).order_by().values(**COLUMNS)
    if wanted.assigned != MINE:
        rows = rows.union(_in(wanted, state, _unedited(wanted)).order_by().values(**COLUMNS), all=True)
    return rows.order_by("-row_number")


def _unedited(wanted: Wanted) -> QuerySet[Case]:
    """Find published cases without a manuscript, with what readers are told of each language."""
    cases = Case.objects.filter(status=Case.Status.PUBLISHED, manuscript=None)
    if wanted.org:
        cases = cases.filter(org__name=wanted.org)
    told: dict[str, Any] = {"found_pk": F("manuscript__pk"), "found_org": F("org__name")}
    for language in LANGUAGES:
        version = LanguageVersion.objects.filter(
            edition__case=OuterRef("pk"), edition__number=OuterRef("edition_number"), language=language
        )
        told[f"state_{language}"] = Subquery(version.values("state")[:1])
        since = version.annotate(since=Coalesce("reviewed_at", "edition__published_at"))
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


def shown(rows: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Prepare the rows of one page, with the assignments of all of them in one query."""
    page = list(rows)
    held = of_all([row["row_pk"] for row in page if row["row_pk"] is not None])
    return [
        Row(
            id=case_id(row["row_number"]),
            org=row["row_org"],
            title_en=row["row_title_en"],
            title_ko=row["row_title_ko"],
            cells=[
                Cell(
                    language,
                    cast("str", row[f"row_state_{language}"]),
                    row[f"row_state_{language}_at"],
                    held.get((row["row_pk"], language)),
                )
                for language in LANGUAGES
            ],
        )
        for row in page
    ]


def orgs() -> list[str]:
    """Name the organisations of everything in the table, for a filter."""
    drafts = Manuscript.objects.order_by().values_list("org", flat=True)
    unedited = Case.objects.filter(manuscript=None).order_by().values_list("org__name", flat=True)
    return sorted(drafts.union(unedited))
