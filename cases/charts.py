"""Charts as templates draw them: where each mark stands, what it is called and where it leads. No styles here.

Charts over years are as wide as there is room: places and widths are percents, heights are pixels, so that their
words stay readable on a phone. The one that has two lists of words has a size of its own and can be scrolled.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cases.document import Language
from cases.formatting import duration_words
from cases.narrowing import Lists
from cases.statistics import Bucket, Counted, Table, Times
from cases.telling import Shown

# What is drawn; the tables beneath have everything.
MOST_YEARS, MOST_ROWS = 12, 12
FEW_YEARS = 6
# Pixels of a column chart: where its columns stand, and the height of the highest.
GROUND, HIGHEST = 46, 30
# Pixels of the chart of two lists.
CELL_WIDTH, CELL_HEIGHT, SIDE, HEAD, OVERHANG = 46, 30, 176, 104, 84
LEVELS = 5
SHORT = 25

Named = Callable[[str], str]


@dataclass(frozen=True)
class Mark(Shown):
    """One number: where it stands, and the list behind it (``url`` is "" for none)."""

    cases: int
    title: str
    url: str
    x: str = ""
    y: str = ""
    width: str = ""
    height: str = ""
    middle: str = ""
    level: int = 0


@dataclass(frozen=True)
class Row(Shown):
    """The numbers of one thing; ``url`` leads to all of its cases."""

    label: str
    cases: int
    url: str
    marks: Sequence[Mark]
    y: str = ""

    @property
    def ground(self) -> str:
        """How much of the width columns take."""
        return percent(share(len(self.marks)) * len(self.marks))


@dataclass(frozen=True)
class Head(Shown):
    """What stands at one end of a chart."""

    label: str
    x: str = ""
    y: str = ""
    turn: str = ""
    short: str = ""


@dataclass(frozen=True)
class Chart(Shown):
    """``drawn`` are the rows and heads that have room, ``rows`` and ``heads`` those of the table."""

    rows: Sequence[Row]
    heads: Sequence[Head]
    drawn: Sequence[Row] = ()
    drawn_heads: Sequence[Head] = ()
    width: int = 0
    height: int = 0
    left_out: int = 0


# Over years


def over_years(table: Table, name: str, named: Named, lists: Lists) -> Chart:
    """Draw a row of columns for each word of a list (``name``); all rows have one scale."""
    rows = []
    for word, numbers, total in zip(table.rows, table.counts, table.totals, strict=True):
        links = [lists.url({name: word}, lists.in_year(year)) for year in table.columns]
        marks = columns(named(word), table.columns, numbers, links, table.highest)
        rows.append(Row(named(word), total, lists.url({name: word}), marks))
    drawn = [replace(row, marks=placed(row.marks[-MOST_YEARS:])) for row in rows[:MOST_ROWS]]
    heads = [Head(year) for year in table.columns]
    return Chart(rows, heads, drawn, ticks(table.columns[-MOST_YEARS:]), left_out=table.left_out)


def years_alone(years: Sequence[Counted], label: str, lists: Lists) -> Row:
    """Draw one row of columns: the cases of each year, the newest years where there is no room for all."""
    words, numbers = [year.word for year in years], [year.cases for year in years]
    links = [lists.url(lists.in_year(year)) for year in words]
    marks = columns(label, words, numbers, links, max(numbers, default=0))
    return Row(label, sum(numbers), lists.url(), placed(marks[-MOST_YEARS:]))


def columns(label: str, years: Sequence[str], numbers: Sequence[int], links: Sequence[str], highest: int) -> list[Mark]:
    """Make the columns of one row, which ``placed`` puts beside each other."""
    return [
        Mark(
            cases=cases,
            title=said(f"{label}, {year}", cases),
            url=url if cases else "",
            y=str(GROUND - _height(cases, highest)),
            height=str(_height(cases, highest)),
        )
        for year, cases, url in zip(years, numbers, links, strict=True)
    ]


def _height(cases: int, highest: int) -> int:
    return max(2, round(HIGHEST * cases / highest)) if cases else 0


def placed(marks: Sequence[Mark]) -> list[Mark]:
    """Give each column its share of the width."""
    step = share(len(marks))
    return [
        replace(mark, x=percent(step * (at + 0.14)), width=percent(step * 0.72), middle=percent(step * (at + 0.5)))
        for at, mark in enumerate(marks)
    ]


def share(years: int) -> float:
    """Return how many percent of the width one year takes: few years leave some of it empty."""
    return 100 / max(years, FEW_YEARS)


def ticks(years: Sequence[str]) -> list[Head]:
    step = share(len(years))
    return [Head(year, percent(step * (at + 0.5))) for at, year in enumerate(years)]


# One list across another


def crossed(table: Table, names: tuple[str, str], named: tuple[Named, Named], lists: Lists) -> Chart:
    """Draw a field for each pair of words of two lists (``names``: rows, columns), darker the more cases it has."""
    heads = [_head(at, named[1](word)) for at, word in enumerate(table.columns)]
    rows = [_row(table, at, names, named, lists) for at in range(len(table.rows))]
    drawn = [replace(row, label=shortened(row.label), marks=row.marks[:MOST_ROWS]) for row in rows[:MOST_ROWS]]
    width = SIDE + CELL_WIDTH * len(heads[:MOST_ROWS]) + OVERHANG
    height = HEAD + CELL_HEIGHT * len(drawn) + 2
    return Chart(rows, heads, drawn, heads[:MOST_ROWS], width, height, table.left_out)


def _head(at: int, label: str) -> Head:
    x, y = SIDE + at * CELL_WIDTH + CELL_WIDTH // 2, HEAD - 8
    return Head(label, str(x), str(y), f"rotate(-40 {x} {y})", shortened(label))


def _row(table: Table, at: int, names: tuple[str, str], named: tuple[Named, Named], lists: Lists) -> Row:
    word, y = table.rows[at], HEAD + at * CELL_HEIGHT
    label = named[0](word)
    marks = [
        Mark(
            cases=cases,
            title=said(f"{label}, {named[1](column)}", cases),
            url=lists.url({names[0]: word, names[1]: column}) if cases else "",
            x=str(SIDE + place * CELL_WIDTH),
            y=str(y),
            middle=str(SIDE + place * CELL_WIDTH + CELL_WIDTH // 2),
            level=-(-LEVELS * cases // table.highest) if cases else 0,
        )
        for place, (column, cases) in enumerate(zip(table.columns, table.counts[at], strict=True))
    ]
    return Row(label, table.totals[at], lists.url({names[0]: word}), marks, str(y))


# How long


def lasting(times: Times, name: str, language: Language, lists: Lists) -> list[Row]:
    """Draw a bar for each bucket of a time (``detect`` or ``repair``)."""
    highest = max((bucket.cases for bucket in times.buckets), default=0)
    return [
        Row(label, bucket.cases, url, [Mark(bucket.cases, said(label, bucket.cases), url, width=percent(share))])
        for bucket in times.buckets
        for label in [bucket_words(bucket, language)]
        for url in [lists.url(lists.lasting(name, bucket)) if bucket.cases else ""]
        for share in [85 * bucket.cases / max(highest, 1)]
    ]


def bucket_words(bucket: Bucket, language: Language) -> str:
    least = duration_words(bucket.least, language)
    if bucket.below is None:
        return _("{duration} or more").format(duration=least)
    below = duration_words(bucket.below, language)
    if not bucket.least:
        return _("less than {duration}").format(duration=below)
    return _("{least} – {below}").format(least=least, below=below)


# Words


def said(label: str, cases: int) -> str:
    """Name a mark for those who hear it or point at it."""
    number = ngettext("{number} case", "{number} cases", cases).format(number=cases)
    return f"{label}: {number}"


def percent(value: float) -> str:
    return f"{value:.2f}%"


def shortened(text: str, width: int = SHORT) -> str:
    """Cut a label to what has room, a Hangul syllable taking as much as two letters."""
    room, kept = width, ""
    for character in text:
        room -= 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if room < 0:
            return f"{kept.rstrip()}…"
        kept += character
    return text
