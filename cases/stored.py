"""What a reader's request fetches: one case with its neighbours and the versions of everything, in one statement.

It goes past the ORM, which costs as much again as the rest of the answer (see "the read path" in the design).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from django.db import connection

from cases import catalog
from cases.catalog import VERSIONS, Catalog, Versions
from cases.document import CaseDocument, Language, case_id, read_case
from cases.labels import Labels
from cases.models import Case
from cases.rendering import render_related
from cases.similarity import Company, Neighbour, as_json_texts, fetch_links, links_sql, read_links
from cases.standing import Standing, standings

Text = Literal["article_en", "article_ko", "json"]


class Both(NamedTuple):
    """A text in both languages: what ``Pair`` is to a document, without its price."""

    en: str | None
    ko: str | None

    def told(self, language: Language) -> str | None:
        return self.ko if language == "ko" else self.en


@dataclass(frozen=True)
class FetchedCase:
    """One case as one request needs it. ``text`` is the stored column asked for; None when nothing is stored.

    ``links_text`` tells what the cases ``looked_up`` are called.
    """

    number: int
    status: str
    merged_into: int | None
    title: Both
    summary: Both
    sequence: int
    stamp: str
    text: str | None
    versions: Versions
    catalog: Catalog
    looked_up: list[int]
    links_text: str | None

    @property
    def id(self) -> str:
        return case_id(self.number)

    @property
    def labels(self) -> Labels:
        return self.catalog.labels

    @property
    def neighbours(self) -> list[Neighbour]:
        """The cases near this one, best first. A reader who has the page already is told so without them."""
        return self._company.neighbours(self._links)

    @property
    def chain(self) -> list[Neighbour]:
        """The incident's other occurrences, oldest first."""
        return self._company.linked(self._links)

    @property
    def beside(self) -> tuple[str, ...]:
        """The JSON texts of ``similar`` and ``recurrence_chain``."""
        return self.remembered("json", lambda: as_json_texts(self.neighbours, self.chain, self.labels))

    def related(self, language: Language) -> str:
        """Return the section of the page that shows the cases near, and the incident's other occurrences."""

        def write() -> tuple[str]:
            return (render_related(self.neighbours, language, self.labels, self.chain),)

        return self.remembered("article_ko" if language == "ko" else "article_en", write)[0]

    def remembered(self, text: Text, write: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """Return what stands beside a text of this case; the catalog remembers it until the next change.

        Another thread may have brought the catalog further than what was read here: that is not remembered.
        """
        found = self.catalog.beside.get((self.number, text))
        if found is None:
            found = write()
            if self.catalog.index.last == self.versions.last:
                self.catalog.remember(self.catalog.beside, (self.number, text), found)
        return found

    @cached_property
    def _company(self) -> Company:
        return Company.of(self.catalog, self.number)

    @cached_property
    def _links(self) -> dict[int, Neighbour]:
        """What those near are called: looked up now where they are others than those looked up with the case."""
        numbers = self._company.numbers
        return read_links(self.links_text if set(numbers) <= set(self.looked_up) else fetch_links(numbers))


def fetch(number: int, text: Text) -> FetchedCase | None:
    """Fetch a case, whatever its status, with its neighbours; None when there is no such number.

    Which cases are near is known before the statement is sent. Where what stands beside this text is remembered, what
    they are called is not asked for.
    """
    known = catalog.kept()
    looked_up = Company.of(known, number).numbers if known and (number, text) not in known.beside else []
    with connection.cursor() as cursor:
        cursor.execute(_statement(text, len(looked_up)), [*looked_up, number])
        row = cursor.fetchone()
    if row is None:
        return None
    now = Versions.of(row[9:12])
    status, merged_into, title_en, title_ko, summary_en, summary_ko, sequence, stamp, stored_text = row[:9]
    return FetchedCase(
        number=number,
        status=status,
        merged_into=merged_into,
        title=Both(title_en, title_ko),
        summary=Both(summary_en, summary_ko),
        sequence=sequence or 0,
        stamp=stamp or "",
        text=stored_text,
        versions=now,
        catalog=catalog.at(now),
        looked_up=looked_up,
        links_text=row[12],
    )


@lru_cache(maxsize=256)
def _statement(text: Text, count: int) -> str:
    return f"""SELECT c.status, c.merged_into, c.title_en, c.title_ko, c.summary_en, c.summary_ko,
s.sequence, s.stamp, s.{text}, {VERSIONS}, {links_sql(count) if count else "NULL"}
FROM cases_case c LEFT JOIN cases_storedcase s ON s.case_id = c.id WHERE c.number = %s"""  # noqa: S608  (fixed text)


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


def documents(numbers: Sequence[int]) -> dict[int, CaseDocument]:
    """Read what published cases tell, in one query."""
    return {number: read_case(json.loads(text)).document for number, text in json_texts(numbers).items()}


def contents(numbers: Sequence[int]) -> dict[int, tuple[CaseDocument, Standing]]:
    """Read what a case is rendered from, for cases whose stored HTML no longer fits: a fixed number of queries."""
    where = standings(list(Case.objects.filter(number__in=numbers)))
    return {number: (document, where[number]) for number, document in documents(numbers).items()}
