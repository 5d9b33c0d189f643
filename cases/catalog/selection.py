"""The cases that a query leaves, in an order: their number, the counts of each facet, and one page of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import and_, or_
from typing import overload

from .bits import newest, places_of
from .catalog import Catalog

# Numbers to compare by; as many for every case of a search.
Worth = tuple[int, ...]
NEWEST, OLDEST, LONGEST, SHORTEST, RELEVANCE = "newest", "oldest", "longest", "shortest", "relevance"


@dataclass(frozen=True)
class Matches:
    """What a search found: sets of cases, the best first, each with what a case there is worth (more is better)."""

    ranks: Sequence[tuple[Worth, int]]

    @cached_property
    def cases(self) -> int:
        return reduce(or_, (cases for _, cases in self.ranks), 0)

    def worth(self, place: int) -> Worth:
        return next(worth for worth, cases in self.ranks if cases >> place & 1)


@dataclass(frozen=True)
class Selection:
    """The published cases that every name of a query leaves; ``asked`` has the cases that each leaves alone."""

    catalog: Catalog
    asked: Mapping[str, int] = field(default_factory=dict)
    order: str = NEWEST
    matches: Matches | None = None

    @cached_property
    def cases(self) -> int:
        return self.without("")

    def without(self, name: str) -> int:
        """Return the cases that everything but one name leaves."""
        everything = self.catalog.published & self.matches.cases if self.matches else self.catalog.published
        return reduce(and_, (cases for other, cases in self.asked.items() if other != name), everything)

    def counts(self, name: str) -> Mapping[str, int]:
        """Count the cases of each value of a facet. Its own choice is left out: they say what else could be chosen."""
        return self.catalog.counts(name, self.without(name) if name in self.asked else self.cases)

    @property
    def numbers(self) -> Listing:
        return Listing(self)


class Listing(Sequence[int]):
    """The case numbers of a selection in its order. A page is found without going through what stands before it."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.columns = selection.catalog.index.columns
        self.total = selection.cases.bit_count()

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, wanted: int) -> int: ...
    @overload
    def __getitem__(self, wanted: slice) -> list[int]: ...
    def __getitem__(self, wanted: int | slice) -> int | list[int]:
        if isinstance(wanted, int):
            place = range(self.total)[wanted]
            return self[place : place + 1][0]
        start, stop, _step = wanted.indices(self.total)
        return [self.columns.numbers[place] for place in self._places(start, max(start, stop))]

    def _places(self, start: int, stop: int) -> Iterable[int]:
        cases, order = self.selection.cases, self.selection.order
        if order == OLDEST:
            return reversed(newest(cases, self.total - stop, self.total - start))
        if order in {LONGEST, SHORTEST}:
            return self._by_repair(start, stop, largest=order == LONGEST)
        if order == RELEVANCE and self.selection.matches:
            return self._by_rank(self.selection.matches, start, stop)
        return newest(cases, start, stop)

    def _by_rank(self, matches: Matches, start: int, stop: int) -> list[int]:
        found, before = list[int](), 0
        for _, fitting in matches.ranks:
            cases = fitting & self.selection.cases
            found += newest(cases, max(start - before, 0), stop - before)
            before += cases.bit_count()
            if before >= stop:
                break
        return found

    def _by_repair(self, start: int, stop: int, *, largest: bool) -> list[int]:
        """Order by the time to repair, the newer of two equals first; cases that do not tell it come last."""
        measure, seconds = self.selection.catalog.index.repair_seconds, self.columns.repair_seconds
        told, untold = self.selection.cases & measure.known, self.selection.cases & ~measure.known
        foremost = reversed(places_of(measure.foremost(told, stop, largest=largest)))
        by_time: Callable[[int], int] = seconds.__getitem__
        # Sorting keeps the order of equals, also when it is turned round.
        found = sorted(foremost, key=by_time, reverse=largest)[start:stop]
        behind = max(start - told.bit_count(), 0)
        return found + newest(untold, behind, behind + stop - start - len(found))
