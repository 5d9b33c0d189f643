"""What search engines and previews read of a page: JSON-LD, OpenGraph, canonical addresses."""

from __future__ import annotations

import datetime as dt
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from cases.models import LanguageVersion, Person, StoredCase
from cases.rendering import store_rendered
from cases.rendering.linked_data import case_data, script
from cases.standing import Standing
from tests.cases.hostile import HOSTILE
from tests.cases.making import make_case, make_document
from tests.cases.test_rendering import LABELS

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"
SEPARATORS = "\u2028\u2029"
SCHEMA_TYPES = {
    "TechArticle", "Dataset", "BreadcrumbList", "ListItem", "Organization", "Person", "WebPage", "DefinedTerm",
}  # fmt: skip


class Page(HTMLParser):
    """A page as a browser reads it: its scripts, metas and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.metas: dict[str, str | None] = {}
        self.links: list[dict[str, str | None]] = []
        self._in_script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "script" and told.get("type") == "application/ld+json":
            self.scripts.append("")
            self._in_script = True
        elif tag == "meta":
            self.metas[str(told.get("property") or told.get("name"))] = told.get("content")
        elif tag == "link":
            self.links.append(told)

    def handle_endtag(self, tag: str) -> None:
        self._in_script = self._in_script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts[-1] += data

    @property
    def data(self) -> dict[str, Any]:
        (text,) = self.scripts
        found: dict[str, Any] = json.loads(text)
        assert found["@context"] == "https://schema.org"
        return found


def page(client: Client, address: str) -> Page:
    return Page(client.get(address).content.decode())


def graph(client: Client, address: str) -> dict[str, Any]:
    return {one["@type"]: one for one in page(client, address).data["@graph"]}


def types(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(types, value))
    if isinstance(value, dict):
        return (
            {value["@type"]} & {value.get("@type")} | types(list(value.values()))
            if "@type" in value
            else types(list(value.values()))
        )
    return set()


# Cases


@pytest.mark.parametrize("stored", [True, False])
def test_a_case_is_described(client: Client, stored: bool) -> None:  # noqa: FBT001  (a parameter of the test)
    sources = [
        {
            "url": "https://livekit.example/post",
            "kind": "postmortem",
            "uid": "s-1",
            "title": "What happened",
            "publisher": "LiveKit",
            "language": "en",
            "published_at": "2026-10-20T00:00:00Z",
            "archived": "https://archive.example/1",
        },
        {"url": "https://status.example/", "kind": "status-page", "uid": "s-2"},
    ]
    case = make_case(id="IL-0560", title={"en": "Names `lost`", "ko": "이름"}, sources=sources, claims=[], timeline={})
    make_case(
        id="IL-0560", title={"en": "Names `lost`", "ko": "이름"}, sources=sources, claims=[], timeline={}, lessons=None
    )
    if stored:
        store_rendered([560])
    first, second = case.editions.order_by("number").values_list("published_at", flat=True)
    article = graph(client, "/en/cases/IL-0560/")["TechArticle"]
    assert article["headline"] == "Names lost"
    assert article["identifier"] == "IL-0560"
    assert article["inLanguage"] == "en"
    assert article["version"] == "2"
    assert dt.datetime.fromisoformat(article["datePublished"]) == first
    assert dt.datetime.fromisoformat(article["dateModified"]) == second
    assert article["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert article["isBasedOn"] == [
        {
            "@type": "WebPage",
            "url": "https://livekit.example/post",
            "name": "What happened",
            "inLanguage": "en",
            "datePublished": "2026-10-20T00:00:00Z",
            "archivedAt": "https://archive.example/1",
            "publisher": {"@type": "Organization", "name": "LiveKit"},
        },
        {"@type": "WebPage", "url": "https://status.example/"},
    ]
    assert article["workTranslation"] == {"@id": f"{SITE}/ko/cases/IL-0560/#IL-0560"}
    assert {"@type": "Organization", "name": "LiveKit"} in article["about"]
    assert types(article) <= SCHEMA_TYPES


def test_where_a_case_stands_is_told_in_the_language_of_the_page(client: Client) -> None:
    make_case(id="IL-0560", org="LiveKit", org_slug="livekit")
    steps = graph(client, "/ko/cases/IL-0560/")["BreadcrumbList"]["itemListElement"]
    assert [(step["position"], step["name"], step["item"]) for step in steps] == [
        (1, "사례", f"{SITE}/ko/cases/"),
        (2, "LiveKit", f"{SITE}/ko/orgs/livekit/"),
        (3, "IL-0560", f"{SITE}/ko/cases/IL-0560/"),
    ]
    for step in steps:
        assert client.get(step["item"].removeprefix(SITE)).status_code == 200


def test_a_case_told_in_the_other_language_is_described_as_that(client: Client) -> None:
    make_case(id="IL-0560", title={"en": None, "ko": "이름"}, summary={"en": None, "ko": "요약"})
    article = graph(client, "/en/cases/IL-0560/")["TechArticle"]
    assert (article["headline"], article["inLanguage"]) == ("이름", "ko")
    assert "workTranslation" not in article
    canonical = [link["href"] for link in page(client, "/en/cases/IL-0560/").links if link.get("rel") == "canonical"]
    assert canonical == [f"{SITE}/ko/cases/IL-0560/"]


def described(version: LanguageVersion | None) -> dict[str, Any]:
    standing = Standing(edition=1, versions={"en": version} if version else {})
    (article,) = [one for one in case_data(make_document(), standing, LABELS, "en")["@graph"] if "author" in one]
    found: dict[str, Any] = article
    return found


def test_people_are_named_for_what_they_did() -> None:
    ada, minji = Person(name="Ada"), Person(name="Minji")
    reviewed = {"reviewed_by": minji, "reviewed_at": dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)}
    article = described(LanguageVersion(state="approved", written_by=ada, **reviewed))
    assert article["author"] == {"@type": "Person", "name": "Ada"}
    assert article["mainEntityOfPage"]["reviewedBy"] == {"@type": "Person", "name": "Minji"}
    assert article["mainEntityOfPage"]["lastReviewed"] == "2026-11-02"
    stale = described(LanguageVersion(state="stale", written_by=ada, **reviewed))
    assert "reviewedBy" not in stale["mainEntityOfPage"]


def test_a_program_is_no_author() -> None:
    article = described(LanguageVersion(state="draft", written_by=Person(name="session", kind="agent")))
    assert article["author"]["name"] == "IncidentLib"
    assert article["creditText"] == "Written by session, a program"
    assert described(None)["author"]["name"] == "IncidentLib"


def test_an_organisation_without_a_page_is_no_step() -> None:
    document = make_document(org="Nobody")
    (crumbs,) = [one for one in case_data(document, Standing(), LABELS, "en")["@graph"] if "itemListElement" in one]
    assert [step["name"] for step in crumbs["itemListElement"]] == ["Cases", "IL-0561"]


# Safety


@pytest.mark.parametrize("text", [HOSTILE, "<!--<script>", "</SCRIPT >", "\u2028", "&lt;/script&gt;"])
def test_a_text_cannot_leave_the_script(text: str) -> None:
    element = script({"name": text})
    assert element.count("<") == 2
    assert not re.search(
        r"[<>&]", element.removeprefix('<script type="application/ld+json">').removesuffix("</script>")
    )
    assert Page(element).data["name"] == text


def test_hostile_texts_stay_data(client: Client) -> None:
    source = {"url": "https://a.example/</script>", "kind": "postmortem", "uid": "s-1", "title": HOSTILE[:290]}
    make_case(
        id="IL-0560", title={"en": HOSTILE[:290], "ko": None}, summary={"en": HOSTILE, "ko": None}, org=HOSTILE[:100],
        org_slug="hostile", sources=[source], claims=[], timeline={},
    )  # fmt: skip
    found = page(client, "/en/cases/IL-0560/")
    article = graph(client, "/en/cases/IL-0560/")["TechArticle"]
    plain = HOSTILE[:290].replace("`code <b>`", "code <b>").strip()
    assert article["headline"] == found.metas["og:title"] == plain
    assert article["isBasedOn"][0]["url"] == "https://a.example/</script>"
    assert found.metas["og:description"] == found.metas["description"]


# Previews


@pytest.mark.parametrize(("language", "locale"), [("en", "en_US"), ("ko", "ko_KR")])
def test_a_preview_of_a_case_says_what_it_is(client: Client, language: str, locale: str) -> None:
    title = {"en": "Names `lost`", "ko": "이름을 찾지 못했다"}
    case = make_case(id="IL-0560", title=title, summary={"en": "word " * 100, "ko": "짧다.\n\n둘."})
    published = case.editions.get().published_at
    metas = page(client, f"/{language}/cases/IL-0560/").metas
    assert metas["og:type"] == "article"
    assert metas["og:title"] == title[language].replace("`", "")
    assert metas["og:url"] == f"{SITE}/{language}/cases/IL-0560/"
    assert metas["og:locale"] == locale
    assert metas["og:site_name"] == "IncidentLib"
    assert metas["twitter:card"] == "summary"
    assert metas["og:description"] == metas["description"]
    assert metas["description"] == ("짧다. 둘." if language == "ko" else ("word " * 40)[:199] + "…")
    assert dt.datetime.fromisoformat(str(metas["article:published_time"])) == published


@pytest.mark.parametrize("address", ["/en/cases/", "/ko/orgs/livekit/", "/en/topics/component/dns/"])
def test_a_preview_of_a_list_says_what_it_lists(client: Client, address: str) -> None:
    make_case(id="IL-0560", components=["dns"], org="LiveKit", org_slug="livekit")
    found = page(client, address)
    assert found.metas["og:title"]
    assert found.metas["og:description"] == found.metas["description"]
    assert found.metas["og:url"] == f"{SITE}{address}"


def test_what_belongs_in_the_head_is_stored_with_the_article(client: Client) -> None:
    make_case(id="IL-0560")
    store_rendered([560])
    StoredCase.objects.update(article_en="<article>it</article><!-- head --><meta name=head content=it>")
    text = client.get("/en/cases/IL-0560/").content.decode()
    head, _, body = text.partition("</head>")
    assert "<meta name=head content=it>" in head
    assert "<article>it</article>" in body
    assert "<!-- head -->" not in text


# The library


@pytest.mark.parametrize("address", ["/en/about/", "/ko/api/"])
def test_the_library_is_a_dataset(client: Client, settings: Settings, address: str) -> None:
    data = page(client, address).data
    assert data["@type"] == "Dataset"
    assert data["@id"] == f"{SITE}/#library"
    assert len(data["description"]) >= (50 if address[1] == "e" else 30)
    assert data["license"] == settings.CONTENT_LICENSE_URL
    assert {"rel": "license", "href": settings.CONTENT_LICENSE_URL} in page(client, address).links


def test_without_a_licence_none_is_named(client: Client, settings: Settings) -> None:
    settings.CONTENT_LICENSE_NAME = settings.CONTENT_LICENSE_URL = ""
    make_case(id="IL-0560")
    assert "license" not in page(client, "/en/about/").data
    assert "license" not in graph(client, "/en/cases/IL-0560/")["TechArticle"]
    assert "license" not in client.get("/en/cases/IL-0560/").content.decode().replace("licenses/by/4.0", "")
