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

from cases.catalog import NO, RELEVANCE, YES, Selection
from cases.document import Language
from cases.document.values import write_duration
from cases.filter_values import NO_TEXT
from cases.filters import CaseFilter
from cases.formatting import duration_words
from cases.models import Term
from cases.rendering.addresses import with_query
from cases.telling import Shown, Told

TOPICS = (Term.List.DOMAIN, Term.List.ROOT_CAUSE, Term.List.COMPONENT, Term.List.SYMPTOM, Term.List.CONTRIBUTING)
IN_ORDER = ("severity", "available_in", "reviewed")
# In the order in which somebody with trouble at hand knows them: what is seen first.
FACETS = (
    "symptom", "component", "root_cause", "domain", "contributing", "severity", "org", "source_kind", "available_in",
    "reviewed",
)  # fmt: skip
PERIOD = ("date_after", "date_before")
DETECTION, REPAIR = ("detect_min", "detect_max"), ("repair_min", "repair_max")
TIMES = (*DETECTION, *REPAIR)
BOXES = (*PERIOD, *TIMES)
NO_FILTERS = ("q", "sort")
MOST_CHOICES = 30
# A wrong value is shown in its box, so that it can be mended; nobody mends more of it than this.
LONGEST_TYPED = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet; ``url`` is the list with it chosen, or no longer chosen."""

    name: str
    value: str
    label: SafeString
    count: int
    selected: bool
    url: str

    @property
    def item(self) -> SafeString:
        """The choice as an item of a list. By its id the focus stays on it when the list has changed."""
        current = ' aria-current="true"' if self.selected else ""
        link = f'<a id="{self.name}-{escape(self.value)}" href="{escape(self.url)}"{current} rel="nofollow">'
        html = f'<li>{link}<span>{self.label}</span> <span class="count">{self.count}</span></a></li>\n'
        return mark_safe(html)  # noqa: S308  (its parts are escaped)


@dataclass(frozen=True)
class Facet(Shown):
    name: str
    label: str
    choices: list[Choice]
    # How many more values would give cases; they are found by searching for them.
    more: int = 0

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
    """A field of the form beside the list, as its template shows it; Django's own takes a template for each."""

    name: str
    label: str
    value: str
    errors: Sequence[str]
    attributes: Mapping[str, str]


class Order(NamedTuple):
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class State:
    """What a list is asked for, and the addresses one step away from it."""

    filter: CaseFilter
    selection: Selection
    path: str
    language: Language

    def url(self, chosen: Mapping[str, Iterable[str]]) -> str:
        return with_query(self.path, chosen)

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
    def filter_count(self) -> int:
        """How many values narrow the list. The words are no filter: they stand in their own box."""
        return sum(len(values) for name, values in self.filter.chosen.items() if name not in NO_FILTERS)

    def carried(self, *but: str) -> list[tuple[str, str]]:
        """What a form takes along of the present state: everything but what it asks for itself."""
        return [(name, value) for name, values in self.filter.chosen.items() if name not in but for value in values]

    # The fields of the forms

    def boxes(self, names: Sequence[str]) -> list[Box]:
        """Return boxes that stand together, where those of a range need not say what it is of."""
        form, labels = self.filter.form, {"repair_min": _("At least"), "repair_max": _("At most")}
        return [
            Box(
                name=name,
                label=labels.get(name, self.filter.filters[name].label),
                value=self.typed(name),
                errors=form.errors.get(name, ()),
                attributes=form.fields[name].widget.attrs,
            )
            for name in names
        ]

    def typed(self, name: str) -> str:
        """Return what a box shows: the value that applies as people write it, else what was typed."""
        if name in TIMES and (minutes := self.filter.applied.get(name)) is not None:
            return write_duration(60 * minutes)
        return NO_TEXT.sub(" ", self.filter.form.data.get(name, "")[:LONGEST_TYPED])

    @property
    def boxes_are_open(self) -> bool:
        return any(name in self.filter.chosen or name in self.filter.form.errors for name in BOXES)

    def orders(self) -> list[Order]:
        """Return the orders to choose from: best match first only where something was searched for."""
        offered = self.filter.form.fields["sort"].choices
        return [
            Order(value, label, value == self.selection.order)
            for value, label in offered
            if value and (value != RELEVANCE or self.filter.found is not None)
        ]

    @property
    def examples(self) -> Choice | None:
        """The one switch that leaves examples out, with how many that are; None where there are none."""
        is_on = self.filter.chosen.get("examples") == [NO]
        count = self.selection.counts("examples").get(YES, 0)
        if not count and not is_on:
            return None
        url = self.without("examples") if is_on else self.url({**self.filter.chosen, "examples": [NO]})
        return Choice("examples", NO, Told(_("Leave examples out")).name, count, is_on, url)

    # Facets

    def facets(self) -> list[Facet]:
        return list(map(self.facet, FACETS))

    def facet(self, name: str) -> Facet:
        """Return the values that would give cases and those chosen, the most frequent first."""
        counts, toggled = self.selection.counts(name), self.toggles(name)
        selected = self.filter.chosen.get(name, [])
        words = [word for word in self.selection.catalog.words.get(name, ()) if word in counts or word in selected]
        if name not in IN_ORDER:
            words.sort(key=lambda word: (word not in selected, -counts.get(word, 0)))
        choices = [
            Choice(name, word, self.label(name, word), counts.get(word, 0), word in selected, toggled(word))
            for word in words[: max(MOST_CHOICES, len(selected))]
        ]
        more = len(counts) - sum(choice.count > 0 for choice in choices)
        return Facet(name, self.filter.filters[name].label, choices, more)

    def label(self, name: str, value: str) -> SafeString:
        """Return what a reader of this page calls a value; the catalog remembers it for the next page."""
        if name in TIMES:
            return Told(duration_words(60 * int(value), self.language)).name
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
        if name == "examples":
            return Told(_("nothing else") if value == YES else _("left out"))
        return labels.term(name, value).name(self.language)
