"""The cases near a case and the chain of its recurrences, as pages and programs get them.

Which cases they are is known from the catalog; what they are called comes from the database with the case itself.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import translation

from cases.catalog import EDITORS, Catalog, Near, current
from cases.document import LANGUAGES, Language, Pair, case_id, write_json
from cases.labels import Labels
from cases.rendering import reasons_text

# How each database writes rows as JSON.
JSON_WORDS = {"sqlite": ("json_group_array", "json_array"), "postgresql": ("json_agg", "json_build_array")}


@dataclass(frozen=True)
class Neighbour:
    """A published case near another one, or in one chain with it, as a link to it shows it."""

    number: int
    org_name: str
    org_slug: str
    title_en: str | None
    title_ko: str | None
    date_first: dt.date
    date_precision: str
    score: float = 0.0
    reasons: tuple[tuple[str, tuple[str, ...]], ...] = ()
    note: Pair | None = None

    @property
    def by_editor(self) -> bool:
        return any(kind == EDITORS for kind, _terms in self.reasons)


@dataclass(frozen=True)
class Company:
    """What stands beside a case, by number, before anybody has looked up what it is called."""

    near: tuple[Near, ...] = ()
    chain: tuple[int, ...] = ()

    @classmethod
    def of(cls, catalog: Catalog, number: int) -> Company:
        return cls(tuple(catalog.near(number)), tuple(catalog.chain(number)))

    @property
    def numbers(self) -> list[int]:
        return list(dict.fromkeys((*(near.number for near in self.near), *self.chain)))

    def neighbours(self, links: Mapping[int, Neighbour]) -> list[Neighbour]:
        """Return the cases near, best first. One that has just been withdrawn is left out."""
        return [
            replace(links[near.number], score=near.score, reasons=near.reasons, note=near.note)
            for near in self.near
            if near.number in links
        ]

    def linked(self, links: Mapping[int, Neighbour]) -> list[Neighbour]:
        """Return the cases of the chain, oldest first."""
        return [links[number] for number in self.chain if number in links]


# What they are called


def links_sql(count: int) -> str:
    """Return a subquery with one JSON text: what as many published cases are called, by number."""
    all_rows, one_row = JSON_WORDS[connection.vendor]
    columns = "n.number, o.name, o.slug, n.title_en, n.title_ko, CAST(n.date_first AS text), n.date_precision"
    numbers = ", ".join(["%s"] * count) or "NULL"
    return f"""(SELECT CAST({all_rows}({one_row}({columns})) AS text)
  FROM cases_case n JOIN cases_org o ON o.id = n.org_id WHERE n.status = 'published' AND n.number IN ({numbers}))"""  # noqa: S608  (fixed text)


def read_links(text: str | None) -> dict[int, Neighbour]:
    rows = json.loads(text) if text else []
    return {row[0]: _linked(*row) for row in rows}


def _linked(*columns: Any) -> Neighbour:
    number, org_name, org_slug, title_en, title_ko, date, precision = columns
    return Neighbour(number, org_name, org_slug, title_en, title_ko, dt.date.fromisoformat(date), precision)


def fetch_links(numbers: Iterable[int]) -> str:
    """Look up what published cases are called, in one query; ``read_links`` reads the answer."""
    wanted = list(dict.fromkeys(numbers))
    if not wanted:
        return ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {links_sql(len(wanted))}", wanted)
        return str(cursor.fetchone()[0] or "")


def neighbours(number: int) -> list[Neighbour]:
    """Return the cases near one case, best first."""
    company = Company.of(current(), number)
    return company.neighbours(read_links(fetch_links(company.numbers)))


# As JSON


def as_json(found: Sequence[Neighbour], labels: Labels) -> list[dict[str, Any]]:
    """Write neighbours as the key ``similar`` of the public JSON."""
    texts: dict[Language, list[str]] = {language: _texts(found, labels, language) for language in LANGUAGES}
    return [
        {
            **_link(neighbour),
            "title": {"en": neighbour.title_en, "ko": neighbour.title_ko},
            "reasons": [{"kind": kind, "terms": list(terms)} for kind, terms in neighbour.reasons],
            "text": {language: texts[language][place] for language in LANGUAGES},
            "score": neighbour.score,
            "note": {language: neighbour.note.told(language) for language in LANGUAGES} if neighbour.note else None,
        }
        for place, neighbour in enumerate(found)
    ]


def chain_as_json(found: Sequence[Neighbour]) -> list[dict[str, Any]]:
    """Write a chain of recurrences as the key ``recurrence_chain`` of the public JSON."""
    return [
        {
            **_link(neighbour),
            "date": neighbour.date_first.isoformat(),
            "title": {"en": neighbour.title_en, "ko": neighbour.title_ko},
        }
        for neighbour in found
    ]


def _link(neighbour: Neighbour) -> dict[str, Any]:
    number = case_id(neighbour.number)
    return {"id": number, "url": f"{settings.SITE_URL}/cases/{number}", "org": neighbour.org_name}


def _texts(found: Sequence[Neighbour], labels: Labels, language: Language) -> list[str]:
    with translation.override(language):
        return [reasons_text(neighbour.reasons, neighbour.note, labels, language) for neighbour in found]


def as_json_texts(near: Sequence[Neighbour], chain: Sequence[Neighbour], labels: Labels) -> tuple[str, str]:
    """Write ``similar`` and ``recurrence_chain`` as JSON texts."""
    return write_json(as_json(near, labels)), write_json(chain_as_json(chain))


def spliced(numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
    """Return the JSON texts of ``similar`` and ``recurrence_chain`` of each case, in two queries."""
    return _written(current(), numbers)


def beside(catalog: Catalog, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Return the same, from the memory of the catalog where they are there: in one query, or none."""
    found = {number: known for number in numbers if (known := catalog.beside.get((number, "json")))}
    for number, texts in _written(catalog, [number for number in numbers if number not in found]).items():
        found[number] = texts
        catalog.remember(catalog.beside, (number, "json"), texts)
    return found


def _written(catalog: Catalog, numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
    companies = {number: Company.of(catalog, number) for number in numbers}
    links = read_links(fetch_links(other for company in companies.values() for other in company.numbers))
    return {
        number: as_json_texts(company.neighbours(links), company.linked(links), catalog.labels)
        for number, company in companies.items()
    }
