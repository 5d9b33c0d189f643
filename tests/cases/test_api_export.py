"""The whole library at once: lines of JSON, a table, filters, and what a slow reader may see."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from typing import Any

import brotli
import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from cases.exporting import CSV_COLUMNS
from cases.publishing import withdraw
from tests.cases.making import make_case, make_cases
from tests.cases.mirroring import get

pytestmark = pytest.mark.django_db


def chunks(client: Client, address: str, **headers: str) -> Iterator[bytes]:
    response: Any = client.get(address, headers=headers)
    assert isinstance(response, StreamingHttpResponse)
    return iter(response)


def body(client: Client, address: str, **headers: str) -> bytes:
    return b"".join(chunks(client, address, **headers))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_lines_are_whole_cases_by_number(client: Client) -> None:
    for number in (3, 1, 2):
        make_case(id=f"IL-000{number}", date=f"2026-0{number}-01")
    withdraw(2, {"en": "Wrong.", "ko": None})
    lines = body(client, "/api/export.jsonl").decode().splitlines()
    assert lines == [client.get(f"/api/cases/IL-000{number}").content.decode() for number in (1, 3)]


def test_nothing_found_is_an_empty_file(client: Client) -> None:
    make_case(id="IL-0001")
    assert body(client, "/api/export.jsonl?date_before=1999") == b""
    assert rows(body(client, "/api/export.csv?date_before=1999").decode()) == []


def test_more_cases_than_one_batch(client: Client) -> None:
    make_cases([{"id": f"IL-{number:04d}"} for number in range(1, 206)])
    lines = body(client, "/api/export.jsonl").decode().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [f"IL-{number:04d}" for number in range(1, 206)]


def test_a_table_begins_with_what_spreadsheets_need_and_is_safe(client: Client) -> None:
    make_case(id="IL-0001", title={"en": "=HYPERLINK(1)", "ko": "+장애"})
    text = body(client, "/api/export.csv").decode()
    assert text.startswith("\ufeffid,org,date,")
    (row,) = rows(text)
    assert tuple(row) == CSV_COLUMNS
    assert (row["title_en"], row["title_ko"]) == ("'=HYPERLINK(1)", "'+장애")


def test_filters_apply_and_wrong_ones_are_refused(client: Client) -> None:
    make_case(id="IL-0001", severity="minor")
    make_case(id="IL-0002", severity="critical")
    assert [row["id"] for row in rows(body(client, "/api/export.csv?severity=minor").decode())] == ["IL-0001"]
    for wrong in ("sort", "limit", "severty"):
        response = client.get(f"/api/export.csv?{wrong}=minor")
        assert (response.status_code, response.json()["parameter"]) == (400, wrong)
    assert client.get("/api/export.jsonl?severity=nothing").json()["parameter"] == "severity"


@pytest.mark.parametrize("name", ["jsonl", "csv"])
def test_a_stream_can_be_compressed_and_checked(client: Client, name: str) -> None:
    make_cases([{"id": f"IL-{number:04d}"} for number in range(1, 60)])
    plain = body(client, f"/api/export.{name}")
    assert gzip.decompress(body(client, f"/api/export.{name}", accept_encoding="gzip")) == plain
    assert brotli.decompress(body(client, f"/api/export.{name}", accept_encoding="gzip, br")) == plain
    response = client.get(f"/api/export.{name}", headers={"accept-encoding": "br"})
    assert response.headers["Content-Encoding"] == "br"
    assert response.headers["Content-Disposition"] == f'attachment; filename="incidentlib.{name}"'
    again = client.get(
        f"/api/export.{name}", headers={"accept-encoding": "br", "if-none-match": response.headers["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_each_part_of_a_stream_can_be_read_when_it_arrives(client: Client) -> None:
    make_cases([{"id": f"IL-{number:04d}"} for number in range(1, 120)])
    first = next(chunks(client, "/api/export.jsonl", accept_encoding="gzip"))
    text = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(first).decode()
    assert text.endswith("}\n")
    assert text.count("\n") == 50


def test_nothing_is_made_for_whoever_asks_for_the_headers_only(client: Client) -> None:
    make_case(id="IL-0001")
    response: Any = client.head("/api/export.jsonl")
    assert (response.status_code, list(response)) == (200, [])


def test_an_export_says_where_its_changes_are_told(client: Client) -> None:
    make_case(id="IL-0001")
    link = client.get("/api/export.jsonl").headers["Link"]
    address = link.removeprefix("<http://127.0.0.1:8000").removesuffix('>; rel="monitor"')
    assert client.get(address).json()["changes"] == []
    make_case(id="IL-0002")
    assert [line["id"] for line in client.get(address).json()["changes"]] == ["IL-0002"]
    assert len(get(client)["changes"]) == 2


def test_an_export_of_an_empty_library_can_be_followed(client: Client) -> None:
    response = client.get("/api/export.jsonl")
    assert client.get(response.headers["Link"].split(">")[0][len("<http://127.0.0.1:8000") :]).status_code == 200
