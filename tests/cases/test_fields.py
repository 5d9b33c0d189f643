"""Fields of a document: addresses, the way back, what belongs to a language, how a field is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases.document import CaseDocument
from cases.fields import (
    build,
    by_item,
    facts,
    fields,
    item_of,
    label_parts,
    language_of,
    scopes_changed,
    texts,
    woven,
)
from tests.cases.making import make_document, make_raw

# Whole documents are slow to draw, and more so on a busy machine.
unhurried = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None, max_examples=50
)

ALPHABET = "abc XYZ 09 ,.`-_한글은을가 각힣\n\u200b\u1112\u1161\u0301é"
TEXTS = st.text(ALPHABET, min_size=1, max_size=30).map(lambda text: f"{text.strip()}.")
LINES = TEXTS.map(lambda text: " ".join(text.split()))
SLUGS = st.from_regex(r"[a-z]{1,5}(-[a-z0-9]{1,3})?", fullmatch=True)
TERMS = st.lists(SLUGS, max_size=3, unique=True)
MAYBE_PAIRS = st.none() | st.fixed_dictionaries({"en": st.none() | TEXTS, "ko": st.none() | TEXTS})
INSTANTS = st.integers(0, 59).map(lambda minute: f"2026-10-19T16:{minute:02d}:00Z")
SOURCE = "s-first"


def told(texts: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, str | None]]:
    both: st.SearchStrategy[dict[str, str | None]] = st.fixed_dictionaries({"en": texts, "ko": texts})
    return both | texts.map(lambda text: {"en": text, "ko": None}) | texts.map(lambda text: {"en": None, "ko": text})


def items(letter: str, **keys: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    uids = st.integers(0, 30).map(lambda number: f"{letter}-{number}")
    one = st.fixed_dictionaries({"uid": uids, **keys})
    return st.lists(one, max_size=3, unique_by=lambda item: item["uid"])


SOURCES = items(
    "s",
    url=st.just("https://status.example.org/"),
    kind=SLUGS,
    title=st.none() | LINES,
    machine_translated=st.booleans(),
    fetched_at=st.none() | INSTANTS,
).map(lambda found: [{"uid": SOURCE, "url": "https://example.org/1", "kind": "blog"}, *found])
EVENT_KINDS = st.sampled_from(["impact-started", "detected", "note", "resolved"])
TIMELINES = st.fixed_dictionaries(
    {
        "detected_after": st.none() | st.sampled_from(["4m", "60m", "some hours"]),
        "resolved_after": st.none() | LINES,
        "events": items("e", at=INSTANTS, kind=EVENT_KINDS, text=MAYBE_PAIRS, source=st.sampled_from([SOURCE, None])),
        "windows": items("w", start=INSTANTS, region=MAYBE_PAIRS),
    }
)
RAW = st.fixed_dictionaries(
    {
        "id": st.just("IL-0561"),
        "org": LINES,
        "date": st.just("2026-10-19"),
        "docs": st.lists(st.sampled_from(["https://example.org/a", "https://example.org/b"]), max_size=2),
        "title": told(LINES),
        "domain": TERMS,
        "lessons": MAYBE_PAIRS,
        "related": st.lists(st.sampled_from(["IL-0001", "IL-0002"]), max_size=2, unique=True),
        "sources": SOURCES,
        "summary": told(TEXTS),
        "severity": SLUGS,
        "timeline": TIMELINES,
        "root_cause": st.none() | SLUGS,
        "remediation": items("r", text=told(TEXTS), kind=st.none() | SLUGS),
        "action_items": items("a", text=told(TEXTS), status=st.sampled_from([None, "done"])),
        "impact_text": st.fixed_dictionaries({"scope": MAYBE_PAIRS, "users": MAYBE_PAIRS}),
        "claims": items("c", path=st.just("title"), source=st.just(SOURCE), quote=TEXTS, note=MAYBE_PAIRS),
        "example": st.booleans(),
        "checks": items("k", question=told(TEXTS), how=MAYBE_PAIRS, command=st.none() | TEXTS),
    }
)
DOCUMENTS = RAW.map(CaseDocument.model_validate)
CLAIM = {"uid": "c-1", "path": "severity", "source": "s-zygcbh", "quote": "bad", "note": {"en": "Why", "ko": None}}


# There and back


@unhurried
@given(DOCUMENTS)
def test_fields_make_the_same_document_again(document: CaseDocument) -> None:
    raw = build(fields(document), document.id)
    assert CaseDocument.model_validate(raw) == document
    assert build({}, document) == raw


def test_sample_makes_the_same_document_again() -> None:
    document = make_document(claims=[CLAIM], recurrence_of="IL-0100", root_cause=None)
    assert CaseDocument.model_validate(build(fields(document), document.id)) == document


def test_fields_are_addressed_in_the_order_of_the_document() -> None:
    document = make_document()
    found = fields(document)
    first, *_ = document.remediation
    assert list(found)[:5] == ["org", "date", "docs", "title.en", "title.ko"]
    assert found["severity"] == "unknown"
    assert found["timeline.resolved_after"] == "1h 20m"
    assert found["impact_text.users.en"] == document.impact.users
    assert found["remediation"] == [step.uid for step in document.remediation]
    assert found[f"remediation[{first.uid}].text.ko"] == first.text.ko
    assert found[f"remediation[{first.uid}].kind"] == "restart"
    assert found["timeline.events[e-gpi36i].at"] == "2026-10-19T16:34:00Z"
    assert found["lessons.ko"] is None
    assert found["example"] is False
    assert not {"id", "impact", "impact.users", "schema_version"} & found.keys()
    assert not [path for path in found if path.endswith(".uid")]


def test_what_is_not_given_is_unchanged() -> None:
    document = make_document()
    kept = [step.uid for step in document.remediation][1:]
    raw = build({"title.ko": None, "remediation": [*kept]}, document)
    assert raw["title"] == {"en": document.title.en, "ko": None}
    assert [step["uid"] for step in raw["remediation"]] == kept
    assert raw["summary"] == document.summary.model_dump()


@pytest.mark.parametrize("path", ["titel.en", "impact.users", "remediation[r-nobody].text.en", "id"])
def test_field_without_a_place_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="without a place: "):
        build({path: "x"}, make_document())


# Items


def test_field_knows_its_item() -> None:
    assert item_of("timeline.events[e-1].text.ko") == "timeline.events[e-1]"
    assert item_of("remediation[r-1]") == "remediation[r-1]"
    assert item_of("timeline.resolved_after") == ""
    assert by_item({"title.en": "a", "checks": ["k-1"], "checks[k-1].risk": "b"}) == {
        "": {"title.en": "a", "checks": ["k-1"]},
        "checks[k-1]": {"checks[k-1].risk": "b"},
    }


@pytest.mark.parametrize(
    ("order", "other", "expected"),
    [
        ("abc", "abc", "abc"),
        ("abc", "axbc", "axbc"),
        ("a1b", "axb", "a1xb"),
        ("ab", "xyab", "xyab"),
        ("1ab", "xab", "1xab"),
        ("ba", "abx", "bxa"),
        ("", "xy", "xy"),
        ("ac", "axyc", "axyc"),
    ],
)
def test_additions_follow_their_predecessor(order: str, other: str, expected: str) -> None:
    assert woven(order, other) == list(expected)


# Texts and facts


def test_language_is_the_end_of_the_path() -> None:
    assert language_of("title.en") == "en"
    assert language_of("remediation[r-ko].text.ko") == "ko"
    assert language_of("sources[s-1].language") is None
    assert language_of("remediation[r-ko]") is None


def test_texts_are_those_of_one_language() -> None:
    document = make_document(title={"en": "Title", "ko": None}, claims=[CLAIM])
    english, korean = texts(document, "en"), texts(document, "ko")
    assert english["title.en"] == "Title"
    assert english["claims[c-1].note.en"] == "Why"
    assert "title.ko" not in korean
    assert "summary.ko" in korean
    assert "summary.ko" not in english


def test_facts_leave_out_claims_and_what_programs_note() -> None:
    found = facts(make_document(claims=[CLAIM]))
    assert found["severity"] == "unknown"
    assert found["sources[s-zygcbh].url"] == "https://status.livekit.io/"
    assert "root_cause" in found
    assert "recurrence_of" not in found
    assert "sources[s-zygcbh].state" not in found
    assert not [path for path in found if path.startswith("claims") or language_of(path)]


def test_scopes_changed_are_those_that_differ() -> None:
    raw = make_raw()
    document = make_document()
    shuffled = [*raw["remediation"][1:], raw["remediation"][0]]
    source = {**raw["sources"][0], "state": "gone", "archived": "https://example.org/archived"}
    english = {"en": "New", "ko": raw["title"]["ko"]}
    assert scopes_changed(document, document) == frozenset()
    assert scopes_changed(document, make_document(title=english)) == {"en"}
    assert scopes_changed(document, make_document(title=english, severity="major")) == {"en", "facts"}
    assert scopes_changed(document, make_document(remediation=shuffled)) == {"facts"}
    assert scopes_changed(document, make_document(remediation=raw["remediation"][1:])) == {"en", "ko", "facts"}
    assert scopes_changed(document, make_document(sources=[source])) == frozenset()
    assert scopes_changed(document, make_document(claims=[{**CLAIM, "note": None}])) == frozenset()


# Names


def test_label_says_where_a_field_is() -> None:
    document = make_document()
    label = label_parts("remediation[r-3yu7yv].text.ko", document)
    assert label.text() == "remediation, item 2, Korean text"
    assert (label.position, label.language) == (2, "ko")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("title.en", "English title"),
        ("severity", "severity"),
        ("domain", "domain"),
        ("impact_text.users.en", "impact text, English users"),
        ("timeline.events[e-v2og7d].at", "timeline, events, item 3, at"),
        ("remediation", "remediation, order"),
        ("remediation[r-wwucys]", "remediation, item 1"),
        ("remediation[r-nobody].text.ko", "remediation, Korean text"),
        ("nothing[x-1].at", "nothing, at"),
    ],
)
def test_label_in_words(path: str, expected: str) -> None:
    label = label_parts(path, make_document())
    assert label.text() == expected


def test_label_is_translated() -> None:
    label = label_parts("title.ko", make_document())
    korean = {"title": "제목", "Korean {field}": "한국어 {field}"}
    assert label.text(lambda message: korean.get(message, message)) == "한국어 제목"
    assert label_parts("severity", make_document()).language is None
    assert label_parts("severity", make_document()).position is None
