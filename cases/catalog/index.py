"""The cases of one state of the library as sets, one for each word: replaced whole, never changed in place."""

from __future__ import annotations

import datetime as dt
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from .bits import bits_at, bits_of, closed, opened, slices
from .columns import Columns
from .measure import FollowUps, Measure
from .rows import EARLIER, MARKS, NOTICED, NUMBER, ORG, PAIRINGS, TARGET, TIMED, WORDS, Paired, Row, all_rows, org_word
from .versions import LastChange

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Index:
    """All cases in the order of their first days, then numbers; that order gives each its place.

    ``words`` has the set of cases of each term and organisation, as rows name them. Cases that are not published
    have a place too, so that the others keep theirs, but no word and no mark.
    """

    last: LastChange
    columns: Columns
    words: Mapping[str, int]
    recurrence_of: Mapping[int, int]
    merged_into: Mapping[int, int]
    pairings: Mapping[int, tuple[Paired, ...]]

    def marked(self, mark: int) -> int:
        """Return the cases with a mark of ``rows``."""
        return self._marked[mark]

    @cached_property
    def _marked(self) -> dict[int, int]:
        return dict(zip(MARKS, [*slices(self.columns.marks), *([0] * len(MARKS))], strict=False))

    def until(self, day: int) -> int:
        """Return the cases that began on this day or before."""
        return (1 << bisect_right(self.columns.first_days, day)) - 1

    def in_year(self, year: int) -> int:
        """Return the cases of a year; no period reaches over its end."""
        return self.until(dt.date(year, 12, 31).toordinal()) ^ self.until(dt.date(year - 1, 12, 31).toordinal())

    @cached_property
    def last_day(self) -> Measure:
        return Measure(self.columns.last_days, (1 << len(self.columns)) - 1)

    @cached_property
    def repair_seconds(self) -> Measure:
        return Measure(self.columns.repair_seconds, self.marked(TIMED))

    @cached_property
    def detect_seconds(self) -> Measure:
        return Measure(self.columns.detect_seconds, self.marked(NOTICED))

    @cached_property
    def follow_ups(self) -> FollowUps:
        return FollowUps(self.columns.follow_ups)

    @cached_property
    def uncertain(self) -> int:
        """The cases whose date is known to the month or the year only."""
        periods = zip(self.columns.first_days, self.columns.last_days, strict=True)
        return bits_of([place for place, (first, last) in enumerate(periods) if first != last], len(self.columns))

    @cached_property
    def recurring(self) -> int:
        """The cases that are a recurrence of another one, known here or not."""
        places = [self.places[number] for number in self.recurrence_of if number in self.places]
        return bits_of(places, len(self.columns))

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each case number."""
        return dict(zip(self.columns.numbers, range(len(self.columns)), strict=True))

    def with_ids(self, ids: Sequence[int]) -> int:
        """Return the cases with these primary keys; what is not known here is left out."""
        known, nowhere = self._places_by_id, len(self.columns)
        try:
            found = bits_at(known, ids, nowhere + 1)
        except IndexError:
            found = bits_at(known, [one for one in ids if one < len(known)], nowhere + 1)
        return found & ((1 << nowhere) - 1)

    @cached_property
    def _places_by_id(self) -> array[int]:
        """The place of each primary key; the one behind the last place where there is no such case."""
        ids = self.columns.case_ids
        places = array("I", [len(ids)]) * (max(ids, default=0) + 1)
        for place, one in enumerate(ids):
            places[one] = place
        return places

    @cached_property
    def recurrences(self) -> Mapping[int, set[int]]:
        """The numbers that each number is joined with, as what came back or as what it came back from."""
        found: dict[int, set[int]] = defaultdict(set)
        for number, earlier in self.recurrence_of.items():
            found[number].add(earlier)
            found[earlier].add(number)
        return found

    def standing_for(self, number: int) -> int:
        """Return the number that stands for one that may have been merged, however often."""
        seen: set[int] = set()
        while number in self.merged_into and number not in seen:
            seen.add(number)
            number = self.merged_into[number]
        return number


def filled(last: LastChange) -> Index:
    """Read everything: less than a second for a hundred thousand cases."""
    columns = Columns()
    terms: dict[str, array[int]] = defaultdict(lambda: array("I"))
    orgs: dict[int, array[int]] = defaultdict(lambda: array("I"))
    recurrence_of, merged_into = dict[int, int](), dict[int, int]()
    pairings = dict[int, tuple[Paired, ...]]()
    for batch in all_rows():
        for place, row in enumerate(batch, len(columns)):
            orgs[row[ORG]].append(place)
            for word in row[WORDS].split():
                terms[word].append(place)
        columns.extend(batch)
        recurrence_of |= {row[NUMBER]: row[EARLIER] for row in batch if row[EARLIER] is not None}
        merged_into |= {row[NUMBER]: row[TARGET] for row in batch if row[TARGET] is not None}
        pairings |= {row[NUMBER]: Paired.read(row[PAIRINGS]) for row in batch if row[PAIRINGS]}
    members = terms | {org_word(org_id): places for org_id, places in orgs.items() if org_id}
    words = {word: bits_of(places, len(columns)) for word, places in members.items()}
    return Index(last, columns, words, recurrence_of, merged_into, pairings)


def changed(index: Index, last: LastChange, numbers: Iterable[int], rows: Mapping[int, Row]) -> Index:
    """Return another index in which these cases are as their rows say; one without a row is gone."""
    draft = _Draft(index)
    for number in numbers:
        draft.put(number, rows.get(number))
    return Index(last, draft.columns, draft.words, draft.recurrence_of, draft.merged_into, draft.pairings)


class _Draft:
    """A copy of an index that is nobody else's yet."""

    def __init__(self, index: Index) -> None:
        self.known = index.places.keys()
        self.columns = index.columns.copy()
        self.words = dict(index.words)
        self.recurrence_of = dict(index.recurrence_of)
        self.merged_into = dict(index.merged_into)
        self.pairings = dict(index.pairings)

    def put(self, number: int, row: Row | None) -> None:
        """Write one case anew, each number at most once. A new day moves it, and all between."""
        place = self.columns.numbers.index(number) if number in self.known else None
        if place is not None and (row is None or row.first_day != self.columns.first_days[place]):
            self._remove(place)
            place = None
        if row is not None:
            self._write(self._insert(row) if place is None else place, row)
        _set(self.recurrence_of, number, row and row.recurrence_of)
        _set(self.merged_into, number, row and row.merged_into)
        _set(self.pairings, number, Paired.read(row.pairings) if row and row.pairings else None)

    def _remove(self, place: int) -> None:
        self.columns.remove(place)
        self.words = {word: closed(bits, place) for word, bits in self.words.items()}

    def _insert(self, row: Row) -> int:
        place = self.columns.place_for(row)
        self.columns.insert(place, row)
        self.words = {word: opened(bits, place) for word, bits in self.words.items()}
        return place

    def _write(self, place: int, row: Row) -> None:
        self.columns.replace(place, row)
        before = {word for word, bits in self.words.items() if bits >> place & 1}
        for word in before ^ row.all_words:
            self.words[word] = self.words.get(word, 0) ^ 1 << place


def _set(numbers: dict[int, T], number: int, value: T | None) -> None:
    if value is None:
        numbers.pop(number, None)
    else:
        numbers[number] = value
