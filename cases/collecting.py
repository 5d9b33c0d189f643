"""What pages gather from many cases: lessons, checks and promises, each with the case that it is from.

The catalog says which cases have any; here their texts are read, in a fixed number of queries.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from cases.catalog import TAUGHT, Catalog, Selection
from cases.checking import OwnCheck
from cases.document import Language, Pair, case_id
from cases.models import ActionItem, Case
from cases.rendering.addresses import address
from cases.rendering.article import status_words
from cases.rendering.exposure import Question, own_question
from cases.rendering.times import When, dated
from cases.similarity import Neighbour, fetch_links, read_links
from cases.telling import Shown, Told, tell

UNFINISHED = ("planned", "underway", None)


@dataclass(frozen=True)
class CaseLine(Shown):
    """One case in a line: what leads to it."""

    id: str
    url: str
    org: Told
    date: When
    title: Told
    is_example: bool


@dataclass(frozen=True)
class Lesson(Shown):
    case: CaseLine
    told: Told


@dataclass(frozen=True)
class Promise(Shown):
    """Something an organisation promised; ``tone`` is its status as styles know it."""

    url: str
    told: Told | None
    status: str
    tone: str


@dataclass(frozen=True)
class Promises(Shown):
    """What was promised after one incident."""

    case: CaseLine
    items: Sequence[Promise]


@dataclass(frozen=True)
class Questions(Shown):
    case: CaseLine
    items: Sequence[Question]


@dataclass(frozen=True)
class Recurrence(Shown):
    """A case and the one that it repeats; None where that is not published here."""

    case: CaseLine
    earlier: CaseLine | None


def newest(catalog: Catalog, cases: int, most: int) -> list[int]:
    """Return the numbers of the newest of some cases."""
    return Selection(catalog, {"among": cases}).numbers[:most]


def taught(catalog: Catalog, cases: int) -> int:
    """Return those of the cases that tell a lesson."""
    return cases & catalog.index.marked(TAUGHT)


def unfinished(catalog: Catalog, cases: int) -> int:
    """Return those of the cases after which something was promised that nobody has seen done, or dropped."""
    return cases & reduce(or_, map(catalog.index.follow_ups.cases, UNFINISHED))


def links(numbers: Collection[int], catalog: Catalog, language: Language) -> dict[int, CaseLine]:
    """Look up what published cases are called, in one query."""
    found = read_links(fetch_links(numbers))
    return {number: _line(row, catalog, language) for number, row in found.items()}


def _line(row: Neighbour, catalog: Catalog, language: Language) -> CaseLine:
    number, place = case_id(row.number), catalog.index.places.get(row.number)
    return CaseLine(
        id=number,
        url=address("case", language, id=number),
        org=catalog.labels.org(row.org_name).name(language),
        date=dated(row.date_first, row.date_precision, language),
        title=tell(Pair.model_construct(en=row.title_en, ko=row.title_ko), language) or Told(number),
        is_example=place is not None and bool(catalog.examples >> place & 1),
    )


# Texts by case number


def lessons(numbers: Collection[int]) -> dict[int, Pair]:
    """Read what the cases teach. Django asks the database nothing where there are no numbers."""
    rows = Case.objects.filter(number__in=numbers).values_list("number", "lessons_en", "lessons_ko")
    return {number: Pair.model_construct(en=en, ko=ko) for number, en, ko in rows}


def promises(numbers: Collection[int], statuses: Collection[str | None]) -> dict[int, list[ActionItem]]:
    """Read the action items of cases that have one of the statuses, in their order."""
    rows = ActionItem.objects.filter(case__number__in=numbers).select_related("case").order_by("case_id", "position")
    found: dict[int, list[ActionItem]] = {}
    for row in rows:
        if row.status in statuses:
            found.setdefault(row.case.number, []).append(row)
    return found


# As a page shows them, in the order of the numbers


def lessons_shown(
    numbers: Sequence[int], texts: Mapping[int, Pair], cases: Mapping[int, CaseLine], language: Language
) -> list[Lesson]:
    told = {number: tell(texts[number], language) for number in numbers if number in texts and number in cases}
    return [Lesson(cases[number], text) for number, text in told.items() if text is not None]


def promises_shown(
    numbers: Sequence[int],
    rows: Mapping[int, Sequence[ActionItem]],
    cases: Mapping[int, CaseLine],
    language: Language,
) -> list[Promises]:
    return [
        Promises(cases[number], [_promise(row, number, language) for row in rows[number]])
        for number in numbers
        if number in rows and number in cases
    ]


def _promise(row: ActionItem, number: int, language: Language) -> Promise:
    text = Pair.model_construct(en=row.text_en, ko=row.text_ko)  # type: ignore[attr-defined]  # made by modeltranslation
    url = f"{address('case', language, id=case_id(number))}#item-{row.uid}"
    return Promise(url, tell(text, language), status_words(row.status), row.status or "untold")


def checks_shown(
    numbers: Sequence[int],
    checks: Mapping[int, Sequence[OwnCheck]],
    cases: Mapping[int, CaseLine],
    language: Language,
) -> list[Questions]:
    return [
        Questions(
            cases[number],
            [own_question(check, f"check-{number}-{check.uid}", language) for check in checks[number]],
        )
        for number in numbers
        if number in checks and number in cases
    ]


def recurrences_shown(
    numbers: Sequence[int], earlier: Mapping[int, int], cases: Mapping[int, CaseLine]
) -> list[Recurrence]:
    return [Recurrence(cases[number], cases.get(earlier[number])) for number in numbers if number in cases]
