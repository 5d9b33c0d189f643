"""What a list can be asked for: each filter alone, several together, wrong values, and the counts beside the list."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from cases.facets import FACETS
from cases.filter_values import Period, read_period
from cases.filters import CaseFilter
from cases.models import Org, Source, Term
from cases.publishing import merge
from tests.cases.asking import asked, found, state
from tests.cases.making import make_case, make_raw

pytestmark = pytest.mark.django_db

LISTS = {"domain": "domain", "component": "components", "symptom": "symptoms", "contributing": "contributing"}


def two_cases() -> None:
    """IL-0001 and IL-0002 differ in everything that can be asked for."""
    source = make_raw()["sources"][0]
    make_case(
        id="IL-0001", org="PubNub", org_slug="pubnub", date="2026-03-10", severity="major", root_cause="overload",
        domain=["dns"], components=["cache"], symptoms=["timeouts"], contributing=["hot-spot"],
        title={"en": "One", "ko": None}, sources=[{**source, "kind": "official-blog"}], claims=[],
    )  # fmt: skip
    make_case(
        id="IL-0002", org="LiveKit", org_slug="livekit", date="2025-11-20", severity="minor", root_cause="code-bug",
        domain=["cdn"], components=["network"], symptoms=["data-loss"], contributing=["retry-storm"],
        title={"en": None, "ko": "둘"}, sources=[{**source, "kind": "news"}], claims=[],
    )  # fmt: skip


FIRST = {
    "org": "pubnub",
    "domain": "dns",
    "root_cause": "overload",
    "component": "cache",
    "symptom": "timeouts",
    "contributing": "hot-spot",
    "severity": "major",
    "source_kind": "official-blog",
    "available_in": "en",
    "date_after": "2026",
}


@pytest.mark.parametrize(("name", "value"), FIRST.items())
def test_each_filter_finds_what_has_its_value(name: str, value: str) -> None:
    two_cases()
    assert found(**{name: value}) == [1]
    assert not asked(**{name: value}).problems


def test_several_values_of_one_name_mean_or_and_several_names_mean_and() -> None:
    two_cases()
    assert found("component=cache&component=network") == [1, 2]
    assert found("component=cache&component=network&severity=minor") == [2]
    assert found("component=cache&severity=minor") == []
    assert found("available_in=en&available_in=ko") == [1, 2]


def test_nothing_asked_is_everything_newest_first() -> None:
    two_cases()
    assert found() == found("sort=") == found("sort=newest") == found("component=") == [1, 2]
    assert found("sort=oldest") == [2, 1]


def test_only_published_cases_are_found() -> None:
    two_cases()
    make_case(id="IL-0003")
    merge(3, 1)
    assert found() == [1, 2]


@pytest.mark.parametrize(
    "query", ["written_by__password=x", "_connector=OR", "order_by=org__name", "pk=1", "number__gt=0", "domain__slug=x"]
)
def test_unknown_names_change_nothing(query: str) -> None:
    two_cases()
    assert found(query) == [1, 2]
    assert asked(query).chosen == {}


# Dates


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("date_after=2026-08", [1, 2, 3]),
        ("date_after=2026-08-16", [1, 2]),
        ("date_after=2026-09", [1]),
        ("date_before=2026-08-14", [1, 2]),
        ("date_before=2025", []),
        ("date_before=2026", [1, 2, 3]),
        ("date_after=2026-08-15&date_before=2026-08-15", [1, 2, 3]),
        ("date_after=2026-08-16&date_before=2026-08-16", [1, 2]),
        ("date_after=2027", []),
    ],
)
def test_a_date_filter_matches_what_it_overlaps(query: str, expected: list[int]) -> None:
    make_case(id="IL-0001", date="2026-01-01", date_precision="year")
    make_case(id="IL-0002", date="2026-08-01", date_precision="month")
    make_case(id="IL-0003", date="2026-08-15", date_precision="day")
    assert sorted(found(query)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "0000",
        "0000-00-00",
        "2026-13",
        "2026-02-30",
        "2026-8",
        "26",
        "２０２６",
        "2026-08-25T00:00",
        "9999-12",
        "-1",
        "x" * 9,
    ],
)
def test_a_wrong_date_is_said_and_left_out(text: str) -> None:
    two_cases()
    wrong = asked(date_after=text, severity="major")
    assert [case.number for case in wrong.qs] == [1]
    assert list(wrong.form.errors) == ["date_after"]
    assert wrong.chosen == {"severity": ["major"]}


def test_a_period_is_read_with_its_first_and_last_day() -> None:
    assert str(read_period("2024-02").last) == "2024-02-29"
    assert str(read_period("2199-12").last) == "2199-12-31"
    assert isinstance(read_period("2026-08-25"), Period)


def test_an_end_before_the_start_is_said() -> None:
    two_cases()
    turned = asked("date_after=2026&date_before=2025")
    assert list(turned.form.errors) == ["date_before"]
    assert [case.number for case in turned.qs] == [1]


# Wrong values


def test_a_wrong_value_is_said_and_the_right_ones_apply() -> None:
    two_cases()
    mixed = asked("component=cache&component=bogus&severity=major")
    assert [case.number for case in mixed.qs] == [1]
    assert mixed.problems == ["Component: Not known and left out: bogus"]
    assert mixed.chosen == {"component": ["cache"], "severity": ["major"]}


@pytest.mark.parametrize(
    ("name", "value"), [("available_in", "fr"), ("org", "nobody"), ("sort", "best"), ("severity", "\0")]
)
def test_a_name_with_wrong_values_only_is_left_out(name: str, value: str) -> None:
    two_cases()
    wrong = asked(**{name: value})
    assert len(wrong.problems) == 1
    assert [case.number for case in wrong.qs] == [1, 2]


def test_what_is_wrong_is_shown_shortened_and_without_control_characters() -> None:
    (problem,) = asked(component=["\0" + "x" * 100_000]).problems
    assert "\0" not in problem
    assert len(problem) < 200


def test_too_many_values_are_cut() -> None:
    two_cases()
    many = asked(component=["cache", *(f"no-{number}" for number in range(5000))])
    assert [case.number for case in many.qs] == [1]
    words = ["cache", *Term.objects.filter(list="component").values_list("slug", flat=True)]
    assert not asked(component=words).problems


def test_more_values_than_there_can_be_are_said() -> None:
    Term.objects.bulk_create(Term(list="component", slug=f"made-{number}") for number in range(101))
    assert "100" in asked(component=[f"made-{number}" for number in range(101)]).problems[0]


# Renamed words


def test_a_replaced_term_means_its_successor() -> None:
    two_cases()
    make_case(id="IL-0003", components=["old-cache", "cache"], date="2024-01-01")
    make_case(id="IL-0004", components=["old-cache"], date="2023-01-01")
    successor = Term.objects.get(list="component", slug="cache")
    Term.objects.filter(slug="old-cache").update(replaced_by=successor)
    assert found(component="old-cache") == found(component="cache") == [1, 3, 4]
    assert asked(component="old-cache").chosen == {"component": ["cache"]}
    choices = {choice.value: choice.count for choice in state("").facet("component").choices}
    assert choices == {"cache": 3, "network": 1}


def test_a_term_that_only_an_import_knows_can_be_asked_for() -> None:
    make_case(id="IL-0001", components=["flux-capacitor"])
    assert found(component="flux-capacitor") == [1]
    assert state("").facet("component").choices[0].label == "flux-capacitor"


def test_the_slug_of_an_organisation_may_be_written_large() -> None:
    two_cases()
    assert found(org="PubNub") == [1]
    assert asked(org="PubNub").chosen == {"org": ["pubnub"]}


# Facets


def test_the_counts_of_a_facet_leave_its_own_choice_out() -> None:
    two_cases()
    one = state("component=cache")
    assert {choice.value: choice.count for choice in one.facet("component").choices} == {"cache": 1, "network": 1}
    assert {choice.value: choice.count for choice in one.facet("severity").choices} == {"major": 1}
    assert [choice.value for choice in one.facet("component").choices if choice.selected] == ["cache"]


def test_a_choice_links_to_the_list_with_it_and_without_it() -> None:
    two_cases()
    urls = {
        choice.value: choice.url
        for choice in state("component=cache&sort=oldest&page=3&x=1").facet("component").choices
    }
    assert urls == {
        "cache": "/en/cases/?sort=oldest",
        "network": "/en/cases/?component=cache&component=network&sort=oldest",
    }


def test_a_chosen_value_stays_even_when_it_finds_nothing() -> None:
    two_cases()
    chosen = state("component=cache&severity=minor").facet("component").choices
    assert [(choice.value, choice.count, choice.selected) for choice in chosen] == [
        ("cache", 0, True),
        ("network", 1, False),
    ]


def test_labels_are_those_of_the_language() -> None:
    two_cases()
    Term.objects.filter(list="component", slug="cache").update(label_ko="캐시", label_en="Cache")
    Org.objects.filter(slug="pubnub").update(label_ko="펍넙")
    korean = state("component=cache&org=pubnub&available_in=en&date_after=2026", "ko")
    labels = [str(chip.label) for chip in korean.chips]
    assert labels[0] == "Organisation: 펍넙"
    assert labels[1] == "Component: 캐시"
    assert len(labels) == 4


def test_chips_take_one_value_away() -> None:
    two_cases()
    urls = [chip.remove_url for chip in state("component=cache&component=network&date_after=2020&sort=oldest").chips]
    assert urls == [
        "/en/cases/?component=network&date_after=2020&sort=oldest",
        "/en/cases/?component=cache&date_after=2020&sort=oldest",
        "/en/cases/?component=cache&component=network&sort=oldest",
    ]


def test_an_empty_list_says_which_filter_to_take_away() -> None:
    two_cases()
    ways = state("component=cache&severity=minor&date_after=2020").ways_out
    assert [way.remove_url for way in ways] == [
        "/en/cases/?severity=minor&date_after=2020",
        "/en/cases/?component=cache&date_after=2020",
    ]


@pytest.mark.parametrize("seed", range(3))
def test_counts_and_results_are_those_of_counting_by_hand(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  (no secret)
    library = {number: _random_case(number, chance) for number in range(1, 16)}
    for _ in range(5):
        query = {name: chance.sample(WORDS[name], chance.randint(0, 2)) for name in WORDS}
        asked_for = CaseFilter(QueryDict(urlencode(query, doseq=True)))
        numbers = {number for number, words in library.items() if _fits(words, query)}
        assert {case.number for case in asked_for.qs} == numbers
        for name, values in WORDS.items():
            choices = state(urlencode(query, doseq=True)).facet(name).choices
            others = [words for words in library.values() if _fits(words, {**query, name: []})]
            by_hand = {word: sum(word in words[name] for words in others) for word in values}
            assert {choice.value: choice.count for choice in choices if choice.count} == {
                word: count for word, count in by_hand.items() if count
            }


WORDS = {
    "domain": ["dns", "cdn", "compute"],
    "component": ["cache", "network", "dns"],
    "symptom": ["timeouts", "data-loss"],
    "contributing": ["hot-spot", "retry-storm"],
    "root_cause": ["overload", "code-bug", "unknown"],
    "severity": ["major", "minor"],
    "org": ["pubnub", "livekit"],
}


def _random_case(number: int, chance: random.Random) -> dict[str, list[str]]:
    words = {name: chance.sample(WORDS[name], chance.randint(1, 2)) for name in LISTS}
    words |= {name: [chance.choice(WORDS[name])] for name in ("root_cause", "severity", "org")}
    lists: dict[str, Any] = {key: words[name] for name, key in LISTS.items()}
    make_case(
        id=f"IL-{number:04d}",
        root_cause=words["root_cause"][0],
        severity=words["severity"][0],
        org={"pubnub": "PubNub", "livekit": "LiveKit"}[words["org"][0]],
        org_slug=words["org"][0],
        checks=[],
        **lists,
    )
    return words


def _fits(words: dict[str, list[str]], query: dict[str, list[str]]) -> bool:
    return all(not wanted or set(wanted) & set(words[name]) for name, wanted in query.items())


def test_every_facet_has_a_name_and_choices() -> None:
    two_cases()
    assert Source.objects.count() == 2
    facets = state("severity=major").facets()
    assert [facet.name for facet in facets] == list(FACETS)
    assert all(facet.choices and str(facet.label) for facet in facets)
    assert [facet.name for facet in facets if facet.is_open] == ["severity"]
