"""The arithmetic of the catalog, against doing the same one case at a time."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.catalog.bits import bits_at, bits_of, closed, newest, opened, places_of, slices
from cases.catalog.measure import Measure
from cases.catalog.near import LEAST_IN_COMMON, Word, most_alike

PLACES = st.sets(st.integers(0, 300))
VALUES = st.integers(0, 2**50) | st.sampled_from([0, 1, 255, 256, 3600])


@given(PLACES)
def test_a_set_is_its_places(places: set[int]) -> None:
    assert places_of(bits_of(places, 301)) == sorted(places)
    known = array("I", range(300, -1, -1))
    assert bits_at(known, [300 - place for place in places], 301) == bits_of(places, 301)


@given(PLACES, st.integers(0, 310), st.integers(0, 310))
def test_the_newest_are_found_from_any_rank_on(places: set[int], start: int, stop: int) -> None:
    assert newest(bits_of(places, 301), start, stop) == sorted(places, reverse=True)[start : max(start, stop)]


@given(PLACES, st.integers(0, 310))
def test_a_case_comes_between_and_goes(places: set[int], place: int) -> None:
    moved = opened(bits_of(places, 301), place)
    assert places_of(moved) == sorted(other + (other >= place) for other in places)
    assert closed(moved, place) == bits_of(places, 301)


@given(st.lists(VALUES, max_size=60), st.sets(st.integers(0, 59)), VALUES)
def test_a_measure_compares_all_cases_at_once(values: list[int], known: set[int], wanted: int) -> None:
    known = {place for place in known if place < len(values)}
    measure = Measure(array("Q", values), bits_of(known, 60))
    assert places_of(measure.at_least(wanted)) == sorted(place for place in known if values[place] >= wanted)
    assert places_of(measure.at_most(wanted)) == sorted(place for place in known if values[place] <= wanted)


@given(st.lists(VALUES, min_size=1, max_size=60), PLACES, st.integers(1, 70), st.booleans())
def test_a_measure_finds_the_foremost(values: list[int], among: set[int], count: int, largest: bool) -> None:  # noqa: FBT001
    measure = Measure(array("Q", values), (1 << len(values)) - 1)
    places = [place for place in among if place < len(values)]
    ranked = sorted((values[place] for place in places), reverse=largest)[:count]
    found = places_of(measure.foremost(bits_of(among, 301), count, largest=largest))
    wanted = [place for place in places if (values[place] >= ranked[-1] if largest else values[place] <= ranked[-1])]
    assert found == sorted(wanted)


@pytest.mark.parametrize("kind", ["B", "I", "Q"])
def test_digits_of_any_array(kind: str) -> None:
    values = array(kind, [0, 1, 2, 200])
    digits = slices(values)
    assert [sum((cases >> place & 1) << digit for digit, cases in enumerate(digits)) for place in range(4)] == [*values]
    assert slices(array(kind)) == []


def by_hand(among: int, words: list[Word], most: int) -> list[tuple[int, int, frozenset[str]]]:
    found = []
    for place in places_of(among):
        shared = [word for word in words if word.cases >> place & 1]
        if sum(word.importance for word in shared) >= LEAST_IN_COMMON:
            found.append((sum(word.weight for word in shared), place, frozenset(word.slug for word in shared)))
    return sorted(found, key=lambda one: (-one[0], -one[1]))[:most]


LISTS = ["root_cause", "component", "symptom", "domain"]


@given(
    st.lists(st.tuples(st.sampled_from(LISTS), PLACES, st.integers(1, 4)), max_size=9),
    PLACES,
    st.integers(0, 12),
)
def test_the_most_alike_are_exact(drawn: list[tuple[str, set[int], int]], among: set[int], most: int) -> None:
    words = [
        Word(name, str(number), bits_of(places, 301), weight) for number, (name, places, weight) in enumerate(drawn)
    ]
    words.sort(key=lambda word: -word.weight)
    cases = bits_of(among, 301)
    found = most_alike(cases, words, most)
    slugs = [(weight, place, frozenset(word.slug for word in shared)) for weight, place, shared in found]
    assert slugs == by_hand(cases, words, most)


def test_few_steps_are_enough_in_a_large_library() -> None:
    """Twenty words have a million subsets; this would not end if all were gone through."""
    size = 20_000
    words = [
        Word("component", str(number), bits_of(range(number, size, number + 2), size), 1000 - number)
        for number in range(20)
    ]
    cases = (1 << size) - 1
    assert [one[:2] for one in most_alike(cases, words, 10)] == [one[:2] for one in by_hand(cases, words, 10)]
