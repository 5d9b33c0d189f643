"""The controlled words as programs get them: every list with its terms, and the organisations, with counts of cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import translation

from cases.catalog import Catalog
from cases.document import LANGUAGES, Pair
from cases.filters import CaseFilter
from cases.labels import Label
from cases.models import Term


def vocab(present: Catalog) -> dict[str, Any]:
    """Return all words. A list that cases can be asked for by is told with its parameter, the list's own name."""
    by_list: dict[str, list[Label]] = {name: [] for name in Term.List.values}
    for term in present.labels.terms.values():
        by_list[term.list].append(term)
    return {
        "lists": [
            {
                "name": name,
                "label": {language: _list_label(name, language) for language in LANGUAGES},
                "parameter": name if name in CaseFilter.base_filters else None,
                "terms": [_term(term, present.totals.get(name, {})) for term in terms],
            }
            for name, terms in by_list.items()
        ],
        "orgs": [
            {
                "slug": slug,
                "name": org.written,
                "label": pair(org.names),
                "homepage": org.homepage or None,
                "cases": present.totals["org"].get(slug, 0),
            }
            for slug, org in sorted(present.labels.orgs_by_slug.items())
        ],
    }


def _list_label(name: str, language: str) -> str:
    with translation.override(language):
        return str(Term.List(name).label)


def _term(term: Label, totals: Mapping[str, int]) -> dict[str, Any]:
    return {
        "slug": term.slug,
        "label": pair(term.names),
        "definition": pair(term.definition),
        "known": term.known,
        "replaced_by": term.replaced_by,
        "cases": totals.get(term.slug, 0),
    }


def pair(told: Pair) -> dict[str, str | None]:
    return {language: told.told(language) for language in LANGUAGES}
