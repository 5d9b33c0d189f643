"""What stands beside a list of cases: the choices of each facet with counts, the chips, and the address of each state.

The counts of a facet leave its own choice out: they say what else could be chosen there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Case as Switch
from django.db.models import Count, F, QuerySet, Value, When
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from cases.document import LANGUAGES, Language
from cases.filters import CaseFilter, WordsFilter, told_in
from cases.labels import Labels
from cases.models import Case, CaseTerm, Source, Term
from cases.telling import Told

# Facets that are a column of the case; the others are lists of terms.
COLUMNS = {"org": "org__slug", "root_cause": "root_cause__slug", "severity": "severity__slug"}
IN_ORDER = ("severity", "available_in")
FACETS = (
    "domain", "root_cause", "component", "symptom", "contributing", "severity", "org", "source_kind", "available_in",
)  # fmt: skip
FORM_FIELDS = ("date_after", "date_before", "sort")
TOPICS = (Term.List.DOMAIN, Term.List.ROOT_CAUSE, Term.List.COMPONENT, Term.List.SYMPTOM, Term.List.CONTRIBUTING)
MOST_CHOICES = 30


@dataclass(frozen=True)
class Choice:
    """One value of a facet; ``url`` is the list with it chosen, or no longer chosen."""

    value: str
    label: SafeString
    count: int
    selected: bool
    url: str


@dataclass(frozen=True)
class Facet:
    name: str
    label: str
    choices: list[Choice]

    @property
    def is_open(self) -> bool:
        return any(choice.selected for choice in self.choices)


@dataclass(frozen=True)
class Chip:
    """One value that is asked for; ``remove_url`` is the list without it."""

    label: SafeString
    remove_url: str


@dataclass(frozen=True)
class State:
    """What a list is asked for, and the addresses one step away from it."""

    filter: CaseFilter
    path: str
    language: Language

    def url(self, chosen: Mapping[str, Iterable[str]]) -> str:
        query = urlencode({name: list(values) for name, values in chosen.items() if values}, doseq=True)
        return f"{self.path}?{query}" if query else self.path

    def toggled(self, name: str, value: str) -> str:
        values = self.filter.chosen.get(name, [])
        changed = [one for one in values if one != value] if value in values else [*values, value]
        return self.url({**self.filter.chosen, name: changed})

    def without(self, name: str) -> str:
        return self.url({**self.filter.chosen, name: []})

    @property
    def chips(self) -> list[Chip]:
        return [
            Chip(
                format_html("{}: {}", self.filter.filters[name].label, self.label(name, value)),
                self.toggled(name, value),
            )
            for name, values in self.filter.chosen.items()
            for value in values
            if name != "sort"
        ]

    @property
    def ways_out(self) -> list[Chip]:
        """The filters each of which, taken away alone, lets cases appear; for a list that came out empty."""
        return [
            Chip(self.filter.filters[name].label, self.without(name))
            for name in self.filter.chosen
            if name != "sort" and self.filter.without(name).exists()
        ]

    def facets(self) -> list[Facet]:
        return [Facet(name, self.filter.filters[name].label, self.choices(name)) for name in FACETS]

    def choices(self, name: str) -> list[Choice]:
        """Return the values that would give cases and those chosen, the most frequent first."""
        counts = counted(self.filter, name)
        selected = self.filter.chosen.get(name, [])
        words = [word for word in _words(self.filter.labels, name) if word in counts or word in selected]
        if name not in IN_ORDER:
            words.sort(key=lambda word: (word not in selected, -counts.get(word, 0)))
        return [
            Choice(word, self.label(name, word), counts.get(word, 0), word in selected, self.toggled(name, word))
            for word in words[: max(MOST_CHOICES, len(selected))]
        ]

    def label(self, name: str, value: str) -> SafeString:
        """Return what a reader of this page calls a value."""
        labels, chosen = self.filter.labels, self.filter.filters[name]
        if name == "org":
            return org_name(labels, value, self.language).name
        if name == "available_in":
            return Told(_("English") if value == "en" else _("Korean")).name
        if isinstance(chosen, WordsFilter):
            return labels.term(str(chosen.list_name), value).name(self.language).name
        return Told(value).name


def org_name(labels: Labels, slug: str, language: Language) -> Told:
    found = next((org for org in labels.orgs.values() if org.slug == slug), None)
    return found.name(language) if found else Told(slug)


def _words(labels: Labels, name: str) -> list[str]:
    """Return the values that a facet can have, in the order of the vocabulary."""
    if name == "available_in":
        return list(LANGUAGES)
    if name == "org":
        return sorted(org.slug for org in labels.orgs.values() if org.slug)
    terms = [term for (list_name, _), term in labels.terms.items() if list_name == name]
    return [term.slug for term in terms if not term.replaced_by]


# Counts


def counted(case_filter: CaseFilter, name: str) -> dict[str, int]:
    """Count the cases of each value of a facet under everything else that is asked for."""
    return count_words(case_filter.without(name), name, case_filter.labels)


def count_words(cases: QuerySet[Case], name: str, labels: Labels) -> dict[str, int]:
    """Count cases by the word in force, in one query: a case with a word and its successor counts once."""
    if name == "available_in":
        return cases.aggregate(**{language: Count("pk", filter=told_in([language])) for language in LANGUAGES})
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
