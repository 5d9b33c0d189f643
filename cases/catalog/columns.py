"""What is known of each case beside its words, by its place."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from .rows import Row


@dataclass
class Columns:
    """One array for each thing; all are in the order of first days, then numbers."""

    case_ids: array[int] = field(default_factory=lambda: array("q"))
    numbers: array[int] = field(default_factory=lambda: array("I"))
    first_days: array[int] = field(default_factory=lambda: array("I"))
    last_days: array[int] = field(default_factory=lambda: array("I"))
    repair_seconds: array[int] = field(default_factory=lambda: array("Q"))
    detect_seconds: array[int] = field(default_factory=lambda: array("Q"))
    follow_ups: array[int] = field(default_factory=lambda: array("Q"))
    marks: array[int] = field(default_factory=lambda: array("B"))
    org_ids: array[int] = field(default_factory=lambda: array("I"))
    related: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def _all(self) -> list[Any]:
        return [getattr(self, column.name) for column in fields(self)]

    def copy(self) -> Columns:
        return Columns(*(column[:] for column in self._all))

    def extend(self, rows: Sequence[Row]) -> None:
        """Add rows that belong behind those that are there."""
        for column, values in zip(self._all, _values(list(zip(*rows, strict=True))), strict=True):
            column.extend(values)

    def place_for(self, row: Row) -> int:
        """Return where a new case belongs."""
        wanted = (row.first_day, row.number)
        return bisect_left(range(len(self)), wanted, key=lambda place: (self.first_days[place], self.numbers[place]))

    def insert(self, place: int, row: Row) -> None:
        for column, value in zip(self._all, _values(row), strict=True):
            column.insert(place, value)

    def replace(self, place: int, row: Row) -> None:
        for column, value in zip(self._all, _values(row), strict=True):
            column[place] = value

    def remove(self, place: int) -> None:
        for column in self._all:
            del column[place]


def _values(row: Sequence[Any]) -> tuple[Any, ...]:
    """Return what has a column here: all but the words, and what leads to other cases."""
    return (*row[:9], row[10])
