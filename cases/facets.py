"""What stands beside a list of cases: the choices of each facet with counts, the chips, and the address of each state.

The counts of a facet leave its own choice out: they say what else could be chosen there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from cases.catalog import YES, Selection
from cases.document import Language
from cases.filters import CaseFilter
from cases.labels import Labels
from cases.models import Term
from cases.telling import Told

IN_ORDER = ("severity", "available_in", "reviewed")
FACETS = (
    "domain", "root_cause", "component", "symptom", "contributing", "severity", "org", "source_kind", "available_in",
    "reviewed",
)  # fmt: skip
FORM_FIELDS = ("date_after", "date_before", "repair_min", "repair_max", "sort")
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
    selection: Selection
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
            if name != "sort" and self.selection.without(name)
        ]

    def facets(self) -> list[Facet]:
        return [Facet(name, self.filter.filters[name].label, self.choices(name)) for name in FACETS]

    def choices(self, name: str) -> list[Choice]:
        """Return the values that would give cases and those chosen, the most frequent first."""
        counts = self.selection.counts(name)
        selected = self.filter.chosen.get(name, [])
        words = [word for word in self.selection.catalog.words.get(name, ()) if word in counts or word in selected]
        if name not in IN_ORDER:
            words.sort(key=lambda word: (word not in selected, -counts.get(word, 0)))
        return [
            Choice(word, self.label(name, word), counts.get(word, 0), word in selected, self.toggled(name, word))
            for word in words[: max(MOST_CHOICES, len(selected))]
        ]

    def label(self, name: str, value: str) -> SafeString:
        """Return what a reader of this page calls a value."""
        labels = self.filter.labels
        if name == "org":
            return org_name(labels, value, self.language).name
        if name == "available_in":
            return Told(_("English") if value == "en" else _("Korean")).name
        if name == "reviewed":
            return Told(_("Every language reviewed") if value == YES else _("Not reviewed yet")).name
        if name in Term.List.values:
            return labels.term(name, value).name(self.language).name
        return Told(value).name


def org_name(labels: Labels, slug: str, language: Language) -> Told:
    found = labels.orgs_by_slug.get(slug)
    return found.name(language) if found else Told(slug)
