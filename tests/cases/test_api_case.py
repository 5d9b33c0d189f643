"""One case for programs: the stored JSON with its neighbours, and problems that a program can read."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from cases import catalog, stored
from cases.document import KEY_ORDER
from cases.exporting import export
from tests.cases.making import make_case, make_raw

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
WITHDRAWN: dict[str, Any] = {
    "status": "withdrawn",
    "withdrawn_at": dt.datetime(2026, 11, 1, 9, tzinfo=dt.UTC),
    "withdrawn_reason_en": "The source was wrong.",
}


def test_a_case_is_answered_whole(client: Client) -> None:
    make_case(id="IL-0560", recurrence_of="IL-0561")
    make_case(id="IL-0561")
    response = client.get("/api/cases/IL-0560")
    case = response.json()
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert tuple(case) == KEY_ORDER
    assert case["title"] == make_raw()["title"]
    assert [near["id"] for near in case["similar"]] == ["IL-0561"]
    assert [linked["id"] for linked in case["recurrence_chain"]] == ["IL-0561"]
    assert case["similar"][0]["url"] == "http://127.0.0.1:8000/cases/IL-0561"


def test_korean_is_written_as_korean(client: Client) -> None:
    make_case(id="IL-0560", title={"en": None, "ko": "이름을 찾지 못했다"})
    assert "이름을 찾지 못했다".encode() in client.get("/api/cases/IL-0560").content


def test_a_case_without_company_has_empty_lists(client: Client) -> None:
    make_case(id="IL-0560")
    case = client.get("/api/cases/IL-0560").json()
    assert (case["similar"], case["recurrence_chain"]) == ([], [])


def test_the_answer_is_what_the_export_writes(client: Client) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0561", recurrence_of="IL-0560")
    lines = dict(export([560, 561], file_format="jsonl", everything=False))
    assert client.get("/api/cases/IL-0560").content.decode() == lines[560].rstrip("\n")


def test_similar_cases_can_be_asked_for_alone(client: Client, django_assert_num_queries: CountQueries) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0561")
    whole = client.get("/api/cases/IL-0560").json()
    with django_assert_num_queries(1):
        response = client.get("/api/cases/IL-0560/similar")
    assert response.json() == {"id": "IL-0560", "similar": whole["similar"]}
    assert whole["similar"]


def test_what_was_read_before_a_change_is_not_remembered_after_it() -> None:
    make_case(id="IL-0560")
    before = stored.fetch(560, "json")
    assert before is not None
    make_case(id="IL-0561")
    late = replace(before, catalog=catalog.current())  # as when another thread has brought the catalog up to date
    assert "IL-0561" in late.beside[0]
    assert not catalog.current().beside
    assert (found := stored.fetch(560, "json")) is not None
    assert found.beside
    assert catalog.current().beside


@pytest.mark.parametrize("path", ["IL-0999", "nothing", "IL-0000", "IL-٠٥٦٠", "%00", "IL-12345678901"])
@pytest.mark.parametrize("tail", ["", "/similar"])
def test_a_missing_case_is_a_problem(client: Client, path: str, tail: str) -> None:
    response = client.get(f"/api/cases/{path}{tail}")
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"
    assert json.loads(response.content) == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no case with this number.",
    }


@pytest.mark.parametrize("tail", ["", "/similar"])
def test_a_number_may_be_written_in_many_ways(client: Client, tail: str) -> None:
    make_case(id="IL-0560")
    response = client.get(f"/api/cases/il-560{tail}")
    assert (response.status_code, response.headers["Location"]) == (308, f"/api/cases/IL-0560{tail}")


@pytest.mark.parametrize("tail", ["", "/similar"])
def test_a_withdrawn_case_is_gone_and_says_why(client: Client, tail: str) -> None:
    make_case(id="IL-0560", columns=WITHDRAWN)
    response = client.get(f"/api/cases/IL-0560{tail}")
    assert response.status_code == 410
    assert response.json() == {
        "id": "IL-0560",
        "status": "withdrawn",
        "withdrawn": {"at": "2026-11-01T09:00:00Z", "reason": {"en": "The source was wrong.", "ko": None}},
    }


def test_a_merged_case_leads_to_the_other(client: Client) -> None:
    make_case(id="IL-0561")
    make_case(id="IL-0560", columns={"status": "merged", "merged_into": 561})
    response = client.get("/api/cases/IL-0560")
    assert (response.status_code, response.headers["Location"]) == (308, "/api/cases/IL-0561")


def test_any_other_address_is_a_problem_too(client: Client) -> None:
    response = client.get("/api/nothing")
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"
