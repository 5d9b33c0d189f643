"""Differences of two documents, and of two texts word by word, in both languages."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.compare import Change, Piece, compare, pieces
from cases.document import CaseDocument
from cases.fields import fields
from tests.cases.making import make_document, make_raw

from .test_fields import ALPHABET, DOCUMENTS, unhurried

SUMMARY = make_document().summary
WORDS = st.sampled_from(["묶음을 ", "묶음은 ", "값", "서버에서 ", "the ", ", ", "\n\n", "16:34 ", "\u0301", "e"])
ANY_TEXT = st.text(ALPHABET, max_size=60) | st.lists(WORDS, max_size=20).map("".join) | st.text(max_size=20)


def written(marked: list[Piece]) -> str:
    """Write pieces in one line: removed in brackets, added in braces."""
    marks = {"same": "{}", "removed": "[{}]", "added": "{{{}}}"}
    return "".join(marks[piece.kind].format(piece.text) for piece in marked)


def side(marked: list[Piece], kind: str) -> str:
    return "".join(piece.text for piece in marked if piece.kind in ("same", kind))


def kinds(before: CaseDocument, after: CaseDocument) -> list[tuple[str, str]]:
    return [(change.kind, change.path) for change in compare(before, after)]


# Texts


@settings(deadline=None)
@given(ANY_TEXT, ANY_TEXT)
def test_pieces_make_both_texts_again(before: str, after: str) -> None:
    marked = pieces(before, after)
    assert side(marked, "removed") == unicodedata.normalize("NFC", before)
    assert side(marked, "added") == unicodedata.normalize("NFC", after)
    assert all(piece.text for piece in marked)
    assert all(one.kind != other.kind for one, other in pairwise(marked))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("우리는 묶음을 다시 보냈다.", "우리는 묶음은 다시 보냈다.", "우리는 묶음[을]{은} 다시 보냈다."),
        ("서버에서 값을 읽었다", "서버까지 값은 읽었다", "서버[에서]{까지} 값[을]{은} 읽었다"),
        ("각", "간", "[각]{간}"),
        ("restart the server", "restart the serer", "restart the ser[v]er"),
        ("the cat ran", "the dog ran", "the [cat]{dog} ran"),
        ("at 16:34 UTC", "at 17:34 UTC", "at [16]{17}:34 UTC"),
        ("3개를 보냈다", "3개는 보냈다", "3개[를]{는} 보냈다"),
        ("foo bar baz", "bar baz", "[foo ]bar baz"),
        ("one two", "one big two", "one{ big} two"),
        ("was send out", "was once sent out", "was{ once} sen[d]{t} out"),
        ("a\nb", "a b", "a[\n]{ }b"),
        ("A\n\nB", "A\n\nC\n\nB", "A{\n\nC}\n\nB"),
        ("A", "A\n\nB", "A{\n\nB}"),
        ("\u1112\u1161\u11ab글은", "한글을", "한글[은]{을}"),
        ("\u1140\u1161글", "\u1140\u1163글", "[\u1140\u1161]{\u1140\u1163}글"),
        ("", "new", "{new}"),
        ("old", "", "[old]"),
        ("", "", ""),
    ],
)
def test_only_what_differs_is_marked(before: str, after: str, expected: str) -> None:
    assert written(pieces(before, after)) == expected


def test_no_text_is_an_empty_one() -> None:
    assert pieces(None, "new") == [Piece("added", "new")]
    assert pieces("old", None) == [Piece("removed", "old")]


@settings(deadline=None)
@given(st.data())
def test_letter_removed_marks_at_most_its_word(data: st.DataObject) -> None:
    text = SUMMARY.en or ""
    at = data.draw(st.integers(0, len(text) - 1).filter(lambda at: text[at].isalpha()))
    marked = pieces(text, text[:at] + text[at + 1 :])
    words = [piece.text for piece in marked if piece.kind != "same"]
    assert len(words) <= 2
    assert not any(letter.isspace() for word in words for letter in word.strip())


def test_rewritten_sentence_is_no_confetti() -> None:
    before = "The overlay needs more CPU than its predecessor, may take more than it requests, and has priority."
    after = "Before the incident a new network had been rolled out; nobody had, however, measured what it took."
    assert [piece.kind for piece in pieces(before, after)] == ["removed", "added", "same"]


@pytest.mark.parametrize("separator", ["\n\n", " "])
@pytest.mark.parametrize("text", [SUMMARY.en, SUMMARY.ko])
def test_long_texts_are_compared_in_parts(text: str, separator: str) -> None:
    before = separator.join([text.replace("\n\n", separator)] * 20)[:10_000]
    words = before.split(" ")
    after = " ".join("other" if at % 7 == 0 else word for at, word in enumerate(words))
    marked = pieces(before, after)
    assert side(marked, "removed") == before
    assert side(marked, "added") == after
    assert sum(piece.kind == "same" for piece in marked) > 20


def test_text_that_would_take_too_long_counts_as_rewritten() -> None:
    marked = pieces("a b " * 5_000, "b b a " * 5_000)
    assert [piece.kind for piece in marked][:2] == ["removed", "added"]


# Documents


@unhurried
@given(DOCUMENTS)
def test_document_does_not_differ_from_itself(document: CaseDocument) -> None:
    assert compare(document, document) == []


@unhurried
@given(DOCUMENTS, DOCUMENTS)
def test_changes_tell_all_that_differs(before: CaseDocument, after: CaseDocument) -> None:
    was, now = fields(before), fields(after)
    changes = compare(before, after)
    told = {change.path for change in changes} | {path for change in changes for path in change.item}
    for path in was.keys() | now.keys():
        if was.get(path) != now.get(path) and not isinstance(now.get(path), list):
            assert path in told
    for change in changes:
        if change.pieces:
            assert side(change.pieces, "removed") == (change.before or "")
            assert side(change.pieces, "added") == (change.after or "")


def test_changed_fields_come_in_the_order_of_the_document() -> None:
    raw = make_raw()
    raw["remediation"][1]["text"]["ko"] += " 끝."
    raw["title"]["en"] = None
    changed = compare(make_document(), make_document(**{**raw, "severity": "major"}))
    assert [(change.path, change.kind) for change in changed] == [
        ("title.en", "changed"),
        ("severity", "changed"),
        ("remediation[r-3yu7yv].text.ko", "changed"),
    ]
    assert changed[0].after is None
    assert [piece.kind for piece in changed[0].pieces] == ["removed"]
    assert changed[1] == Change("severity", "changed", "unknown", "major")
    assert changed[2].pieces[-1] == Piece("added", " 끝.")


def test_lists_of_terms_have_a_before_and_an_after() -> None:
    changes = compare(make_document(), make_document(domain=["networking"]))
    assert changes == [Change("domain", "changed", ["kubernetes", "networking"], ["networking"])]


def test_event_moved_in_time_shows_the_durations_too() -> None:
    raw = make_raw()
    raw["timeline"]["events"][1]["at"] = "2026-10-19T16:40:00Z"
    changes = compare(make_document(), make_document(timeline=raw["timeline"]))
    assert [(change.path, change.before, change.after) for change in changes] == [
        ("timeline.detected_after", "4m", "6m"),
        ("timeline.events[e-tyg564].at", "2026-10-19T16:38:00Z", "2026-10-19T16:40:00Z"),
    ]


def reordered(*order: int) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = make_raw()["remediation"]
    return [steps[at] for at in order] + steps[len(order) :]


def test_two_steps_swapped_are_one_move() -> None:
    changes = compare(make_document(), make_document(remediation=reordered(0, 2, 1)))
    assert [(change.kind, change.positions) for change in changes] == [("moved", (3, 2))]


def test_as_few_items_as_possible_are_said_to_move() -> None:
    first_to_fifth = compare(make_document(), make_document(remediation=reordered(1, 2, 3, 4, 0)))
    assert [(change.path, change.positions) for change in first_to_fifth] == [("remediation[r-wwucys]", (1, 5))]
    assert len(compare(make_document(), make_document(remediation=reordered(4, 3, 2, 1, 0)))) == 4


def test_item_moved_and_edited_is_both() -> None:
    steps = reordered(1, 2, 0)
    steps[2] = {**steps[2], "kind": "rollback"}
    assert kinds(make_document(), make_document(remediation=steps)) == [
        ("moved", "remediation[r-wwucys]"),
        ("changed", "remediation[r-wwucys].kind"),
    ]


def test_items_added_and_removed_tell_what_they_hold() -> None:
    steps = make_raw()["remediation"]
    new = {"uid": "r-new", "text": {"en": "Wrote it down", "ko": None}}
    changes = compare(make_document(), make_document(remediation=[new, steps[0], *steps[2:]]))
    added, removed = changes
    assert (added.kind, added.path, added.positions) == ("added", "remediation[r-new]", (None, 1))
    assert added.item == {"remediation[r-new].text.en": "Wrote it down"}
    assert (removed.kind, removed.path, removed.positions) == ("removed", "remediation[r-3yu7yv]", (2, None))
    assert removed.item["remediation[r-3yu7yv].kind"] == "restart"
