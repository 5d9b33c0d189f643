"""``dump(load(document)) == document`` for every field, in both active languages: the test that carries the design."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.utils import translation

from cases.document import CaseDocument, read_case
from cases.mapping import dump
from cases.models import Case, Edition, Event

from .making import make_case, make_document, make_raw
from .test_document import samples

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "ko")


def dumped(case: Case) -> CaseDocument:
    return dump(Case.objects.get(pk=case.pk))


@pytest.mark.parametrize("writing", LANGUAGES)
def test_every_sample_comes_back_equal_in_both_active_languages(writing: str) -> None:
    for raw in samples():
        with translation.override(writing):
            case = make_case(**raw)
        edition = Edition.objects.get(case=case)
        for reading in LANGUAGES:
            with translation.override(reading):
                document = dumped(case)
            assert document == edition.document()
            assert document.text() == edition.text


def pairs() -> list[dict[str, str | None]]:
    return [
        {"en": english, "ko": korean}
        for english, korean in product(("told", None), ("이야기", None))
        if english or korean
    ]


@pytest.mark.parametrize("active", LANGUAGES)
@pytest.mark.parametrize("pair", [*pairs(), None])
def test_every_combination_of_a_pair_is_kept(active: str, pair: dict[str, str | None] | None) -> None:
    changes: dict[str, Any] = dict.fromkeys(("trigger", "detection", "lessons", "symptoms_text"), pair)
    changes["impact_text"] = dict.fromkeys(("scope", "users", "region"), pair)
    changes["impact"] = {}
    with translation.override(active):
        case = make_case(**changes)
        document = dumped(case)
    assert document == make_document(**changes)
    assert document.text() == make_document(**changes).text()


def test_example_of_every_item_is_kept() -> None:
    raw = make_raw()
    source = raw["sources"][0]
    source |= {"published_at": "2026-10-20T01:02:03.004005Z", "fetched_at": "2026-10-21T00:00:00Z", "state": "changed"}
    raw["claims"] = [
        {
            "uid": "c-aaaaaa",
            "path": "summary",
            "language": "ko",
            "anchor": "메시지 버스",
            "source": source["uid"],
            "quote": "a quotation",
            "prefix": "before",
            "suffix": "after",
            "basis": "derived",
            "value": "1",
            "chosen": True,
            "note": {"en": None, "ko": "메모"},
        }
    ]
    raw |= {"related": ["IL-0001", "IL-12345"], "recurrence_of": "IL-0002", "docs": ["https://docs.example/a"]}
    assert dumped(make_case(**raw)) == read_case(raw).document


def test_publishing_again_replaces_every_item() -> None:
    make_case()
    raw = make_raw(remediation=[], checks=[], claims=[], domain=["dns"], related=[])
    raw["timeline"] = {"detected_after": None, "resolved_after": "2h", "events": [], "windows": []}
    case = make_case(**raw)
    assert dumped(case) == read_case(raw).document
    assert Event.objects.count() == 0
    assert case.edition_number == 2


def test_items_keep_their_order() -> None:
    raw = make_raw()
    raw["remediation"].reverse()
    assert [item.uid for item in dumped(make_case(**raw)).remediation] == [item["uid"] for item in raw["remediation"]]


def test_columns_for_lists_and_filters_are_filled() -> None:
    case = Case.objects.get(pk=make_case(date="2026-10-01", date_precision="month").pk)
    assert (case.date_first.isoformat(), case.date_last.isoformat()) == ("2026-10-01", "2026-10-31")
    assert (case.detect_seconds, case.resolve_seconds) == (240, 4800)
