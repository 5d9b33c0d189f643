"""Figures, topics and checks for programs: those of the pages, in one shape, with filters and refusals."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cases.models import Term
from cases.publishing import touch_vocabulary
from cases.vocabulary import load_vocabulary
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

CHECK = {
    "uid": "k-1",
    "question": {"en": "Is it so?", "ko": None},
    "how": None,
    "command": "dig example.org",
    "applies_to": ["component:dns"],
    "risk": "read-only",
}


@pytest.fixture
def library() -> None:
    load_vocabulary()
    for number in range(1, 8):
        make_case(
            id=f"IL-000{number}",
            date=f"202{number % 3 + 4}-01-01",
            components=["dns"] if number < 6 else ["cache"],
            root_cause="config-change" if number % 2 else "overload",
            timeline={"resolved_after": f"{number}h"},
            checks=[CHECK] if number == 1 else [],
        )


def get(client: Client, address: str) -> dict[str, Any]:
    response = client.get(f"/api/{address}")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


# Figures


@pytest.mark.usefixtures("library")
def test_figures_are_those_of_the_cases_that_filters_leave(client: Client) -> None:
    whole, some = get(client, "stats"), get(client, "stats?component=dns")
    assert (whole["total"], some["total"]) == (7, 5)
    assert [one["cases"] for one in whole["years"]] == [2, 3, 2]
    assert {one["word"]: one["cases"] for one in some["root_causes"]} == {"config-change": 3, "overload": 2}
    assert (some["repair"]["known"], some["repair"]["median"]) == (5, 3 * 3600)
    table = whole["components_by_root_cause"]
    assert table["rows"][0] == "dns"
    assert sum(table["counts"][0]) == table["totals"][0] == 5


@pytest.mark.usefixtures("library")
def test_too_few_times_tell_nothing_typical(client: Client) -> None:
    repair = get(client, "stats?component=cache")["repair"]
    assert repair == {"known": 2, "total": 2, "lower": None, "median": None, "upper": None, "buckets": []}


def test_figures_of_nothing(client: Client) -> None:
    assert get(client, "stats")["total"] == 0
    assert client.get("/api/stats?sort=newest").json()["parameter"] == "sort"
    assert client.get("/api/stats?component=dns").json()["parameter"] == "component"


# Topics


@pytest.mark.usefixtures("library")
def test_topics_are_listed_with_their_cases(client: Client) -> None:
    topics = {(one["list"], one["slug"]): one for one in get(client, "topics")["topics"]}
    assert topics["component", "dns"]["cases"] == 5
    assert topics["component", "storage"]["cases"] == 0
    assert topics["component", "dns"]["url"] == "http://127.0.0.1:8000/topics/component/dns"
    assert {name for name, _ in topics} == {"domain", "root_cause", "component", "symptom", "contributing"}


@pytest.mark.usefixtures("library")
def test_a_topic_tells_what_its_cases_have_in_common(client: Client) -> None:
    answer = get(client, "topics/component/dns")
    assert list(answer) == ["topic", "figures", "newest"]
    assert answer["topic"]["label"]["ko"]
    assert answer["figures"]["companions"]["root_cause"] == [
        {"word": "config-change", "cases": 3},
        {"word": "overload", "cases": 2},
    ]
    assert answer["figures"]["repair"]["median"] == 3 * 3600
    assert set(answer["figures"]["action_items"]) == {"untold", "planned", "underway", "done", "dropped"}
    listed = client.get("/api/cases?component=dns&limit=5").json()["cases"]
    assert answer["newest"] == listed


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("address", ["component/dn", "component/nothing", "severity/major", "nothing/dns"])
def test_what_is_no_topic_is_a_problem(client: Client, address: str) -> None:
    response = client.get(f"/api/topics/{address}")
    assert (response.status_code, response.headers["Content-Type"]) == (404, "application/problem+json")
    assert ("Did you mean 'dns'?" in response.json()["detail"]) == (address == "component/dn")


@pytest.mark.usefixtures("library")
def test_a_word_that_was_replaced_leads_to_the_other(client: Client) -> None:
    storage = Term.objects.get(list="component", slug="storage")
    Term.objects.filter(list="component", slug="cache").update(replaced_by=storage)
    touch_vocabulary()
    response = client.get("/api/topics/component/cache")
    assert (response.status_code, response.headers["Location"]) == (308, "/api/topics/component/storage")
    assert get(client, "topics/component/storage")["topic"]["cases"] == 2


# Checks


@pytest.mark.usefixtures("library")
def test_checks_are_those_for_a_stack_with_the_cases_behind_them(client: Client) -> None:
    answer = get(client, "checks?component=dns")
    assert answer["library"]
    for check in answer["library"]:
        assert check["shared"] == ["component:dns"]
        assert "component:dns" in check["terms"]
        assert check["total"] >= len(check["cases"])
    assert [(one["id"], one["command"]) for one in answer["own"]] == [("IL-0001", "dig example.org")]
    assert get(client, "checks?component=cache")["own"] == []


@pytest.mark.usefixtures("library")
def test_without_a_stack_all_checks_are_given(client: Client) -> None:
    everything = get(client, "checks")
    assert len(everything["library"]) > len(get(client, "checks?component=dns")["library"])
    assert len(everything["own"]) == 1
    assert client.get("/api/checks?component=dnss").json()["errors"][0]["parameter"] == "component"
    assert client.get("/api/checks?severity=major").json()["parameter"] == "severity"
