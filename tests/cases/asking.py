"""Asks for lists as an address does, of the catalog and of the database."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from cases import catalog
from cases.document import Language
from cases.facets import State
from cases.filters import CaseFilter


def asked(query: str = "", **values: Any) -> CaseFilter:
    return CaseFilter(QueryDict(query or urlencode(values, doseq=True)))


def found(query: str = "", **values: Any) -> list[int]:
    """Return what the catalog finds, which is what the database finds."""
    case_filter = asked(query, **values)
    numbers = [case.number for case in case_filter.qs]
    assert list(case_filter.select(catalog.current()).numbers) == numbers
    return numbers


def state(query: str, language: Language = "en") -> State:
    case_filter = asked(query)
    return State(case_filter, case_filter.select(catalog.current()), f"/{language}/cases/", language)
