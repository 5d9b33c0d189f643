"""What a reader's request fetches: one case with its neighbours and the versions of everything, in one statement.

It goes past the ORM, which costs as much again as the rest of the answer (see "the read path" in the design).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db import connection

from cases.document import CaseDocument, Pair, case_id, read_case, read_json
from cases.labels import VOCABULARY
from cases.models import Case, Counter, StoredCase
from cases.similarity import FOUND, Neighbour, gathered, near_sql
from cases.standing import Standing, standings

CHANGE = "change"
# How each database writes rows as JSON.
JSON_WORDS = {"sqlite": ("json_group_array", "json_array"), "postgresql": ("json_agg", "json_build_array")}

Text = Literal["article_en", "article_ko", "json"]


@dataclass(frozen=True)
class Versions:
    """Where the library stands: the last change of a case, and the version of its words."""

    change: int
    vocabulary: int


@dataclass(frozen=True)
class FetchedCase:
    """One case as one request needs it. ``text`` is the stored column asked for; None when nothing is stored."""

    number: int
    status: str
    merged_into: int | None
    title: Pair
    summary: Pair
    sequence: int
    stamp: str
    text: str | None
    versions: Versions
    neighbours: list[Neighbour]

    @property
    def id(self) -> str:
        return case_id(self.number)


def versions() -> Versions:
    """Read where the library stands, in one query."""
    values = dict(Counter.objects.filter(name__in=(CHANGE, VOCABULARY)).values_list("name", "value"))
    return Versions(values.get(CHANGE, 0), values.get(VOCABULARY, 0))


def fetch(number: int, text: Text) -> FetchedCase | None:
    """Fetch a case, whatever its status, with its neighbours; None when there is no such number."""
    with connection.cursor() as cursor:
        cursor.execute(_statement(text), [number, CHANGE, VOCABULARY, number])
        row = cursor.fetchone()
    return _fetched(number, row) if row else None


def _statement(text: Text) -> str:
    all_rows, one_row = JSON_WORDS[connection.vendor]
    return f"""{near_sql()}
SELECT c.status, c.merged_into, c.title_en, c.title_ko, c.summary_en, c.summary_ko,
  s.sequence, s.stamp, s.{text},
  (SELECT value FROM cases_counter WHERE name = %s), (SELECT value FROM cases_counter WHERE name = %s),
  (SELECT CAST({all_rows}({one_row}({FOUND})) AS text) FROM found)
FROM cases_case c LEFT JOIN cases_storedcase s ON s.case_id = c.id WHERE c.number = %s"""  # noqa: S608  (fixed text)


def _fetched(number: int, row: Sequence[Any]) -> FetchedCase:
    status, merged_into, title_en, title_ko, summary_en, summary_ko = row[:6]
    sequence, stamp, text, change, vocabulary, near = row[6:]
    return FetchedCase(
        number=number,
        status=status,
        merged_into=merged_into,
        title=Pair.model_construct(en=title_en, ko=title_ko),
        summary=Pair.model_construct(en=summary_en, ko=summary_ko),
        sequence=sequence or 0,
        stamp=stamp or "",
        text=text,
        versions=Versions(change or 0, vocabulary or 0),
        neighbours=gathered(json.loads(near or "[]")).get(number, []),
    )


def contents(numbers: Sequence[int]) -> dict[int, tuple[CaseDocument, Standing]]:
    """Read what a case is rendered from, for cases whose stored HTML no longer fits: a fixed number of queries."""
    texts = StoredCase.objects.filter(number__in=numbers).values_list("number", "json")
    documents = {number: read_case(read_json(text)).document for number, text in texts}
    where = standings(list(Case.objects.filter(number__in=numbers)))
    return {number: (document, where[number]) for number, document in documents.items()}
