"""The ledger of follow-ups: what was promised, by status and organisation, counted right and paged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from cases.follow_ups import PER_PAGE
from cases.models import ActionItem
from cases.publishing import withdraw
from tests.cases.making import make_case, make_cases
from tests.cases.test_statistics import library

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]


def item(uid: str, status: str | None, text: str = "Add an alert") -> dict[str, Any]:
    return {"uid": uid, "text": {"en": text, "ko": None}, "status": status}


def shown(client: Client, query: str = "") -> dict[str, list[str]]:
    """Return the texts by case, in the order of the page."""
    promises = client.get(f"/en/follow-ups/{query}").context["promises"]
    return {one.case.id: [promise.told.text for promise in one.items] for one in promises}


def two_orgs() -> None:
    items = [item("a-1", "planned", "Plan"), item("a-2", "done", "Did"), item("a-3", None, "Say")]
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", date="2024-01-01", action_items=items)
    make_case(
        id="IL-0002",
        org="LiveKit",
        org_slug="livekit",
        date="2025-01-01",
        severity="major",
        action_items=[item("a-1", "underway", "Work"), item("a-2", "dropped", "Drop")],
    )
    make_case(id="IL-0003", org="LiveKit", org_slug="livekit", action_items=[])


def test_all_promises_are_listed_under_their_cases_newest_first(client: Client) -> None:
    two_orgs()
    assert list(shown(client).items()) == [("IL-0002", ["Work", "Drop"]), ("IL-0001", ["Plan", "Did", "Say"])]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?status=open", {"IL-0002": ["Work"], "IL-0001": ["Plan", "Say"]}),
        ("?status=done", {"IL-0001": ["Did"]}),
        ("?status=untold", {"IL-0001": ["Say"]}),
        ("?status=done&status=dropped", {"IL-0002": ["Drop"], "IL-0001": ["Did"]}),
        ("?org=pubnub", {"IL-0001": ["Plan", "Did", "Say"]}),
        ("?org=pubnub&status=dropped", {}),
        ("?severity=major&status=open", {"IL-0002": ["Work"]}),
        ("?status=", {"IL-0002": ["Work", "Drop"], "IL-0001": ["Plan", "Did", "Say"]}),
    ],
)
def test_it_is_filtered_by_status_and_by_the_language_of_lists(
    client: Client, query: str, expected: dict[str, list[str]]
) -> None:
    two_orgs()
    assert shown(client, query) == expected


def test_an_unknown_status_is_said_and_left_out(client: Client) -> None:
    two_orgs()
    response = client.get("/ko/follow-ups/?status=finished&status=done&org=nobody")
    assert response.context["problems"] == [
        "조직: 알 수 없어 제외한 값: nobody",
        "상태: 알 수 없어 제외한 값: finished",
    ]
    assert [one.case.id for one in response.context["promises"]] == ["IL-0001"]


def test_statuses_are_counted_by_promise_within_the_other_filters(client: Client) -> None:
    two_orgs()
    choices = client.get("/en/follow-ups/?org=pubnub&status=done").context["choices"]
    assert [(one.label, one.items, one.is_chosen) for one in choices] == [
        ("All", 3, False),
        ("Not seen done", 2, False),
        ("Planned", 1, False),
        ("Under way", 0, False),
        ("Done", 1, True),
        ("Dropped", 0, False),
        ("State not told", 1, False),
    ]
    assert choices[1].url == "/en/follow-ups/?org=pubnub&status=open"
    assert choices[0].url == "/en/follow-ups/?org=pubnub"


@pytest.mark.parametrize("query", ["", "?org=pubnub", "?date_after=2021&root_cause=overload"])
def test_counts_are_those_of_the_table(client: Client, query: str) -> None:
    library(8)
    context = client.get(f"/en/follow-ups/{query}").context
    rows = ActionItem.objects.filter(case__status="published")
    if "pubnub" in query:
        rows = rows.filter(case__org__slug="pubnub")
    if "2021" in query:
        rows = rows.filter(case__date_last__gte="2021-01-01", case__root_cause__slug="overload")
    expected = Counter(rows.values_list("status", flat=True))
    counts = {one.name: one.items for one in context["choices"]}
    assert counts == {
        "": expected.total(),
        "open": expected["planned"] + expected["underway"] + expected[None],
        "untold": expected[None],
        **{status: expected[status] for status in ("planned", "underway", "done", "dropped")},
    }
    assert context["total"] == rows.values("case").distinct().count()


def test_organisations_can_be_chosen_where_they_promised_something(client: Client) -> None:
    two_orgs()
    make_case(id="IL-0004", org="Quiet", org_slug="quiet", action_items=[])
    assert client.get("/en/follow-ups/").context["orgs"] == [
        ("livekit", "LiveKit", False),
        ("pubnub", "PubNub", False),
    ]
    assert client.get("/en/follow-ups/?status=dropped&org=pubnub").context["orgs"] == [
        ("livekit", "LiveKit", False),
        ("pubnub", "PubNub", True),
    ]


def test_chips_keep_the_status(client: Client) -> None:
    two_orgs()
    chips = client.get("/en/follow-ups/?org=pubnub&org=livekit&status=open&sort=oldest").context["chips"]
    assert [chip.remove_url for chip in chips] == [
        "/en/follow-ups/?org=livekit&sort=oldest&status=open",
        "/en/follow-ups/?org=pubnub&sort=oldest&status=open",
    ]


def test_the_form_keeps_what_else_is_asked_for(client: Client) -> None:
    two_orgs()
    text = client.get("/en/follow-ups/?severity=major&status=open").content.decode()
    assert '<input type="hidden" name="severity" value="major">' in text
    assert '<input type="hidden" name="status" value="open">' in text


def test_it_is_paged(client: Client) -> None:
    make_cases(
        [{"id": f"IL-{number:04d}", "action_items": [item("a-1", "planned")]} for number in range(1, PER_PAGE + 4)]
    )
    assert len(shown(client, "?status=planned")) == PER_PAGE
    assert list(shown(client, "?status=planned&page=2")) == ["IL-0003", "IL-0002", "IL-0001"]
    response = client.get("/en/follow-ups/?status=planned&page=2")
    assert response.context["canonical"].endswith("/en/follow-ups/?status=planned&page=2")
    assert '<a rel="prev" href="?status=planned">' in response.content.decode()


def test_what_is_told_in_one_language_is_marked(client: Client) -> None:
    two_orgs()
    text = client.get("/ko/follow-ups/?status=done").content.decode()
    assert '<span lang="en">Did</span>' in text


def test_a_withdrawn_case_promises_nothing(client: Client) -> None:
    two_orgs()
    withdraw(2, {"en": "Wrong.", "ko": None})
    assert list(shown(client)) == ["IL-0001"]


def test_nothing_promised_is_said(client: Client) -> None:
    make_case(id="IL-0001", action_items=[])
    assert "Nothing of the kind is known." in client.get("/en/follow-ups/").content.decode()


def test_the_number_of_queries_does_not_grow(client: Client, django_assert_num_queries: CountQueries) -> None:
    make_cases([{"id": f"IL-{number:04d}", "action_items": [item("a-1", "planned")]} for number in range(1, 18)])
    client.get("/en/follow-ups/")
    with django_assert_num_queries(3):  # versions, what the cases are called, promises
        client.get("/en/follow-ups/?status=open")
