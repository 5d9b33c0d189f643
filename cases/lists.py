"""Lists of cases for programs: how many there are, one page of them as JSON text, and where the next begins.

Whole cases are spliced from what is stored; nothing is built from tables. No HTTP here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from cases import stored
from cases.catalog import Catalog, Selection, behind, key_of
from cases.cursors import read_cursor, write_cursor
from cases.document import splice, write_json
from cases.filters import CaseFilter
from cases.queries import Refused, Wrong
from cases.similarity import beside

View = Literal["summary", "full"]
SUMMARY: View
FULL: View
SUMMARY, FULL = get_args(View)
MOST, USUAL = 100, 25
# A summary is the case with fewer keys, in the same order.
SUMMARY_KEYS = (
    "id", "org", "date", "title", "domain", "review", "summary", "severity", "symptoms", "timeline", "components",
    "root_cause", "contributing", "recurrence_of", "updated_at", "url", "org_slug", "example", "date_precision",
    "status", "edition", "published_at",
)  # fmt: skip
SUMMARY_TIMELINE_KEYS = ("detected_after", "resolved_after", "durations")


@dataclass(frozen=True)
class CaseList:
    """One page. ``cases`` are JSON texts; ``next`` is the cursor of the next page, None on the last.

    ``corrected`` is the search that was answered instead of the one asked for, where a word of that is nowhere.
    """

    total: int
    next: str | None
    cases: list[str]
    corrected: str | None

    def text(self) -> str:
        """Write the answer as JSON."""
        head = f'"total":{self.total},"next":{write_json(self.next)},"corrected":{write_json(self.corrected)}'
        return f'{{{head},"cases":[{",".join(self.cases)}]}}'


def case_list(
    case_filter: CaseFilter, present: Catalog, *, limit: int = USUAL, cursor: str | None = None, view: View = SUMMARY
) -> CaseList:
    """Return one page of the cases that a query finds. Raises Refused for a cursor of another query."""
    selection = case_filter.select(present)
    rest = _behind(selection, case_filter, cursor) if cursor is not None else selection
    numbers = rest.numbers[: limit + 1]
    next_cursor = None
    if len(numbers) > limit:
        numbers = numbers[:limit]
        next_cursor = write_cursor(_kind(case_filter), key_of(selection, numbers[-1]))
    corrected = case_filter.found.shown if case_filter.found else None
    return CaseList(len(selection.numbers), next_cursor, texts(present, numbers, view)[1], corrected)


def _behind(selection: Selection, case_filter: CaseFilter, cursor: str) -> Selection:
    try:
        return behind(selection, read_cursor(_kind(case_filter), cursor))
    except ValueError:
        detail = "Is not a cursor of this query: send the one given with its last page, and the same parameters."
        raise Refused([Wrong("cursor", detail)]) from None


def _kind(case_filter: CaseFilter) -> str:
    """Name a query shortly: a cursor goes on with the one that it came from, in whatever order its values stand."""
    chosen = sorted((name, sorted(values)) for name, values in case_filter.chosen.items())
    return hashlib.sha256(repr(chosen).encode()).hexdigest()[:8]


def texts(present: Catalog, numbers: Sequence[int], view: View = FULL) -> tuple[list[int], list[str]]:
    """Return the published ones of these cases, in their order, and their JSON texts."""
    if view == SUMMARY:
        found = _summaries(present, numbers)
    else:
        found = stored.json_texts(numbers)
        neighbours = beside(present, list(found))
        found = {number: splice(text, *neighbours[number]) for number, text in found.items()}
    there = [number for number in numbers if number in found]
    return there, [found[number] for number in there]


def _summaries(present: Catalog, numbers: Sequence[int]) -> dict[int, str]:
    found = {number: text for number in numbers if (text := present.summaries.get(number))}
    for number, text in stored.json_texts([number for number in numbers if number not in found]).items():
        found[number] = write_json(summary(json.loads(text)))
        present.remember(present.summaries, number, found[number])
    return found


def summary(case: dict[str, Any]) -> dict[str, Any]:
    """Return what lists tell of a case."""
    told = {key: case[key] for key in SUMMARY_KEYS}
    return {**told, "timeline": {key: case["timeline"][key] for key in SUMMARY_TIMELINE_KEYS}}
