"""What the catalog must agree with: the same counts asked of the database, one GROUP BY for each facet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Case as Switch
from django.db.models import Count, F, QuerySet, Value, When
from django.http import QueryDict

from cases.catalog import NO, YES
from cases.document import LANGUAGES
from cases.filters import CaseFilter, approved, made_up, told_in
from cases.labels import Labels
from cases.models import Case, CaseTerm, Source

# Facets that are a column of the case; the others are lists of terms.
COLUMNS = {"org": "org__slug", "root_cause": "root_cause__slug", "severity": "severity__slug"}


def counted(query: QueryDict, name: str, labels: Labels) -> dict[str, int]:
    """Count the cases of each value of a facet under everything else that is asked for; values without any left out."""
    others = query.copy()
    others.pop(name, None)
    others.pop("sort", None)
    counts = count_words(CaseFilter(others, labels).qs, name, labels)
    return {word: count for word, count in counts.items() if count}


def count_words(cases: QuerySet[Case], name: str, labels: Labels) -> dict[str, int]:
    """Count cases by the word in force: a case with a word and its successor counts once."""
    if name == "available_in":
        return {language: cases.filter(told_in([language])).count() for language in LANGUAGES}
    if name == "reviewed":
        return {answer: cases.filter(approved([answer])).count() for answer in (YES, NO)}
    if name == "examples":
        return {answer: cases.filter(made_up([answer])).count() for answer in (YES, NO)}
    if name in COLUMNS:
        words: Any = cases.order_by().values_list(_in_force(COLUMNS[name], name, labels))
        return _filled(words.annotate(Count("pk")))
    if name == "source_kind":
        words = Source.objects.filter(case__in=cases).order_by().values_list(_in_force("kind__slug", name, labels))
    else:
        terms = CaseTerm.objects.filter(case__in=cases, term__list=name).order_by()
        words = terms.values_list(_in_force("term__slug", name, labels))
    return _filled(words.annotate(Count("case", distinct=True)))


def _filled(rows: Iterable[tuple[str | None, int]]) -> dict[str, int]:
    return {slug: count for slug, count in rows if slug is not None}


def _in_force(path: str, list_name: str, labels: Labels) -> F | Switch:
    """Return the column of a slug, with replaced slugs turned into their successors."""
    replaced = [slug for (name, slug), term in labels.terms.items() if name == list_name and term.replaced_by]
    if not replaced:
        return F(path)
    steps = [When(**{path: slug}, then=Value(labels.term(list_name, slug).slug)) for slug in replaced]
    return Switch(*steps, default=F(path))
