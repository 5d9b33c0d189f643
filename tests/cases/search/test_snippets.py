"""The passage shown under a case: around the hits, marked, in the reader's language."""

from __future__ import annotations

from typing import Any

import pytest

from cases.document import Language
from cases.search.snippets import LONGEST, snippet, spans
from cases.search.terms import Glossary, terms
from tests.cases.making import make_document

GLOSSARY = Glossary.of([(["load balancer", "로드 밸런서"], []), (["lock", "락"], [])])
TELLS_NOTHING: dict[str, Any] = {
    "symptoms_text": None,
    "trigger": None,
    "detection": None,
    "lessons": None,
    "impact_text": None,
}
BARE: dict[str, Any] = {
    **TELLS_NOTHING,
    "impact": {},
    "remediation": [],
    "action_items": [],
    "timeline": {},
    "claims": [],
    "checks": [],
}


def marked(text: str, query: str) -> str:
    """Write a text with its hits in brackets."""
    for span in reversed(spans(text, terms(query, GLOSSARY))):
        text = f"{text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}"
    return text


def shown(query: str, language: Language, **changes: Any) -> tuple[str, str]:
    found = snippet(make_document(**{**BARE, **changes}), terms(query, GLOSSARY), language)
    assert all(piece.text for piece in found.pieces)
    text = "".join(piece.text for piece in found.pieces)
    assert len(text) <= LONGEST
    return found.language, "".join(f"[{piece.text}]" if piece.is_hit else piece.text for piece in found.pieces)


@pytest.mark.parametrize(
    ("query", "text", "hits"),
    [
        ("retry", "Retries and retrying.", "[Retries] and [retrying]."),
        ("load-balancer", "two load balancers, a load-balancer", "two [load balancers], a [load-balancer]"),
        ("로드밸런서", "Load balancers", "[Load balancers]"),
        ("load balancer", "로드 밸런서가 로드밸런서를", "[로드 밸런서]가 [로드밸런서]를"),
        ("락", "누락된 락을 잡은 락", "누락된 [락]을 잡은 [락]"),
        ("servicediscovery", "stale service discovery", "stale [service discovery]"),
        ("pub/sub", "Pub/Sub and pub", "[Pub/Sub] and pub"),
        ("PubNub 은", "PubNub's and PUBNUB은", "[PubNub]'s and [PUBNUB]은"),
        ("load", "load, the balancer", "[load], the balancer"),
        ("İ lock", "İ lock", "İ [lock]"),
        ("servicemesh", "service, mesh serv", "service, mesh serv"),
        ("servicemesh", "service mes", "service mes"),
        ("servicemesh", "serv service mesh mesh", "serv [service mesh] mesh"),
        ("nothing", "Something else", "Something else"),
    ],
)
def test_hits_are_marked_as_they_stand(query: str, text: str, hits: str) -> None:
    assert marked(text, query) == hits


def test_the_snippet_is_the_passage_with_most_terms_in_the_readers_language() -> None:
    summary = {"en": "A lock was held.\n\nThe lock slowed the gateway.", "ko": "락을 잡았다."}
    assert shown("lock gateway", "en", summary=summary) == ("en", "The [lock] slowed the [gateway].")
    assert shown("lock gateway", "ko", summary=summary) == ("ko", "[락]을 잡았다.")


def test_a_case_told_in_the_other_language_only_is_shown_in_that() -> None:
    assert shown("lock", "en", title={"en": None, "ko": "락"}, summary={"en": None, "ko": "락을 잡았다."}) == (
        "ko",
        "[락]을 잡았다.",
    )


def test_without_a_hit_in_the_texts_the_beginning_is_shown() -> None:
    summary = {"en": "Nothing of it. " * 30, "ko": None}
    language, text = shown("zebra", "en", summary=summary)
    assert language == "en"
    assert text.startswith("Nothing of it. ")
    assert text.endswith(" …")


def test_a_long_passage_is_cut_around_the_hits_at_blanks() -> None:
    summary = {"en": f"{'before ' * 60}lock and gateway {'after ' * 60}", "ko": None}
    _, text = shown("lock gateway", "en", summary=summary)
    assert text.startswith("… before ")
    assert "[lock] and [gateway] after" in text
    assert text.endswith("after …")


@pytest.mark.parametrize("text", ["가" * 500 + "락", "x" * 500 + " lock", "lock " + "y" * 500])
def test_a_passage_without_blanks_is_cut_all_the_same(text: str) -> None:
    shown("lock", "en", summary={"en": text, "ko": None})


def test_a_hit_beyond_the_cut_is_left_out() -> None:
    text = f"lock gateway {'between ' * 30}lock"
    _, cut = shown("lock gateway", "en", summary={"en": text, "ko": None})
    assert cut.startswith("[lock] [gateway] between")
    assert cut.count("[lock]") == 1
