"""When cases appeared in the library and when they last changed there, as the public log of changes has it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from django.db import connection
from django.db.models import Max

from cases.catalog import LastChange, Selection
from cases.catalog.bits import is_in
from cases.models import Change


@dataclass(frozen=True)
class Chronology:
    """The numbers of all cases that ever were public, newest first: by their first change, and by their last.

    A case that has not changed since it appeared is not among the changed.
    """

    appeared: list[int]
    changed: list[int]


@lru_cache(maxsize=2)
def chronology(_last: LastChange) -> Chronology:
    """Read the order of all cases as of a change: one query over the whole log, once for each change and process."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT number, MIN(sequence), MAX(sequence) FROM cases_change GROUP BY number")
        rows = cursor.fetchall()
    later = [row for row in rows if row[1] != row[2]]
    return Chronology(_newest_first(rows, 1), _newest_first(later, 2))


def _newest_first(rows: Iterable[Sequence[int]], column: int) -> list[int]:
    return [row[0] for row in sorted(rows, key=lambda row: row[column], reverse=True)]


def newest(selection: Selection, order: Iterable[int], most: int) -> list[int]:
    """Return the first numbers of an order that a selection has."""
    index = selection.catalog.index
    places, chosen = index.places, is_in(selection.cases, len(index.columns))
    return list(islice((number for number in order if number in places and chosen[places[number]]), most))


@dataclass(frozen=True)
class Past:
    """The first and the last change of one case."""

    first: Change
    last: Change


def pasts(numbers: Iterable[int]) -> dict[int, Past]:
    """Read the first and the last change of a few cases, in one query."""
    found: dict[int, Past] = {}
    for change in Change.objects.filter(number__in=list(numbers)).order_by("sequence"):
        known = found.get(change.number)
        found[change.number] = Past(known.first if known else change, change)
    return found


def changed_at(numbers: Sequence[int]) -> dict[int, dt.datetime]:
    """Read when cases last changed, in one query however many they are. ``numbers`` are in ascending order."""
    if not numbers:
        return {}
    changes = Change.objects.filter(number__range=(numbers[0], numbers[-1])).order_by()
    return dict(changes.values_list("number").annotate(Max("at")))
