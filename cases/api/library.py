"""The library as a whole: its words, what has changed in it, and all of it at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Query

from cases import catalog
from cases.answers import etag, public, unchanged
from cases.changes import change_list, newest_cursor
from cases.document import json_schema, write_json
from cases.document.problems import gettext_noop
from cases.encodings import encoded, encoding_for
from cases.exporting import export
from cases.queries import asked
from cases.vocab import vocab as all_words

from .application import Address, give, reads
from .openapi import openapi
from .shapes import ChangesAnswer, ChangesQuery, ExportQuery, Problem, VocabAnswer

# Spreadsheets take a CSV for text of their own country unless it begins with this.
BYTE_ORDER_MARK = "\ufeff"
LINES_AT_ONCE = 50
SCHEMA = "application/schema+json"
AnyObject = dict[str, Any]


@reads(
    Address(
        "vocab",
        "api-vocab",
        "Words",
        gettext_noop("All controlled words"),
        gettext_noop(
            "Every list of the vocabulary with its words in both languages, and the organisations, with the number of "
            "cases of each: the values that filters take."
        ),
        "vocab",
        {200: VocabAnswer},
    )
)
def vocab(request: HttpRequest) -> HttpResponseBase:
    now = catalog.versions()
    return give(request, now, "vocab", lambda: write_json(all_words(catalog.at(now))))


@reads(
    Address(
        "changes",
        "api-changes",
        "The whole library",
        gettext_noop("What has changed"),
        gettext_noop(
            "Each publication, decision, withdrawal, merge and import in the order in which they happened, with how "
            "the case stands now. Ask again with since={next}: whoever follows has the whole library."
        ),
        "changes?since=2026-01-01&limit=5",
        {200: ChangesAnswer, 410: Problem},
        ChangesQuery,
    )
)
def changes(request: HttpRequest, query: Query[ChangesQuery]) -> HttpResponseBase:
    now = catalog.versions()

    def page() -> str:
        return change_list(catalog.at(now), query.since, query.limit, query.view).text()

    return give(request, now, request.get_full_path(), page)


@reads(
    Address(
        "export.jsonl",
        "api-export-jsonl",
        "The whole library",
        gettext_noop("All cases as JSON Lines"),
        gettext_noop(
            "Whole cases, one a line, by number; filters apply. The header Link with rel=monitor has the address that "
            "tells what changes from then on."
        ),
        "export.jsonl?org=pubnub",
        {200: str},
        ExportQuery,
        "application/jsonl",
    )
)
def export_jsonl(request: HttpRequest, query: Query[ExportQuery]) -> HttpResponseBase:
    return _export(request, query, "jsonl", "application/jsonl")


@reads(
    Address(
        "export.csv",
        "api-export-csv",
        "The whole library",
        gettext_noop("All cases as a table"),
        gettext_noop(
            "The main facts of each case for a spreadsheet, by number; filters apply. A cell that a spreadsheet would "
            "run as a formula begins with an apostrophe."
        ),
        "export.csv?date_after=2026",
        {200: str},
        ExportQuery,
        "text/csv",
    )
)
def export_csv(request: HttpRequest, query: Query[ExportQuery]) -> HttpResponseBase:
    return _export(request, query, "csv", "text/csv; charset=utf-8")


def _export(request: HttpRequest, query: ExportQuery, file_format: str, content_type: str) -> HttpResponseBase:
    now, encoding = catalog.versions(), encoding_for(request)
    tag = etag(now, "export", request.get_full_path(), encoding)
    if same := unchanged(request, tag):
        return same
    monitor = newest_cursor()
    present = catalog.at(now)
    numbers = asked(query.model_dump(), present.labels).select(present).numbers[:]
    lines = _chunks(export(numbers, file_format=file_format, everything=False), file_format)
    response = public(StreamingHttpResponse(encoded(lines, encoding), content_type=content_type), tag)
    response.headers["Link"] = f'<{settings.SITE_URL}/api/changes?since={monitor}>; rel="monitor"'
    response.headers["Content-Disposition"] = f'attachment; filename="incidentlib.{file_format}"'
    if encoding:
        response.headers["Content-Encoding"] = encoding
    return response


def _chunks(lines: Iterator[tuple[int, str]], file_format: str) -> Iterator[bytes]:
    chunk = [BYTE_ORDER_MARK] if file_format == "csv" else []
    for _, line in lines:
        chunk.append(line)
        if len(chunk) >= LINES_AT_ONCE:
            yield "".join(chunk).encode()
            chunk = []
    yield "".join(chunk).encode()


@reads(
    Address(
        "schema/case.json",
        "api-schema",
        "The whole library",
        gettext_noop("The JSON Schema of a case"),
        gettext_noop("What a case looks like, key by key, for validators and generators."),
        "schema/case.json",
        {200: AnyObject},
        media=SCHEMA,
    )
)
def schema(request: HttpRequest) -> HttpResponseBase:
    return give(request, catalog.versions(), "schema", _schema_text, SCHEMA)


@cache
def _schema_text() -> str:
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{settings.SITE_URL}/api/schema/case.json",
    }
    return write_json({**head, **json_schema()})


@reads(
    Address(
        "openapi.json",
        "api-openapi",
        "The whole library",
        gettext_noop("This interface as OpenAPI"),
        gettext_noop("Every address with its parameters and answers, in OpenAPI 3.1."),
        "openapi.json",
        {200: AnyObject},
    )
)
def description(request: HttpRequest) -> HttpResponseBase:
    return give(request, catalog.versions(), "openapi", openapi)
