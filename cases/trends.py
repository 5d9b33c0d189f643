"""The trends page: figures of the cases that a query leaves, drawn and as tables, and each of the tables as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from cases import catalog, statistics
from cases.answers import answered, etag, in_both_languages, language_of
from cases.catalog import Catalog, Versions
from cases.charts import Chart, crossed, over_years, years_alone
from cases.document import Language
from cases.exporting import _csv_cell, _csv_line
from cases.facets import State
from cases.figures import term_named, times_shown
from cases.filters import CaseFilter
from cases.narrowing import Lists
from cases.rendering.addresses import address
from cases.statistics import MINUTE, Table, Times, Trends
from cases.telling import Shown

# What a spreadsheet needs to know that a file is UTF-8.
BYTE_ORDER_MARK = "\ufeff"


@require_safe
def trends(request: HttpRequest) -> HttpResponse:
    now = catalog.versions()
    return answered(request, etag(now, request.get_full_path()), lambda: trends_page(request, now))


def trends_page(request: HttpRequest, now: Versions) -> HttpResponse:
    state = asked(request, now)
    language, chosen = state.language, state.filter.chosen
    found = statistics.trends(state.selection, chosen)
    lists = Lists(chosen, language)
    query = state.url(chosen).removeprefix(state.path)
    context = {
        "section": "trends",
        "total": found.total,
        "examples": found.examples,
        "chips": state.chips,
        "clear_url": state.path,
        "problems": state.filter.problems,
        "ways_out": [] if found.total else state.ways_out,
        "list_url": lists.url(),
        "years": years_alone(found.years, _("All causes"), lists),
        "uncertain": uncertain_words(found.uncertain),
        **charts(found, lists, state.selection.catalog, query),
        **in_both_languages(language, "trends", query),
    }
    return render(request, "cases/trends.html", context)


def asked(request: HttpRequest, now: Versions) -> State:
    """Read what is asked for, as a list of cases reads it; an order means nothing here."""
    language, present = language_of(request), catalog.at(now)
    values = request.GET.copy()
    values.pop("sort", None)
    case_filter = CaseFilter(values, present.labels)
    return State(case_filter, case_filter.select(present), address("trends", language), language)


@dataclass(frozen=True)
class Drawing(Shown):
    """A chart, what must be said beside it, and the address of its numbers as CSV."""

    chart: Chart
    notes: Sequence[str]
    csv: str


def charts(found: Trends, lists: Lists, present: Catalog, query: str) -> dict[str, Any]:
    language = lists.language
    cause, component, symptom = (term_named(present, name, language) for name in ("root_cause", "component", "symptom"))
    causes = over_years(found.causes_by_year, "root_cause", cause, lists)
    pairs = crossed(found.components_by_cause, ("component", "root_cause"), (component, cause), lists)
    symptoms = over_years(found.symptoms_by_year, "symptom", symptom, lists)

    def csv(name: str) -> str:
        return address("trends-csv", language, table=name) + query

    return {
        "causes": Drawing(causes, notes(causes, found.untold["root_cause"]), csv("causes-by-year")),
        "pairs": Drawing(pairs, notes(pairs, found.untold["component"]), csv("components-by-cause")),
        "symptoms": Drawing(symptoms, notes(symptoms, found.untold["symptom"]), csv("symptoms-by-year")),
        "times": [
            {"name": name, "csv": csv(name), "shown": times_shown(times, name, label, language, lists)}
            for name, times, label in (
                ("detect", found.detection, _("Time to detect")),
                ("repair", found.repair, _("Time to repair")),
            )
        ],
    }


# What must be said beside a drawing


def notes(chart: Chart, untold: int) -> list[str]:
    """Say what a drawing leaves out, and how many cases are in no row."""
    said = []
    if untold:
        none = ngettext(
            "{number} case tells none and is in no row.", "{number} cases tell none and are in no row.", untold
        )
        said.append(none.format(number=untold))
    if len(chart.heads) > len(chart.drawn_heads) and len(chart.rows) > len(chart.drawn):
        said.append(_("Only the first rows and columns are drawn; the table has them all."))
    elif len(chart.heads) > len(chart.drawn_heads):
        said.append(_("Not all columns are drawn; the table has them all."))
    elif len(chart.rows) > len(chart.drawn):
        said.append(_("The most frequent rows are drawn; the table has them all."))
    if chart.left_out:
        left = ngettext("{number} rarer word is left out.", "{number} rarer words are left out.", chart.left_out)
        said.append(left.format(number=chart.left_out))
    return said


def uncertain_words(count: int) -> str:
    if not count:
        return ""
    said = ngettext(
        "The date of {number} case is known to the month or the year only; it counts in its year.",
        "The dates of {number} cases are known to the month or the year only; each counts in its year.",
        count,
    )
    return said.format(number=count)


# CSV


@require_safe
def trends_csv(request: HttpRequest, table: str) -> HttpResponse:
    """Write one of the tables as CSV: words by their slugs and labels, times in minutes."""
    if table not in TABLES:
        raise Http404
    now = catalog.versions()
    return answered(request, etag(now, request.get_full_path()), lambda: csv_answer(request, now, table))


def csv_answer(request: HttpRequest, now: Versions, name: str) -> HttpResponse:
    state = asked(request, now)
    found = statistics.trends(state.selection, state.filter.chosen)
    rows = TABLES[name](found, state.selection.catalog, state.language)
    lines = (_csv_line([_csv_cell(cell) for cell in row]) for row in rows)
    return HttpResponse(BYTE_ORDER_MARK + "".join(lines), content_type="text/csv; charset=utf-8")


Rows = Iterator[Sequence[str | int | None]]


def table_rows(table: Table, name: str, present: Catalog, language: Language) -> Rows:
    named = term_named(present, name, language)
    yield [name, "label", "cases", *table.columns]
    for word, total, counts in zip(table.rows, table.totals, table.counts, strict=True):
        yield [word, named(word), total, *counts]


def times_rows(times: Times) -> Rows:
    """Write the buckets, and then the cases that do not tell their time."""
    yield ["from_minutes", "below_minutes", "cases"]
    for bucket in times.buckets:
        yield [bucket.least // MINUTE, None if bucket.below is None else bucket.below // MINUTE, bucket.cases]
    if times.buckets:
        yield ["unknown", None, times.unknown]


TABLES: Mapping[str, Callable[[Trends, Catalog, Language], Rows]] = {
    "causes-by-year": lambda found, *words: table_rows(found.causes_by_year, "root_cause", *words),
    "components-by-cause": lambda found, *words: table_rows(found.components_by_cause, "component", *words),
    "symptoms-by-year": lambda found, *words: table_rows(found.symptoms_by_year, "symptom", *words),
    "detect": lambda found, *_words: times_rows(found.detection),
    "repair": lambda found, *_words: times_rows(found.repair),
}
