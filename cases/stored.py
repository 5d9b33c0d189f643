"""What a reader's request fetches: one case with its neighbours and the versions of everything, in one statement.

It goes past the ORM, which costs as much again as the rest of the answer (see "the read path" in the design).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from django.db import connection

from cases import catalog
from cases.catalog import VERSIONS, Catalog, Versions
from cases.document import CaseDocument, Language, Pair, case_id, read_case, read_json
from cases.labels import Labels
from cases.models import Case, StoredCase
from cases.similarity import Company, Neighbour, as_json_texts, fetch_links, links_sql, read_links
from cases.standing import Standing, standings

Text = Literal["article_en", "article_ko", "json"]


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
    catalog: Catalog
    company: Company
    links_text: str

    @property
    def id(self) -> str:
        return case_id(self.number)

    @property
    def labels(self) -> Labels:
        return self.catalog.labels

    @property
    def neighbours(self) -> list[Neighbour]:
        """The cases near this one, best first. A reader who has the page already is told so without them."""
        return self.company.neighbours(self._links)

    @property
    def chain(self) -> list[Neighbour]:
        """The incident's other occurrences, oldest first."""
        return self.company.linked(self._links)

    @property
    def beside(self) -> tuple[str, str]:
        """The JSON texts of ``similar`` and ``recurrence_chain``; the catalog remembers them until the next change."""
        found = self.catalog.beside.get(self.number)
        if found is None:
            found = as_json_texts(self.neighbours, self.chain, self.labels)
            self.catalog.remember(self.catalog.beside, self.number, found)
        return found

    @cached_property
    def _links(self) -> dict[int, Neighbour]:
        return read_links(self.links_text)


def fetch(number: int, text: Text) -> FetchedCase | None:
    """Fetch a case, whatever its status, with its neighbours; None when there is no such number.

    Programs' texts of the neighbours are remembered; where they are, what the neighbours are called is not asked for.

    Which cases are near is known before the statement is sent. Only where it tells that the library has moved on
    since are they found anew, and looked up once more if they are others now.
    """
    known = catalog.kept()
    is_remembered = text == "json" and known is not None and number in known.beside
    company = Company.of(known, number) if known and not is_remembered else Company()
    with connection.cursor() as cursor:
        cursor.execute(_statement(text, len(company.numbers)), [*company.numbers, number])
        row = cursor.fetchone()
    if row is None:
        return None
    now = Versions.of(row[9:12])
    present = catalog.at(now)
    links_text = row[12] or ""
    if present is not known:
        company, before = Company.of(present, number), company
        if not set(company.numbers) <= set(before.numbers):
            links_text = fetch_links(company.numbers)
    return _fetched(number, row, now, present, company, links_text)


def _statement(text: Text, count: int) -> str:
    return f"""
SELECT c.status, c.merged_into, c.title_en, c.title_ko, c.summary_en, c.summary_ko,
  s.sequence, s.stamp, s.{text}, {VERSIONS}, {links_sql(count)}
FROM cases_case c LEFT JOIN cases_storedcase s ON s.case_id = c.id WHERE c.number = %s"""  # noqa: S608  (fixed text)


def _fetched(
    number: int,
    row: Sequence[Any],
    now: Versions,
    present: Catalog,
    company: Company,
    links_text: str,
) -> FetchedCase:
    status, merged_into, title_en, title_ko, summary_en, summary_ko, sequence, stamp, text = row[:9]
    return FetchedCase(
        number=number,
        status=status,
        merged_into=merged_into,
        title=Pair.model_construct(en=title_en, ko=title_ko),
        summary=Pair.model_construct(en=summary_en, ko=summary_ko),
        sequence=sequence or 0,
        stamp=stamp or "",
        text=text,
        versions=now,
        catalog=present,
        company=company,
        links_text=links_text,
    )


def cards(numbers: Sequence[int], language: Language) -> dict[int, tuple[str, str]]:
    """Fetch the stored (stamp, card) of cases, in one query."""
    if not numbers:
        return {}
    places = ", ".join(["%s"] * len(numbers))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT number, stamp, card_{language} FROM cases_storedcase WHERE number IN ({places})",  # noqa: S608  (fixed text)
            list(numbers),
        )
        return {number: (stamp, card) for number, stamp, card in cursor.fetchall()}


def json_texts(numbers: Sequence[int]) -> dict[int, str]:
    """Fetch the stored public JSON of published cases, without its spliced keys, in one query."""
    if not numbers:
        return {}
    places = ", ".join(["%s"] * len(numbers))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT number, json FROM cases_storedcase WHERE number IN ({places})", list(numbers))  # noqa: S608  (fixed text)
        return dict(cursor.fetchall())


def contents(numbers: Sequence[int]) -> dict[int, tuple[CaseDocument, Standing]]:
    """Read what a case is rendered from, for cases whose stored HTML no longer fits: a fixed number of queries."""
    texts = StoredCase.objects.filter(number__in=numbers).values_list("number", "json")
    documents = {number: read_case(read_json(text)).document for number, text in texts}
    where = standings(list(Case.objects.filter(number__in=numbers)))
    return {number: (document, where[number]) for number, document in documents.items()}
