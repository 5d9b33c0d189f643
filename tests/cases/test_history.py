"""The public past of a case: its editions, and what changed from one to the next."""

from __future__ import annotations

import pytest
from django.test import Client

from .making import make_case

pytestmark = pytest.mark.django_db


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer
    return answer.content.decode()


@pytest.fixture
def two_editions(client: Client) -> Client:
    make_case()
    make_case(severity="major", title={"en": "A new title", "ko": "새 제목이다"})
    return client


@pytest.mark.parametrize(("language", "word"), [("en", "Edition 2"), ("ko", "2판")])
def test_history_lists_editions_newest_first(two_editions: Client, language: str, word: str) -> None:
    shown = page(two_editions, f"/{language}/cases/IL-0561/history/")
    assert word in shown
    assert shown.index("/history/2/") < shown.index("/history/1/")


def test_edition_shows_its_text_and_what_changed(two_editions: Client) -> None:
    newest = page(two_editions, "/en/cases/IL-0561/history/2/")
    assert "<ins>major</ins>" in newest
    assert "A new title" in newest
    first = page(two_editions, "/en/cases/IL-0561/history/1/")
    assert "an older state of this case" in first
    assert "A new title" not in first
    assert 'content="noindex"' in first


def test_unknown_editions_and_cases_are_not_found(two_editions: Client) -> None:
    for address in ("IL-0561/history/3/", "IL-0561/history/0/", "IL-0999/history/", "IL-0561/history/x/"):
        page(two_editions, f"/en/cases/{address}", 404)


def test_other_spellings_lead_to_the_one_address(two_editions: Client) -> None:
    answer = two_editions.get("/en/cases/il-561/history/2/")
    assert (answer.status_code, answer["Location"]) == (301, "/en/cases/IL-0561/history/2/")


def test_history_is_answered_304_until_something_changes(two_editions: Client) -> None:
    address = "/en/cases/IL-0561/history/"
    tag = two_editions.get(address)["ETag"]
    assert two_editions.get(address, headers={"If-None-Match": tag}).status_code == 304
    make_case(severity="minor")
    assert two_editions.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_past_of_a_withdrawn_case_is_gone(client: Client) -> None:
    make_case(columns={"status": "withdrawn", "withdrawn_at": "2026-11-02T00:00:00Z"})
    page(client, "/en/cases/IL-0561/history/", 410)
    page(client, "/en/cases/IL-0561/history/1/", 410)
