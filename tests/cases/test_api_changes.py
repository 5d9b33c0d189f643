"""The log of changes: in order, from a cursor or a time, and enough for a copy that stays equal to the library."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cases.cursors import write_cursor
from cases.document import write_json
from cases.exporting import export
from cases.importing import Importer, Place
from cases.models import Case
from cases.publishing import merge, remove_examples, undo_merge, undo_withdrawal, withdraw
from tests.cases.making import make_case, make_raw
from tests.cases.mirroring import Mirror, exported, get, own

pytestmark = pytest.mark.django_db


def import_case(**changes: Any) -> None:
    importer = Importer()
    text = write_json(make_raw(**changes)).encode()
    list(importer.run([(Place("case.json"), text)]))
    assert importer.report.counts["refused"] == 0, importer.report.notes


def test_each_change_is_a_line_with_how_the_case_stands_now(client: Client) -> None:
    make_case(id="IL-0001")
    make_case(id="IL-0002")
    make_case(id="IL-0001")
    merge(2, 1)
    answer = get(client)
    assert list(answer) == ["next", "more", "changes"]
    assert [(line["id"], line["kind"], line["status"], line["edition"]) for line in answer["changes"]] == [
        ("IL-0001", "published", "published", 2),
        ("IL-0002", "published", "merged", 1),
        ("IL-0001", "published", "published", 2),
        ("IL-0002", "merged", "merged", 1),
        ("IL-0001", "aliases", "published", 2),
    ]
    assert [line["sequence"] for line in answer["changes"]] == [1, 2, 3, 4, 5]
    assert answer["changes"][1]["merged_into"] == "IL-0001"
    assert all(line["case"] is None for line in answer["changes"])
    assert answer["more"] is False


def test_an_empty_log_has_a_cursor(client: Client) -> None:
    answer = get(client)
    assert (answer["changes"], answer["more"]) == ([], False)
    make_case(id="IL-0001")
    assert [line["id"] for line in get(client, since=answer["next"])["changes"]] == ["IL-0001"]


def test_a_cursor_goes_on_and_stays_where_nothing_follows(client: Client) -> None:
    for number in range(1, 6):
        make_case(id=f"IL-000{number}")
    first = get(client, limit=2)
    assert first["more"] is True
    second = get(client, limit=3, since=first["next"])
    assert [line["sequence"] for line in second["changes"]] == [3, 4, 5]
    assert get(client, since=second["next"]) == {"next": second["next"], "more": False, "changes": []}


def test_a_time_begins_with_what_happened_then(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2, 3):
        moment = dt.datetime(2026, 11, number, 9, 30, tzinfo=dt.UTC)
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        make_case(id=f"IL-000{number}")
    assert [line["sequence"] for line in get(client, since="2026-11-02T09:30:00Z")["changes"]] == [2, 3]
    assert [line["sequence"] for line in get(client, since="2026-11-02T18:30:01+09:00")["changes"]] == [3]
    assert len(get(client, since="2020-01-01")["changes"]) == 3
    assert len(get(client, since="2020-01-01T00:00:00+09:00")["changes"]) == 3
    late = get(client, since="2199-01-01T00:00Z")
    assert late["changes"] == []
    make_case(id="IL-0004")
    assert [line["id"] for line in get(client, since=late["next"])["changes"]] == ["IL-0004"]


@pytest.mark.parametrize(
    "since", ["yesterday", "2026-02-30", "2026-01-01T25:00Z", "0001-01-01T00:00+14:00", "20260101"]
)
def test_what_is_neither_cursor_nor_time_is_refused(client: Client, since: str) -> None:
    response = client.get("/api/changes", {"since": since})
    assert response.status_code == 400
    assert response.json()["parameter"] == "since"


def test_a_library_that_was_put_back_says_that_its_log_does_not_lead_on(client: Client) -> None:
    make_case(id="IL-0001")
    response = client.get("/api/changes", {"since": write_cursor("changes", (1, 12345))})
    assert response.status_code == 410
    assert response.json()["parameter"] == "since"
    assert client.get("/api/changes", {"since": write_cursor("changes", (9, 1))}).status_code == 410


def test_a_copy_that_follows_the_log_ends_equal_to_the_export(client: Client) -> None:
    mirror = Mirror(client)
    for number in range(1, 7):
        make_case(id=f"IL-000{number}")
    mirror.follow()
    assert own(mirror.cases) == own(exported(client))
    make_case(id="IL-0001", severity="minor")
    withdraw(2, {"en": "The source was wrong.", "ko": None})
    merge(3, 4)
    merge(5, 4)
    import_case(id="IL-0006", org="LiveKit", severity="critical")
    import_case(id="IL-0007")
    mirror.follow()
    assert sorted(mirror.cases) == ["IL-0001", "IL-0004", "IL-0006", "IL-0007"]
    assert mirror.cases["IL-0004"]["aliases"] == ["IL-0003", "IL-0005"]
    assert own(mirror.cases) == own(exported(client))
    undo_withdrawal(2)
    undo_merge(3)
    mirror.follow()
    assert mirror.cases["IL-0004"]["aliases"] == ["IL-0005"]
    assert own(mirror.cases) == own(exported(client))


def test_a_copy_loses_the_examples_that_are_removed(client: Client) -> None:
    mirror = Mirror(client)
    make_case(id="IL-0001")
    make_case(id="IL-9001", example=True)
    merge(9001, 1)
    make_case(id="IL-9002", example=True)
    mirror.follow()
    remove_examples()
    mirror.follow()
    assert list(mirror.cases) == ["IL-0001"]
    assert get(client)["changes"][-2]["status"] == "removed"
    assert own(mirror.cases) == own(exported(client))


def test_a_restored_case_changes_the_aliases_of_its_target_once(client: Client) -> None:
    make_case(id="IL-0001")
    make_case(id="IL-0002", columns={"status": Case.Status.MERGED, "merged_into": 1})
    make_case(id="IL-0002")
    kinds = [(line["id"], line["kind"]) for line in get(client)["changes"]]
    assert kinds[1:] == [
        ("IL-0002", "published"),
        ("IL-0001", "aliases"),
        ("IL-0002", "published"),
        ("IL-0001", "aliases"),
    ]
    assert dict(export(None, file_format="jsonl", everything=False)).keys() == {1, 2}
