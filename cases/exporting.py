"""Writing cases out: public JSON a line each, CSV for spreadsheets, or the whole library as one stream of lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from cases.document import splice, write_json
from cases.models import Case, Check, Edition, Org, StoredCase
from cases.publishing import public_json
from cases.similarity import spliced
from cases.standing import standings

BATCH = 200
CSV_COLUMNS = (
    "id", "org", "date", "date_precision", "title_en", "title_ko", "severity", "root_cause", "domain", "components",
    "symptoms", "contributing", "detected_after", "resolved_after", "edition", "reviewed_by", "url",
)  # fmt: skip
# What a spreadsheet would run as a formula when a cell begins with it.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(numbers: Sequence[int] | None, *, file_format: str, everything: bool) -> Iterator[tuple[int, str]]:
    """Give (case number, text) for each line, by number; number 0 for what is no case. None means all cases."""
    if file_format == "csv":
        yield 0, _csv_line(CSV_COLUMNS)
    for number, text in _cases(numbers, everything=everything):
        yield number, _csv_line(_csv_cells(json.loads(text))) if file_format == "csv" else text + "\n"
    if everything and file_format == "jsonl":
        yield from ((0, write_json(row) + "\n") for row in (*orgs(), *checks()))


def _cases(numbers: Sequence[int] | None, *, everything: bool) -> Iterator[tuple[int, str]]:
    """Read in batches, each by itself: whoever fetches slowly must not hold a reading of the database open."""
    if numbers is None:
        numbers = list(Case.objects.values_list("number", flat=True))
    wanted = iter(sorted(set(numbers)))
    while batch := list(islice(wanted, BATCH)):
        yield from _batch(batch, everything=everything)


def _batch(numbers: Sequence[int], *, everything: bool) -> Iterator[tuple[int, str]]:
    cases = Case.objects.select_related("org").filter(number__in=numbers).order_by("number")
    found = list(cases if everything else cases.filter(status=Case.Status.PUBLISHED))
    texts, near = _texts(found), spliced([case.number for case in found])
    for case in found:
        yield case.number, splice(texts[case.number], *near[case.number])


def _texts(batch: list[Case]) -> dict[int, str]:
    """Return the public JSON of cases; those not published have no stored row: it is written from their edition."""
    texts = dict(StoredCase.objects.filter(case__in=batch).values_list("number", "json"))
    others = [case for case in batch if case.number not in texts]
    where = standings(others)
    for case in others:
        edition = Edition.objects.get(case=case, number=case.edition_number)
        texts[case.number] = public_json(edition.document(), where[case.number], case.org)
    return texts


def orgs() -> Iterator[dict[str, Any]]:
    for org in Org.objects.prefetch_related("aliases"):
        yield {
            "kind": "org",
            "slug": org.slug,
            "name": org.name,
            "label": {"en": org.label_en, "ko": org.label_ko},
            "aliases": [alias.alias for alias in org.aliases.all()],
            "homepage": org.homepage,
        }


def checks() -> Iterator[dict[str, Any]]:
    for check in Check.objects.prefetch_related("terms"):
        pairs = {
            name: {"en": getattr(check, f"{name}_en"), "ko": getattr(check, f"{name}_ko")}
            for name in ("question", "why", "how", "bad_answer")
        }
        terms = [str(term) for term in check.terms.all()]
        plain = {"command": check.command, "risk": check.risk, "applies_to": terms}
        yield {"kind": "check", "slug": check.slug, **pairs, **plain}


# CSV


def _csv_cells(case: dict[str, Any]) -> list[str]:
    flat = {
        **case,
        **{f"title_{language}": text for language, text in case["title"].items()},
        "detected_after": case["timeline"]["detected_after"],
        "resolved_after": case["timeline"]["resolved_after"],
        "reviewed_by": case["review"]["reviewed_by"],
    }
    return [_csv_cell(flat[column]) for column in CSV_COLUMNS]


def _csv_cell(value: Any) -> str:
    text = "; ".join(value) if isinstance(value, list) else "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def _csv_line(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()
