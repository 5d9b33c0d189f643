"""The catalog says what the database says: for any filter, in any order, after any change, in every process."""

from __future__ import annotations

import datetime as dt
import importlib
import random
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.http import QueryDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases import catalog, pairings, publishing
from cases.catalog import Catalog, Matches, Selection, keeping
from cases.catalog.index import Index, filled
from cases.catalog.versions import LastChange, Versions
from cases.facets import FACETS
from cases.filters import CaseFilter
from cases.labels import Labels, current_labels
from cases.models import Case, CatalogRow, Change, Edition, LanguageVersion, Org, Pairing, Person, Term
from tests.cases.making import make_case, make_cases, make_raw
from tests.cases.reference import counted

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
MIGRATIONS = Path(publishing.__file__).parent / "migrations"
WORDS: dict[str, list[str]] = {
    "domain": ["dns", "cdn", "compute"],
    "components": ["cache", "network", "resolver", "old-resolver"],
    "symptoms": ["timeouts", "data-loss"],
    "contributing": ["hot-spot", "retry-storm", "alert-gap"],
}
DATES = {"day": "2025-{:02d}-{:02d}", "month": "2025-{:02d}-01", "year": "2025-01-01"}
DURATIONS = [None, "1h", "90m", "1h 30m", "2d", "40m", "a while"]


def random_case(number: int, chance: random.Random) -> dict[str, Any]:
    """Return the arguments of ``make_case`` for a case in which everything that can be asked for is drawn."""
    precision = chance.choice(list(DATES))
    lists: dict[str, Any] = {key: chance.sample(words, chance.randint(0, 2)) for key, words in WORDS.items()}
    title, summary = (
        chance.choice([{"en": "One", "ko": None}, {"en": None, "ko": "하나"}, {"en": "One", "ko": "하나"}])
        for _ in range(2)
    )
    raw = make_raw()
    timeline = {**raw["timeline"], "detected_after": None, "resolved_after": chance.choice(DURATIONS), "events": []}
    source = {**raw["sources"][0], "kind": chance.choice(["official-blog", "news"])}
    return {
        "id": f"IL-{number:04d}",
        "org": chance.choice(["PubNub", "LiveKit"]),
        "date": DATES[precision].format(chance.randint(1, 12), chance.randint(1, 28)),
        "date_precision": precision,
        "severity": chance.choice(["major", "minor"]),
        "root_cause": chance.choice(["overload", "code-bug", "unknown", None]),
        "reviewed_by": chance.choice([None, "Kim"]),
        "title": title,
        "summary": summary,
        "sources": [source],
        "timeline": {**timeline, "windows": []},
        "related": [f"IL-{number + step:04d}" for step in chance.sample(range(1, 9), chance.randint(0, 2))],
        "recurrence_of": f"IL-{number - 1:04d}" if number > 1 and chance.random() < 0.2 else None,
        "example": chance.random() < 0.2,
        "claims": [],
        "checks": [],
        **lists,
    }


def random_library(seed: int, size: int = 40) -> random.Random:
    chance = random.Random(seed)  # noqa: S311  (no secret)
    make_cases([random_case(number, chance) for number in range(1, size + 1)])
    Term.objects.filter(slug="old-resolver").update(replaced_by=Term.objects.get(slug="resolver"))
    publishing.withdraw(3, {"en": "Wrong.", "ko": None})
    publishing.merge(4, 5)
    count_rows()
    return chance


def count_rows() -> None:
    """Let PostgreSQL look at the new rows: without it plans the reference's queries as for empty tables."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


# Filters

VALUES: dict[str, list[str]] = {
    "org": ["pubnub", "livekit"],
    "domain": [*WORDS["domain"], "no-such-word"],
    "component": WORDS["components"],
    "symptom": WORDS["symptoms"],
    "contributing": WORDS["contributing"],
    "root_cause": ["overload", "code-bug", "unknown"],
    "severity": ["major", "minor"],
    "source_kind": ["official-blog", "news"],
    "available_in": ["en", "ko"],
    "reviewed": ["yes", "no"],
    "examples": ["yes", "no"],
    "date_after": ["2024", "2025", "2025-06", "2025-06-15", "2026"],
    "date_before": ["2024-12", "2025", "2025-03", "2025-09-09"],
    "repair_min": ["0", "40", "60", "91", "99999999", "1h"],
    "repair_max": ["0", "39", "90", "2880", "x"],
    "sort": ["newest", "oldest", "longest", "shortest"],
}
SINGLE = {"date_after", "date_before", "repair_min", "repair_max", "sort"}
QUERIES = st.fixed_dictionaries(
    {},
    optional={
        name: st.lists(st.sampled_from(values), min_size=1, max_size=1 if name in SINGLE else 2, unique=True)
        for name, values in VALUES.items()
    },
)


@pytest.mark.parametrize("seed", range(3))
def test_any_query_finds_and_counts_what_the_database_does(seed: int) -> None:
    random_library(seed)
    present = catalog.current()

    @settings(max_examples=60, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(query=QUERIES)
    def agrees(query: dict[str, list[str]]) -> None:
        asked = QueryDict(mutable=True)
        for name, values in query.items():
            asked.setlist(name, values)
        case_filter = CaseFilter(asked, present.labels)
        selection = case_filter.select(present)
        assert list(selection.numbers) == [case.number for case in case_filter.qs]
        for name in (*FACETS, "examples"):
            assert dict(selection.counts(name)) == counted(asked, name, present.labels), name

    agrees()


@pytest.mark.parametrize("order", ["newest", "oldest", "longest", "shortest"])
def test_any_page_is_a_part_of_the_whole_list(order: str) -> None:
    random_library(9)
    numbers = CaseFilter(QueryDict(f"sort={order}")).select(catalog.current()).numbers
    whole = list(numbers)
    assert len(whole) == len(numbers) == 38
    for start in range(0, 45, 4):
        for length in (0, 1, 3, 50):
            assert numbers[start : start + length] == whole[start : start + length]
    assert (numbers[0], numbers[-1]) == (whole[0], whole[-1])
    with pytest.raises(IndexError):
        _ = numbers[38]


def test_what_a_search_found_is_one_more_condition() -> None:
    make_case(id="IL-0001", severity="major", date="2025-01-01")
    make_case(id="IL-0002", severity="major", date="2025-02-01")
    make_case(id="IL-0003", severity="minor", date="2025-03-01")
    make_case(id="IL-0004", severity="major", date="2025-04-01")
    ids = dict(Case.objects.values_list("number", "pk"))
    present = catalog.current()
    best, second = map(present.index.with_ids, ([ids[3], 10**9], [ids[2], ids[1]]))
    assert best.bit_count() == 1
    matches = Matches([((3, 1), best), ((2, 1), second)])
    asked = CaseFilter(QueryDict("severity=major")).select(present).asked
    selection = Selection(present, asked, matches=matches)
    assert list(selection.numbers) == [2, 1]
    assert selection.counts("severity") == {"major": 2, "minor": 1}
    by_relevance = Selection(present, order=catalog.RELEVANCE, matches=matches).numbers
    assert list(by_relevance) == [3, 2, 1]
    assert by_relevance[1:2] == [2]
    assert list(Selection(present, order=catalog.RELEVANCE).numbers) == [4, 3, 2, 1]


def test_an_empty_library_is_answered_too() -> None:
    present = catalog.current()
    assert list(Selection(present).numbers) == []
    assert all(not present.counts(name, present.published) for name in FACETS)
    assert present.near(1) == []
    assert CaseFilter(QueryDict("date_after=2020&repair_min=1&reviewed=no")).select(present).cases == 0


# Changes


def parts(index: Index) -> dict[str, Any]:
    words = {word: cases for word, cases in index.words.items() if cases}
    leading_on = {"merged": index.merged_into, "recurrences": index.recurrence_of, "pairings": index.pairings}
    return {**vars(index.columns), "words": words, **leading_on}


def assert_up_to_date(present: Catalog) -> None:
    assert parts(present.index) == parts(filled(present.index.last))


def approve(number: int) -> None:
    """Let a reviewer approve every language, as the desk does: the decision, the change, the rows."""
    with transaction.atomic():
        current = Edition.objects.filter(case__number=number).latest("number")
        versions = LanguageVersion.objects.filter(edition=current).exclude(state="missing")
        reviewer = Person.objects.get_or_create(name="Reviewer")[0]
        now = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
        versions.update(state="approved", reviewed_by=reviewer, reviewed_at=now)
        publishing.log_changes([(number, Change.Kind.REVIEWED)])
        publishing.refresh([number])


def pair_or_not(number: int, other: int, chance: random.Random) -> None:
    """Let the editors decide of two cases, or take back what they decided; where they may not, publish one again."""
    if pairings.pairing_of(number, other):
        pairings.unpair(number, other)
    elif Case.objects.filter(number__in=(number, other)).values("example").distinct().count() == 1:
        pairings.pair(number, other, chance.choice(list(Pairing.Verdict)), {"en": "Why.", "ko": None})
    else:
        make_case(**random_case(number, chance))


def change(chance: random.Random, free: int) -> int:
    """Change one case in one of the ways there are; give the next free number."""
    statuses = dict(Case.objects.values_list("number", "status"))
    number = chance.choice(list(statuses))
    act = chance.choice(["new", "again", "again", "gone", "merge", "approve", "pair", "pair"])
    published = [other for other, status in statuses.items() if status == "published" and other != number]
    if act == "new":
        make_case(**random_case(free, chance))
        return free + 1
    if act == "again" and statuses[number] == "published":
        make_case(**random_case(number, chance))
    elif act == "approve" and statuses[number] == "published":
        make_case(id=f"IL-{number:04d}")
        approve(number)
    elif act == "pair" and statuses[number] == "published" and published:
        pair_or_not(number, chance.choice(published), chance)
    elif statuses[number] == "withdrawn":
        publishing.undo_withdrawal(number)
    elif statuses[number] == "merged":
        publishing.undo_merge(number)
    elif act == "merge" and published:
        publishing.merge(number, chance.choice(published))
    else:
        publishing.withdraw(number, {"en": "Wrong.", "ko": None})
    return free


@pytest.mark.parametrize("seed", range(3))
def test_after_any_change_the_catalog_is_as_if_it_were_filled_anew(
    seed: int, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: CountQueries
) -> None:
    chance, free = random_library(seed, size=12), 13
    catalog.current()
    monkeypatch.setattr(keeping, "filled", None)  # from here on the changes must be enough
    for _ in range(12):
        for _ in range(chance.randint(1, 3)):
            free = change(chance, free)
        current_labels()
        with django_assert_num_queries(3):  # versions, changes, rows
            present = catalog.current()
        assert_up_to_date(present)
        with django_assert_num_queries(1):
            assert catalog.current() is present


def test_after_many_changes_everything_is_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    make_case(id="IL-0001")
    catalog.current()
    monkeypatch.setattr(keeping, "MOST_CHANGED", 3)
    monkeypatch.setattr(keeping, "changed", None)
    make_cases([{"id": f"IL-{number:04d}"} for number in range(2, 6)])
    assert list(Selection(catalog.current()).numbers) == [5, 4, 3, 2, 1]


def test_examples_leave_with_their_cases() -> None:
    make_case(id="IL-0001")
    make_case(id="IL-9001", example=True, org="Nuri", org_slug="nuri")
    assert catalog.current().totals["org"] == {"livekit": 1, "nuri": 1}
    publishing.remove_examples()
    present = catalog.current()
    assert_up_to_date(present)
    assert list(Selection(present).numbers) == [1]


def test_a_decision_shows_in_the_next_request() -> None:
    make_case(id="IL-0001")
    assert catalog.current().totals["reviewed"] == {"no": 1}
    approve(1)
    assert catalog.current().totals["reviewed"] == {"yes": 1}


def test_a_new_word_can_be_asked_for_in_the_next_request() -> None:
    make_case(id="IL-0001", components=["dns"])
    catalog.current()
    make_case(id="IL-0002", components=["flux-capacitor"])
    present = catalog.current()
    assert present.totals["component"] == {"dns": 1, "flux-capacitor": 1}
    Term.objects.filter(slug="flux-capacitor").update(replaced_by=Term.objects.get(slug="dns"))
    publishing.touch_vocabulary()
    renamed = catalog.current()
    assert renamed.totals["component"] == {"dns": 2}
    assert renamed.index is present.index


def undone() -> list[int]:
    """Publish a case and take it back; return what the catalog holds in between."""
    with transaction.atomic():
        make_case(id="IL-0002", severity="major")
        between = list(Selection(catalog.current()).numbers)
        transaction.set_rollback(True)
    return between


def test_what_was_undone_is_not_believed() -> None:
    make_case(id="IL-0001", severity="major")
    catalog.current()
    assert undone() == [2, 1]
    assert list(Selection(catalog.current()).numbers) == [1]
    assert undone() == [2, 1]
    make_case(id="IL-0003", severity="minor")  # the same number of changes as what was undone
    assert list(Selection(catalog.current()).numbers) == [3, 1]


def test_other_processes_follow_each_from_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    make_case(id="IL-0001")
    other = catalog.current()
    make_case(id="IL-0002")
    catalog.current()
    make_case(id="IL-0003", date="2020-01-01")
    here = catalog.current()
    monkeypatch.setattr(keeping, "_kept", other)
    there = catalog.current()
    assert there is not here
    assert parts(there.index) == parts(here.index)
    assert list(Selection(other).numbers) == [1]  # what a request holds does not change under it


def test_a_thread_that_read_an_older_version_gets_the_newer_catalog() -> None:
    make_case(id="IL-0001")
    before = catalog.versions()
    make_case(id="IL-0002")
    newer = catalog.current()
    assert catalog.at(before).index is newer.index
    publishing.touch_vocabulary()
    renamed = catalog.current()
    assert catalog.at(before) is renamed


def test_many_threads_fill_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fills = []

    def slow(last: LastChange) -> Index:
        fills.append(last)
        time.sleep(0.05)
        return empty

    empty, labels = filled(LastChange()), Labels(7, 0, {}, {})
    monkeypatch.setattr(keeping, "filled", slow)
    monkeypatch.setattr(keeping, "current_labels", lambda _version: labels)
    found: list[Catalog] = []
    threads = [threading.Thread(target=lambda: found.append(catalog.at(Versions(LastChange(), 7)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fills) == 1
    assert len(found) == 8
    assert len(set(map(id, found))) == 1


def test_neighbours_are_remembered_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    make_cases([{"id": f"IL-{number:04d}"} for number in range(1, 5)])
    monkeypatch.setattr("cases.catalog.catalog.MOST_REMEMBERED", 2)
    present = catalog.current()
    assert present.near(1) is present.near(1)
    for number in (2, 3, 4):
        present.near(number)
    assert len(present._near) <= 2  # noqa: SLF001  (what memory it takes is the point)


def test_the_migration_fills_what_publishing_writes() -> None:
    random_library(4, size=15)
    written = catalog_rows()
    CatalogRow.objects.all().delete()
    for name in ("catalog", "statistics"):
        migration = next(MIGRATIONS.glob(f"*_{name}.py")).stem
        importlib.import_module(f"cases.migrations.{migration}").fill(apps, None)
    assert catalog_rows() == written
    assert len(written) == 15


def catalog_rows() -> list[dict[str, Any]]:
    """Give all rows; in which order a row names its words means nothing."""
    rows = CatalogRow.objects.order_by("number").values()
    return [{**row, "words": sorted(row["words"].split()), "related": sorted(row["related"].split())} for row in rows]


def test_an_organisation_is_counted_under_its_slug() -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub")
    Org.objects.filter(slug="pubnub").update(slug="pub-nub")
    publishing.touch_vocabulary()
    assert catalog.current().totals["org"] == {"pub-nub": 1}
