"""Which cases are near a case and why, and which of them are one incident that came back.

What the editors say comes first, then what two cases have in common, weighed by how much it tells. The SQL is one
``WITH`` clause on both databases, so that a page can fetch a case and its neighbours in one statement.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import translation

from cases.document import LANGUAGES, Language, case_id, write_json
from cases.labels import Labels, current_labels
from cases.models import Case
from cases.rendering import reason_words

MOST = 6
LEAST_SCORE = 3
RECURRENCE = "recurrence-of"
EDITORS = "editor-related"
# Where a shared term comes from: what that makes two cases to each other, in the words of the list "relation".
KINDS = {
    RECURRENCE: RECURRENCE,
    EDITORS: EDITORS,
    "root_cause": "same-root-cause",
    "component": "shared-component",
    "symptom": "same-symptom",
    "contributing": "shared-contributing",
    "domain": "shared-domain",
}
# {numbers} are the cases asked about. `kin` joins each term in force with the terms that it replaced, so cases written
# before and after a rename meet; a case with both counts them once. `said` is what the editors say, in the order of
# `place`. `found` has a row for each reason of each of the best.
NEAR = """
me AS (SELECT id, number, root_cause_id, recurrence_of, example FROM cases_case WHERE number IN ({numbers})),
named AS (
  SELECT id AS case_id, root_cause_id AS term_id FROM me WHERE root_cause_id IS NOT NULL
  UNION ALL
  SELECT ct.case_id, ct.term_id FROM cases_caseterm ct JOIN me ON me.id = ct.case_id
),
climb(at_id) AS (
  SELECT term_id FROM named
  UNION
  SELECT t.replaced_by_id FROM climb JOIN cases_term t ON t.id = climb.at_id WHERE t.replaced_by_id IS NOT NULL
),
kin(root_id, term_id) AS (
  SELECT t.id, t.id FROM climb JOIN cases_term t ON t.id = climb.at_id WHERE t.replaced_by_id IS NULL
  UNION
  SELECT kin.root_id, t.id FROM kin JOIN cases_term t ON t.replaced_by_id = kin.term_id
),
mine AS (
  SELECT DISTINCT named.case_id, t.id AS root_id, t.list, t.slug,
    CASE t.list WHEN 'root_cause' THEN 4 WHEN 'component' THEN 3 WHEN 'domain' THEN 1 ELSE 2 END AS weight
  FROM named JOIN kin ON kin.term_id = named.term_id JOIN cases_term t ON t.id = kin.root_id
  WHERE NOT (t.list = 'root_cause' AND t.slug IN ('unknown', 'undisclosed'))
),
mine_kin AS (SELECT mine.*, kin.term_id FROM mine JOIN kin ON kin.root_id = mine.root_id),
said(case_id, other_id, list, place) AS (
  SELECT me.id, COALESCE(target.id, c.id), 'editor-related', r.position
  FROM me JOIN cases_relatednumber r ON r.case_id = me.id JOIN cases_case c ON c.number = r.number
  LEFT JOIN cases_case target ON target.number = c.merged_into
  UNION ALL
  SELECT me.id, c.id, 'recurrence-of', -1 FROM me JOIN cases_case c ON c.number = me.recurrence_of
  UNION ALL
  SELECT me.id, c.id, 'recurrence-of', -1 FROM me JOIN cases_case c ON c.recurrence_of = me.number
),
near AS (
  SELECT case_id, other_id, MIN(place) AS place, SUM(weight) AS score
  FROM (
    SELECT m.case_id, ct.case_id AS other_id, m.weight, CAST(NULL AS integer) AS place
    FROM mine_kin m JOIN cases_caseterm ct ON ct.term_id = m.term_id
    WHERE m.term_id = m.root_id OR NOT EXISTS (
      SELECT 1 FROM kin JOIN cases_caseterm twin ON twin.term_id = kin.term_id
      WHERE twin.case_id = ct.case_id AND kin.root_id = m.root_id
        AND (kin.term_id = kin.root_id OR kin.term_id < m.term_id)
    )
    UNION ALL
    SELECT m.case_id, c.id, m.weight, CAST(NULL AS integer)
    FROM mine_kin m JOIN cases_case c ON c.root_cause_id = m.term_id WHERE m.list = 'root_cause'
    UNION ALL
    SELECT case_id, other_id, 0, place FROM said
  ) AS shared
  WHERE other_id <> case_id GROUP BY case_id, other_id
  HAVING MIN(place) IS NOT NULL OR SUM(weight) >= {least}
),
ranked AS (
  SELECT near.case_id, near.other_id, near.score, ROW_NUMBER() OVER (
    PARTITION BY near.case_id
    ORDER BY CASE WHEN near.place IS NULL THEN 1 ELSE 0 END, near.place, near.score DESC,
      c.date_first DESC, c.number DESC
  ) AS nth
  FROM near JOIN cases_case c ON c.id = near.other_id JOIN me ON me.id = near.case_id
  WHERE c.status = 'published' AND (me.example OR NOT c.example)
),
best AS (SELECT * FROM ranked WHERE nth <= {most}),
reason AS (
  SELECT DISTINCT best.case_id, best.other_id, m.list, m.slug
  FROM best JOIN mine_kin m ON m.case_id = best.case_id
  JOIN cases_caseterm ct ON ct.term_id = m.term_id AND ct.case_id = best.other_id
  UNION ALL
  SELECT best.case_id, best.other_id, m.list, m.slug
  FROM best JOIN mine_kin m ON m.case_id = best.case_id
  JOIN cases_case c ON c.id = best.other_id AND c.root_cause_id = m.term_id WHERE m.list = 'root_cause'
  UNION ALL
  SELECT case_id, other_id, list, '' FROM said
),
found AS (
  SELECT me.number AS of_number, best.nth, c.number, o.name, o.slug AS org_slug, c.title_en, c.title_ko,
    CAST(c.date_first AS text) AS date_first, c.date_precision, best.score,
    (SELECT SUM(weight) FROM mine WHERE mine.case_id = best.case_id) AS most, reason.list, reason.slug
  FROM best JOIN me ON me.id = best.case_id
  JOIN cases_case c ON c.id = best.other_id JOIN cases_org o ON o.id = c.org_id
  JOIN reason ON reason.case_id = best.case_id AND reason.other_id = best.other_id
)
"""
FOUND = (
    "of_number, nth, number, name, org_slug, title_en, title_ko, date_first, date_precision, score, most, list, slug"
)


@dataclass
class Neighbour:
    """A published case near another one. ``reasons`` are (kind, terms as ``list:slug``), what tells most first."""

    number: int
    org_name: str
    org_slug: str
    title_en: str | None
    title_ko: str | None
    date_first: dt.date
    date_precision: str
    score: float
    reasons: list[tuple[str, list[str]]] = field(default_factory=list)

    @property
    def by_editor(self) -> bool:
        """Tell whether the editors of the case named this one."""
        return any(kind == EDITORS for kind, _ in self.reasons)


def near_sql(count: int = 1) -> str:
    """Return the WITH clause whose ``found`` holds the neighbours of as many cases as it gets numbers."""
    return "WITH RECURSIVE" + NEAR.format(numbers=", ".join(["%s"] * count), least=LEAST_SCORE, most=MOST)


def neighbours(number: int) -> list[Neighbour]:
    """Return the cases near one case, best first."""
    return neighbours_of([number]).get(number, [])


def neighbours_of(numbers: Sequence[int]) -> dict[int, list[Neighbour]]:
    """Return the cases near each of several cases, in one query."""
    if not numbers:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(f"{near_sql(len(numbers))} SELECT {FOUND} FROM found", list(numbers))  # noqa: S608  (fixed text)
        return gathered(cursor.fetchall())


def gathered(rows: Iterable[Sequence[Any]]) -> dict[int, list[Neighbour]]:
    """Put the rows of ``found`` together: one row says one shared term of one neighbour of one case."""
    kept: dict[tuple[int, int], Neighbour] = {}
    terms: dict[tuple[int, int], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        of_number, nth, *columns, list_name, slug = row
        place = (of_number, nth)
        if place not in kept:
            kept[place] = _neighbour(columns)
        terms[place][list_name] += [f"{list_name}:{slug}"] if slug else []
    result: dict[int, list[Neighbour]] = defaultdict(list)
    for place in sorted(kept):
        neighbour, shared = kept[place], terms[place]
        neighbour.reasons = [(kind, sorted(shared[name])) for name, kind in KINDS.items() if name in shared]
        if shared.keys() & {EDITORS, RECURRENCE}:
            neighbour.score = 1.0
        result[place[0]].append(neighbour)
    return result


def _neighbour(columns: Sequence[Any]) -> Neighbour:
    number, org_name, org_slug, title_en, title_ko, date, precision, score, most = columns
    nearness = round(score / most, 2) if most else 0.0
    return Neighbour(number, org_name, org_slug, title_en, title_ko, dt.date.fromisoformat(date), precision, nearness)


# As JSON


def as_json(found: Sequence[Neighbour], labels: Labels) -> list[dict[str, Any]]:
    """Write neighbours as the key ``similar`` of the public JSON."""
    return [
        {
            "id": case_id(neighbour.number),
            "url": f"{settings.SITE_URL}/cases/{case_id(neighbour.number)}",
            "org": neighbour.org_name,
            "title": {"en": neighbour.title_en, "ko": neighbour.title_ko},
            "reasons": [{"kind": kind, "terms": terms} for kind, terms in neighbour.reasons],
            "text": {language: _text(neighbour, labels, language) for language in LANGUAGES},
            "score": neighbour.score,
        }
        for neighbour in found
    ]


def _text(neighbour: Neighbour, labels: Labels, language: Language) -> str:
    with translation.override(language):
        return " · ".join(reason_words(kind, terms, labels, language) for kind, terms in neighbour.reasons)


def spliced(numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
    """Return the JSON text of ``similar`` and ``recurrence_chain`` of each case, in a fixed number of queries."""
    labels = current_labels()
    near, chains = neighbours_of(numbers), recurrence_chains(numbers)
    return {
        number: (write_json(as_json(near.get(number, []), labels)), write_json(chains[number])) for number in numbers
    }


def recurrence_chains(numbers: Iterable[int]) -> dict[int, list[dict[str, Any]]]:
    """Return, for each case, the published cases that it is a recurrence of or that recurred from it, oldest first."""
    links: dict[int, set[int]] = defaultdict(set)
    rows: Any = Case.objects.exclude(recurrence_of=None).values_list("number", "recurrence_of")
    for number, earlier in rows:
        links[number].add(earlier)
        links[earlier].add(number)
    chains = {number: _linked(number, links) for number in numbers}
    wanted = {other for chain in chains.values() for other in chain}
    cases = _linked_cases(wanted) if wanted else {}
    return {number: [case for other, case in cases.items() if other in chain] for number, chain in chains.items()}


def _linked(start: int, links: dict[int, set[int]]) -> set[int]:
    seen, ahead = {start}, [start]
    while ahead:
        new = links.get(ahead.pop(), set()) - seen
        seen |= new
        ahead += new
    return seen - {start}


def _linked_cases(numbers: set[int]) -> dict[int, dict[str, Any]]:
    """Return published cases as links, in the order of time."""
    cases = Case.objects.filter(number__in=numbers, status=Case.Status.PUBLISHED).select_related("org")
    return {
        case.number: {
            "id": case_id(case.number),
            "url": f"{settings.SITE_URL}/cases/{case_id(case.number)}",
            "org": case.org.name,
            "date": case.date_first.isoformat(),
            "title": {"en": case.title_en, "ko": case.title_ko},
        }
        for case in cases.order_by("date_first", "number")
    }
