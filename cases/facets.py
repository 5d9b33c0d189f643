"""What stands beside a list of cases: the choices of each facet with counts, the chips, and the address of each state.

The counts of a facet leave its own choice out: they say what else could be chosen there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape  # Django's own takes lazy texts too, which costs three times as much
from typing import NamedTuple
from urllib.parse import quote_plus, urlencode

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from cases.catalog import YES, Selection
from cases.document import Language
from cases.filters import CaseFilter
from cases.models import Term
from cases.telling import Shown, Told

TOPICS = (Term.List.DOMAIN, Term.List.ROOT_CAUSE, Term.List.COMPONENT, Term.List.SYMPTOM, Term.List.CONTRIBUTING)
IN_ORDER = ("severity", "available_in", "reviewed")
FACETS = (
    "domain", "root_cause", "component", "symptom", "contributing", "severity", "org", "source_kind", "available_in",
    "reviewed",
)  # fmt: skip
FORM_FIELDS = ("date_after", "date_before", "repair_min", "repair_max", "sort")
MOST_CHOICES = 30


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet; ``url`` is the list with it chosen, or no longer chosen."""

    value: str
    label: SafeString
    count: int
    selected: bool
    url: str

    @property
    def item(self) -> str:
        current = ' aria-current="true"' if self.selected else ""
        link = f'<a href="{escape(self.url)}"{current} rel="nofollow">'
        return f'<li>{link}<span>{self.label}</span> <span class="count">{self.count}</span></a></li>\n'


@dataclass(frozen=True)
class Facet(Shown):
    name: str
    label: str
    choices: list[Choice]

    @property
    def is_open(self) -> bool:
        return any(choice.selected for choice in self.choices)

    @property
    def items(self) -> SafeString:
        """The choices as items of a list. A template takes twenty times as long for the two hundred of a page."""
        return mark_safe("".join(choice.item for choice in self.choices))  # noqa: S308  (its parts are escaped)


class Chip(NamedTuple):
    """One value that is asked for; ``remove_url`` is the list without it."""

    label: SafeString
    remove_url: str


class Box(NamedTuple):
    """A field of the form beside the list, as its template shows it; Django's own takes a template for each.

    ``options`` are (value, label) of a field with a closed choice.
    """

    name: str
    label: str
    value: str
    is_wrong: bool
    attributes: Mapping[str, str]
    options: Sequence[tuple[str, str]]


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

    def without(self, name: str) -> str:
        return self.url({**self.filter.chosen, name: []})

    def toggles(self, name: str) -> Callable[[str], str]:
        """Return what gives the address with a value of this facet turned on or off."""
        chosen: dict[str, list[str]] = {name: [], **self.filter.chosen}
        if name not in self.filter.chosen:
            chosen[name] = chosen.pop(name)
        values, at = chosen[name], list(chosen).index(name)
        before, after = (
            [urlencode(pairs, doseq=True)] if pairs else []
            for pairs in (list(chosen.items())[:at], list(chosen.items())[at + 1 :])
        )

        def toggled(value: str) -> str:
            changed = [one for one in values if one != value] if value in values else [*values, value]
            query = "&".join([*before, *(f"{name}={quote_plus(one)}" for one in changed), *after])
            return f"{self.path}?{query}" if query else self.path

        return toggled

    @property
    def chips(self) -> list[Chip]:
        return [
            Chip(
                format_html("{}: {}", self.filter.filters[name].label, self.label(name, value)),
                self.toggles(name)(value),
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

    @property
    def literal_url(self) -> str:
        """The list for the words exactly as they were typed, where others were taken for them."""
        return self.url({**self.filter.chosen, "q": [f'"{word}"' for word in self.filter.chosen.get("q", [])]})

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What the form of the other fields carries along: the words, and the values chosen in facets."""
        return [(name, value) for name in ("q", *FACETS) for value in self.filter.chosen.get(name, ())]

    def boxes(self) -> list[Box]:
        form = self.filter.form
        fields = ((name, form.fields[name]) for name in FORM_FIELDS)
        return [
            Box(
                name=name,
                label=self.filter.filters[name].label,
                value=form.data.get(name) or (self.selection.order if name == "sort" else ""),
                is_wrong=name in form.errors,
                attributes=field.widget.attrs,
                options=[(value, label) for value, label in getattr(field, "choices", ()) if value],
            )
            for name, field in fields
        ]

    def facets(self) -> list[Facet]:
        return [Facet(name, self.filter.filters[name].label, self.choices(name)) for name in FACETS]

    def choices(self, name: str) -> list[Choice]:
        """Return the values that would give cases and those chosen, the most frequent first."""
        counts, toggled = self.selection.counts(name), self.toggles(name)
        selected = self.filter.chosen.get(name, [])
        words = [word for word in self.selection.catalog.words.get(name, ()) if word in counts or word in selected]
        if name not in IN_ORDER:
            words.sort(key=lambda word: (word not in selected, -counts.get(word, 0)))
        return [
            Choice(word, self.label(name, word), counts.get(word, 0), word in selected, toggled(word))
            for word in words[: max(MOST_CHOICES, len(selected))]
        ]

    def label(self, name: str, value: str) -> SafeString:
        """Return what a reader of this page calls a value; the catalog remembers it for the next page."""
        known, key = self.selection.catalog.labels_shown, (name, value, self.language)
        if name not in self.selection.catalog.words:
            return Told(value).name
        if key not in known:
            known[key] = self._told(name, value).name
        return known[key]

    def _told(self, name: str, value: str) -> Told:
        labels = self.selection.catalog.labels
        if name == "org":
            org = labels.orgs_by_slug.get(value)
            return org.name(self.language) if org else Told(value)
        if name == "available_in":
            return Told(_("English") if value == "en" else _("Korean"))
        if name == "reviewed":
            return Told(_("Every language reviewed") if value == YES else _("Not reviewed yet"))
        return labels.term(name, value).name(self.language)
