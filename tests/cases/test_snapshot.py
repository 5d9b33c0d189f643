"""``snapshot``: all that is public, complete, the same bytes for the same library, all or nothing."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from pytest_django import Settings

from cases import exporting, snapshot
from cases.models import Check, Org, StoredCase, Term
from cases.publishing import merge, withdraw
from cases.snapshot import SnapshotError, take
from cases.vocabulary import load_vocabulary
from tests.cases.making import make_case, make_cases

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 11, 30)
SECRET = "Nobody may read this any more"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Publish a case twice, and two that are gone; return an empty folder."""
    make_case(id="IL-0001", title={"en": "One", "ko": "하나"})
    make_case(id="IL-0001", title={"en": "One anew", "ko": "하나"}, components=["never-defined"])
    make_case(id="IL-0002", title={"en": SECRET, "ko": None})
    make_case(id="IL-0003", title={"en": SECRET, "ko": None})
    withdraw(2, {"en": "It was wrong.", "ko": None})
    merge(3, 1)
    return tmp_path


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def taken(library: Path) -> Path:
    return take(library, DAY, print)


def test_every_public_case_is_there_as_the_api_gives_it(client: Client, taken: Path) -> None:
    lines = (taken / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines == [client.get("/api/cases/IL-0001").content.decode()]
    table = (taken / "cases.csv").read_text(encoding="utf-8")
    assert [row["id"] for row in csv.DictReader(StringIO(table))] == ["IL-0001"]


def test_every_line_fits_the_schema(taken: Path) -> None:
    schema = json.loads((taken / "case.schema.json").read_text(encoding="utf-8"))
    for row in rows(taken, "cases"):
        jsonschema.validate(row, schema)


@pytest.mark.usefixtures("library")
def test_no_collection_is_missing(tmp_path: Path) -> None:
    load_vocabulary()
    taken = take(tmp_path, DAY, print)
    terms = {(row["list"], row["slug"]): row for row in rows(taken, "terms")}
    assert set(terms) == set(Term.objects.values_list("list", "slug"))
    assert {row["slug"] for row in rows(taken, "orgs")} == set(Org.objects.values_list("slug", flat=True))
    assert {row["slug"] for row in rows(taken, "checks")} == set(Check.objects.values_list("slug", flat=True))
    assert min(len(rows(taken, name)) for name in ("terms", "orgs", "checks")) > 0
    assert terms["component", "dns"]["label"] == {"en": "DNS", "ko": "DNS"}
    assert terms["component", "never-defined"]["known"] is False


def test_every_term_that_a_case_uses_is_there(taken: Path) -> None:
    known = {(row["list"], row["slug"]) for row in rows(taken, "terms")}
    for case in rows(taken, "cases"):
        used = {("component", slug) for slug in case["components"]} | {("domain", slug) for slug in case["domain"]}
        used |= {("severity", case["severity"]), ("root_cause", case["root_cause"])}
        used |= {("source_kind", source["kind"]) for source in case["sources"]}
        assert used <= known


def test_every_edition_of_a_public_case_is_there(taken: Path) -> None:
    found = rows(taken, "editions")
    assert [(row["id"], row["edition"], row["document"]["title"]["en"]) for row in found] == [
        ("IL-0001", 1, "One"),
        ("IL-0001", 2, "One anew"),
    ]


def test_what_became_of_other_cases_is_told_and_nothing_else_of_them(taken: Path) -> None:
    withdrawn, merged = rows(taken, "gone")
    assert withdrawn["id"] == "IL-0002"
    assert withdrawn["withdrawn"]["reason"] == {"en": "It was wrong.", "ko": None}
    assert (merged["id"], merged["status"], merged["merged_into"]) == ("IL-0003", "merged", "IL-0001")
    assert not [name for name, data in contents(taken).items() if SECRET.encode() in data]


def test_the_checksums_fit_and_leave_nothing_out(taken: Path) -> None:
    lines = (taken / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = contents(taken)
    assert {**sums, "SHA256SUMS": ""}.keys() == files.keys()
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name in sums}


def test_the_licence_and_every_file_are_explained(taken: Path, settings: Settings, tmp_path: Path) -> None:
    text = (taken / "README.txt").read_text(encoding="utf-8")
    assert "CC BY 4.0 https://creativecommons.org/licenses/by/4.0/" in text
    assert all(name in text for name in contents(taken) if name != "README.txt")
    settings.CONTENT_LICENSE_NAME = settings.CONTENT_LICENSE_URL = ""
    assert "terms:" not in (take(tmp_path / "b", DAY, print) / "README.txt").read_text(encoding="utf-8")


def test_the_same_library_gives_the_same_bytes(taken: Path, tmp_path: Path) -> None:
    again = take(tmp_path / "elsewhere" / "deeper", DAY + dt.timedelta(days=3), print)
    assert again.name == "incidentlib-2026-12-03"
    assert contents(again) == contents(taken)


def test_there_is_nothing_but_the_snapshot_and_a_fixed_name_for_the_newest(taken: Path, tmp_path: Path) -> None:
    assert {path.name for path in tmp_path.iterdir()} == {taken.name, "latest"}
    assert (tmp_path / "latest").resolve() == taken
    newer = take(tmp_path, DAY + dt.timedelta(days=1), print)
    assert (tmp_path / "latest").resolve() == newer
    assert (tmp_path / "latest" / "SHA256SUMS").is_file()


def test_a_snapshot_is_never_written_over(taken: Path, tmp_path: Path) -> None:
    before = contents(taken)
    make_case(id="IL-0009")
    with pytest.raises(SnapshotError, match="exists already"):
        take(tmp_path, DAY, print)
    assert contents(taken) == before
    assert {path.name for path in tmp_path.iterdir()} == {taken.name, "latest"}


@pytest.mark.usefixtures("library")
def test_a_snapshot_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Iterator[dict[str, Any]]:
        yield {}
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshot, "checks", fails)
    with pytest.raises(CommandError, match="No space left"):
        call_command("snapshot", str(tmp_path / "new"))
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.usefixtures("library")
def test_what_is_published_meanwhile_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    publishes_once(monkeypatch, times=1)
    written = take(tmp_path, DAY, said.append)
    assert said == ["The library changed meanwhile; beginning again."]
    assert [row["id"] for row in rows(written, "cases")] == ["IL-0001", "IL-0100"]
    assert {path.name for path in tmp_path.iterdir()} == {written.name, "latest"}


@pytest.mark.usefixtures("library")
def test_a_library_that_keeps_changing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publishes_once(monkeypatch, times=10)
    with pytest.raises(SnapshotError, match="kept changing"):
        take(tmp_path, DAY, print)
    assert list(tmp_path.iterdir()) == []


def publishes_once(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Publish a case each time the checks are written, the first so many times."""
    numbers, write = iter(range(100, 100 + times)), exporting.checks

    def publishing() -> Iterator[dict[str, Any]]:
        for number in numbers:
            make_case(id=f"IL-0{number}")
            break
        yield from write()

    monkeypatch.setattr(snapshot, "checks", publishing)


def test_long_work_says_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "SAYS_EVERY", 2)
    make_cases([{"id": f"IL-000{number}"} for number in range(1, 6)])
    said: list[str] = []
    take(tmp_path, DAY, said.append)
    assert said[:2] == ["cases.jsonl: 2 lines", "cases.jsonl: 4 lines"]


def test_the_command_says_where_it_wrote(tmp_path: Path) -> None:
    out = StringIO()
    call_command("snapshot", str(tmp_path), stdout=out)
    (written,) = [path for path in tmp_path.iterdir() if not path.is_symlink()]
    assert out.getvalue() == f"Wrote {written}\n"
    assert (written / "cases.jsonl").read_bytes() == b""
    assert "change 0 of the library (nothing published yet)" in (written / "README.txt").read_text(encoding="utf-8")
    assert StoredCase.objects.count() == 0
    with pytest.raises(CommandError, match="exists already"):
        call_command("snapshot", str(tmp_path))


def test_a_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CommandError):
        call_command("snapshot", str(tmp_path / "file"))
    assert (tmp_path / "file").read_text() == "mine"
