"""What one process publishes, another sees at its next request: each has a catalog and a connection of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from django.db import connection

from cases import pairings
from cases.models import Pairing
from cases.publishing import merge, undo_withdrawal, withdraw
from tests.cases.making import make_case

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
# Answers one address a line, for as long as it is asked; what it has in memory stays from one to the next.
READER = """
import json, sys, django
from django.conf import settings
django.setup()
settings.DATABASES["default"]["NAME"] = sys.argv[1]
settings.FINISHED_PAGES = 256
from django.test import Client
client = Client(SERVER_NAME="localhost")
for line in sys.stdin:
    answer = client.get(line.strip())
    print(json.dumps([answer.status_code, answer.content.decode()]), flush=True)
"""


class Reader:
    """Another process of the same site."""

    def __init__(self, asked: IO[str], said: IO[str]) -> None:
        self.asked, self.said = asked, said

    def get(self, path: str) -> tuple[int, str]:
        self.asked.write(f"{path}\n")
        self.asked.flush()
        status, content = json.loads(self.said.readline())
        return status, content

    def total(self, query: str) -> str:
        """Return what the list says of how many cases it has."""
        return self.get(f"/en/cases/{query}")[1].partition('id="total" tabindex="-1">')[2].partition("<")[0]

    def near(self, case: str) -> list[Any]:
        return [one["id"] for one in json.loads(self.get(f"/api/cases/{case}/similar")[1])["similar"]]

    def count(self, choice: str) -> str:
        """Return the count beside one choice of a facet, empty where it is not offered."""
        return self.get("/en/cases/")[1].partition(f'id="{choice}"')[2].partition('class="count">')[2].partition("<")[0]


@pytest.fixture
def reader() -> Iterator[Reader]:
    name = str(connection.settings_dict["NAME"])
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    with subprocess.Popen(
        [sys.executable, "-c", READER, name],
        cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        yield Reader(process.stdin, process.stdout)
        process.stdin.close()


def make(number: int, **changes: Any) -> None:
    none: dict[str, Any] = {key: [] for key in ("domain", "symptoms", "contributing", "related", "checks")}
    make_case(**{"id": f"IL-{number:04d}", "root_cause": None, "recurrence_of": None, **none, **changes})


def test_the_next_request_of_another_process_sees_every_change(reader: Reader) -> None:
    make(1, components=["dns"], title={"en": "First", "ko": None})
    assert (reader.total(""), reader.total("?q=walrus"), reader.near("IL-0001")) == ("1 case", "0 cases", [])
    make(2, components=["dns"], title={"en": "A walrus on the line", "ko": None})
    assert (reader.total(""), reader.total("?q=walrus")) == ("2 cases", "1 case")
    assert reader.total("?component=dns") == "2 cases"
    assert reader.count("component-dns") == "2"
    assert reader.near("IL-0001") == ["IL-0002"]
    assert "IL-0002" in reader.get("/en/suggest/?q=walr")[1]
    withdraw(2, {"en": "Wrong.", "ko": None})
    assert (reader.total(""), reader.total("?q=walrus"), reader.near("IL-0001")) == ("1 case", "0 cases", [])
    assert reader.count("component-dns") == "1"
    assert reader.get("/en/cases/IL-0002/")[0] == 410
    undo_withdrawal(2)
    assert reader.near("IL-0001") == ["IL-0002"]
    pairings.pair(1, 2, Pairing.Verdict.VETO, {"en": "Not alike.", "ko": None})
    assert reader.near("IL-0001") == []
    pairings.pair(1, 2, Pairing.Verdict.PIN, {"en": "Alike after all.", "ko": None})
    assert "Alike after all." in reader.get("/en/cases/IL-0002/")[1]
    merge(2, 1)
    assert (reader.total(""), reader.near("IL-0001")) == ("1 case", [])
    assert reader.get("/en/cases/IL-0002/")[0] == 301
