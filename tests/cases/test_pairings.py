"""What the editors decide of two cases, pinned to each other or kept apart, as readers and programs see it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from cases import catalog, pairings
from cases.document.public import SimilarCase
from cases.models import Case, CatalogRow, Change, Pairing
from cases.publishing import WrongStatus, merge, remove_examples, undo_withdrawal, withdraw
from cases.similarity import as_json, neighbours
from tests.cases.making import make_case
from tests.cases.test_similarity import make, numbers_near

pytestmark = pytest.mark.django_db

PIN, VETO = Pairing.Verdict.PIN, Pairing.Verdict.VETO
NOTE: dict[Any, Any] = {"en": "The same <b> pager rule.", "ko": None}
WHY: dict[Any, Any] = {"en": "Only the words agree.", "ko": "낱말만 같다."}


def three_cases() -> None:
    """IL-0002 shares a component with IL-0001, IL-0003 nothing."""
    make(1, components=["dns"])
    make(2, components=["dns"], title={"en": "Names were not found", "ko": None})
    make(3, title={"en": "Pages to nobody", "ko": "아무에게도 가지 않은 호출"})


def test_a_pin_comes_first_on_both_sides_with_its_note() -> None:
    three_cases()
    pairings.pair(3, 1, PIN, NOTE)
    assert (numbers_near(1), numbers_near(3)) == ([3, 2], [1])
    pinned, computed = neighbours(1)
    assert (pinned.by_editor, pinned.note and pinned.note.en, pinned.reasons) == (
        True,
        NOTE["en"],
        (("editor-related", ()),),
    )
    assert (computed.by_editor, computed.note) == (False, None)


def test_a_veto_keeps_two_apart_and_moves_the_rest_up() -> None:
    three_cases()
    pairings.pair(1, 2, VETO, WHY)
    assert (numbers_near(1), numbers_near(2)) == ([], [])
    for number in range(4, 16):
        make(number, components=["dns"])
    assert numbers_near(1) == list(range(15, 5, -1))
    pairings.pair(15, 1, VETO, WHY)
    assert numbers_near(1) == list(range(14, 4, -1))


def test_a_later_decision_takes_the_place_of_an_earlier_one_and_can_be_taken_back() -> None:
    three_cases()
    pairings.pair(1, 2, VETO, WHY)
    pairings.pair(2, 1, PIN, NOTE)
    assert Pairing.objects.count() == 1
    assert neighbours(1)[0].by_editor
    pairings.unpair(1, 2)
    assert [one.by_editor for one in neighbours(1)] == [False]
    with pytest.raises(WrongStatus):
        pairings.unpair(1, 2)


def test_what_a_case_names_itself_and_what_came_back_stay_in_spite_of_a_veto() -> None:
    make(1, components=["dns"], related=["IL-0002"])
    make(2, components=["dns"])
    make(3, components=["dns"], recurrence_of="IL-0001")
    for other in (2, 3):
        pairings.pair(1, other, VETO, WHY)
    assert [(near.number, near.reasons[0][0]) for near in neighbours(1)] == [
        (3, "recurrence-of"),
        (2, "editor-related"),
    ]


def test_named_in_the_case_and_pinned_it_stands_there_once() -> None:
    make(1, related=["IL-0002"])
    make(2)
    pairings.pair(1, 2, PIN, NOTE)
    (near,) = neighbours(1)
    assert near.reasons == (("editor-related", ()),)
    assert near.note is not None


def test_only_public_cases_of_one_kind_are_paired() -> None:
    three_cases()
    make(9001, example=True)
    for number, other in ((1, 1), (1, 99), (1, 9001)):
        with pytest.raises(WrongStatus):
            pairings.pair(number, other, PIN, NOTE)
    withdraw(3, {"en": "Wrong.", "ko": None})
    with pytest.raises(WrongStatus):
        pairings.pair(1, 3, PIN, NOTE)
    assert not Pairing.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"first": 2, "second": 1, "verdict": "pin", "note_en": "x"},
        {"first": 1, "second": 1, "verdict": "pin", "note_en": "x"},
        {"first": 1, "second": 2, "verdict": "best", "note_en": "x"},
        {"first": 1, "second": 2, "verdict": "pin"},
    ],
)
def test_the_database_refuses_what_is_no_decision(wrong: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Pairing.objects.create(**wrong)


def test_a_pin_waits_while_a_case_is_withdrawn_and_follows_a_merge() -> None:
    three_cases()
    pairings.pair(1, 3, PIN, NOTE)
    withdraw(3, {"en": "Wrong.", "ko": None})
    assert numbers_near(1) == [2]
    undo_withdrawal(3)
    assert numbers_near(1) == [3, 2]
    merge(3, 2)
    assert [(near.number, near.by_editor) for near in neighbours(1)] == [(2, True)]


def test_a_decision_is_a_change_of_both_cases() -> None:
    three_cases()
    before = catalog.current()
    pairings.pair(1, 3, PIN, NOTE)
    changes = Change.objects.filter(kind=Change.Kind.PAIRED).values_list("number", flat=True)
    assert sorted(changes) == [1, 3]
    assert catalog.current() is not before
    assert before.near(1)[0].number == 2


def test_a_new_edition_keeps_what_was_decided() -> None:
    three_cases()
    pairings.pair(1, 3, PIN, NOTE)
    make(1, components=["cache"])
    assert numbers_near(1) == [3]


def test_decisions_leave_with_the_examples() -> None:
    make(9001, example=True)
    make(9002, example=True)
    pairings.pair(9001, 9002, PIN, NOTE)
    remove_examples()
    assert not Pairing.objects.exists()
    assert not CatalogRow.objects.exists()


# As readers and programs get it


def test_the_page_parts_what_came_back_what_was_chosen_and_what_is_computed(client: Client) -> None:
    three_cases()
    make(4, recurrence_of="IL-0001")
    make(5, recurrence_of="IL-0004")
    pairings.pair(1, 3, PIN, NOTE)
    english, korean = (client.get(f"/{language}/cases/IL-0001/").content.decode() for language in ("en", "ko"))
    parts = english.split('<ul class="related related-')
    groups = [
        (part.partition('"')[0], [number in part for number in ("IL-0002", "IL-0003", "IL-0004", "IL-0005")])
        for part in parts[1:]
    ]
    assert [name for name, _ in groups] == ["chain", "chosen", "alike"]
    assert groups[0][1] == [False, False, True, True]
    assert "The same &lt;b&gt; pager rule." in parts[2]
    assert "shared dns" in parts[3]
    assert '<span lang="en">The same &lt;b&gt; pager rule.</span>' in korean
    assert "영어로만 제공" in korean


def test_the_page_changes_its_etag_with_a_decision(client: Client) -> None:
    three_cases()
    tags = {client.get("/en/cases/IL-0003/").headers["ETag"]}
    pairings.pair(1, 3, PIN, NOTE)
    tags.add(client.get("/en/cases/IL-0003/").headers["ETag"])
    pairings.unpair(1, 3)
    tags.add(client.get("/en/cases/IL-0003/").headers["ETag"])
    assert len(tags) == 3


def test_programs_get_the_note_and_the_reason_in_words() -> None:
    three_cases()
    pairings.pair(1, 3, PIN, NOTE)
    pinned, computed = as_json(neighbours(1), catalog.current().labels)
    SimilarCase.model_validate(pinned)
    assert pinned["note"] == NOTE
    assert pinned["text"]["en"] == f"chosen by the editors: {NOTE['en']}"
    assert NOTE["en"] not in pinned["text"]["ko"]
    assert computed["note"] is None


def test_no_case_row_is_touched_by_a_decision() -> None:
    make_case(id="IL-0001")
    make_case(id="IL-0002")
    before = list(Case.objects.values())
    pairings.pair(1, 2, PIN, NOTE)
    assert list(Case.objects.values()) == before
