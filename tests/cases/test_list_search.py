"""Searching in the list: best match first, with passages, together with the filters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from cases import catalog
from cases.filters import CaseFilter
from cases.rendering import store_rendered
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]


@pytest.fixture(scope="module", autouse=True)
def library(module_db: None) -> None:  # noqa: ARG001  (where it is kept)
    told = {"en": "A gateway <b> lost 인증서 packets.", "ko": "관문 장비가 패킷을 잃었다."}
    make_case(id="IL-0001", org="Quill", title={"en": "Gateway lost", "ko": None}, summary=told, date="2020-01-01")
    make_case(id="IL-0002", org="Reel", title={"en": "Quiet day", "ko": "조용한 날"}, summary=told, date="2021-01-01")
    make_case(id="IL-0003", org="Reel", title={"en": "As IL-0002", "ko": None}, date="2022-01-01")
    store_rendered([1, 2, 3])


def test_one_query_can_be_selected_from_two_states_of_the_library() -> None:
    case_filter = CaseFilter(QueryDict("q=gateway&sort=newest"))
    assert list(case_filter.select(catalog.current()).numbers) == [2, 1]
    make_case(id="IL-0004", org="Quill", title={"en": "Gateway", "ko": None}, date="2019-01-01")
    assert list(case_filter.select(catalog.current()).numbers) == [2, 1, 4]


def found(query: str) -> list[int]:
    return list(CaseFilter(QueryDict(query)).qs.values_list("number", flat=True))


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("q=gateway", [1, 2]),
        ("q=gateway&sort=relevance", [1, 2]),
        ("q=gateway&sort=newest", [2, 1]),
        ("q=gateway&sort=oldest", [1, 2]),
        ("q=gateway&org=reel", [2]),
        ("q=IL-0002", [2, 3]),
        ("q=gatewai", [1, 2]),
        ("q=%22gatewai%22", []),
        ("q=!!", []),
        ("q=%00", [3, 2, 1]),
        ("q=", [3, 2, 1]),
        ("sort=relevance", [3, 2, 1]),
        ("q=gateway%00%09", [1, 2]),
        ("q=" + "a" * 201, [3, 2, 1]),
    ],
)
def test_words_find_and_order(query: str, numbers: list[int]) -> None:
    assert found(query) == numbers


def test_too_long_a_query_is_said_and_left_out(client: Client) -> None:
    answer = client.get("/en/cases/", {"q": "a" * 201})
    assert answer.status_code == 200
    assert "Search" in answer.context["problems"][0]


def test_the_list_shows_passages_with_the_hits_marked(client: Client) -> None:
    page = client.get("/en/cases/?q=gateway").content.decode()
    assert '<p class="snippet">A <mark>gateway</mark> &lt;b&gt; lost 인증서 packets.</p>' in page
    assert 'name="q" value="gateway"' in page
    assert '<p class="snippet">' not in client.get("/en/cases/").content.decode()


def test_another_word_that_was_taken_is_said_with_a_way_back(client: Client) -> None:
    page = client.get("/ko/cases/?q=gatewai&org=reel").content.decode()
    assert "검색 결과: gateway" in page
    assert "/ko/cases/?q=%22gatewai%22&amp;org=reel" in page


def test_the_search_box_keeps_the_filters_and_the_filters_the_words(client: Client) -> None:
    page = client.get("/en/cases/?q=gateway&org=reel&sort=newest")
    assert page.context["kept"] == [("org", "reel"), ("sort", "newest")]
    assert "?q=gateway&amp;sort=newest" in page.content.decode()
    assert ("sort", "relevance") not in client.get("/en/cases/?q=gateway").context["kept"]


def test_a_passage_in_the_other_language_says_so(client: Client) -> None:
    changes: dict[str, Any] = {
        "symptoms_text": None,
        "trigger": None,
        "detection": None,
        "lessons": None,
        "impact_text": None,
    }
    korean = {"title": {"en": None, "ko": "패킷이 사라졌다"}, "summary": {"en": None, "ko": "관문 탓이다."}}
    lists: dict[str, Any] = {
        "remediation": [],
        "action_items": [],
        "timeline": {},
        "claims": [],
        "checks": [],
        "impact": {},
    }
    make_case(id="IL-0004", **{**changes, **korean, **lists})
    store_rendered([4])
    page = client.get("/en/cases/?q=사라졌다").content.decode()
    assert '<p class="snippet" lang="ko">관문 탓이다.</p>' in page


def test_a_search_costs_a_fixed_number_of_queries(client: Client, django_assert_num_queries: CountQueries) -> None:
    client.get("/en/cases/?q=gateway")
    with django_assert_num_queries(5):
        client.get("/en/cases/?q=gateway")


# Bad input


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ("!!! ??? ...", 0),
        ('"', 0),
        ('"""', 0),
        ("gateway OR quiet", 3),
        ("gateway AND NOT quiet", 3),
        ("NEAR(gateway, 2)", 3),
        ("gateway*", 2),
        ("title:gateway", 2),
        ("-gateway", 2),
        ('"gateway" "', 2),
        ("gateway & lost | !x <-> y :*", 3),
        ("gateway'; DROP TABLE cases_case; --", 3),
        ("{gateway}: ^lost", 2),
        ("gateway\0", 2),
        ("\0", 3),
        ("\u202egateway\u2066", 2),
        ("관ㅁ", 0),
        ("ㄱ", 0),
        ("%", 0),
        ("(" * 200, 0),
        ("a" * 200, 0),
        ("갉 " * 100, 0),
        ("a-" * 100, 0),
    ],
)  # fmt: skip
def test_signs_of_a_query_language_are_text(client: Client, query: str, total: int) -> None:
    for language in ("en", "ko"):
        answer = client.get(f"/{language}/cases/", {"q": query})
        assert answer.status_code == 200
        assert "\0" not in answer.content.decode()
        assert bool(answer.context["total"]) == bool(total), query


@pytest.mark.parametrize("query", ["a" * 201, "가" * 20_000, "x " * 100_000, '"' * 200_000])
def test_a_question_as_long_as_a_book_is_refused_in_words_and_shortened(client: Client, query: str) -> None:
    for language, words in (("en", "at most 200 characters"), ("ko", "최대 200")):
        answer = client.get(f"/{language}/cases/", {"q": query, "org": "reel"})
        assert answer.status_code == 200
        assert words in answer.context["problems"][0]
        assert answer.context["total"] == 2
        assert len(answer.content) < 60_000


@pytest.mark.parametrize("bytes_of", ["%ED%A0%80", "%E1%84", "%FF", "%EA%B0", "%F0%9F%98", "gateway%ED%A0%80"])
def test_half_a_character_is_no_error(client: Client, bytes_of: str) -> None:
    assert client.get(f"/ko/cases/?q={bytes_of}").status_code == 200


def test_decomposed_hangul_finds_the_same(client: Client) -> None:
    for query in ("관문", "조용한 날이"):
        composed = client.get("/ko/cases/", {"q": query}).context
        decomposed = client.get("/ko/cases/", {"q": unicodedata.normalize("NFD", query)}).context
        assert composed["total"] == decomposed["total"] > 0
        assert composed["query"] == decomposed["query"] == query
        assert composed["canonical"] == decomposed["canonical"]


def test_a_search_that_finds_nothing_says_so_and_offers_all(client: Client) -> None:
    page = client.get("/ko/cases/?q=zzzzzzzz").content.decode()
    assert "조건에 맞는 사례가 없습니다." in page
    assert 'href="/ko/cases/"' in page


def test_search_then_filter_is_filter_then_search(client: Client) -> None:
    one, other = (client.get(f"/en/cases/?{query}").context for query in ("q=gateway&org=reel", "org=reel&q=gateway"))
    assert one["total"] == other["total"] == 1
    narrowed = client.get("/en/cases/?q=gateway").context
    (link,) = (
        choice.url
        for facet in narrowed["facets"]
        if facet.name == "org"
        for choice in facet.choices
        if choice.value == "reel"
    )
    assert client.get(link).context["total"] == 1
