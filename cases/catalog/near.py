"""Which cases are near a case, and why: what the editors say, then what two cases have in common, weighed by rarity."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from operator import itemgetter
from typing import TYPE_CHECKING

from cases.document import Pair
from cases.models import Pairing

from .bits import newest

if TYPE_CHECKING:
    from .catalog import Catalog

MOST = 10
# The least that two cases must have in common, rare or not: one symptom or two domains tell nothing.
LEAST_IN_COMMON = 3
RECURRENCE = "recurrence-of"
EDITORS = "editor-related"
PIN, VETO = Pairing.Verdict.PIN.value, Pairing.Verdict.VETO.value
# Which lists count, how much, and what a shared word makes two cases to each other (a term of the list "relation").
LISTS = {
    "root_cause": (4, "same-root-cause"),
    "component": (3, "shared-component"),
    "symptom": (2, "same-symptom"),
    "contributing": (2, "shared-contributing"),
    "domain": (1, "shared-domain"),
}
NOT_KNOWN = {"unknown", "undisclosed"}
PRECISION = 10_000


@dataclass(frozen=True)
class Near:
    """A case near another. ``reasons`` are (kind, terms as ``list:slug``), what tells most first.

    ``note`` is what the editors wrote when they pinned the two to each other.
    """

    number: int
    score: float
    reasons: tuple[tuple[str, tuple[str, ...]], ...]
    note: Pair | None = None


@dataclass(frozen=True)
class Word:
    """A word of the case that is asked about. ``weight`` is whole, so that equal sums are equal."""

    list: str
    slug: str
    cases: int
    weight: int

    @property
    def importance(self) -> int:
        return LISTS[self.list][0]


Shared = tuple[Word, ...]


def near_to(catalog: Catalog, number: int) -> list[Near]:
    """Return the cases near one: first those that its editors name or that came back, then the most alike.

    A case that the editors keep apart from it is not among the alike, however much the two have in common.
    """
    place = catalog.index.places.get(number)
    if place is None or not catalog.published >> place & 1:
        return []
    own = 1 << place
    beside = catalog.published ^ own
    if not catalog.examples & own:
        beside &= ~catalog.examples
    words = _words(catalog, place)
    said = {other: kinds for other, kinds in _said(catalog, number).items() if beside >> other & 1}
    notes, vetoed = _noted(catalog, number, PIN), _noted(catalog, number, VETO)
    alike = beside & ~sum(1 << other for other in {*said, *vetoed})
    numbers, whole = catalog.index.columns.numbers, max(sum(word.weight for word in words), 1)
    found = [
        Near(
            numbers[other], 1.0, _reasons(kinds, [word for word in words if word.cases >> other & 1]), notes.get(other)
        )
        for other, kinds in said.items()
    ]
    found += [
        Near(numbers[other], round(weight / whole, 2), _reasons((), shared))
        for weight, other, shared in most_alike(alike, words, MOST - len(said))
    ]
    return found[:MOST]


def _words(catalog: Catalog, place: int) -> list[Word]:
    """Return the words of a case that count, the heaviest first."""
    found = [
        Word(name, slug, cases, round(PRECISION * importance * catalog.rarity(name, slug)))
        for name, (importance, _kind) in LISTS.items()
        for slug, cases in catalog.words.get(name, {}).items()
        if cases >> place & 1 and not (name == "root_cause" and slug in NOT_KNOWN)
    ]
    return sorted(found, key=lambda word: -word.weight)


def _said(catalog: Catalog, number: int) -> dict[int, list[str]]:
    """Return the places of what is not computed, with the kinds.

    Recurrences come first, newest first, then what the editors name in the case, in their order, then their pins.
    """
    index, found = catalog.index, defaultdict[int, list[str]](list)
    joined = [index.places[other] for other in index.recurrences.get(number, ()) if other in index.places]
    for place in sorted(joined, reverse=True):
        found[place].append(RECURRENCE)
    for other in index.columns.related[index.places[number]].split():
        place_named = index.places.get(index.standing_for(int(other)))
        if place_named is not None and EDITORS not in found[place_named]:
            found[place_named].append(EDITORS)
    for pinned in _noted(catalog, number, PIN):
        if EDITORS not in found[pinned]:
            found[pinned].append(EDITORS)
    return found


def _noted(catalog: Catalog, number: int, verdict: str) -> dict[int, Pair]:
    """Return the places of the cases that the editors paired with this one, newest first, with their notes."""
    index = catalog.index
    paired = (
        (index.places.get(index.standing_for(one.number)), one.note)
        for one in index.pairings.get(number, ())
        if one.verdict == verdict
    )
    return dict(sorted(((place, note) for place, note in paired if place is not None), key=itemgetter(0), reverse=True))


def _reasons(said: Sequence[str], shared: Sequence[Word]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    terms = defaultdict[str, list[str]](list)
    for word in shared:
        terms[word.list].append(f"{word.list}:{word.slug}")
    in_common = ((kind, tuple(sorted(terms[name]))) for name, (_, kind) in LISTS.items() if name in terms)
    return (*((kind, ()) for kind in said), *in_common)


def most_alike(among: int, words: Sequence[Word], most: int) -> list[tuple[int, int, Shared]]:
    """Return (weight, place, words in common) of the most alike cases: exact, the newer of two equals first.

    Each step halves a set of cases by one more word and goes on with the half that could weigh most. So a set whose
    words are all decided comes out after every set that weighs more, and the words are the explanation.
    """
    weights, importances = _sums_ahead([word.weight for word in words]), _sums_ahead([w.importance for w in words])
    order, found = count(), list[tuple[int, int, Shared]]()
    heap: list[tuple[int, int, int, int, int, Shared]] = []
    if most > 0 and among and importances[0] >= LEAST_IN_COMMON:
        heap.append((-weights[0], next(order), 0, 0, among, ()))
    while heap and (len(found) < most or -heap[0][0] >= found[most - 1][0]):
        bound, _, at, importance, cases, shared = heapq.heappop(heap)
        if at == len(words):
            found += [(-bound, place, shared) for place in newest(cases, 0, most)]
            continue
        word, ahead = words[at], importances[at + 1]
        having = cases & word.cases
        without = cases ^ having
        if having and importance + word.importance + ahead >= LEAST_IN_COMMON:
            step = (bound, next(order), at + 1, importance + word.importance, having, (*shared, word))
            heapq.heappush(heap, step)
        if without and importance + ahead >= LEAST_IN_COMMON:
            heapq.heappush(heap, (bound + word.weight, next(order), at + 1, importance, without, shared))
    return sorted(found, key=lambda one: (-one[0], -one[1]))[:most]


def _sums_ahead(values: Sequence[int]) -> list[int]:
    """Return for each position the sum of the values from there on, and 0 for the end."""
    return [*accumulate(reversed(values), initial=0)][::-1]
