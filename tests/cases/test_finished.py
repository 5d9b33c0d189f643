"""What was answered once is given again as it was, to whoever may have it, for as long as it holds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from unittest.mock import DEFAULT, patch

import pytest
from django.db import OperationalError, connections
from django.test import Client
from pytest_django import Settings

from cases import finished
from cases.catalog import versions, versions_quickly
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
ADDRESSES = ["/api/cases/IL-0560", "/en/cases/IL-0560/", "/ko/cases/IL-0560.md", "/en/cases/IL-0560/cite.ris"]


@pytest.fixture(autouse=True)
def library(settings: Settings) -> None:
    settings.FINISHED_PAGES = 10
    make_case(id="IL-0560")


@pytest.fixture
def nothing_is_made() -> AbstractContextManager[object]:
    """Whatever makes an answer would ask for the case first."""
    return patch("cases.stored.fetch", side_effect=AssertionError)


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_answer_is_given_again_with_all_its_headers(
    client: Client, nothing_is_made: AbstractContextManager[object], address: str
) -> None:
    first = client.get(address)
    with nothing_is_made:
        second = client.get(address)
    assert (second.status_code, second.content) == (200, first.content)
    assert dict(second.headers) == dict(first.headers)
    assert "Content-Security-Policy" in second.headers


@pytest.mark.parametrize("address", ADDRESSES)
def test_who_has_it_is_told_so_with_the_same_headers(
    client: Client, settings: Settings, nothing_is_made: AbstractContextManager[object], address: str
) -> None:
    known = {"if-none-match": client.get(address).headers["ETag"]}
    with nothing_is_made:
        kept = client.get(address, headers=known)
    settings.FINISHED_PAGES = 0
    finished.forget()
    made = client.get(address, headers=known)
    assert kept.status_code == made.status_code == 304
    assert kept.content == b""
    ignored = {"Link", "Content-Disposition"}
    assert dict(kept.headers) == {name: value for name, value in made.headers.items() if name not in ignored}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"if-none-match": '"other"'}, 200),
        ({"if-none-match": "{tag}"}, 304),
        ({"if-none-match": 'W/{tag}, "x"'}, 304),
        ({"if-none-match": "*"}, 304),
        ({"if-match": "{tag}"}, 200),
        ({"if-match": '"other"'}, 412),
        ({"if-match": '"other"', "if-none-match": "{tag}"}, 412),
        ({"if-modified-since": "Mon, 30 Nov 2026 00:00:00 GMT"}, 200),
    ],
)
def test_conditions_are_read_as_without_memory(client: Client, headers: dict[str, str], status: int) -> None:
    tag = client.get("/api/cases/IL-0560").headers["ETag"]
    sent = {name: value.replace("{tag}", tag) for name, value in headers.items()}
    assert client.get("/api/cases/IL-0560", headers=sent).status_code == status
    finished.forget()
    assert client.get("/api/cases/IL-0560", headers=sent).status_code == status


def test_a_change_anywhere_ends_it(client: Client) -> None:
    first = client.get("/api/cases/IL-0560")
    make_case(id="IL-0561")
    second = client.get("/api/cases/IL-0560", headers={"if-none-match": first.headers["ETag"]})
    assert second.status_code == 200
    assert [near["id"] for near in second.json()["similar"]] == ["IL-0561"]


def test_each_packing_is_kept_apart(client: Client) -> None:
    plain = client.get("/api/cases/IL-0560")
    packed = client.get("/api/cases/IL-0560", headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = client.get("/api/cases/IL-0560", headers={"accept-encoding": "gzip, x"})
    assert (again.content, again.headers["ETag"]) == (packed.content, packed.headers["ETag"])
    assert client.get("/api/cases/IL-0560").content == plain.content


def test_a_foreign_host_is_refused_all_the_same(client: Client) -> None:
    client.get("/en/cases/IL-0560/")
    assert client.get("/en/cases/IL-0560/", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("method", ["head", "post", "options"])
def test_only_what_is_read_is_given(client: Client, method: str) -> None:
    client.get("/api/cases/IL-0560")
    response = getattr(client, method)("/api/cases/IL-0560")
    assert response.status_code == {"head": 200, "post": 405, "options": 204}[method]
    assert response.content == b"" or method == "post"


def test_a_connection_that_was_lost_is_not_given_up(client: Client) -> None:
    kept = client.get("/en/cases/IL-0560/")
    with patch("cases.finished.versions_quickly", side_effect=OperationalError) as asked:
        assert client.get("/en/cases/IL-0560/").content == kept.content
    assert asked.called


def test_a_database_that_fails_is_told_of_as_ever(client: Client) -> None:
    client.get("/en/cases/IL-0560/")
    client.raise_request_exception = False
    fails = dict.fromkeys(("ensure_connection", "cursor"), DEFAULT)
    with patch.multiple(type(connections["default"]), **fails) as failing:
        for one in failing.values():
            one.side_effect = OperationalError
        response = client.get("/en/cases/IL-0560/")
    assert response.status_code == 500
    assert "Content-Security-Policy" in response.headers


def test_where_the_library_stands_is_read_quickly_and_counted(django_assert_num_queries: CountQueries) -> None:
    assert versions_quickly() == versions()
    with django_assert_num_queries(1):
        versions_quickly()


def test_no_answer_is_kept_while_templates_are_written(client: Client, settings: Settings) -> None:
    settings.DEBUG = True
    client.get("/en/cases/IL-0560/")
    assert not finished._finished  # noqa: SLF001  (that nothing is there is the point)


def test_a_page_too_large_is_not_kept(client: Client) -> None:
    with patch("cases.finished.LARGEST_KEPT", 1000):
        client.get("/en/cases/IL-0560/")
    assert not finished._finished  # noqa: SLF001  (that nothing is there is the point)


def test_requests_are_counted_all_the_same(client: Client, settings: Settings, tmp_path: Path) -> None:
    settings.API_RATE, settings.DATA_DIR = 3, tmp_path
    with patch("cases.rates.time.time", return_value=60 * 1000 + 18.5):
        known = {"if-none-match": client.get("/api/cases/IL-0560").headers["ETag"]}
        again = client.get("/api/cases/IL-0560")
        unchanged = client.get("/api/cases/IL-0560", headers=known)
        refused = client.get("/api/cases/IL-0560")
    assert [one.headers["RateLimit"] for one in (again, unchanged)] == ['"api";r=1;t=42', '"api";r=0;t=42']
    assert unchanged.status_code == 304
    assert refused.status_code == 429
    settings.API_RATE = None
    assert "RateLimit" not in client.get("/api/cases/IL-0560").headers
