"""What the search box gets while a reader types: where each suggestion leads, how long it is kept, and bad input."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from cases.models import Org, Term
from cases.publishing import touch_vocabulary, withdraw
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]


@pytest.fixture(autouse=True)
def library() -> None:
    Term.objects.create(list="component", slug="load-balancer", label_en="Load balancer", label_ko="로드 밸런서")
    make_case(id="IL-0560", org="Loadstone", title={"en": "Load <b> shed", "ko": None})
    Org.objects.update(label_ko="로드스톤")
    touch_vocabulary()


def asked(client: Client, query: str, language: str = "en") -> Any:
    return client.get(f"/{language}/suggest/", {"q": query})


def groups(client: Client, query: str, language: str = "en") -> dict[str, list[str]]:
    answer = asked(client, query, language).json()
    return {group["label"]: [item["url"] for item in group["items"]] for group in answer["groups"]}


def test_cases_come_first_then_organisations_and_topics_each_with_its_address(client: Client) -> None:
    assert groups(client, "load") == {
        "Cases": ["/en/cases/IL-0560/"],
        "Organisations": ["/en/orgs/loadstone/"],
        "Topics": ["/en/topics/component/load-balancer/"],
    }
    for urls in groups(client, "load").values():
        assert client.get(urls[0]).status_code == 200


def test_a_number_leads_to_its_case(client: Client) -> None:
    assert groups(client, "il 056") == {"Cases": ["/en/cases/IL-0560/"]}


def test_suggestions_speak_the_language_of_the_page_and_mark_the_other(client: Client) -> None:
    (organisation, topic) = asked(client, "로드", "ko").json()["groups"]
    assert (organisation["label"], organisation["items"][0]["text"]) == ("조직", "로드스톤")
    assert topic["items"][0] == {
        "text": "로드 밸런서",
        "lang": None,
        "number": None,
        "list": "구성 요소",
        "url": "/ko/topics/component/load-balancer/",
    }
    (case,) = asked(client, "shed", "ko").json()["groups"]
    assert case["items"] == [
        {"text": "Load <b> shed", "lang": "en", "number": "IL-0560", "list": None, "url": "/ko/cases/IL-0560/"}
    ]


def test_an_answer_is_kept_for_a_minute_and_then_confirmed_by_one_query(
    client: Client, django_assert_num_queries: CountQueries
) -> None:
    first = asked(client, "load")
    assert first.headers["Cache-Control"] == "public, max-age=60, s-maxage=60"
    assert not first.cookies
    with django_assert_num_queries(1):
        again = client.get("/en/suggest/?q=load", headers={"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.headers["Cache-Control"]) == (304, first.headers["Cache-Control"])
    with django_assert_num_queries(3):  # versions, titles that begin so, their cases
        asked(client, "load")


def test_a_withdrawn_case_is_gone_with_the_next_question(client: Client) -> None:
    tag = asked(client, "shed").headers["ETag"]
    withdraw(560, {"en": "Wrong.", "ko": None})
    answer = client.get("/en/suggest/?q=shed", headers={"if-none-match": tag})
    assert (answer.status_code, answer.json()) == (200, {"groups": []})


@pytest.mark.parametrize(("language", "words"), [("en", "At most 200 characters"), ("ko", "최대 200자")])
def test_too_long_a_question_is_refused_in_words(client: Client, language: str, words: str) -> None:
    for query in ("a" * 201, "가" * 20_000, "a" * 200_000):
        answer = asked(client, query, language)
        assert answer.status_code == 400
        assert answer.json()["detail"].startswith("q: ")
        assert words in answer.json()["detail"]
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "query",
    ["", " ", "l", "ㄹ", "\0", "\0\0load\0", "!!! ???", '"load" OR *', "NEAR(load)", "a-b-c", "%_", "ㅎㅏㄴ",
     "한" * 200, "9" * 200, "IL-0000", "il-99999999999", "(" * 200],
)  # fmt: skip
def test_no_question_breaks_it(client: Client, query: str) -> None:
    for language in ("en", "ko"):
        assert asked(client, query, language).status_code == 200


def test_bytes_that_are_no_text_are_answered(client: Client) -> None:
    for query in ("q=%FF%FE", "q=%ED%A0%80", "q=%E1%84", "", "q=load&q=shed"):
        assert client.get(f"/en/suggest/?{query}").status_code == 200


def test_decomposed_hangul_is_the_same_word(client: Client) -> None:
    assert groups(client, unicodedata.normalize("NFD", "로드스")) == groups(client, "로드스") != {}


def test_it_is_only_read(client: Client) -> None:
    assert client.post("/en/suggest/").status_code == 405


def test_every_page_has_the_box_as_a_plain_form(client: Client) -> None:
    for path in ("cases/", "cases/IL-0560/", "topics/", "orgs/", "about/", "no-such-page/"):
        page = client.get(f"/ko/{path}").content.decode()
        assert page.count('role="search" method="get" action="/ko/cases/" data-suggest="/ko/suggest/"') == 1, path
        assert page.count('name="q"') == 1, path
