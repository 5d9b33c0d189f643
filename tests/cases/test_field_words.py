"""The values of fields in words: nobody who compares or reviews a text is shown a slug, a uid or a bare time."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from cases.document import CaseDocument, read_case
from cases.field_words import DURATIONS, FIXED, TERMS, FieldWords, in_any_item
from cases.fields import ITEM_LISTS, fields, language_of
from cases.labels import current_labels
from cases.vocabulary import load_vocabulary

from .making import make_raw

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def vocabulary() -> None:
    load_vocabulary()


SOURCE = {"uid": "s1", "url": "https://status.pubnub.com/i", "kind": "official-status", "publisher": "PubNub"}
EVENT = {"uid": "e1", "at": "2026-08-01T00:00:00Z", "kind": "impact-started", "source": "s1", "text": None}
CLAIM = {"uid": "c1", "source": "s1", "quote": "It began."}
# Where words of their own are nobody's slug: names, addresses, numbers, quoted and typed words.
TOLD_AS_THEY_ARE = {
    "org", "docs", "related", "recurrence_of", "checks.command", "claims.anchor", "claims.quote", "claims.prefix",
    "claims.suffix", "sources.url", "sources.title", "sources.publisher", "sources.archived",
}  # fmt: skip
TICKED = {"example", "claims.chosen", "sources.machine_translated"}
TOLD_AS_THEY_LEAD = {"date", "claims.path", "claims.source", "checks.applies_to", "timeline.events.source"}
INSTANTS = {
    "timeline.events.at", "timeline.windows.start", "timeline.windows.end", "sources.published_at",
    "sources.fetched_at",
}  # fmt: skip


def words(language: Any = "en", **changes: Any) -> FieldWords:
    told = {"sources": [SOURCE], "timeline": {"events": []}, "claims": [], "checks": [], **changes}
    return FieldWords(read_case(make_raw(**told)).document, current_labels(), language)


def told(path: str, language: Any = "en", **changes: Any) -> str | None:
    one = words(language, **changes)
    with translation.override(language):
        return one.of(path, fields(one.document)[path])


def test_every_field_of_a_document_has_a_way_to_be_told() -> None:
    document: CaseDocument = words(
        timeline={"events": [EVENT], "windows": [{"uid": "w1", "start": EVENT["at"], "end": None, "region": None}]},
        claims=[{**CLAIM, "path": "timeline.events[e1].at"}],
        remediation=[{"uid": "r1", "text": {"en": "x", "ko": None}}],
        action_items=[{"uid": "a1", "text": {"en": "x", "ko": None}}],
        checks=[{"uid": "k1", "question": {"en": "Is it?", "ko": None}}],
    ).document
    every = {in_any_item(path) for path in fields(document) if not language_of(path)} - set(ITEM_LISTS)
    known = TERMS.keys() | FIXED.keys() | DURATIONS | INSTANTS | TICKED | TOLD_AS_THEY_ARE | TOLD_AS_THEY_LEAD
    assert every == known


@pytest.mark.parametrize(
    ("path", "changes", "english", "korean"),
    [
        ("severity", {"severity": "major"}, "Major", "중대"),
        ("components", {"components": ["load-balancer"]}, "Load balancer", "로드 밸런서"),
        ("date", {"date": "2026-08-01", "date_precision": "month"}, "August 2026", "2026년 8월"),
        ("sources[s1].language", {"sources": [{**SOURCE, "language": "en"}]}, "In English", "영어"),
        ("sources[s1].language", {"sources": [{**SOURCE, "language": "ja"}]}, "In another language (ja)", None),
        ("sources[s1].state", {"sources": [{**SOURCE, "state": "gone"}]}, "No longer online", None),
        ("timeline.detected_after", {"timeline": {"detected_after": "1h 5m"}}, "1h 5m", "1시간 5분"),
        ("timeline.events[e1].at", {"timeline": {"events": [EVENT]}}, "1 August 2026, 00:00 UTC", None),
        (
            "timeline.events[e1].at",
            {"timeline": {"events": [{**EVENT, "precision": "day"}]}},
            "1 August 2026",
            "2026년 8월 1일",
        ),
        ("timeline.events[e1].source", {"timeline": {"events": [EVENT]}}, "Source 1 (PubNub)", "출처 1 (PubNub)"),
        (
            "claims[c1].path",
            {"claims": [{**CLAIM, "path": "timeline.events[e1].at"}], "timeline": {"events": [EVENT]}},
            "timeline, events, item 1, at",
            None,
        ),
        ("claims[c1].value", {"claims": [{**CLAIM, "path": "date", "value": "90m"}]}, "1h 30m", "1시간 30분"),
        ("claims[c1].language", {"claims": [{**CLAIM, "path": "date", "language": "ko"}]}, "Korean", "한국어"),
    ],
)
def test_value_is_told_in_words(path: str, changes: Any, english: str, korean: str | None) -> None:
    assert told(path, **changes) == english
    if korean is not None:
        assert told(path, "ko", **changes) == korean


def test_term_that_a_check_applies_to_is_named_with_its_list() -> None:
    check = {"uid": "k1", "question": {"en": "Is it?", "ko": None}, "applies_to": ["component:load-balancer", "plan:b"]}
    assert told("checks[k1].applies_to", checks=[check]) == "Load balancer (Component), plan:b"
    assert told("checks[k1].applies_to", "ko", checks=[check]) == "로드 밸런서 (구성 요소), plan:b"


def test_items_are_named_by_what_they_tell_first() -> None:
    items = [
        {"uid": "r1", "kind": "restart", "text": {"en": "They restarted it", "ko": None}},
        {"uid": "r2", "kind": "restart", "text": {"en": None, "ko": "다시 켰다"}},
    ]
    assert told("remediation", remediation=items) == "They restarted it → 다시 켰다"
    assert told("remediation", "ko", remediation=items) == "They restarted it → 다시 켰다"
    claim = {**CLAIM, "path": "severity"}
    assert told("claims", claims=[claim]) == "severity"


def test_source_of_another_document_is_named_by_its_uid() -> None:
    assert words().source("s9") == "s9"


def test_field_is_named_inside_its_item() -> None:
    one = words(remediation=[{"uid": "r1", "text": {"en": "x", "ko": None}}])
    assert one.label("remediation[r1].text.ko") == "Korean text"
    assert one.label("remediation[r1].kind") == "kind"
    assert one.label("severity") == "severity"
