"""Merging two people's changes: what goes together, what is a conflict, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cases.document import CaseDocument
from cases.fields import ITEM_LISTS, build, fields, item_of, language_of
from review.merge import Conflict, Merge, Own, merge
from tests.cases.making import make_document, make_raw
from tests.cases.test_fields import CLAIM, DOCUMENTS, LINES, unhurried

Edit = Callable[[dict[str, Any]], object]
BASE = make_document()


def edited(*edits: Edit, base: CaseDocument = BASE) -> CaseDocument:
    raw = base.model_dump(mode="json")
    for edit in edits:
        edit(raw)
    return CaseDocument.model_validate({**raw, "impact": {}})


def text(key: str, language: str, value: str | None) -> Edit:
    return lambda raw: raw[key].update({language: value})


def step(uid: str, **changes: Any) -> Edit:
    return lambda raw: next(one for one in raw["remediation"] if one["uid"] == uid).update(changes)


def without(uid: str, key: str = "remediation") -> Edit:
    return lambda raw: raw.update({key: [one for one in raw[key] if one["uid"] != uid]})


def with_step(at: int, uid: str) -> Edit:
    return lambda raw: raw["remediation"].insert(at, {"uid": uid, "text": {"en": f"Step {uid}", "ko": None}})


def order(*uids: str) -> Edit:
    return lambda raw: raw["remediation"].sort(key=lambda one: uids.index(one["uid"]) if one["uid"] in uids else 99)


def event(uid: str, at: str) -> Edit:
    return lambda raw: next(one for one in raw["timeline"]["events"] if one["uid"] == uid).update(at=at)


def claim(**changes: Any) -> Edit:
    return lambda raw: raw["claims"].append({**CLAIM, **changes})


def uids(document: CaseDocument | None) -> list[str]:
    assert document is not None
    return [one.uid for one in document.remediation]


FIRST, SECOND, THIRD, *OTHERS = uids(BASE)


def only_conflict(merged: Merge) -> Conflict:
    assert merged.document is None
    (conflict,) = merged.conflicts
    return conflict


# What goes together


def test_english_and_korean_go_together() -> None:
    merged = merge(BASE, edited(text("summary", "en", "Theirs.")), edited(text("summary", "ko", "내 것.")))
    assert merged.conflicts == []
    assert merged.document == edited(text("summary", "en", "Theirs."), text("summary", "ko", "내 것."))
    assert merged.taken_from_theirs == ["summary.en"]


def test_equal_changes_count_as_one() -> None:
    merged = merge(BASE, edited(text("title", "en", "Same")), edited(text("title", "en", "Same")))
    assert merged.document == edited(text("title", "en", "Same"))
    assert merged.taken_from_theirs == []


def test_different_fields_of_one_item_go_together() -> None:
    merged = merge(BASE, edited(step(FIRST, kind="rollback")), edited(step(FIRST, text={"en": "Mine", "ko": "나"})))
    assert merged.document == edited(step(FIRST, kind="rollback", text={"en": "Mine", "ko": "나"}))
    assert merged.taken_from_theirs == [f"remediation[{FIRST}].kind"]


def test_additions_of_both_are_kept_theirs_first() -> None:
    merged = merge(BASE, edited(with_step(1, "r-theirs")), edited(with_step(1, "r-mine")))
    assert uids(merged.document) == [FIRST, "r-theirs", "r-mine", SECOND, THIRD, *OTHERS]
    assert merged.taken_from_theirs == ["remediation[r-theirs]"]


@pytest.mark.parametrize("theirs_moves", [True, False])
def test_order_of_one_and_addition_of_the_other_go_together(theirs_moves: bool) -> None:  # noqa: FBT001  (a parameter)
    moved, added = edited(order(SECOND, FIRST, THIRD, *OTHERS)), edited(with_step(1, "r-new"))
    merged = merge(BASE, moved, added) if theirs_moves else merge(BASE, added, moved)
    assert uids(merged.document) == [SECOND, FIRST, "r-new", THIRD, *OTHERS]
    assert merged.taken_from_theirs == (["remediation"] if theirs_moves else ["remediation[r-new]"])


def test_deletion_of_one_holds() -> None:
    merged = merge(BASE, edited(without(FIRST)), edited(without(SECOND), with_step(0, "r-new")))
    assert uids(merged.document) == ["r-new", THIRD, *OTHERS]
    assert merged.taken_from_theirs == [f"remediation[{FIRST}]"]


def test_item_added_by_both_under_one_uid_stands_once() -> None:
    merged = merge(BASE, edited(with_step(1, "r-new")), edited(with_step(2, "r-new")))
    assert uids(merged.document) == [FIRST, "r-new", SECOND, THIRD, *OTHERS]


def test_computed_durations_are_nobodys_change() -> None:
    theirs = edited(event("e-tyg564", "2026-10-19T16:40:00Z"))
    mine = edited(event("e-gpi36i", "2026-10-19T16:30:00Z"))
    merged = merge(BASE, theirs, mine)
    assert merged.document is not None
    assert merged.document.timeline.detected_after == "10m"


# Conflicts


def test_one_text_changed_by_both_is_a_conflict() -> None:
    merged = merge(BASE, edited(text("title", "en", "Theirs")), edited(text("title", "en", "Mine")))
    assert only_conflict(merged) == Conflict("title.en", BASE.title.en, "Theirs", "Mine")
    assert merged.taken_from_theirs == []
    assert merged.resolved({"title.en": "theirs"})["title"]["en"] == "Theirs"
    assert merged.resolved({"title.en": "mine"})["title"]["en"] == "Mine"
    assert merged.resolved({"title.en": Own("mine")})["title"]["en"] == "mine"


def test_conflict_without_a_choice_is_not_decided_silently() -> None:
    merged = merge(BASE, edited(text("title", "en", "Theirs")), edited(text("title", "en", "Mine")))
    with pytest.raises(KeyError, match=r"title\.en"):
        merged.resolved({})


@pytest.mark.parametrize("deleted_by_me", [True, False])
def test_item_edited_by_one_and_deleted_by_the_other(deleted_by_me: bool) -> None:  # noqa: FBT001  (a parameter)
    changed, deleted = edited(step(SECOND, kind="rollback")), edited(without(SECOND))
    merged = merge(BASE, changed, deleted) if deleted_by_me else merge(BASE, deleted, changed)
    conflict = only_conflict(merged)
    keeper, deleter = (conflict.theirs, conflict.mine) if deleted_by_me else (conflict.mine, conflict.theirs)
    path = f"remediation[{SECOND}]"
    assert conflict.path == path
    assert deleter is None
    assert isinstance(keeper, Mapping)
    assert keeper[f"{path}.kind"] == "rollback"
    for choice in ("theirs", "mine"):
        raw = merged.resolved({path: choice})
        kept = (choice == "mine") != deleted_by_me
        assert CaseDocument.model_validate(raw) == (changed if kept else deleted)
    own = merged.resolved({path: Own({**keeper, f"{path}.kind": "restart"})})
    assert CaseDocument.model_validate(own) == BASE


def test_two_orders_are_a_conflict_that_loses_no_item() -> None:
    theirs = edited(order(SECOND, FIRST, THIRD, *OTHERS), with_step(0, "r-theirs"))
    mine = edited(order(THIRD, FIRST, SECOND, *OTHERS), with_step(0, "r-mine"))
    merged = merge(BASE, theirs, mine)
    conflict = only_conflict(merged)
    assert (conflict.path, conflict.base) == ("remediation", uids(BASE))
    assert (conflict.theirs, conflict.mine) == (uids(theirs), uids(mine))

    def resolved(choice: Any) -> list[str]:
        return uids(CaseDocument.model_validate(merged.resolved({"remediation": choice})))

    assert resolved("theirs") == ["r-theirs", "r-mine", SECOND, FIRST, THIRD, *OTHERS]
    assert resolved("mine") == ["r-mine", "r-theirs", THIRD, FIRST, SECOND, *OTHERS]
    assert set(resolved(Own([THIRD, THIRD, "r-nobody"]))) == {*uids(theirs), *uids(mine)}
    assert resolved(Own([THIRD]))[-1] != THIRD


def test_item_conflict_inside_an_order_conflict() -> None:
    theirs = edited(order(SECOND, FIRST), without(OTHERS[0]))
    mine = edited(order(THIRD, FIRST), step(OTHERS[0], kind="rollback"))
    merged = merge(BASE, theirs, mine)
    item = f"remediation[{OTHERS[0]}]"
    assert [conflict.path for conflict in merged.conflicts] == [item, "remediation"]
    assert OTHERS[0] in [one["uid"] for one in merged.resolved({item: "mine", "remediation": "theirs"})["remediation"]]
    assert len(merged.resolved({item: "theirs", "remediation": "mine"})["remediation"]) == len(uids(BASE)) - 1


# Changes that are fine alone but not together


def test_claim_on_an_item_that_the_other_deleted() -> None:
    mine = edited(claim(path=f"remediation[{SECOND}].text"), text("title", "en", "Mine"))
    merged = merge(BASE, edited(without(SECOND), text("title", "ko", "그들")), mine)
    item, added = merged.conflicts
    assert (item.path, item.theirs) == (f"remediation[{SECOND}]", None)
    assert (added.path, added.base, added.theirs) == ("claims[c-1]", None, None)
    assert item.reason == added.reason
    assert f"claim c-1 speaks of remediation[{SECOND}].text" in str(item.reason and item.reason.text())
    assert merged.taken_from_theirs == ["title.ko"]
    kept = CaseDocument.model_validate(merged.resolved({item.path: "mine", added.path: "mine"}))
    assert kept == edited(lambda raw: raw.update(mine.model_dump(mode="json")), text("title", "ko", "그들"))
    gone = CaseDocument.model_validate(merged.resolved({item.path: "theirs", added.path: "theirs"}))
    assert gone.claims == []
    with pytest.raises(ValidationError):
        CaseDocument.model_validate(merged.resolved({item.path: "theirs", added.path: "mine"}))


def test_last_text_of_a_pair_removed_by_both_in_turn() -> None:
    merged = merge(BASE, edited(text("title", "en", None)), edited(text("title", "ko", None)))
    assert [conflict.path for conflict in merged.conflicts] == ["title.en", "title.ko"]
    assert all(conflict.reason and conflict.reason.path == ("title",) for conflict in merged.conflicts)


def test_several_reasons_are_all_told() -> None:
    mine = edited(
        claim(path=f"remediation[{SECOND}].text"),
        claim(uid="c-2", path=f"remediation[{SECOND}].kind"),
        text("title", "ko", None),
    )
    merged = merge(BASE, edited(without(SECOND), text("title", "en", None)), mine)
    paths = {conflict.path for conflict in merged.conflicts}
    assert paths == {f"remediation[{SECOND}]", "claims[c-1]", "claims[c-2]", "title.en", "title.ko"}


def test_duration_stated_by_one_and_computed_from_the_events_of_both() -> None:
    base = make_document(timeline={"detected_after": None, "resolved_after": None, "events": [], "windows": []})

    def happened(kind: str, minute: int) -> Edit:
        row = {"uid": f"e-{minute}", "at": f"2026-10-19T16:{minute}:00Z", "kind": kind}
        return lambda raw: raw["timeline"]["events"].append(row)

    theirs = edited(happened("impact-started", 10), base=base)
    mine = edited(
        happened("detected", 20), lambda raw: raw["timeline"].update(detected_after="some minutes"), base=base
    )
    merged = merge(base, theirs, mine)
    assert "timeline.detected_after" in [conflict.path for conflict in merged.conflicts]
    assert {str(conflict.reason and conflict.reason.text()) for conflict in merged.conflicts} == {
        "timeline, detected after: the events of both give 10m, which would replace some minutes"
    }
    choices = {conflict.path: "theirs" if conflict.mine is None else "mine" for conflict in merged.conflicts}
    raw = merged.resolved({**choices, "timeline.detected_after": "theirs"})  # type: ignore[dict-item]  # str, to mypy
    assert CaseDocument.model_validate(raw).timeline.detected_after == "10m"


def test_changes_that_clash_in_threes_are_all_open() -> None:
    """Taking back one of two additions to a full list is not enough: then all that is open is asked."""
    base = make_document(docs=[], remediation=[_plain(at) for at in range(398)])
    theirs = edited(lambda raw: raw["remediation"].extend([_plain(500), _plain(501)]), base=base)
    mine = edited(lambda raw: raw["remediation"].extend([_plain(600), _plain(601)]), base=base)
    merged = merge(base, theirs, mine)
    assert len(merged.conflicts) == 4
    raw = merged.resolved({conflict.path: "theirs" for conflict in merged.conflicts})
    assert CaseDocument.model_validate(raw) == theirs


def _plain(number: int) -> dict[str, Any]:
    return {"uid": f"r-{number}", "text": {"en": "Step", "ko": None}}


# Always


@st.composite
def edited_documents(draw: st.DrawFn, base: CaseDocument) -> CaseDocument:
    """Change some fields, drop, add and move some items; what is not valid is not changed at all."""
    told = fields(base)
    for path in draw(st.lists(st.sampled_from(sorted(told)), max_size=5, unique=True)):
        value = told.get(path)
        if path in ITEM_LISTS and isinstance(value, list):
            kept = draw(st.permutations(value))[: draw(st.integers(max(0, len(value) - 1), len(value)))]
            dropped = {f"{path}[{uid}]" for uid in value if uid not in kept}
            told = {key: one for key, one in told.items() if item_of(key) not in dropped} | {path: kept}
        elif language_of(path) and path in told:
            told[path] = draw(st.none() | LINES)
    if draw(st.booleans()):
        uid = f"r-{draw(st.integers(31, 60))}"
        steps = told["remediation"]
        assert isinstance(steps, list)
        at = draw(st.integers(0, len(steps)))
        told["remediation"] = [*steps[:at], uid, *steps[at:]]
        told[f"remediation[{uid}].text.en"] = draw(LINES)
    try:
        return CaseDocument.model_validate(build(told, base.id))
    except ValidationError:
        return base


@st.composite
def three(draw: st.DrawFn) -> tuple[CaseDocument, CaseDocument, CaseDocument]:
    base = draw(DOCUMENTS)
    return base, draw(edited_documents(base)), draw(edited_documents(base))


@unhurried
@given(three())
def test_change_of_one_alone_is_the_result(documents: tuple[CaseDocument, CaseDocument, CaseDocument]) -> None:
    base, theirs, mine = documents
    assert merge(base, base, mine).document == mine
    assert merge(base, theirs, base).document == theirs
    assert merge(base, theirs, theirs).document == theirs
    assert merge(base, base, mine).taken_from_theirs == []


@unhurried
@given(three())
def test_either_side_sees_the_same_merge(documents: tuple[CaseDocument, CaseDocument, CaseDocument]) -> None:
    base, theirs, mine = documents
    one, other = merge(base, theirs, mine), merge(base, mine, theirs)
    assert {conflict.path for conflict in one.conflicts if not conflict.reason} == {
        conflict.path for conflict in other.conflicts if not conflict.reason
    }
    assert (one.document is None) == (other.document is None)
    if one.document is not None and other.document is not None:
        left, right = fields(one.document), fields(other.document)
        assert left.keys() == right.keys()
        for path, value in left.items():
            twin = right[path]
            assert value == twin or (isinstance(value, list) and isinstance(twin, list) and set(value) == set(twin))


@unhurried
@given(three())
def test_no_new_text_is_lost(documents: tuple[CaseDocument, CaseDocument, CaseDocument]) -> None:
    base, theirs, mine = documents
    merged = merge(base, theirs, mine)
    was = fields(base)
    kept = _said(merged.resolved({conflict.path: "theirs" for conflict in merged.conflicts}))
    for conflict in merged.conflicts:
        for content in (conflict.theirs, conflict.mine):
            kept |= _said(list(content.values())) if isinstance(content, Mapping) else {str(content)}
    for document in (theirs, mine):
        new = {path: value for path, value in fields(document).items() if value != was.get(path)}
        assert {value for path, value in new.items() if isinstance(value, str) and language_of(path)} <= kept


@unhurried
@given(three())
def test_no_item_is_lost_by_an_order(documents: tuple[CaseDocument, CaseDocument, CaseDocument]) -> None:
    base, theirs, mine = documents
    merged = merge(base, theirs, mine)
    for path in ITEM_LISTS:
        orders = [fields(document)[path] for document in documents]
        was, *sides = [set(order) if isinstance(order, list) else set() for order in orders]
        added = set().union(*(side - was for side in sides))
        choices: dict[str, Any] = {conflict.path: "mine" for conflict in merged.conflicts}
        here = fields_of(merged, choices)[path]
        there = fields_of(merged, {**choices, **dict.fromkeys(choices, "theirs")})[path]
        assert added | (was & sides[0] & sides[1]) <= {*here, *there}


def fields_of(merged: Merge, choices: dict[str, Any]) -> dict[str, list[str]]:
    raw = merged.resolved(choices)
    lists = {path: raw.get(path) if "." not in path else raw["timeline"][path.split(".")[1]] for path in ITEM_LISTS}
    return {path: [item["uid"] for item in rows or []] for path, rows in lists.items()}


def _said(raw: Any) -> set[Any]:
    if isinstance(raw, dict):
        return set().union(*map(_said, raw.values()))
    if isinstance(raw, list):
        return set().union(*map(_said, raw))
    return {raw}


def test_sample_raw_is_left_alone() -> None:
    assert edited() == make_document(**make_raw())
