"""What pages of terms and organisations say of their cases: companions, times, lessons, checks, promises, repeats."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from django.test import Client

from cases import catalog
from cases.catalog import keeping
from cases.filters import CaseFilter
from cases.models import Check, Term
from cases.publishing import touch_vocabulary, withdraw
from cases.rendering import store_rendered
from tests.cases.making import make_case, make_cases, make_raw
from tests.cases.test_statistics import library

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]


def item(uid: str, status: str | None, text: str = "Add an alert") -> dict[str, Any]:
    return {"uid": uid, "text": {"en": text, "ko": None}, "status": status}


def case_check(uid: str, *applies_to: str) -> dict[str, Any]:
    return {"uid": uid, "question": {"en": f"Is {uid} so?", "ko": None}, "applies_to": list(applies_to)}


def companions(client: Client, path: str) -> dict[str, list[tuple[str, int, str]]]:
    figures = client.get(path).context["figures"]
    return {
        found.name: [(word.label.text, word.cases, word.url) for word in found.words] for found in figures["companions"]
    }


# Companions


def test_a_term_says_what_comes_along_with_it(client: Client) -> None:
    make_case(id="IL-0001", components=["dns", "cache"], root_cause="overload", symptoms=["timeouts"])
    make_case(id="IL-0002", components=["dns"], root_cause="overload", symptoms=[])
    make_case(id="IL-0003", components=["cache"], root_cause="code-bug", symptoms=["timeouts"])
    assert companions(client, "/en/topics/component/dns/") == {
        "root_cause": [("overload", 2, "/en/cases/?component=dns&root_cause=overload")],
        "symptom": [("timeouts", 1, "/en/cases/?component=dns&symptom=timeouts")],
        "component": [("cache", 1, "/en/topics/component/dns/?component=cache")],
    }


@pytest.mark.parametrize("path", ["topics/component/resolver/", "topics/symptom/timeouts/", "orgs/pubnub/"])
def test_every_companion_leads_to_as_many_cases_of_the_same_page(client: Client, path: str) -> None:
    library(6)
    context = client.get(f"/en/{path}").context
    links = [(word.url, word.cases) for found in context["figures"]["companions"] for word in found.words]
    years = context["figures"]["years"]
    links += [(mark.url, mark.cases) for mark in years.marks if mark.url] + [(years.url, years.cases)]
    assert len(links) > 8
    for url, cases in links:
        shown = client.get(url).context
        assert shown["total"] == cases, url
    assert context["figures"]["total"] == context["total"]


def test_a_page_can_be_narrowed_by_another_word_of_its_list(client: Client) -> None:
    make_case(id="IL-0001", components=["dns", "cache"], title={"en": "With both", "ko": None})
    make_case(id="IL-0002", components=["dns"], title={"en": "With one", "ko": None})
    response = client.get("/en/topics/component/dns/?component=cache")
    assert "With both" in response.content.decode()
    assert "With one" not in response.content.decode()
    assert response.context["figures"] is None
    assert response.context["clear_url"] == "/en/topics/component/dns/"
    assert response.context["canonical"].endswith("/en/topics/component/dns/?component=cache")


def test_only_some_companions_have_room(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"], symptoms=[f"symptom-{number}" for number in range(10)])
    found = {one.name: one for one in client.get("/en/topics/component/dns/").context["figures"]["companions"]}
    assert (len(found["symptom"].words), found["symptom"].others) == (8, 2)


def test_later_pages_have_cases_only(client: Client) -> None:
    make_cases([{"id": f"IL-{number:04d}", "components": ["dns"]} for number in range(1, 28)])
    assert client.get("/en/topics/component/dns/").context["figures"] is not None
    response = client.get("/en/topics/component/dns/?page=2")
    assert response.context["figures"] is None
    assert len(response.context["cards"]) == 2


def test_what_no_case_has_has_no_figures(client: Client) -> None:
    Term.objects.create(list="component", slug="unused")
    touch_vocabulary()
    assert client.get("/ko/topics/component/unused/").context["figures"] is None


# Times


def test_times_are_of_the_cases_of_the_term_alone(client: Client) -> None:
    timeline = {**make_raw()["timeline"], "events": [], "windows": [], "detected_after": None}
    slow, quick = ({**timeline, "resolved_after": after} for after in ("2d", "1h"))
    make_cases([{"id": f"IL-{n:04d}", "components": ["dns"], "timeline": slow} for n in range(1, 6)])
    make_cases([{"id": f"IL-{n:04d}", "components": ["cache"], "timeline": quick} for n in range(6, 20)])
    detect, repair = client.get("/ko/topics/component/dns/").context["figures"]["times"]
    assert repair.median.words == "2일"
    assert repair.source == "사례 5건 가운데 시간이 알려진 5건으로 계산했습니다."
    assert detect.median is None
    assert detect.source == "사례 5건 가운데 0건만 시간을 밝혀, 보통 얼마나 걸리는지 말하기에는 적습니다."


# Lessons and checks


def test_lessons_are_collected_newest_first(client: Client) -> None:
    for number in range(1, 8):
        lessons = {"en": f"Lesson {number}", "ko": None} if number != 4 else None
        make_case(id=f"IL-{number:04d}", components=["dns"], lessons=lessons, date=f"2025-01-{number:02d}")
    make_case(id="IL-0009", components=["cache"], lessons={"en": "Of others", "ko": None})
    response = client.get("/ko/topics/component/dns/")
    figures = response.context["figures"]
    assert [lesson.told.text for lesson in figures["lessons"]] == [f"Lesson {number}" for number in (7, 6, 5, 3, 2)]
    assert figures["lessons_total"] == 6
    assert "최근 5건만 보입니다." in response.content.decode()
    assert '<div lang="en"><p>Lesson 7</p></div>' in response.content.decode()


def test_checks_of_the_library_and_of_cases_are_collected(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"], root_cause="overload", checks=[case_check("k-a", "component:cache")])
    make_case(id="IL-0002", components=["cache"], checks=[case_check("k-b", "component:dns"), case_check("k-c")])
    check = Check.objects.create(slug="of-dns", question_en="Does it answer?")
    check.terms.add(Term.objects.get(list="component", slug="dns"))
    touch_vocabulary()
    response = client.get("/en/topics/component/dns/")
    figures = response.context["figures"]
    assert [question.question.text for question in figures["library_checks"]] == ["Does it answer?"]
    assert [[one.question.text for one in of_case.items] for of_case in figures["checks"]] == [["Is k-b so?"]]
    assert figures["checks_url"] == "/en/checks/?component=dns"
    assert client.get("/en/topics/root_cause/overload/").context["figures"]["checks_url"] == ""


def test_an_organisation_has_the_checks_of_its_own_cases(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", checks=[case_check("k-a", "component:cache")])
    make_case(id="IL-0002", org="LiveKit", org_slug="livekit", checks=[case_check("k-b", "component:cache")])
    figures = client.get("/en/orgs/pubnub/").context["figures"]
    assert [[one.question.text for one in of_case.items] for of_case in figures["checks"]] == [["Is k-a so?"]]
    assert figures["library_checks"] == []
    assert figures["checks_url"] == ""


# Organisations


def test_what_came_back_stands_with_what_it_came_back_from(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", date="2024-01-01", title={"en": "The first", "ko": None})
    make_case(id="IL-0002", org="PubNub", org_slug="pubnub", date="2025-01-01", recurrence_of="IL-0001")
    make_case(id="IL-0003", org="PubNub", org_slug="pubnub", date="2025-02-01", recurrence_of="IL-0777")
    make_case(id="IL-0004", org="LiveKit", org_slug="livekit", recurrence_of="IL-0001")
    response = client.get("/en/orgs/pubnub/")
    found = [(one.case.id, one.earlier and one.earlier.id) for one in response.context["figures"]["recurrences"]]
    assert found == [("IL-0003", None), ("IL-0002", "IL-0001")]
    assert "The earlier case is not published here." in response.content.decode()
    assert "IL-0001 The first" in response.content.decode()


def test_what_was_promised_and_not_seen_done_is_told_of_this_organisation_only(client: Client) -> None:
    items = [item("a-1", "planned", "Plan it"), item("a-2", "done", "Did it"), item("a-3", None, "Say it")]
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", action_items=items)
    make_case(id="IL-0002", org="PubNub", org_slug="pubnub", action_items=[item("a-1", "dropped", "Dropped it")])
    make_case(id="IL-0003", org="LiveKit", org_slug="livekit", action_items=[item("a-1", "planned", "Of others")])
    response = client.get("/en/orgs/pubnub/")
    figures = response.context["figures"]
    assert (figures["unfinished"], figures["promised"]) == (2, 4)
    (promises,) = figures["open_promises"]
    assert [(one.told.text, one.status) for one in promises.items if one.told] == [
        ("Plan it", "Planned"),
        ("Say it", "State not told"),
    ]
    assert promises.items[0].url == "/en/cases/IL-0001/#item-a-1"
    assert response.context["follow_ups_url"] == "/en/follow-ups/?org=pubnub&status=open"
    assert "Of others" not in response.content.decode()


def test_an_organisation_that_promised_nothing_has_no_such_section(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", action_items=[])
    assert "Promised and not seen done" not in client.get("/en/orgs/pubnub/").content.decode()


def test_examples_are_marked_in_lines_of_cases(client: Client) -> None:
    made_up: dict[str, Any] = {
        "example": True,
        "org": "Nuri",
        "org_slug": "nuri",
        "action_items": [item("a-1", "planned")],
    }
    make_case(id="IL-9001", **made_up)
    (promises,) = client.get("/en/orgs/nuri/").context["figures"]["open_promises"]
    assert promises.case.is_example


# Freshness and cost


@pytest.mark.parametrize("path", ["/en/topics/component/dns/", "/ko/orgs/pubnub/"])
def test_what_another_process_publishes_shows_at_the_next_request(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    ours: dict[str, Any] = {"org": "PubNub", "org_slug": "pubnub", "components": ["dns"]}
    make_case(id="IL-0001", **ours)
    assert client.get(path).context["figures"]["total"] == 1
    here = catalog.current()
    make_case(id="IL-0002", **ours)
    monkeypatch.setattr(keeping, "_kept", here)
    assert client.get(path).context["figures"]["total"] == 2
    withdraw(1, {"en": "Wrong.", "ko": None})
    monkeypatch.setattr(keeping, "_kept", here)
    assert client.get(path).context["figures"]["total"] == 1


@pytest.mark.parametrize(("path", "queries"), [("/en/topics/component/dns/", 5), ("/en/orgs/pubnub/", 7)])
def test_the_number_of_queries_does_not_grow(
    client: Client, django_assert_num_queries: CountQueries, path: str, queries: int
) -> None:
    for number in range(1, 12):
        make_case(
            id=f"IL-{number:04d}",
            org="PubNub",
            org_slug="pubnub",
            components=["dns"],
            checks=[case_check("k-1", "component:dns")],
            lessons={"en": "Test it.", "ko": None},
            recurrence_of=f"IL-{number - 1:04d}" if number > 1 else None,
        )
    store_rendered(range(1, 12))
    client.get(path)
    with django_assert_num_queries(queries):
        response = client.get(path)
    figures = response.context["figures"]
    assert figures["lessons"]
    assert figures["checks"]


def test_figures_link_within_the_language_of_the_page(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"], root_cause="overload")
    figures = client.get("/ko/topics/component/dns/").context["figures"]
    for url in (figures["list_url"], figures["trends_url"], figures["companions"][0].words[0].url):
        assert urlsplit(url).path.startswith("/ko/")
        assert not CaseFilter(QueryDict(urlsplit(url).query)).problems
