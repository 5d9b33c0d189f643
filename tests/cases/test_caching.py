"""Public answers can be kept by anybody: one for each address, checked again by ETag, without cookies."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from cases import finished
from cases.models import Case
from cases.publishing import touch_vocabulary
from cases.rendering import store_rendered
from tests.cases.making import make_case, make_cases

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
PUBLIC = "public, max-age=0, s-maxage=60, stale-if-error=86400"
PAGES = [
    "/en/cases/",
    "/ko/cases/?severity=unknown",
    "/en/cases/IL-0560/",
    "/ko/cases/IL-0560/",
    "/en/orgs/",
    "/en/orgs/livekit/",
    "/ko/topics/",
    "/ko/topics/component/message-bus/",
    "/en/about/",
    "/ko/api/",
    "/api/cases/IL-0560",
    "/api/cases/IL-0560/similar",
    "/ko/cases/IL-0560.md",
    "/en/cases/IL-0560/cite.bib",
    "/en/feeds/new.atom",
    "/ko/feeds/changed.atom?org=livekit",
    "/sitemap.xml",
    "/sitemap-pages.xml",
    "/sitemap-cases-1.xml",
    "/llms.txt",
]


@pytest.fixture(scope="module", autouse=True)
def library(module_db: None) -> None:  # noqa: ARG001  (where it is kept)
    told = {"org": "LiveKit", "org_slug": "livekit", "components": ["message-bus"]}
    make_cases([{"id": "IL-0560", **told}, {"id": "IL-0561", **told}])
    store_rendered([560, 561])


@pytest.mark.parametrize("address", PAGES)
def test_a_public_answer_may_be_kept_and_checked(
    client: Client, django_assert_num_queries: CountQueries, address: str
) -> None:
    first = client.get(address)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == PUBLIC
    assert first.headers["ETag"].startswith('"')
    assert {type(value) for value in first.headers.values()} == {str}  # which the standard asks for
    assert first.headers.get("Vary") == ("Accept-Encoding" if address.startswith("/api/") else None)
    assert not first.cookies
    with django_assert_num_queries(1):
        again = client.get(address, headers={"if-none-match": first.headers["ETag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Cache-Control"] == PUBLIC
    assert client.get(address, headers={"if-none-match": '"other"'}).status_code == 200
    assert client.get(address, headers={"if-none-match": f'W/{first.headers["ETag"]}, "x"'}).status_code == 304


@pytest.mark.parametrize("address", PAGES)
def test_head_is_get_without_a_body(client: Client, address: str) -> None:
    full, head = client.get(address), client.head(address)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["ETag"] == full.headers["ETag"]


@pytest.mark.parametrize("address", PAGES)
def test_a_public_address_is_only_read(client: Client, address: str) -> None:
    for method in (client.post, client.put, client.patch, client.delete):
        assert method(address).status_code == 405


@pytest.mark.parametrize("address", PAGES)
def test_the_same_state_gives_the_same_bytes(client: Client, address: str) -> None:
    assert client.get(address).content == client.get(address).content


@pytest.mark.parametrize("address", PAGES)
def test_whatever_changes_an_answer_changes_its_tag(client: Client, address: str) -> None:
    tags = [client.get(address).headers["ETag"]]
    make_case(id="IL-0562", components=["message-bus"])
    tags.append(client.get(address).headers["ETag"])
    touch_vocabulary()
    tags.append(client.get(address).headers["ETag"])
    assert len(set(tags)) == 3


def test_every_language_has_its_own_tag(client: Client) -> None:
    tags = {client.get(f"/{language}/cases/IL-0560/").headers["ETag"] for language in ("en", "ko")}
    assert len(tags) == 2


def test_a_new_template_changes_the_tag(client: Client, settings: Settings, tmp_path: Path) -> None:
    before = client.get("/en/about/").headers["ETag"]
    settings.DEBUG, settings.BASE_DIR = True, tmp_path
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "base.html").write_text("new")
    assert client.get("/en/about/").headers["ETag"] != before


def test_what_is_gone_does_not_come_back_from_a_cache(client: Client) -> None:
    case = make_case(id="IL-0560")
    kept = client.get("/en/cases/IL-0560/").headers["ETag"]
    withdrawn = {"status": "withdrawn", "withdrawn_at": "2026-11-01T00:00:00Z"}
    Case.objects.filter(pk=case.pk).update(**withdrawn)
    response = client.get("/en/cases/IL-0560/", headers={"if-none-match": kept})
    assert response.status_code == 410
    assert response.headers["Cache-Control"] == "public, max-age=0, s-maxage=60"


@pytest.mark.parametrize("address", PAGES)
def test_a_finished_page_is_made_once(
    client: Client, settings: Settings, django_assert_num_queries: CountQueries, address: str
) -> None:
    settings.FINISHED_PAGES = 2
    first = client.get(address)
    assert first.templates or not address.endswith("/")
    with django_assert_num_queries(1):
        again = client.get(address)
    assert not again.templates
    assert (again.content, dict(again.headers)) == (first.content, dict(first.headers))
    make_case(id="IL-0560", org="LiveKit", components=["message-bus"], title={"en": "Told anew", "ko": "새 제목"})
    assert client.get(address).headers["ETag"] != first.headers["ETag"]


def test_only_some_finished_pages_are_kept(client: Client, settings: Settings) -> None:
    settings.FINISHED_PAGES = 2
    addresses = [f"/en/cases/?severity=unknown&page={page}" for page in range(4)]
    for address in addresses:
        client.get(address)
    assert not client.get(addresses[3]).templates
    assert client.get(addresses[0]).templates
    assert len(finished._finished) == 2  # noqa: SLF001  (what memory it takes is the point)


def test_an_error_is_not_kept(client: Client) -> None:
    for address in ("/en/cases/IL-0999/", "/en/nothing/", "/api/cases/IL-0999"):
        response = client.get(address)
        assert response.status_code == 404
        assert response.headers["Cache-Control"] == "no-store"
        assert "ETag" not in response.headers
