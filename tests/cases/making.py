"""Makes what tests need: a real sample document with the named changes, published or not."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cases
from cases.document import LANGUAGES, CaseDocument, Record, read_case
from cases.models import Case, LanguageVersion, Person
from cases.publishing import Publication, publish
from cases.words import Words

SAMPLES = Path(cases.__file__).parent / "samples"
SHARED = Path(__file__).parents[3] / "shared" / "data"


@cache
def _sample() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads((SAMPLES / "IL-0561.json").read_text(encoding="utf-8"))
    return raw


def make_raw(**changes: Any) -> dict[str, Any]:
    """Return the JSON of a sample case, with every section filled, in both languages, and with these keys changed."""
    return {**copy.deepcopy(_sample()), **changes}


def make_document(**changes: Any) -> CaseDocument:
    return read_case(make_raw(**changes)).document


def make_case(*, reviewed_by: str | None = None, columns: dict[str, Any] | None = None, **changes: Any) -> Case:
    """Publish a sample case with these keys changed; ``reviewed_by`` approves every language that is present."""
    return publish([make_publication(reviewed_by=reviewed_by, columns=columns, **changes)], Words())[0]


def make_cases(cases: Sequence[dict[str, Any]]) -> list[Case]:
    """Publish many cases at once, each with the arguments of ``make_case``."""
    return publish([make_publication(**case) for case in cases], Words())


def make_publication(
    *, reviewed_by: str | None = None, columns: dict[str, Any] | None = None, **changes: Any
) -> Publication:
    reading = read_case(make_raw(**changes))
    record = Record.model_validate({"review": {"written_by": "session"}})
    if reviewed_by:
        review = {"written_by": "session", "reviewed_by": reviewed_by, "reviewed_at": "2026-11-01T09:00:00Z"}
        record = Record.model_validate({"review": review})
    reviews = record.language_reviews(reading.document.languages)
    versions = {}
    for language in LANGUAGES:
        told = reviews.of(language)
        versions[language] = LanguageVersion(
            state=told.state,
            written_by=_person(told.written_by),
            reviewed_by=_person(told.reviewed_by),
            reviewed_at=told.reviewed_at,
        )
    return Publication(reading.document, versions, org_slug=reading.org_slug, columns=columns or {})


def _person(name: str | None) -> Person | None:
    return Person.objects.get_or_create(name=name)[0] if name else None
