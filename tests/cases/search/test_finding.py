"""Finding cases: what counts more, misspellings, case numbers, what was changed or withdrawn, and hostile input."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from cases.catalog import current
from cases.models import Case, GlossaryTerm, OrgAlias, SearchText, SearchWord
from cases.publishing import merge, remove_examples, touch_vocabulary, undo_merge, undo_withdrawal, withdraw
from cases.search import Found, find
from cases.vocabulary import load_vocabulary
from tests.cases.making import make_case

from .library import found_now, in_order, load_library

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
EMPTY: dict[str, Any] = {
    "symptoms_text": None,
    "trigger": None,
    "detection": None,
    "lessons": None,
    "impact_text": None,
    "impact": {},
}
BARE: dict[str, Any] = {
    **EMPTY,
    "remediation": [],
    "action_items": [],
    "timeline": {},
    "claims": [],
    "checks": [],
    "sources": [],
}


def case(number: str, title: str, summary: str = "Nothing else is told.", **changes: Any) -> Case:
    """Publish a case of few words."""
    texts = {"title": {"en": title, "ko": None}, "summary": {"en": summary, "ko": None}}
    return make_case(id=number, **{**BARE, **texts, "org": "Quill", **changes})


def found(query: str) -> list[str]:
    return in_order(found_now(query))


# What counts


def test_title_counts_more_than_summary_and_summary_more_than_the_rest() -> None:
    case("IL-0001", "A quiet day", lessons={"en": "Watch the gateway.", "ko": None}, date="2026-03-03")
    case("IL-0002", "Another day", "The gateway fell over.", date="2026-02-02")
    case("IL-0003", "The gateway fell over", date="2026-01-01")
    answer = found_now("gateways")
    assert in_order(answer) == ["IL-0003", "IL-0002", "IL-0001"]
    assert [(rank.part, rank.terms) for rank in answer.ranks] == [(0, 1), (1, 1), (2, 1)]


def test_more_terms_in_the_same_part_count_more_then_the_date_then_the_number() -> None:
    case("IL-0001", "Gateway lost", "A packet here.", date="2026-01-01")
    case("IL-0002", "Gateway and packet lost", date="2020-01-01")
    case("IL-0003", "Gateway found", "A packet there.", date="2026-01-01")
    assert found("gateway packet") == ["IL-0002", "IL-0003", "IL-0001"]


def test_all_words_first_then_those_with_most_of_them() -> None:
    case("IL-0001", "Gateway lost a packet")
    case("IL-0002", "Gateway lost a parcel")
    case("IL-0003", "Nothing but sunshine")
    assert found("gateway packet") == ["IL-0001"]
    assert found("gateway packet parcel") == ["IL-0002", "IL-0001"]
    assert found("gateway 2027") == ["IL-0002", "IL-0001"]


def test_both_languages_are_found_from_either() -> None:
    GlossaryTerm.objects.create(en=["gateway"], ko="관문", ko_allowed=["게이트웨이"], ko_forbidden=["문지기"])
    touch_vocabulary()
    case("IL-0001", "Gateway lost")
    make_case(id="IL-0002", title={"en": None, "ko": "관문이 멈췄다"}, summary={"en": None, "ko": "짧다."}, **BARE)
    for query in ("gateway", "관문을", "게이트웨이", "문지기"):
        assert sorted(found(query)) == ["IL-0001", "IL-0002"], query


def test_an_organisation_is_found_by_all_its_names() -> None:
    published = case("IL-0001", "Letters lost", org="Quill Mail")
    OrgAlias.objects.create(org=published.org, alias="Feather Post", folded="featherpost")
    touch_vocabulary()
    assert found("feather post") == found("quill-mail") == ["IL-0001"]


# Numbers


def test_a_case_number_is_known_however_it_is_written() -> None:
    case("IL-0560", "Gateway lost")
    case("IL-0561", "Gateway found", "The same as IL-0560.")
    for query in ("IL-0560", "il0560", "IL 0560", "0560", " il-560 ", "ＩＬ-0560"):
        assert found_now(query).number == 560, query
    assert found("il0560") == ["IL-0560", "IL-0561"]
    assert found_now("IL-0560 gateway").number is None
    assert found_now("2026").number is None
    assert found("IL-0999") == []


# Misspellings


def test_a_misspelt_word_is_taken_for_the_nearest_one() -> None:
    case("IL-0001", "Certificate expired", "Kafka and 로드 밸런서.")
    answer = found_now("certficate expired")
    assert (in_order(answer), answer.shown) == (["IL-0001"], "certificate expired")
    assert found_now("Kakfa").shown == "kafka"
    assert found_now("로드 밸런셔를").shown == "로드 밸런서를"
    assert found_now("certificate").shown is None


def test_a_form_of_the_glossary_is_a_word_to_be_meant_too() -> None:
    GlossaryTerm.objects.create(en=["load balancer"], ko="로드 밸런서")
    touch_vocabulary()
    case("IL-0001", "Load balancer lost")
    answer = found_now("로드밸런셔가")
    assert (in_order(answer), answer.shown) == (["IL-0001"], "로드밸런서가")


def test_in_quotation_marks_a_query_is_taken_as_it_is_written() -> None:
    case("IL-0001", "Certificate expired")
    assert found_now('"certficate"') == Found((), found_now('"certficate"').terms)
    assert found('"certificate"') == ["IL-0001"]
    assert found('"certficate expired"') == ["IL-0001"]


def test_numbers_short_words_and_words_of_the_glossary_are_no_misspellings() -> None:
    GlossaryTerm.objects.create(en=["gateways"], ko="관문")
    touch_vocabulary()
    case("IL-0001", "Gatewayz cat 4031 expired")
    for query in ("gateway", "cas", "4032", "il0002"):
        assert found_now(query).shown is None, query
    assert found_now("zzzzzzzz").ranks == ()


def test_a_word_of_a_withdrawn_case_is_not_offered() -> None:
    case("IL-0001", "Certificate expired")
    withdraw(1, {"en": "Wrong.", "ko": None})
    assert found_now("certficate").shown is None


# Changes


def test_an_edit_a_withdrawal_and_a_merge_show_at_once() -> None:
    case("IL-0001", "Gateway lost")
    case("IL-0002", "Parcel lost")
    case("IL-0001", "Packet lost")
    assert (found("gateway"), found("packet")) == ([], ["IL-0001"])
    withdraw(1, {"en": "Wrong.", "ko": None})
    assert found("packet") == []
    undo_withdrawal(1)
    assert found("packet") == ["IL-0001"]
    merge(1, 2)
    assert found("packet") == []
    undo_merge(1)
    assert found("packet") == ["IL-0001"]
    case("IL-0003", "Gone packet", columns={"status": "merged", "merged_into": 2})
    assert found("packet") == ["IL-0001"]
    check_index()


def test_removed_examples_and_emptied_tables_leave_nothing_to_find() -> None:
    case("IL-9900", "Gateway lost", example=True)
    case("IL-0001", "Gateway found")
    remove_examples()
    assert found("gateway") == ["IL-0001"]
    SearchText.objects.all().delete()
    assert found_now("gateway").ranks == ()
    check_index()


def test_cases_from_before_search_are_indexed_by_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    case("IL-0001", "Gateway lost")
    case("IL-0002", "Gateway gone")
    withdraw(2, {"en": "Wrong.", "ko": None})
    SearchText.objects.all().delete()
    assert "Indexed 1 cases" in call_index()
    assert "Indexed 0 cases" in call_index()
    SearchText.objects.update(tokens="aold")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert "Indexed 1 cases" in call_index("--all")
    assert found("gateway") == ["IL-0001"]
    check_index()


def call_index(*arguments: str) -> str:
    output = StringIO()
    call_command("index_cases", *arguments, stdout=output)
    return output.getvalue()


def check_index() -> None:
    """Let SQLite compare its index with the rows; PostgreSQL's column cannot differ from them."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO cases_search(cases_search, rank) VALUES ('integrity-check', 1)")


# Hostile and odd input


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"',
        '""',
        "'",
        "\x00",
        "a\x00b",
        "AND",
        "OR NOT NEAR(a, b)",
        "a* ^b -c +d",
        '"a" "b',
        "title:gateway",
        "{a b}: c",
        "((((",
        "a <-> b & !c | d:*",
        "\\",
        "%_",
        "; DROP TABLE cases_case",
        "ㄱㅏ나ㄷ",
        "라우ㅌ",
        "\ud800",
        "\N{ZERO WIDTH JOINER}\N{COMBINING ACUTE ACCENT}",
        "끝",
        "w락 c끝",
        "İstanbul ǅ ß",
        "日本 сбой 🙂",
        "a" * 60_000,
        "가" * 60_000,
        "a-" * 100,
        "가 " * 100,
        " ".join(f"word{number}" for number in range(40)),
        "장애 조치 로드 밸런서 인증서 라우팅 캐시 복제 네트워크 점검 응답 요청 큐 락 존 키 디스크 메모리 노드",
    ],
)
def test_any_text_is_a_query(query: str) -> None:
    case("IL-0001", "Gateway lost")
    found_now("warm")
    started = time.thread_time()
    assert isinstance(found_now(query), Found)
    assert time.thread_time() - started < 0.3


def test_rows_tell_what_they_are() -> None:
    published = case("IL-0001", "Gateway lost")
    assert str(SearchText.objects.get()) == str(published.pk)
    assert {"gateway", "lost"} <= set(map(str, SearchWord.objects.all()))


def test_the_break_between_sentences_cannot_be_searched_for() -> None:
    case("IL-0001", "Gateway lost")
    assert found_now("끝").ranks == ()


def test_a_query_costs_few_statements(django_assert_num_queries: CountQueries) -> None:
    load_library()
    found_now("warm")
    index = current().index
    with django_assert_num_queries(2):
        assert find("인증서 만료", index).ranks
    with django_assert_num_queries(2):
        assert find("라우팅 zone2027", index).ranks
    with django_assert_num_queries(6):
        assert find("certficate expired", index).shown


def test_the_glossary_is_read_again_when_the_vocabulary_changes() -> None:
    load_vocabulary()
    case("IL-0001", "Gateway lost")
    assert found("관문") == []
    GlossaryTerm.objects.create(en=["gateway"], ko="관문")
    touch_vocabulary()
    assert found("관문") == ["IL-0001"]
