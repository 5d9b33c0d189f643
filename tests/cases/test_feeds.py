"""The feeds: what is new, what changed, for any filter, as feed readers read them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
import pytest
from django.test import Client
from pytest_django import Settings

from cases import feeds
from cases.models import Case, Change
from cases.publishing import log_changes, merge, remove_examples, undo_withdrawal, withdraw
from tests.cases.hostile import HOSTILE
from tests.cases.making import make_case, make_cases

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
ATOM = "{http://www.w3.org/2005/Atom}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
NEW, CHANGED = "/en/feeds/new.atom", "/en/feeds/changed.atom"
SITE = "http://127.0.0.1:8000"


def read(client: Client, address: str) -> Any:
    """Return a feed as a reader has it, after looking at what a reader would forgive."""
    response = client.get(address)
    assert response.status_code == 200, response.content
    check(ET.fromstring(response.content))  # noqa: S314  (our own XML)
    found = feedparser.parse(response.content)
    assert not found.bozo
    assert found.version == "atom10"
    return found


def check(feed: ET.Element) -> None:
    """Check what RFC 4287 asks for: what must be there, once, in which form, and links that can be told apart."""
    assert feed.tag == f"{ATOM}feed"
    for one in (feed, *feed.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            found = one.findall(f"{ATOM}{name}")
            assert len(found) == 1
            assert found[0].text
        dt.datetime.fromisoformat(str(one.findtext(f"{ATOM}updated")))
        links = [link.attrib for link in one.findall(f"{ATOM}link")]
        alternates = [(link.get("type"), link.get("hreflang")) for link in links if link.get("rel") == "alternate"]
        assert len(set(alternates)) == len(alternates) > 0
        assert all(link["href"].startswith(("http://", "https://")) for link in links)
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    assert feed.find(f"{ATOM}author/{ATOM}name") is not None


def numbers(client: Client, address: str) -> list[str]:
    return [entry.title.split()[0] for entry in read(client, address).entries]


def reviewed(number: int) -> None:
    log_changes([(number, Change.Kind.REVIEWED)])


# What is in them


def test_a_new_case_is_told_with_what_a_reader_needs(client: Client) -> None:
    title = {"en": "Names were not `found`", "ko": "이름을 찾지 못했다"}
    summary = {"en": "First.\n\nSecond `code`.", "ko": "요약."}
    make_case(id="IL-0560", title=title, summary=summary, org="LiveKit", org_slug="livekit")
    feed = read(client, NEW)
    entry = feed.entries[0]
    assert feed.feed.title == "IncidentLib: new cases"
    assert feed.feed.language == "en"
    assert feed.feed.rights == "CC BY 4.0 https://creativecommons.org/licenses/by/4.0/"
    assert entry.title == "IL-0560 LiveKit: Names were not found"
    assert entry.id == entry.link == f"{SITE}/en/cases/IL-0560/"
    assert entry.summary == "<p>First.</p><p>Second <code>code</code>.</p>"
    assert {"LiveKit"} < {tag.term for tag in entry.tags}
    assert {link.get("type") for link in entry.links} >= {"text/markdown", "application/json"}


def test_each_language_has_its_own(client: Client) -> None:
    make_case(id="IL-0560", title={"en": "Names", "ko": "이름을 찾지 못했다"})
    feed = read(client, "/ko/feeds/new.atom?org=livekit")
    assert feed.feed.title == "IncidentLib: 새 사례 · 조직: LiveKit"
    assert feed.feed.language == "ko"
    assert feed.entries[0].title.endswith("이름을 찾지 못했다")
    assert feed.entries[0].id == f"{SITE}/ko/cases/IL-0560/"
    links = {(link.rel, link.get("hreflang")): link.href for link in feed.feed.links}
    assert links["self", None] == feed.feed.id == f"{SITE}/ko/feeds/new.atom?org=livekit"
    assert links["alternate", None] == f"{SITE}/ko/cases/?org=livekit"
    assert links["alternate", "en"] == f"{SITE}/en/feeds/new.atom?org=livekit"


def test_a_case_told_in_the_other_language_only_says_so(client: Client) -> None:
    make_case(id="IL-0560", title={"en": None, "ko": "이름"}, summary={"en": None, "ko": "요약."})
    response = client.get(NEW)
    entry = ET.fromstring(response.content).find(f"{ATOM}entry")  # noqa: S314  (our own XML)
    assert entry is not None
    assert entry.get(LANG) == "ko"
    assert "Korean only" in read(client, NEW).entries[0].summary
    assert numbers(client, f"{NEW}?available_in=en") == []


def test_new_cases_come_in_the_order_in_which_they_appeared(client: Client) -> None:
    make_case(id="IL-0009", date="2020-01-01")
    make_case(id="IL-0003", date="2026-01-01")
    make_case(id="IL-0009", date="2020-01-01", title={"en": "Anew", "ko": None})
    assert numbers(client, NEW) == ["IL-0003", "IL-0009"]


def test_only_what_changed_after_it_appeared_is_among_the_changed(client: Client) -> None:
    """Who follows the changed does not want everything that is new once more."""
    for number in ("IL-0001", "IL-0002", "IL-0003"):
        make_case(id=number)
    assert numbers(client, CHANGED) == []
    reviewed(3)
    make_case(id="IL-0001", title={"en": "Anew", "ko": None})
    assert numbers(client, CHANGED) == ["IL-0001", "IL-0003"]
    newest, before = read(client, CHANGED).entries
    assert newest.summary.startswith("<p>Edition 2 was published.</p>")
    assert before.summary.startswith("<p>What is known of its review has changed.</p>")
    assert {link.href for link in newest.links if link.rel == "related"} == {f"{SITE}/en/cases/IL-0001/history/2/"}


def test_a_change_is_a_new_entry_and_a_case_stays_the_same_one(client: Client) -> None:
    make_case(id="IL-0560")
    new = read(client, NEW).entries[0]
    reviewed(560)
    first = read(client, CHANGED).entries[0]
    reviewed(560)
    second = read(client, CHANGED).entries[0]
    again = read(client, NEW).entries[0]
    assert first.id != second.id
    assert first.id.startswith(f"{SITE}/en/cases/IL-0560/#change-")
    assert (again.id, again.published) == (new.id, new.published)
    assert again.updated > new.updated


def test_every_change_moves_the_time_of_the_feed(client: Client) -> None:
    make_case(id="IL-0560")
    before = read(client, NEW).feed.updated
    reviewed(560)
    assert read(client, NEW).feed.updated > before == read(client, NEW).entries[0].published


def test_a_change_of_another_kind_is_told_too(client: Client) -> None:
    make_case(id="IL-0560")
    log_changes([(560, Change.Kind.REMOVED)])
    assert read(client, CHANGED).entries[0].summary.startswith("<p>What is known of the case has changed.</p>")


def test_an_empty_library_has_empty_feeds(client: Client) -> None:
    feed = read(client, NEW)
    assert feed.entries == []
    assert feed.feed.updated == "2026-01-01T00:00:00+00:00"


def test_an_empty_feed_has_a_time_that_stays(client: Client) -> None:
    make_case(id="IL-0560")
    first, second = (read(client, f"{NEW}?q=zebrafinch").feed.updated for _ in range(2))
    assert first == second == read(client, NEW).feed.updated


def test_a_feed_ends_after_the_newest(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "MOST_ENTRIES", 3)
    make_cases([{"id": f"IL-000{number}"} for number in range(1, 6)])
    assert numbers(client, NEW) == ["IL-0005", "IL-0004", "IL-0003"]


# What leaves them


def test_a_withdrawn_case_leaves_and_comes_back(client: Client) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0561", title={"en": "Kept", "ko": None})
    withdraw(560, {"en": "Wrong.", "ko": None})
    for address in (NEW, CHANGED):
        assert b"IL-0560" not in client.get(address).content
    undo_withdrawal(560)
    assert numbers(client, NEW) == ["IL-0561", "IL-0560"]
    assert read(client, CHANGED).entries[0].summary.startswith("<p>It is back in the library.</p>")


def test_a_merged_case_leaves(client: Client) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0561")
    merge(560, 561)
    assert numbers(client, NEW) == ["IL-0561"]


def test_a_removed_case_leaves(client: Client) -> None:
    make_case(id="IL-9001", example=True)
    remove_examples()
    assert numbers(client, NEW) == []


# Filters


def test_a_feed_takes_the_filters_of_the_list(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"], severity="major", title={"en": "Zebrafinch", "ko": None})
    make_case(id="IL-0002", components=["dns"])
    make_case(id="IL-0003", components=["message-bus"])
    assert numbers(client, f"{NEW}?component=dns") == ["IL-0002", "IL-0001"]
    assert numbers(client, f"{NEW}?component=dns&severity=major") == ["IL-0001"]
    assert numbers(client, f"{NEW}?q=zebrafinch") == ["IL-0001"]
    assert numbers(client, f"{NEW}?component=dns&component=message-bus") == ["IL-0003", "IL-0002", "IL-0001"]
    reviewed(3)
    assert numbers(client, f"{CHANGED}?component=dns") == []
    assert numbers(client, f"{CHANGED}?component=message-bus") == ["IL-0003"]


@pytest.mark.parametrize(
    "query", ["date_after=2020&date_before=2030", "repair_min=1", "reviewed=no", "q=a%26b+%3C%01%EF%BF%BE"]
)
def test_whatever_is_asked_for_is_said_in_valid_xml(client: Client, query: str) -> None:
    make_case(id="IL-0560")
    feed = read(client, f"{NEW}?{query}").feed
    assert feed.title.startswith("IncidentLib: new cases · ")


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("component=nope", "nope"),
        ("compnent=dns", "compnent"),
        ("sort=oldest", "sort"),
        ("page=2", "page"),
        ("date_after=tomorrow", "From"),
    ],
)
def test_what_cannot_be_asked_for_is_a_problem(client: Client, query: str, named: str) -> None:
    response = client.get(f"{NEW}?{query}")
    assert response.status_code == 400
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers
    assert named in response.json()["detail"]


def test_a_problem_is_said_in_the_language_of_the_feed(client: Client) -> None:
    assert client.get("/ko/feeds/new.atom?x=1").json()["detail"] == "그런 필터는 없습니다: x"


# How they are answered


def test_hostile_texts_are_texts(client: Client) -> None:
    make_case(id="IL-0560", title={"en": HOSTILE[:290], "ko": None}, summary={"en": HOSTILE, "ko": None})
    make_case(id="IL-0561", title={"en": "No \ufffe such \uffff", "ko": None}, summary={"en": "\ufffe", "ko": "a"})
    response = client.get(NEW)
    root = ET.fromstring(response.content)  # noqa: S314  (our own XML)
    entries = root.findall(f"{ATOM}entry")
    assert entries[0].findtext(f"{ATOM}title") == "IL-0561 LiveKit: No  such "
    assert HOSTILE[:290].replace("`code <b>`", "code <b>").strip() in str(entries[1].findtext(f"{ATOM}title"))
    assert "<script" not in str(entries[1].findtext(f"{ATOM}summary"))
    assert "&lt;script&gt;" in str(entries[1].findtext(f"{ATOM}summary"))


def test_a_feed_reader_of_another_site_may_read(client: Client) -> None:
    response = client.get(NEW)
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    again = client.get(NEW, headers={"if-none-match": response.headers["ETag"]})
    assert (again.status_code, again.headers["Access-Control-Allow-Origin"]) == (304, "*")


def test_a_feed_costs_the_same_however_many_cases(client: Client, django_assert_num_queries: CountQueries) -> None:
    make_cases([{"id": f"IL-000{number}"} for number in range(1, 3)])
    client.get(NEW)
    make_cases([{"id": f"IL-00{number}"} for number in range(10, 40)])
    client.get("/en/cases/")  # the catalog comes up to date
    with django_assert_num_queries(7):  # versions, order, changes, cases with terms, last change
        client.get(NEW)
    with django_assert_num_queries(6):  # the order is remembered
        client.get(NEW)


def test_a_licence_need_not_be_named(client: Client, settings: Settings) -> None:
    settings.CONTENT_LICENSE_NAME = settings.CONTENT_LICENSE_URL = ""
    feed = read(client, NEW).feed
    assert "rights" not in feed
    assert "license" not in {link.rel for link in feed.links}


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("page", ["cases/", "cases/IL-0560/", "about/", "topics/component/dns/", "orgs/livekit/"])
def test_every_page_leads_to_the_feeds(client: Client, language: str, page: str) -> None:
    make_case(id="IL-0560", components=["dns"])
    text = client.get(f"/{language}/{page}").content.decode()
    query = {"topics/component/dns/": "?component=dns", "orgs/livekit/": "?org=livekit"}.get(page, "")
    for kind in ("new", "changed"):
        url = f"{SITE}/{language}/feeds/{kind}.atom{query}"
        assert re.search(
            rf'<link rel="alternate" type="application/atom\+xml" title="[^"]+" href="{re.escape(url)}">', text
        )
        read(client, url.removeprefix(SITE))


def test_a_list_leads_to_the_feed_of_what_it_shows(client: Client) -> None:
    make_case(id="IL-0560", components=["dns"])
    text = client.get("/en/cases/?component=dns&sort=oldest&page=1&component=nope").content.decode()
    assert f'<a href="{SITE}/en/feeds/new.atom?component=dns" type="application/atom+xml"' in text


def test_a_feed_without_a_language_is_that_of_the_reader(client: Client) -> None:
    response = client.get("/feeds/new.atom?org=livekit", headers={"accept-language": "ko"})
    assert (response.status_code, response.headers["Location"]) == (302, "/ko/feeds/new.atom?org=livekit")


def test_a_case_that_is_gone_since_the_list_was_made_is_left_out(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_case(id="IL-0560")
    monkeypatch.setattr(feeds, "newest", lambda *_: [560, 999])
    assert numbers(client, NEW) == ["IL-0560"]
    assert Case.objects.count() == 1
