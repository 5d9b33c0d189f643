"""What programs read of the site first: robots.txt, the sitemaps, llms.txt."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from pytest_django import Settings

from cases import sitemaps
from cases.models import Change
from cases.publishing import merge, withdraw
from tests.cases.making import make_case, make_cases

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
SITE = "http://127.0.0.1:8000"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LINK = "{http://www.w3.org/1999/xhtml}link"


def locations(client: Client, address: str) -> dict[str, tuple[str | None, dict[str, str]]]:
    """Return each address of a sitemap with the day of its last change and its alternates."""
    response = client.get(address)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/xml; charset=utf-8"
    root = ET.fromstring(response.content)  # noqa: S314  (our own XML)
    found = {}
    for url in root:
        alternates = {link.attrib["hreflang"]: link.attrib["href"] for link in url.findall(LINK)}
        location = str(url.findtext(f"{MAP}loc"))
        assert location not in found
        found[location] = (url.findtext(f"{MAP}lastmod"), alternates)
    return found


def changed_later(number: int, at: str) -> None:
    """Note a change of a day to come: those that were noted are permanent."""
    Change.objects.create(sequence=1000 + number, number=number, kind=Change.Kind.REVIEWED, at=at)


def all_cases(client: Client) -> dict[str, tuple[str | None, dict[str, str]]]:
    found: dict[str, tuple[str | None, dict[str, str]]] = {}
    for location in locations(client, "/sitemap.xml"):
        if "sitemap-cases" in location:
            found |= locations(client, location.removeprefix(SITE))
    return found


def test_a_case_is_named_in_both_languages_with_its_last_change(client: Client) -> None:
    make_case(id="IL-0560")
    changed_later(560, "2099-03-09T23:30:00Z")
    urls = {language: f"{SITE}/{language}/cases/IL-0560/" for language in ("en", "ko")}
    alternates = {**urls, "x-default": f"{SITE}/cases/IL-0560/"}
    assert all_cases(client) == dict.fromkeys(urls.values(), ("2099-03-09", alternates))


def test_a_language_that_is_missing_is_not_named(client: Client) -> None:
    make_case(id="IL-0560", title={"en": None, "ko": "이름"}, summary={"en": None, "ko": "요약"})
    urls = {"ko": f"{SITE}/ko/cases/IL-0560/", "x-default": f"{SITE}/cases/IL-0560/"}
    assert {url: links for url, (_, links) in all_cases(client).items()} == {urls["ko"]: urls}
    page = client.get("/ko/cases/IL-0560/").content.decode()
    assert all(f'hreflang="{language}" href="{url}"' in page for language, url in urls.items())


def test_a_case_told_whole_in_no_language_is_named_in_both(client: Client) -> None:
    make_case(id="IL-0560", title={"en": "Title", "ko": None}, summary={"en": None, "ko": "요약"})
    assert len(all_cases(client)) == 2


def test_what_is_gone_is_not_named(client: Client) -> None:
    make_cases([{"id": f"IL-000{number}"} for number in range(1, 5)])
    withdraw(1, {"en": "Wrong."})
    merge(2, 3)
    assert {url[-8:-1] for url in all_cases(client)} == {"IL-0003", "IL-0004"}


def test_a_large_library_has_several_sitemaps(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "CASES_IN_ONE", 2)
    make_cases([{"id": f"IL-000{number}"} for number in range(1, 6)])
    withdraw(3, {"en": "Wrong."})
    assert list(locations(client, "/sitemap.xml")) == [
        f"{SITE}/sitemap-pages.xml",
        f"{SITE}/sitemap-cases-1.xml",
        f"{SITE}/sitemap-cases-2.xml",
    ]
    assert len(all_cases(client)) == 8
    assert client.get("/sitemap-cases-3.xml").status_code == 404


@pytest.mark.parametrize("name", ["0", "2", "99999999999999999999", "x", "-1"])
def test_a_sitemap_that_is_not_there(client: Client, name: str) -> None:
    make_case(id="IL-0560")
    assert client.get(f"/sitemap-cases-{name}.xml").status_code == 404


def test_one_sitemap_holds_less_than_the_limit() -> None:
    assert 2 * sitemaps.CASES_IN_ONE <= 50_000


def test_an_empty_library_has_its_overviews(client: Client) -> None:
    assert list(locations(client, "/sitemap.xml")) == [f"{SITE}/sitemap-pages.xml"]
    found = locations(client, "/sitemap-pages.xml")
    assert {url.removeprefix(SITE) for url in found} == {
        f"/{language}/{page}/" for language in ("en", "ko") for page in ("cases", "topics", "orgs", "about", "api")
    }


def test_topics_and_organisations_with_cases_are_named(client: Client) -> None:
    make_case(id="IL-0001", org="LiveKit", components=["dns"])
    make_case(id="IL-0002", org="Oakline", org_slug="oakline", components=["dns", "cache"])
    make_case(id="IL-0003", org="Gone", org_slug="gone", components=["queue"])
    withdraw(3, {"en": "Wrong."})
    changed_later(1, "2099-03-09T00:00:00Z")
    changed_later(2, "2099-02-01T00:00:00Z")
    found = locations(client, "/sitemap-pages.xml")
    assert found[f"{SITE}/ko/topics/component/dns/"][0] == "2099-03-09"
    assert found[f"{SITE}/en/topics/component/cache/"][0] == "2099-02-01"
    assert found[f"{SITE}/en/orgs/oakline/"][0] == "2099-02-01"
    assert found[f"{SITE}/en/orgs/oakline/"][1]["ko"] == f"{SITE}/ko/orgs/oakline/"
    assert f"{SITE}/en/orgs/gone/" not in found
    assert f"{SITE}/en/topics/component/queue/" not in found


def test_every_page_that_is_named_is_there_and_names_itself(client: Client) -> None:
    make_case(id="IL-0560", components=["dns"])
    for url, (_, alternates) in {**locations(client, "/sitemap-pages.xml"), **all_cases(client)}.items():
        response = client.get(url.removeprefix(SITE))
        assert response.status_code == 200
        text = response.content.decode()
        assert f'<link rel="canonical" href="{url}">' in text
        for language, other in alternates.items():
            assert f'<link rel="alternate" hreflang="{language}" href="{other}">' in text


def test_a_sitemap_costs_the_same_however_many_cases(client: Client, django_assert_num_queries: CountQueries) -> None:
    make_cases([{"id": f"IL-00{number}"} for number in range(10, 40)])
    client.get("/en/cases/")
    for address, queries in (("/sitemap.xml", 1), ("/sitemap-cases-1.xml", 2), ("/sitemap-pages.xml", 2)):
        with django_assert_num_queries(queries):
            client.get(address)


def test_robots_are_kept_out_of_the_desk_only(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response.headers["Content-Type"].startswith("text/plain")
    assert response.content.decode().splitlines() == [
        "User-agent: *",
        "Disallow: /desk/",
        "Disallow: /accounts/",
        "Disallow: /admin/",
        "Disallow: /language/",
        "",
        f"Sitemap: {SITE}/sitemap.xml",
    ]


def test_every_address_of_llms_txt_leads_somewhere(client: Client) -> None:
    make_case(id="IL-0560", components=["dns"])
    text = client.get("/llms.txt").content.decode()
    urls = re.findall(r"\]\((\S+?)\)", text)
    own = [url.removeprefix(SITE) for url in urls if url.startswith(SITE)]
    assert len(own) > 10
    assert {url: client.get(url).status_code for url in own} == dict.fromkeys(own, 200)
    assert [url for url in urls if not url.startswith(SITE)] == ["https://creativecommons.org/licenses/by/4.0/"]
    assert text.startswith("# IncidentLib\n\n> ")


def test_every_filter_that_llms_txt_names_exists(client: Client) -> None:
    text = client.get("/llms.txt").content.decode()
    (named,) = re.findall(r"date_after=2025\): (.*?);", text)
    assert client.get("/en/feeds/new.atom", dict.fromkeys(named.split(", "), "")).status_code == 200


def test_without_a_licence_llms_txt_names_none(client: Client, settings: Settings) -> None:
    settings.CONTENT_LICENSE_NAME = ""
    assert "Licence" not in client.get("/llms.txt").content.decode()
