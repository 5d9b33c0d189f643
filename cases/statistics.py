"""How often, with what, and how long: figures of any set of cases, worked out from the catalog alone.

A set of cases is an integer, as the catalog has it; nothing here asks the database. Times are in seconds, and what is
typical of them is said only where enough cases tell them. A case with several words of a list counts under each.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cases.catalog import FOLLOW_UPS, Catalog, Index, Measure, Selection

# With fewer times than these, nothing is said of what is typical.
LEAST_TOLD = 5
MOST_WORDS = 100
COMPANIONS = ("root_cause", "symptom", "component")
MINUTE, HOUR, DAY = 60, 3_600, 86_400
BOUNDS = (0, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 3 * DAY)


class Counted(NamedTuple):
    """A word, by its slug, and how many cases have it."""

    word: str
    cases: int


class Bucket(NamedTuple):
    """The cases whose time is ``least`` seconds or more, and less than ``below`` (None: without an end)."""

    least: int
    below: int | None
    cases: int


@dataclass(frozen=True)
class Times:
    """A time of ``known`` of ``total`` cases. Quartiles, in seconds, and buckets only where five or more tell it."""

    known: int
    total: int
    lower: int | None = None
    median: int | None = None
    upper: int | None = None
    buckets: tuple[Bucket, ...] = ()

    @property
    def unknown(self) -> int:
        return self.total - self.known


@dataclass(frozen=True)
class Table:
    """Cases counted by two things; ``counts`` has a row for each of ``rows`` with a number for each of ``columns``.

    ``totals`` are the cases of each row, in columns or not. ``left_out`` is how many rows had no room; they were the
    least frequent ones.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    left_out: int = 0

    @property
    def highest(self) -> int:
        return max((count for row in self.counts for count in row), default=0)


@dataclass(frozen=True)
class Trends:
    """What a selection of cases looks like over time and across causes, components and symptoms.

    ``examples`` are made up and counted all the same. ``untold`` counts the cases without any word of a list.
    ``uncertain`` counts those whose date is known to the month or the year only; each is counted in its one year.
    """

    total: int
    examples: int
    years: tuple[Counted, ...]
    uncertain: int
    untold: Mapping[str, int]
    causes: tuple[Counted, ...]
    causes_by_year: Table
    components_by_cause: Table
    symptoms_by_year: Table
    detection: Times
    repair: Times


@dataclass(frozen=True)
class Profile:
    """What a set of cases has in common: companions by list, most frequent first, times, and what was promised.

    ``follow_ups`` counts action items by status; None is a status that nobody told.
    """

    cases: int
    total: int
    companions: Mapping[str, tuple[Counted, ...]]
    years: tuple[Counted, ...]
    detection: Times
    repair: Times
    follow_ups: Mapping[str | None, int]

    @property
    def unfinished(self) -> int:
        """How many promises nobody has seen done, or dropped."""
        return sum(count for status, count in self.follow_ups.items() if status not in {"done", "dropped"})


# The figures of pages and answers


def trends(selection: Selection, chosen: Mapping[str, Collection[str]] | None = None) -> Trends:
    """Work out the trends of a selection; where words of a list are ``chosen``, that list is shown for these only.

    So every number is that of a list that can be asked for: two words of one name would mean either, not both.
    """
    catalog, cases, only = selection.catalog, selection.cases, chosen or {}
    causes, components, symptoms = (
        frequent(catalog, cases, name, only.get(name)) for name in ("root_cause", "component", "symptom")
    )
    return Trends(
        total=cases.bit_count(),
        examples=(cases & catalog.examples).bit_count(),
        years=by_year(catalog.index, cases),
        uncertain=(cases & catalog.index.uncertain).bit_count(),
        untold={name: untold(catalog, cases, name) for name in COMPANIONS},
        causes=causes,
        causes_by_year=over_years(catalog, cases, "root_cause", causes),
        components_by_cause=crossed(catalog, cases, ("component", components), ("root_cause", causes)),
        symptoms_by_year=over_years(catalog, cases, "symptom", symptoms),
        detection=times(catalog.index.detect_seconds, cases),
        repair=times(catalog.index.repair_seconds, cases),
    )


def profile(catalog: Catalog, cases: int) -> Profile:
    """Work out what a set of published cases has in common, such as those of one term or organisation."""
    return Profile(
        cases=cases,
        total=cases.bit_count(),
        companions={name: frequent(catalog, cases, name) for name in COMPANIONS},
        years=by_year(catalog.index, cases),
        detection=times(catalog.index.detect_seconds, cases),
        repair=times(catalog.index.repair_seconds, cases),
        follow_ups=follow_ups(catalog.index, cases),
    )


def cases_of(catalog: Catalog, name: str, word: str) -> int:
    """Return the published cases with a word of a list, such as ``component`` or ``org``."""
    return catalog.words.get(name, {}).get(word, 0) & catalog.published


# Words


def frequent(catalog: Catalog, cases: int, name: str, only: Collection[str] | None = None) -> tuple[Counted, ...]:
    """Count the words of a list, the most frequent first, equals in the order of the vocabulary."""
    counts = catalog.counts(name, cases)
    found = [Counted(word, count) for word, count in counts.items() if not only or word in only]
    return tuple(sorted(found, key=lambda one: -one.cases))


def untold(catalog: Catalog, cases: int, name: str) -> int:
    """Count the cases without any word of a list."""
    for having in catalog.words.get(name, {}).values():
        cases &= ~having
    return cases.bit_count()


def crossed(
    catalog: Catalog, cases: int, rows: tuple[str, Sequence[Counted]], columns: tuple[str, Sequence[Counted]]
) -> Table:
    """Count cases by a word of one list (``rows``) and one of another (``columns``), each with its words."""
    (row_list, row_words), (column_list, column_words) = rows, columns
    across = {one.word: catalog.words[column_list][one.word] for one in column_words[:MOST_WORDS]}
    return _table(catalog, cases, row_list, row_words, across)


def over_years(catalog: Catalog, cases: int, name: str, words: Sequence[Counted]) -> Table:
    """Count the cases with each word by year, without a gap between the first year and the last."""
    across = {str(year): catalog.index.in_year(year) for year in _years(catalog.index, cases)}
    return _table(catalog, cases, name, words, across)


def _table(catalog: Catalog, cases: int, name: str, words: Sequence[Counted], across: Mapping[str, int]) -> Table:
    shown = [one.word for one in words[:MOST_WORDS]]
    having = [catalog.words[name][word] & cases for word in shown]
    return Table(
        rows=tuple(shown),
        columns=tuple(across),
        counts=tuple(tuple((of_row & column).bit_count() for column in across.values()) for of_row in having),
        totals=tuple(of_row.bit_count() for of_row in having),
        left_out=len(words) - len(shown),
    )


# Time


def by_year(index: Index, cases: int) -> tuple[Counted, ...]:
    """Count cases by the year in which they began, without a gap between the first year and the last."""
    return tuple(Counted(str(year), (cases & index.in_year(year)).bit_count()) for year in _years(index, cases))


def _years(index: Index, cases: int) -> range:
    if not cases:
        return range(0)
    first, last = (cases & -cases).bit_length() - 1, cases.bit_length() - 1
    first_year, last_year = (dt.date.fromordinal(index.columns.first_days[place]).year for place in (first, last))
    return range(first_year, last_year + 1)


def times(measure: Measure, cases: int) -> Times:
    """Tell what is typical of a time. Quartiles lie between two cases where their rank does, rounded down."""
    known = (cases & measure.known).bit_count()
    if known < LEAST_TOLD:
        return Times(known, cases.bit_count())
    lower, median, upper = (_quartile(measure, cases, known, quarter) for quarter in (1, 2, 3))
    return Times(known, cases.bit_count(), lower, median, upper, tuple(_buckets(measure, cases)))


def _quartile(measure: Measure, cases: int, known: int, quarter: int) -> int:
    rank, rest = divmod(quarter * (known - 1), 4)
    value = measure.nth(cases, rank)
    return value + (measure.nth(cases, rank + 1) - value) * rest // 4 if rest else value


def _buckets(measure: Measure, cases: int) -> list[Bucket]:
    at_least = [(cases & measure.at_least(bound)).bit_count() for bound in BOUNDS] + [0]
    ends = (*BOUNDS[1:], None)
    return [
        Bucket(least, below, at_least[at] - at_least[at + 1])
        for at, (least, below) in enumerate(zip(BOUNDS, ends, strict=True))
    ]


# Promises


def follow_ups(index: Index, cases: int) -> dict[str | None, int]:
    """Count the action items of cases by status."""
    return {status: index.follow_ups.count(status, cases) for status in FOLLOW_UPS}
