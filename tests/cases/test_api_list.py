"""Lists of cases for programs: totals, pages that stay in place, both views, and refusals that say what was meant."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from cases import catalog
from cases.cursors import read_cursor, write_cursor
from cases.document import KEY_ORDER
from cases.filters import CaseFilter
from cases.lists import SUMMARY_KEYS
from cases.publishing import withdraw
from cases.queries import CaseQuery, meant, query_model
from cases.vocabulary import load_vocabulary
from tests.cases.asking import found
from tests.cases.making import make_case, make_cases

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
DURATIONS = (None, "30m", "2h", "2h", "1d", None)


def fill(count: int) -> None:
    make_cases(
        [
            {
                "id": f"IL-{number:04d}",
                "date": f"2026-0{1 + number % 3}-01",
                "components": ["dns"] if number % 2 else ["message-bus"],
                "title": {"en": f"Case {number} of {'certificates' if number % 3 else 'clocks'}", "ko": None},
                "timeline": {"resolved_after": DURATIONS[number % len(DURATIONS)]},
            }
            for number in range(1, count + 1)
        ]
    )


def get(client: Client, **query: Any) -> dict[str, Any]:
    response = client.get(f"/api/cases?{urlencode(query, doseq=True)}")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


def pages(client: Client, **query: Any) -> Iterator[list[str]]:
    """Give the ids of each page, following the cursor to the end."""
    cursor: str | None = ""
    while cursor is not None:
        answer = get(client, **query, **({"cursor": cursor} if cursor else {}))
        cursor = answer["next"]
        yield [case["id"] for case in answer["cases"]]


def problem(client: Client, query: str) -> dict[str, Any]:
    response = client.get(f"/api/cases?{query}")
    assert response.status_code == 400
    assert response.headers["Content-Type"] == "application/problem+json"
    told: dict[str, Any] = response.json()
    assert (told["title"], told["status"]) == ("Bad Request", 400)
    return told


# What is given


def test_a_list_tells_its_total_and_gives_summaries(client: Client, django_assert_num_queries: CountQueries) -> None:
    fill(3)
    get(client, limit=1)
    with django_assert_num_queries(2):
        answer = get(client, limit=2)
    with django_assert_num_queries(1):
        assert get(client, limit=2) == answer
    assert list(answer) == ["total", "next", "corrected", "cases"]
    assert (answer["total"], answer["corrected"], len(answer["cases"])) == (3, None, 2)
    for case in answer["cases"]:
        assert tuple(case) == SUMMARY_KEYS
        whole = client.get(f"/api/cases/{case['id']}").json()
        assert {key: whole[key] for key in SUMMARY_KEYS if key != "timeline"} == {
            key: value for key, value in case.items() if key != "timeline"
        }
        assert case["timeline"].items() <= whole["timeline"].items()


def test_whole_cases_are_those_of_their_own_addresses(client: Client) -> None:
    fill(3)
    response = client.get("/api/cases?view=full")
    texts = [client.get(f"/api/cases/IL-000{number}").content.decode() for number in (2, 1, 3)]
    assert response.content.decode() == f'{{"total":3,"next":null,"corrected":null,"cases":[{",".join(texts)}]}}'
    assert tuple(response.json()["cases"][0]) == KEY_ORDER


def test_filters_are_those_of_the_page(client: Client) -> None:
    load_vocabulary()
    fill(8)
    for query in ("component=dns", "component=dns&component=message-bus", "repair_min=60&sort=shortest", "q=clocks"):
        response = client.get(f"/api/cases?{query}")
        numbers = [int(case["id"][3:]) for case in response.json()["cases"]]
        assert numbers == found(query)
        assert response.json()["total"] == len(numbers) > 1


def test_an_empty_library_is_an_empty_list(client: Client) -> None:
    assert get(client) == {"total": 0, "next": None, "corrected": None, "cases": []}


def test_a_search_says_what_it_was_taken_for(client: Client) -> None:
    fill(3)
    assert get(client, q="certifcates")["corrected"] == "certificates"
    assert get(client, q="certificates")["corrected"] is None


# Pages


@pytest.mark.parametrize("sort", ["newest", "oldest", "longest", "shortest", "relevance", "search"])
def test_pages_give_every_case_once_in_the_order_of_the_list(client: Client, sort: str) -> None:
    fill(17)
    query = {"q": "case certificates"} if sort == "search" else {"sort": sort}
    whole = [id_text for page in pages(client, **query, limit=100) for id_text in page]
    assert len(whole) >= 11
    for limit in (1, 4):
        parts = list(pages(client, **query, limit=limit))
        assert [id_text for page in parts for id_text in page] == whole
        assert all(len(page) == limit for page in parts[:-1])


@pytest.mark.parametrize("sort", ["newest", "oldest", "longest", "shortest", "search"])
def test_pages_stay_in_place_when_cases_come_and_go(client: Client, sort: str) -> None:
    fill(12)
    query = {"q": "case"} if sort == "search" else {"sort": sort}
    before = [id_text for page in pages(client, **query, limit=100) for id_text in page]
    reader, chance = pages(client, **query, limit=3), random.Random(7)  # noqa: S311  (no secret)
    seen = next(reader)
    gone = seen[-1]
    withdraw(int(gone[3:]), {"en": "Wrong.", "ko": None})
    for number in range(20, 24):
        make_case(
            id=f"IL-{number:04d}",
            date=f"2026-0{chance.randint(1, 3)}-0{chance.randint(1, 9)}",
            title={"en": "A new case", "ko": None},
            timeline={"resolved_after": chance.choice(DURATIONS)},
        )
        seen += next(reader, [])
    seen += [id_text for page in reader for id_text in page]
    assert len(seen) == len(set(seen))
    assert [id_text for id_text in seen if id_text in before] == before


def test_the_next_page_stands_in_the_header_link(client: Client) -> None:
    fill(3)
    response = client.get("/api/cases?component=dns&limit=1")
    cursor = response.json()["next"]
    assert (
        response.headers["Link"]
        == f'<http://127.0.0.1:8000/api/cases?component=dns&limit=1&cursor={cursor}>; rel="next"'
    )
    assert "Link" not in client.get(f"/api/cases?component=dns&limit=1&cursor={cursor}").headers


def test_a_cursor_goes_with_its_own_query(client: Client) -> None:
    fill(4)
    cursor = get(client, component=["dns", "message-bus"], limit=1)["next"]
    assert get(client, component=["message-bus", "dns"], limit=2, cursor=cursor, view="full")["cases"]
    for query in ("component=dns", "component=dns&component=message-bus&sort=longest", ""):
        told = problem(client, f"{query}&cursor={cursor}")
        assert told["parameter"] == "cursor"
        assert "Is not a cursor of this query" in told["detail"]


@pytest.mark.parametrize("cursor", ["x", "W10", "null", "=", "é", "a" * 300, "WyJkZWFkIiwxXQ", "WyJkZWFkYmVlZiJd="])
def test_what_is_no_cursor_is_refused(client: Client, cursor: str) -> None:
    assert problem(client, urlencode({"cursor": cursor}))["parameter"] == "cursor"


def test_a_made_up_cursor_of_the_right_query_is_refused_or_leads_nowhere(client: Client) -> None:
    fill(2)
    kind = json.loads(base64.urlsafe_b64decode(get(client, limit=1)["next"] + "=="))[0]
    for numbers in ([], [1], [1, 2, 3], [-1, -1], [2**62, 2**62]):
        response = client.get("/api/cases", {"cursor": write_cursor(kind, numbers)})
        assert response.status_code == (200 if len(numbers) == 2 else 400)


def test_cursors_are_read_as_they_were_written() -> None:
    assert read_cursor("kind", write_cursor("kind", (1, -5, 2**40))) == (1, -5, 2**40)
    for text in (write_cursor("other", (1,)), write_cursor("kind", (2**63,)), "", write_cursor("kind", ()) + "="):
        with pytest.raises(ValueError, match=re.escape(text) + "$"):
            read_cursor("kind", text)


# Refusals


def test_what_is_wrong_is_named(client: Client) -> None:
    load_vocabulary()
    make_case(id="IL-0001", org="LiveKit", org_slug="livekit")
    for query, parameter, detail in (
        ("limt=3", "limt", "There is no such parameter. Did you mean 'limit'?"),
        ("page=2", "page", "There is no such parameter. Did you mean 'cursor'?"),
        ("zzz=2", "zzz", "There is no such parameter. There are: limit, cursor, view, q,"),
        ("sort=newest&sort=oldest", "sort", "Is given more than once."),
        ("component=dns-server", "component", "Unknown component 'dns-server'. Did you mean 'dns'?"),
        ("component=데이터베이스", "component", "Unknown component '데이터베이스'. Did you mean 'database'?"),
        ("component=kubernetes", "component", "Unknown component 'kubernetes'. It is a domain."),
        ("component=zzz", "component", "Unknown component 'zzz'. /api/vocab lists what there is."),
        ("org=livekitt", "org", "Unknown org 'livekitt'. Did you mean 'livekit'?"),
        ("available_in=fr", "available_in", "Unknown available_in 'fr'. It is one of: en, ko."),
        ("date_after=tomorrow", "date_after", "Write a date as 2026, 2026-08 or 2026-08-25."),
        ("date_after=2026&date_before=2025", "date_before", "The end lies before the start."),
        ("sort=best", "sort", "There is no such order."),
        ("severity=", "severity", "Is empty; leave it out instead."),
        ("q=%00", "q", "Has no word in it."),
        ("limit=0", "limit", "Input should be greater than or equal to 1."),
        ("limit=101", "limit", "Input should be less than or equal to 100."),
        ("limit=many", "limit", "Input should be a valid integer"),
        ("view=tiny", "view", "Input should be 'summary' or 'full'."),
        ("repair_min=-1", "repair_min", "Write a time as 90 (minutes), 1h 30m or 2d."),
    ):
        told = problem(client, query)
        assert told["parameter"] == parameter, query
        assert told["detail"].startswith(f"{parameter}: {detail}"), query
        assert told["errors"][0]["parameter"] == parameter, query


def test_all_that_is_wrong_is_told_at_once(client: Client) -> None:
    wrong = problem(client, "component=zzz&date_after=x&sort=")["errors"]
    assert {one["parameter"] for one in wrong} == {"component", "date_after", "sort"}


def test_texts_of_strangers_are_told_in_one_plain_line(client: Client) -> None:
    told = problem(client, urlencode({"component": "a\n\x1b[31m\u202eb" + "c" * 100}))
    assert told["detail"].isprintable()
    assert len(told["detail"]) < 200


def test_hundreds_of_values_are_refused(client: Client) -> None:
    query = urlencode({"component": [f"c-{number}" for number in range(2000)]}, doseq=True)
    assert problem(client, query)["parameter"] == "component"


# The type that is derived


def test_every_filter_has_a_field_with_a_description() -> None:
    schema = CaseQuery.model_json_schema()
    assert list(schema["properties"]) == list(CaseFilter.base_filters)
    assert all(len(one["description"]) > 10 for one in schema["properties"].values())
    assert schema["additionalProperties"] is False


def test_a_filter_of_an_unknown_kind_has_no_type(monkeypatch: pytest.MonkeyPatch) -> None:
    class Strange:
        extra = {"help_text": ""}

    monkeypatch.setitem(CaseFilter.base_filters, "strange", Strange())
    with pytest.raises(TypeError, match="strange: no type is known for Strange"):
        query_model("Anything")


def test_nothing_is_meant_by_what_is_like_nothing() -> None:
    assert meant("qqqq", {"dns": "dns"}) is None
    assert meant("", {"dns": "dns"}) is None


def test_the_answer_changes_with_the_library(client: Client) -> None:
    fill(1)
    first = client.get("/api/cases")
    assert client.get("/api/cases", headers={"if-none-match": first.headers["ETag"]}).status_code == 304
    make_case(id="IL-0009")
    second = client.get("/api/cases", headers={"if-none-match": first.headers["ETag"]})
    assert (second.status_code, second.json()["total"]) == (200, 2)
    assert catalog.current().published.bit_count() == 2
