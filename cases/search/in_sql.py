"""What a search found, as a part of other statements."""

from __future__ import annotations

import json

from django.db import connection
from django.db.models import Case as Switch
from django.db.models import Value, When
from django.db.models.expressions import RawSQL

from cases.catalog import Index
from cases.catalog.bits import places_of

from .finding import Found

# How each database takes many primary keys as one value.
KEYS = {
    "sqlite": "SELECT value FROM json_each(%s)",
    "postgresql": "SELECT jsonb_array_elements_text(%s::jsonb)::bigint",
}


def keys(cases: int, index: Index) -> RawSQL:
    """Give the primary keys of cases to a query as one value, however many there are."""
    ids = [index.columns.case_ids[place] for place in places_of(cases)]
    return RawSQL(KEYS[connection.vendor], [json.dumps(ids)])  # noqa: S611  (fixed text)


def relevance(found: Found, index: Index) -> Switch:
    """Rank by the one order of relevance: a case asked for by its number, the best part, the terms found there."""
    steps = [When(pk__in=keys(rank.cases, index), then=Value(position)) for position, rank in enumerate(found.ranks)]
    return Switch(When(number=found.number or 0, then=Value(-1)), *steps, default=Value(len(steps)))
