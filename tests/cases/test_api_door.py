"""What is the same at every address of the API: methods, compression, rates, and what other sites' pages may read."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any
from unittest.mock import patch

import brotli
import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from cases.api.application import addresses
from cases.encodings import encode
from cases.models import Term
from cases.rates import Limit, address_of, spend
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

# One request for every address.
ADDRESSES = [f"/api/{address.example.partition('?')[0]}" for address in addresses.values()]


@pytest.fixture(scope="module", autouse=True)
def library(module_db: None) -> None:  # noqa: ARG001  (where it is kept)
    Term.objects.create(list="component", slug="service-discovery", label_en="Service discovery")
    make_case(id="IL-0560")


# Methods


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_answers_get_head_and_options_and_nothing_else(client: Client, address: str) -> None:
    got, headed = client.get(address), client.head(address)
    assert got.status_code == headed.status_code == 200
    assert {**headed.headers} == {**got.headers}
    options = client.options(address)
    assert (options.status_code, options.content) == (204, b"")
    assert options.headers["Allow"] == options.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    for method in ("post", "put", "patch", "delete"):
        refused = getattr(client, method)(address)
        assert (refused.status_code, refused.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert json.loads(refused.content)["status"] == 405


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_can_be_read_by_pages_of_other_sites(client: Client, address: str) -> None:
    for response in (client.get(address), client.options(address), client.get(f"{address}?nothing=1")):
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response.headers
        assert not response.cookies
    assert "Link" in client.get(address).headers["Access-Control-Expose-Headers"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_checked_again_by_its_tag(client: Client, address: str) -> None:
    for accepted in ("", "gzip", "br"):
        first = client.get(address, headers={"accept-encoding": accepted})
        headers = {"accept-encoding": accepted, "if-none-match": first.headers["ETag"]}
        again = client.get(address, headers=headers)
        assert (again.status_code, again.headers["Vary"]) == (304, "Accept-Encoding")
    tags = {client.get(address, headers={"accept-encoding": name}).headers["ETag"] for name in ("", "gzip", "br")}
    assert len(tags) == 3


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_refuses_a_parameter_that_it_does_not_have(client: Client, address: str) -> None:
    response = client.get(f"{address}?nothing=1")
    assert (response.status_code, response.json()["parameter"]) == (400, "nothing")


# Compression


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("GZIP", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("br;q=0.0, gzip;q=0", None),
        ("identity", None),
        ("", None),
        (";;,,q=x", None),
    ],
)
def test_an_answer_comes_as_it_is_accepted(client: Client, accepted: str, encoding: str | None) -> None:
    plain = client.get("/api/cases/IL-0560").content
    response = client.get("/api/cases/IL-0560", headers={"accept-encoding": accepted})
    assert response.headers.get("Content-Encoding") == encoding
    unpack: Any = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
    assert unpack(response.content) == plain
    assert encoding is None or len(response.content) < len(plain) / 2


def test_what_is_short_stays_as_it_is() -> None:
    assert "Content-Encoding" not in encode(HttpResponse("short"), "br").headers


def test_a_finished_answer_keeps_its_headers(client: Client, settings: Settings) -> None:
    settings.FINISHED_PAGES = 10
    make_case(id="IL-0561")
    first = client.get("/api/cases?limit=1", headers={"accept-encoding": "br"})
    with patch("cases.api.cases.case_list", side_effect=AssertionError):
        second = client.get("/api/cases?limit=1", headers={"accept-encoding": "br"})
    assert second.content == first.content
    assert dict(second.headers) == dict(first.headers)
    assert "Link" in second.headers


# Rates


@pytest.fixture
def limited(settings: Settings, tmp_path: Path) -> Settings:
    settings.API_RATE, settings.SEARCH_RATE, settings.DATA_DIR = 3, 2, tmp_path
    return settings


@pytest.mark.usefixtures("limited")
def test_what_is_left_is_told_and_then_nothing_is_given(client: Client) -> None:
    with patch("cases.rates.time.time", return_value=60 * 1000 + 18.5):
        left = [client.get("/api/vocab").headers["RateLimit"] for _ in range(3)]
        refused = client.get("/api/vocab")
        other = client.get("/api/vocab", REMOTE_ADDR="192.0.2.7")
    assert left == ['"api";r=2;t=42', '"api";r=1;t=42', '"api";r=0;t=42']
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "42"
    assert refused.headers["RateLimit-Policy"] == '"api";q=3;w=60'
    assert refused.headers["RateLimit"] == '"api";r=0;t=42'
    assert refused.headers["Cache-Control"] == "no-store"
    assert refused.json()["detail"] == "At most 3 requests a minute (api); ask again in 42 seconds."
    assert other.status_code == 200
    with patch("cases.rates.time.time", return_value=60 * 1001):
        assert client.get("/api/vocab").status_code == 200


@pytest.mark.usefixtures("limited")
def test_searches_have_a_limit_of_their_own(client: Client) -> None:
    with patch("cases.rates.time.time", return_value=60 * 2000):
        first = client.get("/api/cases?q=dns")
        client.get("/api/cases?q=dns")
        refused, list_only = client.get("/api/cases?q=dns"), client.get("/api/cases")
    assert first.headers["RateLimit"] == '"api";r=2;t=60, "search";r=1;t=60'
    assert (refused.status_code, list_only.status_code) == (429, 429)
    assert "2 requests a minute (search)" in refused.json()["detail"]


def test_without_limits_nothing_is_counted(client: Client) -> None:
    assert "RateLimit" not in client.get("/api/vocab").headers


def test_all_connections_count_together(limited: Settings) -> None:
    limit = Limit("api", 10)
    assert spend([limit], "a", now=0)[0].left == 9
    with sqlite3.connect(limited.DATA_DIR / "requests.sqlite3") as other:
        other.execute("UPDATE spent SET count = 7")
    other.close()
    assert spend([limit], "a", now=1)[0].left == 2
    assert spend([limit], "a", now=61)[0].left == 9
    with sqlite3.connect(limited.DATA_DIR / "requests.sqlite3") as other:
        assert other.execute("SELECT count(*) FROM spent").fetchone() == (1,)
    other.close()


def test_counts_that_cannot_be_kept_refuse_nobody(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.DATA_DIR = tmp_path / "missing"
    assert spend([Limit("api", 1)], "a") == []
    assert "could not be counted" in caplog.text


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "192.0.2.1", "127.0.0.1"),
        (1, "192.0.2.1", "192.0.2.1"),
        (1, "10.9.9.9, 192.0.2.1", "192.0.2.1"),
        (2, "10.9.9.9, 192.0.2.1, 10.0.0.1", "192.0.2.1"),
        (3, "192.0.2.1", "192.0.2.1"),
        (1, " , ", "127.0.0.1"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (1, "not an address" * 20, ("not an address" * 20)[:64]),
    ],
)
def test_the_address_is_what_our_own_proxies_say(
    settings: Settings, proxies: int, forwarded: str, address: str
) -> None:
    settings.PROXY_COUNT = proxies
    assert address_of({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": forwarded}) == address
