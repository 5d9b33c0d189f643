"""The page of a case: one query, stored or made in memory, and what is said of a case that is no longer there."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from cases.models import StoredCase
from cases.publishing import touch_vocabulary
from cases.rendering import RELATED_MARK, store_rendered
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
TITLE = {"en": "Names were not found", "ko": "이름을 찾지 못했다"}
WITHDRAWN: dict[str, Any] = {"status": "withdrawn", "withdrawn_at": dt.datetime(2026, 11, 1, tzinfo=dt.UTC)}


def alternates(page: str) -> list[tuple[str, str]]:
    """Return the addresses that a page has in each language."""
    return re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">', page)


@pytest.mark.parametrize(("language", "other"), [("en", "ko"), ("ko", "en")])
def test_a_case_is_told_in_the_language_of_its_address(client: Client, language: str, other: str) -> None:
    make_case(id="IL-0560", title=TITLE)
    response = client.get(f"/{language}/cases/IL-0560/")
    text = response.content.decode()
    assert response.status_code == 200
    assert response.headers["Content-Language"] == language
    assert f'<html lang="{language}">' in text
    assert TITLE[language] in text
    assert f"<title>IL-0560 {TITLE[language]} · IncidentLib</title>" in text
    assert f'href="/language/{other}/?next=/{other}/cases/IL-0560/"' in text


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_case_costs_one_query(client: Client, django_assert_num_queries: CountQueries, language: str) -> None:
    make_case(id="IL-0560", related=["IL-0001"])
    for number in range(1, 9):
        make_case(id=f"IL-000{number}", recurrence_of="IL-0560" if number == 2 else None)
    store_rendered([560])
    client.get(f"/{language}/cases/IL-0560/")  # the words are read once in a process
    with django_assert_num_queries(1):
        response = client.get(f"/{language}/cases/IL-0560/")
    text = response.content.decode()
    assert RELATED_MARK not in text
    assert text.count('href="/en/cases/IL-000' if language == "en" else 'href="/ko/cases/IL-000') >= 6


def test_a_change_elsewhere_costs_a_second_look_once(client: Client, django_assert_num_queries: CountQueries) -> None:
    make_case(id="IL-0560")
    alone: dict[str, Any] = {key: [] for key in ("domain", "components", "symptoms", "contributing", "related")}
    make_case(id="IL-0001", root_cause=None, **alone)
    store_rendered([560])
    client.get("/en/cases/IL-0560/")
    make_case(id="IL-0001", root_cause=None, title={"en": "Told anew", "ko": None}, **alone)
    with django_assert_num_queries(3):  # the case, the changes, their rows
        client.get("/en/cases/IL-0560/")
    make_case(id="IL-0002")
    with django_assert_num_queries(4):  # and what the new neighbour is called
        text = client.get("/en/cases/IL-0560/").content.decode()
    assert 'href="/en/cases/IL-0002/"' in text
    with django_assert_num_queries(1):
        assert client.get("/en/cases/IL-0560/").content.decode() == text


def test_the_stored_article_is_sent_as_it_is(client: Client) -> None:
    make_case(id="IL-0560")
    store_rendered([560])
    StoredCase.objects.update(article_en="<article>as it was stored</article>")
    assert "<article>as it was stored</article>" in client.get("/en/cases/IL-0560/").content.decode()


def test_an_article_for_other_words_is_made_in_memory_and_not_kept(client: Client) -> None:
    make_case(id="IL-0560", title=TITLE)
    store_rendered([560])
    StoredCase.objects.update(article_en="<article>out of date</article>")
    touch_vocabulary()
    text = client.get("/en/cases/IL-0560/").content.decode()
    assert "out of date" not in text
    assert TITLE["en"] in text
    assert StoredCase.objects.get().article_en == "<article>out of date</article>"


def test_a_published_case_is_there_before_it_is_rendered(client: Client) -> None:
    make_case(id="IL-0560", title=TITLE)
    assert StoredCase.objects.get().article_ko == ""
    assert TITLE["ko"] in client.get("/ko/cases/IL-0560/").content.decode()


def test_a_new_edition_shows_at_once(client: Client) -> None:
    make_case(id="IL-0560", title=TITLE)
    store_rendered([560])
    make_case(id="IL-0560", title={"en": "Names were found late", "ko": None})
    assert "Names were found late" in client.get("/en/cases/IL-0560/").content.decode()


def test_a_language_that_is_missing_is_no_alternate(client: Client) -> None:
    make_case(id="IL-0560", title={"en": "Only English", "ko": None})
    response = client.get("/ko/cases/IL-0560/")
    assert response.status_code == 200
    assert "Only English" in response.content.decode()
    assert [language for language, _url in alternates(response.content.decode())] == ["en", "x-default"]


def test_every_language_names_the_same_alternates(client: Client) -> None:
    make_case(id="IL-0560")
    english, korean = (client.get(f"/{one}/cases/IL-0560/").content.decode() for one in ("en", "ko"))
    assert alternates(english) == alternates(korean)
    assert alternates(english) == [
        ("en", "http://127.0.0.1:8000/en/cases/IL-0560/"),
        ("ko", "http://127.0.0.1:8000/ko/cases/IL-0560/"),
        ("x-default", "http://127.0.0.1:8000/cases/IL-0560/"),
    ]
    assert '<link rel="canonical" href="http://127.0.0.1:8000/en/cases/IL-0560/">' in english


def test_the_description_is_the_beginning_of_the_summary(client: Client) -> None:
    make_case(id="IL-0560", summary={"en": "word " * 100, "ko": "짧다."})
    english, korean = (client.get(f"/{one}/cases/IL-0560/").content.decode() for one in ("en", "ko"))
    (told,) = re.findall(r'<meta name="description" content="([^"]*)">', english)
    assert told.startswith("word word")
    assert len(told) <= 200
    assert '<meta name="description" content="짧다.">' in korean


def test_a_description_is_not_cut_inside_a_letter(client: Client) -> None:
    letter = "x\N{COMBINING ACUTE ACCENT}"
    make_case(id="IL-0560", summary={"en": letter * 150, "ko": None})
    (told,) = re.findall(
        r'<meta name="description" content="([^"]*)">', client.get("/en/cases/IL-0560/").content.decode()
    )
    assert told == letter * 99 + "…"


def test_each_case_has_its_own_words_in_the_same_surroundings(client: Client) -> None:
    make_case(id="IL-0560", title={"en": 'A <b>"bold"</b> & IL-0000', "ko": None}, summary={"en": "<i>", "ko": None})
    make_case(id="IL-0561", title={"en": "Another one", "ko": None}, summary={"en": "Plain.", "ko": None})
    first, second = (client.get(f"/en/cases/{one}/").content.decode() for one in ("IL-0560", "IL-0561"))
    assert "<title>IL-0560 A &lt;b&gt;&quot;bold&quot;&lt;/b&gt; &amp; IL-0000 · IncidentLib</title>" in first
    assert '<meta name="description" content="&lt;i&gt;">' in first
    assert "<title>IL-0561 Another one · IncidentLib</title>" in second
    assert '<meta name="description" content="Plain.">' in second
    assert alternates(second)[0] == ("en", "http://127.0.0.1:8000/en/cases/IL-0561/")
    assert "/IL-0000" not in second
    for page in (first, second):
        assert "<!--" not in page


# Numbers


@pytest.mark.parametrize("written", ["il-0560", "IL-560", "Il-00560", "560", "IL560", "il_0560"])
def test_a_number_may_be_written_in_many_ways(client: Client, written: str) -> None:
    response = client.get(f"/ko/cases/{written}/")
    assert response.status_code == 301
    assert response.headers["Location"] == "/ko/cases/IL-0560/"


@pytest.mark.parametrize("written", ["IL-0999", "IL-999999999"])
def test_an_unknown_number_is_said_in_the_language_of_the_page(client: Client, written: str) -> None:
    make_case(id="IL-0560")
    response = client.get(f"/ko/cases/{written}/")
    assert response.status_code == 404
    assert response.headers["Content-Language"] == "ko"
    assert '<html lang="ko">' in response.content.decode()


@pytest.mark.parametrize(
    "written",
    ["IL-0000", "0", "IL-12345678901", "IL-٠٥٦٠", "x", "IL-0560.md", "IL-0560%00", "%ED%A0%80", "IL-0560'--", "-"],
)
def test_what_is_no_number_is_not_found(client: Client, written: str) -> None:
    assert client.get(f"/en/cases/{written}/").status_code == 404


# Gone


def test_a_withdrawn_case_is_gone_and_says_why(client: Client) -> None:
    reason = {"withdrawn_reason_en": "The source was wrong.", "withdrawn_reason_ko": "출처가 틀렸다."}
    make_case(id="IL-0560", title=TITLE, columns={**WITHDRAWN, **reason})
    response = client.get("/ko/cases/IL-0560/")
    text = response.content.decode()
    assert response.status_code == 410
    assert "출처가 틀렸다." in text
    assert TITLE["ko"] not in text
    assert "The source was wrong." in client.get("/en/cases/IL-0560/").content.decode()


def test_a_reason_told_in_the_other_language_is_marked_as_such(client: Client) -> None:
    make_case(id="IL-0560", columns={**WITHDRAWN, "withdrawn_reason_en": "The source was wrong."})
    assert '<div lang="en"><p>The source was wrong.</p></div>' in client.get("/ko/cases/IL-0560/").content.decode()


def test_a_withdrawal_may_have_no_reason(client: Client) -> None:
    make_case(id="IL-0560", columns=WITHDRAWN)
    assert client.get("/en/cases/IL-0560/").status_code == 410


def test_a_merged_case_leads_to_the_other(client: Client) -> None:
    make_case(id="IL-0561")
    make_case(id="IL-0560", columns={"status": "merged", "merged_into": 561})
    response = client.get("/en/cases/IL-0560/")
    assert response.status_code == 301
    assert response.headers["Location"] == "/en/cases/IL-0561/"
    assert response.headers["Cache-Control"] == "public, max-age=0, s-maxage=60"
    assert client.get("/en/cases/IL-0560/", follow=True).status_code == 200


def test_a_gone_case_is_in_no_list(client: Client) -> None:
    make_case(id="IL-0561")
    make_case(id="IL-0560", org="LiveKit", columns=WITHDRAWN)
    for address in (
        "/en/cases/",
        "/en/orgs/livekit/",
        "/en/cases/IL-0561/",
        "/en/topics/root_cause/resource-exhaustion/",
    ):
        assert "IL-0560" not in client.get(address).content.decode()


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_a_case_is_only_read(client: Client, method: str) -> None:
    make_case(id="IL-0560")
    assert getattr(client, method)("/en/cases/IL-0560/").status_code == 405
