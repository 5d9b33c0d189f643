"""Statistics say what a plain count over the tables says: for any selection, after any change, in every process."""

from __future__ import annotations

import random
import statistics as plain
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import HealthCheck, given, settings

from cases import catalog, publishing, statistics
from cases.catalog import Selection, keeping
from cases.filters import CaseFilter
from cases.labels import Labels
from cases.models import ActionItem, Case, CaseTerm, Term
from cases.statistics import BOUNDS, LEAST_TOLD, MOST_WORDS, Bucket, Counted, Table, Times, profile, trends
from tests.cases.making import make_case, make_cases, make_raw
from tests.cases.test_catalog import QUERIES, random_case

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
STATUSES = ["planned", "underway", "done", "dropped", None]
TIMES = [None, "2m", "5m", "14m", "15m", "1h 5m", "3h", "9h", "1d", "5d", "a while"]


def library(seed: int, size: int = 60) -> None:
    """Publish cases of several years in which everything that is counted is drawn."""
    chance = random.Random(seed)  # noqa: S311  (no secret)
    make_cases([drawn(number, chance) for number in range(1, size + 1)])
    Term.objects.filter(slug="old-resolver").update(replaced_by=Term.objects.get(slug="resolver"))
    publishing.touch_vocabulary()
    publishing.withdraw(3, {"en": "Wrong.", "ko": None})
    publishing.merge(4, 5)


def drawn(number: int, chance: random.Random) -> dict[str, Any]:
    case = random_case(number, chance)
    timeline = {**case["timeline"], "detected_after": chance.choice(TIMES), "resolved_after": chance.choice(TIMES)}
    items = [
        {"uid": f"a-{place}", "text": {"en": "Do it", "ko": None}, "status": chance.choice(STATUSES)}
        for place in range(chance.randint(0, 3))
    ]
    year = chance.choice(["2019", "2021", "2022", "2025"])
    return {**case, "date": year + case["date"][4:], "timeline": timeline, "action_items": items}


# What must come out, counted case by case


def words_of(cases: Sequence[Case], name: str, labels: Labels) -> dict[int, set[str]]:
    """Return the words in force of each case."""
    if name == "root_cause":
        rows: Iterable[Any] = [(case.pk, case.root_cause.slug) for case in cases if case.root_cause]
    else:
        rows = CaseTerm.objects.filter(case__in=cases, term__list=name).values_list("case_id", "term__slug")
    found: dict[int, set[str]] = {case.pk: set() for case in cases}
    for case_id, slug in rows:
        found[case_id].add(labels.term(name, slug).slug)
    return found


def expected_counts(words: dict[int, set[str]]) -> dict[str, int]:
    return dict(Counter(word for of_case in words.values() for word in of_case))


def expected_cells(rows: dict[int, set[str]], columns: dict[int, set[str]]) -> dict[tuple[str, str], int]:
    return dict(Counter((row, column) for pk, words in rows.items() for row in words for column in columns[pk]))


def cells(table: Table) -> dict[tuple[str, str], int]:
    return {
        (row, column): count
        for row, counts in zip(table.rows, table.counts, strict=True)
        for column, count in zip(table.columns, counts, strict=True)
        if count
    }


def expected_times(values: Sequence[int | None]) -> Times:
    told = [value for value in values if value is not None]
    if len(told) < LEAST_TOLD:
        return Times(len(told), len(values))
    lower, median, upper = (int(value) for value in plain.quantiles(told, n=4, method="inclusive"))
    ends = [*BOUNDS[1:], None]
    buckets = tuple(
        Bucket(least, below, sum(least <= value and (below is None or value < below) for value in told))
        for least, below in zip(BOUNDS, ends, strict=True)
    )
    return Times(len(told), len(values), lower, median, upper, buckets)


@pytest.mark.parametrize("seed", range(3))
def test_any_selection_has_the_figures_of_its_cases(seed: int) -> None:
    library(seed)
    present = catalog.current()

    @settings(max_examples=40, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(query=QUERIES)
    def agrees(query: dict[str, list[str]]) -> None:
        asked = QueryDict(mutable=True)
        for name, values in query.items():
            asked.setlist(name, values)
        case_filter = CaseFilter(asked, present.labels)
        found = trends(case_filter.select(present))
        cases = list(case_filter.qs.select_related("root_cause"))
        words = {name: words_of(cases, name, present.labels) for name in ("root_cause", "component", "symptom")}
        years = {case.pk: {str(case.date_first.year)} for case in cases}
        assert found.total == len(cases)
        assert {one.word: one.cases for one in found.years if one.cases} == expected_counts(years)
        assert dict(found.causes) == expected_counts(words["root_cause"])
        assert found.untold == {name: list(of_list.values()).count(set()) for name, of_list in words.items()}
        assert found.examples == sum(case.example for case in cases)
        assert found.uncertain == sum(case.date_precision != "day" for case in cases)
        assert cells(found.causes_by_year) == expected_cells(words["root_cause"], years)
        assert cells(found.symptoms_by_year) == expected_cells(words["symptom"], years)
        assert cells(found.components_by_cause) == expected_cells(words["component"], words["root_cause"])
        for name, table in (("component", found.components_by_cause), ("symptom", found.symptoms_by_year)):
            assert dict(zip(table.rows, table.totals, strict=True)) == expected_counts(words[name])
        assert found.detection == expected_times([case.detect_seconds for case in cases])
        assert found.repair == expected_times([case.resolve_seconds for case in cases])

    agrees()


@pytest.mark.parametrize("seed", range(3))
def test_any_term_has_the_profile_of_its_cases(seed: int) -> None:
    library(seed)
    present = catalog.current()
    for name, slug in (
        ("component", "resolver"),
        ("root_cause", "overload"),
        ("symptom", "timeouts"),
        ("org", "pubnub"),
    ):
        found = profile(present, statistics.cases_of(present, name, slug))
        cases = list(CaseFilter(QueryDict(f"{name}={slug}"), present.labels).qs.select_related("root_cause"))
        assert found.total == len(cases) > 0
        for other in ("root_cause", "component", "symptom"):
            assert dict(found.companions[other]) == expected_counts(words_of(cases, other, present.labels))
        promises = Counter(ActionItem.objects.filter(case__in=cases).values_list("status", flat=True))
        assert found.follow_ups == {status: promises[status] for status in STATUSES}
        assert found.unfinished == promises["planned"] + promises["underway"] + promises[None]
        assert found.detection == expected_times([case.detect_seconds for case in cases])


# Single things


def timed(number: int, repair: str | None, **changes: Any) -> dict[str, Any]:
    timeline = {**make_raw()["timeline"], "detected_after": None, "resolved_after": repair, "events": [], "windows": []}
    return {"id": f"IL-{number:04d}", "timeline": timeline, **changes}


def all_cases() -> statistics.Trends:
    return trends(Selection(catalog.current()))


def test_below_five_nothing_is_said_of_what_is_typical() -> None:
    make_cases([timed(number, "1h") for number in range(1, 5)] + [timed(5, None), timed(6, "soon")])
    assert all_cases().repair == Times(known=4, total=6)
    assert all_cases().repair.unknown == 2


def test_from_five_on_quartiles_and_buckets_are_told() -> None:
    make_cases([timed(number, f"{number}h") for number in range(1, 6)] + [timed(6, None)])
    repair = all_cases().repair
    assert (repair.known, repair.total) == (5, 6)
    assert (repair.lower, repair.median, repair.upper) == (2 * 3600, 3 * 3600, 4 * 3600)
    assert {bucket.least // 3600: bucket.cases for bucket in repair.buckets if bucket.cases} == {1: 1, 2: 2, 4: 2}


def test_one_long_repair_does_not_move_what_is_typical() -> None:
    make_cases([timed(number, "30m") for number in range(1, 8)] + [timed(8, "60d")])
    assert all_cases().repair.median == 30 * 60


def test_years_without_cases_stand_between() -> None:
    make_cases([timed(1, None, date="2021-03-01"), timed(2, None, date="2024-03-01")])
    assert all_cases().years == (("2021", 1), ("2022", 0), ("2023", 0), ("2024", 1))
    assert all_cases().causes_by_year.columns == ("2021", "2022", "2023", "2024")


def test_a_date_known_to_the_year_counts_in_its_year() -> None:
    make_case(id="IL-0001", date="2023-01-01", date_precision="year")
    make_case(id="IL-0002", date="2023-12-31")
    assert all_cases().years == (("2023", 2),)
    assert all_cases().uncertain == 1


def test_a_case_with_several_components_counts_under_each() -> None:
    make_case(id="IL-0001", components=["dns", "cache"], root_cause="overload")
    table = all_cases().components_by_cause
    assert cells(table) == {("dns", "overload"): 1, ("cache", "overload"): 1}
    assert table.highest == 1
    assert all_cases().total == 1


def test_a_cause_and_a_contributing_factor_are_counted_apart() -> None:
    make_case(id="IL-0001", root_cause="code-bug", contributing=["missing-alert"])
    found = all_cases()
    assert found.causes == (("code-bug", 1),)
    assert catalog.current().totals["contributing"] == {"missing-alert": 1}


def test_what_no_case_tells_is_counted_as_untold() -> None:
    make_case(id="IL-0001", root_cause=None, components=[], symptoms=[])
    make_case(id="IL-0002", root_cause="unknown", components=["dns"], symptoms=[])
    assert all_cases().untold == {"root_cause": 1, "component": 1, "symptom": 2}
    assert all_cases().causes == (("unknown", 1),)


def test_chosen_words_are_shown_alone() -> None:
    make_case(id="IL-0001", components=["dns", "cache"])
    make_case(id="IL-0002", components=["cache"])
    case_filter = CaseFilter(QueryDict("component=dns"))
    found = trends(case_filter.select(catalog.current()), case_filter.chosen)
    assert found.components_by_cause.rows == ("dns",)


def test_more_words_than_have_room_are_said() -> None:
    make_case(id="IL-0001", symptoms=[f"symptom-{number}" for number in range(MOST_WORDS)])
    make_case(id="IL-0002", symptoms=["symptom-0", "one-more", "and-another"])
    table = all_cases().symptoms_by_year
    assert (len(table.rows), table.left_out, table.rows[0]) == (MOST_WORDS, 2, "symptom-0")


def test_an_empty_library_has_empty_figures() -> None:
    found = all_cases()
    assert (found.total, found.years, found.causes, found.repair) == (0, (), (), Times(0, 0))
    assert found.components_by_cause == Table((), (), (), ())
    assert found.components_by_cause.highest == 0
    assert profile(catalog.current(), 0).unfinished == 0


def test_promises_of_others_are_not_counted() -> None:
    item = {"uid": "a-1", "text": {"en": "Add an alert", "ko": None}, "status": "planned"}
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", action_items=[item])
    make_case(id="IL-0002", org="LiveKit", org_slug="livekit", action_items=[item, {**item, "uid": "a-2"}])
    present = catalog.current()
    found = profile(present, statistics.cases_of(present, "org", "pubnub"))
    assert found.follow_ups == {"planned": 1, "underway": 0, "done": 0, "dropped": 0, None: 0}


def test_the_most_promises_that_a_case_can_have_are_counted() -> None:
    items = [
        {"uid": f"a-{place}", "text": {"en": "Do it", "ko": None}, "status": "done" if place else None}
        for place in range(400)
    ]
    make_case(id="IL-0001", action_items=items)
    present = catalog.current()
    assert profile(present, present.published).follow_ups == {
        "planned": 0, "underway": 0, "done": 399, "dropped": 0, None: 1
    }  # fmt: skip


# Changes


def test_every_change_shows_at_the_next_reading() -> None:
    make_case(id="IL-0001", root_cause="overload")
    assert all_cases().causes == (("overload", 1),)
    make_case(id="IL-0002", root_cause="code-bug")
    assert dict(all_cases().causes) == {"overload": 1, "code-bug": 1}
    make_case(id="IL-0002", root_cause="overload")
    assert all_cases().causes == (("overload", 2),)
    publishing.withdraw(1, {"en": "Wrong.", "ko": None})
    assert all_cases().causes == (("overload", 1),)
    publishing.undo_withdrawal(1)
    publishing.merge(2, 1)
    assert all_cases().causes == (("overload", 1),)
    publishing.undo_merge(2)
    assert all_cases().total == 2


def test_what_one_process_publishes_another_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    make_case(id="IL-0001")
    other = catalog.current()
    trends(Selection(other))
    make_case(**timed(2, "1h", symptoms=["data-loss"], date="2020-02-02"))
    monkeypatch.setattr(keeping, "_kept", other)
    found = all_cases()
    assert found.total == 2
    assert cells(found.symptoms_by_year)["data-loss", "2020"] == 1


def test_figures_ask_the_database_nothing(django_assert_num_queries: CountQueries) -> None:
    make_cases([timed(number, "1h") for number in range(1, 7)])
    present = catalog.current()
    with django_assert_num_queries(0):
        trends(Selection(present))
        profile(present, present.published)


def test_words_are_ordered_by_their_number() -> None:
    make_cases([timed(1, None, components=["dns", "cache"]), timed(2, None, components=["cache"])])
    assert statistics.frequent(catalog.current(), catalog.current().published, "component") == (
        Counted("cache", 2),
        Counted("dns", 1),
    )
