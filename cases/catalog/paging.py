"""Where a list goes on: by what the last case that was given out is worth, so that no page repeats or skips a case.

A place in a list that is counted from its start moves when a case is published; what a case is worth does not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from .selection import LONGEST, OLDEST, RELEVANCE, SHORTEST, Matches, Selection

# The numbers by which a case stands where it does in the order of its list; the first day and the number come last.
Key = tuple[int, ...]
UNTOLD = -1


def key_of(selection: Selection, number: int) -> Key:
    """Return where a case of a list stands in its order."""
    index = selection.catalog.index
    place = index.places[number]
    return (*_worth(selection, place), index.columns.first_days[place], number)


def behind(selection: Selection, key: Key) -> Selection:
    """Return the cases of a list that come after one in its order, whether or not that one is still there.

    Raises ValueError for a key of another order.
    """
    if len(key) != 2 + len(_worth(selection, None)):
        raise ValueError(key)
    return replace(selection, asked={**selection.asked, "cursor": _behind(selection, key)})


def _worth(selection: Selection, place: int | None) -> Key:
    """Return what counts before the day; of no place, any numbers, as many as there would be."""
    if selection.order in {LONGEST, SHORTEST}:
        index = selection.catalog.index
        told = place is not None and index.repair_seconds.known >> place & 1
        return (index.columns.repair_seconds[place] if place is not None and told else UNTOLD,)
    if selection.order == RELEVANCE and selection.matches:
        return selection.matches.worth(place) if place is not None else (0, 0, 0)
    return ()


def _behind(selection: Selection, key: Key) -> int:
    place = _place(selection, key[-2:])
    if selection.order == OLDEST:
        known = _place(selection, (key[-2], key[-1] + 1))
        return selection.catalog.published >> known << known
    older = (1 << place) - 1
    if selection.order in {LONGEST, SHORTEST}:
        return _behind_repair(selection, key[0], older)
    if selection.order == RELEVANCE and selection.matches:
        return _behind_match(selection.matches, key[:-2], older)
    return older


def _place(selection: Selection, wanted: Sequence[int]) -> int:
    """Return the place of a case by its first day and number, or where it would be."""
    columns = selection.catalog.index.columns
    return bisect_left(
        range(len(columns)), tuple(wanted), key=lambda place: (columns.first_days[place], columns.numbers[place])
    )


def _behind_repair(selection: Selection, seconds: int, older: int) -> int:
    """Return the cases with a shorter (or longer) repair, the older ones of the same, and then those without one."""
    measure = selection.catalog.index.repair_seconds
    untold = selection.catalog.published & ~measure.known
    if seconds == UNTOLD:
        return untold & older
    at_least, at_most = measure.at_least(seconds), measure.at_most(seconds)
    further = measure.known ^ (at_least if selection.order == LONGEST else at_most)
    return further | (at_least & at_most & older) | untold


def _behind_match(matches: Matches, worth: Key, older: int) -> int:
    """Return the cases that fit less well, and the older ones of those that fit as well."""
    worse = (cases if other < worth else cases & older for other, cases in matches.ranks if other <= worth)
    return reduce(or_, worse, 0)
