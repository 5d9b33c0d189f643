"""Keeps a copy of the library as any program could, and says what of it must equal an export."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.test import Client

# What follows from the whole library, and so changes with cases that are not told of.
COMPUTED = {"similar", "recurrence_chain"}


def get(client: Client, **query: Any) -> dict[str, Any]:
    response = client.get(f"/api/changes?{urlencode(query)}")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


class Mirror:
    """A copy that knows nothing but the addresses."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.cases: dict[str, dict[str, Any]] = {}
        self.cursor = ""

    def follow(self, limit: int = 2) -> None:
        more = True
        while more:
            page = get(self.client, view="full", limit=limit, since=self.cursor)
            for change in page["changes"]:
                self.take(change)
            self.cursor, more = page["next"], page["more"]

    def take(self, change: Mapping[str, Any]) -> None:
        if change["case"]:
            self.cases[change["id"]] = change["case"]
        elif change["status"] != "published":
            self.cases.pop(change["id"], None)


def exported(client: Client) -> dict[str, dict[str, Any]]:
    lines = b"".join(client.get("/api/export.jsonl").streaming_content).decode().splitlines()  # type: ignore[attr-defined]  # it streams
    return {case["id"]: case for case in map(json.loads, lines)}


def own(cases: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        id_text: {key: value for key, value in case.items() if key not in COMPUTED} for id_text, case in cases.items()
    }
