"""The ledger of what organisations promised after their incidents, and what of it was seen done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cases import catalog, collecting
from cases.answers import answered, etag, in_both_languages, language_of
from cases.catalog import FOLLOW_UPS, Catalog, Selection, Versions
from cases.document.problems import printable
from cases.facets import Chip, State
from cases.filters import CaseFilter
from cases.rendering.addresses import address, with_query
from cases.rendering.article import status_words
from cases.telling import Shown
from cases.topics import alphabetical
from cases.views import page_of, paged, turns

PER_PAGE = 20
UNTOLD, OPEN = "untold", "open"
# What an address may ask for, and the statuses that it means.
STATUSES: Mapping[str, Sequence[str | None]] = {
    OPEN: collecting.UNFINISHED,
    **{status or UNTOLD: [status] for status in FOLLOW_UPS},
}


@dataclass(frozen=True)
class Choice(Shown):
    """One status, or all (""): how many promises have it within the other filters, and the ledger of these."""

    name: str
    label: str
    items: int
    is_chosen: bool
    url: str


@dataclass(frozen=True)
class Ledger:
    """What is asked for: cases by the one query language, and statuses of what was promised after them."""

    state: State
    names: Sequence[str]
    problems: Sequence[str]

    @classmethod
    def read(cls, request: HttpRequest, present: Catalog) -> Ledger:
        language = language_of(request)
        case_filter = CaseFilter(request.GET, present.labels)
        state = State(case_filter, case_filter.select(present), address("follow-ups", language), language)
        given = list(dict.fromkeys(request.GET.getlist("status")))
        wrong = [name for name in given if name and name not in STATUSES]
        problems = case_filter.problems
        if wrong:
            shown = _("Not known and left out: {values}").format(values=", ".join(map(printable, wrong[:3])))
            problems = [*problems, _("Status") + f": {shown}"]
        return cls(state, [name for name in given if name in STATUSES], problems)

    @property
    def catalog(self) -> Catalog:
        return self.state.selection.catalog

    @property
    def statuses(self) -> set[str | None]:
        wanted = self.names or list(STATUSES)
        return {status for name in wanted for status in STATUSES[name]}

    @property
    def selection(self) -> Selection:
        """The cases after which something of these statuses was promised."""
        having = self._having(self.catalog.published)
        return replace(self.state.selection, asked={**self.state.selection.asked, "status": having})

    def _having(self, cases: int) -> int:
        return cases & reduce(or_, map(self.catalog.index.follow_ups.cases, self.statuses))

    def items(self, statuses: Sequence[str | None]) -> int:
        """Count what was promised after the cases that the other filters leave."""
        count, cases = self.catalog.index.follow_ups.count, self.state.selection.cases
        return sum(count(status, cases) for status in statuses)

    def url(self, names: Sequence[str], **changes: Sequence[str]) -> str:
        return with_query(self.state.path, {**self.state.filter.chosen, **changes, "status": names})

    def choices(self) -> list[Choice]:
        all_of_them = Choice("", _("All"), self.items(FOLLOW_UPS), not self.names, self.url([]))
        return [
            all_of_them,
            *(
                Choice(name, status_label(name), self.items(statuses), name in self.names, self.url([name]))
                for name, statuses in STATUSES.items()
            ),
        ]

    def orgs(self) -> list[tuple[str, str, bool]]:
        """Give (slug, name, whether it is chosen) of the organisations that promised something of these statuses."""
        language, known = self.state.language, self.catalog.labels.orgs_by_slug
        chosen = self.state.filter.chosen.get("org", [])
        among = self._having(self.state.selection.without("org"))
        slugs = {*self.catalog.counts("org", among), *chosen}
        named = [(slug, known[slug].name(language).text, slug in chosen) for slug in slugs]
        return sorted(named, key=lambda org: (alphabetical(org[1], language), org[0]))

    def chips(self) -> list[Chip]:
        """Return what else is asked for, each with the ledger without it."""
        filters = self.state.filter
        return [
            Chip(
                format_html("{}: {}", filters.filters[name].label, self.state.label(name, value)),
                self.url(self.names, **{name: [one for one in values if one != value]}),
            )
            for name, values in filters.chosen.items()
            for value in values
            if name != "sort"
        ]


def status_label(name: str) -> str:
    return _("Not seen done") if name == OPEN else status_words(None if name == UNTOLD else name)


@require_safe
def follow_ups(request: HttpRequest) -> HttpResponse:
    now = catalog.versions()
    return answered(request, etag(now, request.get_full_path()), lambda: follow_ups_page(request, now))


def follow_ups_page(request: HttpRequest, now: Versions) -> HttpResponse:
    ledger = Ledger.read(request, catalog.at(now))
    language, chosen = ledger.state.language, ledger.state.filter.chosen
    page = page_of(ledger.selection.numbers, request.GET.get("page", ""), PER_PAGE)
    numbers = list(page.object_list)
    cases = collecting.links(numbers, ledger.catalog, language)
    page.object_list = collecting.promises_shown(
        numbers, collecting.promises(numbers, ledger.statuses), cases, language
    )
    query = ledger.url(ledger.names).removeprefix(ledger.state.path)
    context = {
        "section": "follow-ups",
        **turns(page, query),
        "promises": page.object_list,
        "choices": ledger.choices(),
        "names": ledger.names,
        "orgs": ledger.orgs(),
        "kept": [(name, value) for name, values in chosen.items() if name != "org" for value in values],
        "chips": ledger.chips(),
        "clear_url": ledger.state.path,
        "problems": ledger.problems,
        **in_both_languages(language, "follow-ups", paged(query, page.number)),
    }
    return render(request, "cases/follow_ups.html", context)
