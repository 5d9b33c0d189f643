"""The article, the card and the related cases: what they show of a document, in each language."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation
from pytest_django import DjangoAssertNumQueries, Settings

from cases.document import Language, Pair
from cases.labels import Label, Labels, LibraryCheck, OrgLabel, current_labels
from cases.models import LanguageVersion, Person, StoredCase
from cases.publishing import touch_vocabulary
from cases.rendering import (
    RELATED_MARK,
    badge,
    reason_words,
    render_article,
    render_card,
    render_related,
    stamp,
    store_rendered,
)
from cases.similarity import Neighbour
from cases.standing import Standing
from cases.telling import Told, tell
from cases.vocabulary import load_vocabulary
from tests.cases.making import make_case, make_document

SECTIONS = [
    "summary", "facts", "symptoms", "cause", "detection", "remediation", "action-items", "lessons", "timeline",
    "sources", "checks", "tools",
]  # fmt: skip
UNTOLD = {"en": "Not told by the source", "ko": "출처에서 밝히지 않음"}
MINJI = Person(name="Minji")
PROGRAM = Person(name="session", kind="agent")
REVIEWED = dt.datetime(2026, 11, 2, 9, 0, tzinfo=dt.UTC)


def label(list_name: str, slug: str, en: str | None, ko: str | None = None) -> tuple[tuple[str, str], Label]:
    return (list_name, slug), Label(list_name, slug, Pair(en=en, ko=ko), Pair(en=f"What {slug} means."))


def check(slug: str, *terms: str, risk: str = "read-only") -> LibraryCheck:
    question = Pair(en=f"Is there {slug}?", ko=f"{slug} 있는가?")
    return LibraryCheck(slug, question, Pair(en="Why."), Pair(en="How."), Pair(en="Bad."), "ls", risk, frozenset(terms))


LABELS = Labels(
    version=1,
    wording=1,
    terms=dict(
        [
            label("severity", "unknown", "Unknown", "알 수 없음"),
            label("component", "message-bus", "Message bus", "메시지 버스"),
            label("contributing", "hot-spot", "Hot spot", "부하 쏠림"),
            label("domain", "kubernetes", "Kubernetes", "쿠버네티스"),
            label("domain", "networking", "Networking"),
            (("domain", "network"), Label("domain", "network", replaced_by="networking")),
            label("timeline_event", "impact-started", "Impact started", "영향 시작"),
            label("timeline_event", "impact-ended", "Impact ended", "영향 종료"),
            label("claim_basis", "disputed", "Disputed", "출처 상충"),
            label("relation", "duplicate-of", "Duplicate of", "중복"),
        ]
    ),
    orgs={"LiveKit": OrgLabel("livekit", "LiveKit", Pair(ko="라이브킷"))},
    checks=(check("one-term", "component:message-bus"), check("two-terms", "component:message-bus", "domain:network")),
)


def article(
    language: Language = "en", standing: Standing | None = None, labels: Labels = LABELS, **changes: Any
) -> str:
    return render_article(make_document(**changes), standing or standing_of(), labels, language)


def card(language: Language = "en", standing: Standing | None = None, **changes: Any) -> str:
    return render_card(make_document(**changes), standing or standing_of(), LABELS, language)


def version(state: str = "draft", **known: Any) -> LanguageVersion:
    return LanguageVersion(state=state, **known)


def standing_of(en: LanguageVersion | None = None, ko: LanguageVersion | None = None) -> Standing:
    versions: dict[Language, LanguageVersion] = {"en": en or version(), "ko": ko or version()}
    return Standing(edition=3, published_at=REVIEWED, versions=versions)


def section(html: str, name: str) -> str:
    found = re.search(rf'<section id="{name}".*?</section>', html, re.DOTALL)
    assert found is not None
    return found[0]


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


# The page as a whole


@pytest.mark.parametrize("language", ["en", "ko"])
def test_sections_stand_in_the_order_of_the_seed_pages(language: Language) -> None:
    html = article(language)
    assert re.findall(r'<section id="([a-z-]+)"', html) == SECTIONS
    assert html.index('id="sources"') < html.index(RELATED_MARK) < html.index('id="checks"')
    assert html.count(RELATED_MARK) == 1
    assert "{%" not in html
    assert "{{" not in html


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_link_within_the_page_leads_somewhere(language: Language) -> None:
    html = article(language, **conflict()) + render_related([], language, LABELS)
    ids = re.findall(r' id="([^"]+)"', html)
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)
    assert len(ids) == len(set(ids))


def test_rendering_asks_the_database_nothing(db: None, django_assert_num_queries: DjangoAssertNumQueries) -> None:  # noqa: ARG001
    with django_assert_num_queries(0):
        article("ko")
        card("ko")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_active_language_changes_nothing(language: Language) -> None:
    with translation.override("en" if language == "ko" else "ko"):
        other = article(language)
    assert other == article(language)


def test_debug_renders_the_same(settings: Settings) -> None:
    usual = article()
    settings.DEBUG = True
    assert article() == usual


# What nobody told


EMPTY: dict[str, Any] = {
    "lessons": None, "trigger": None, "detection": None, "detection_method": None, "symptoms_text": None,
    "root_cause": None, "contributing": [], "components": [], "symptoms": [], "domain": [], "remediation": [],
    "action_items": [], "impact": {}, "impact_text": {}, "timeline": {}, "sources": [], "checks": [], "claims": [],
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "ko"])
def test_untold_and_unknown_read_differently(language: Language) -> None:
    html = article(language, **EMPTY)
    facts = plain(section(html, "facts"))
    assert {"en": "Severity Unknown", "ko": "심각도 알 수 없음"}[language] in facts
    assert facts.count(UNTOLD[language]) == 5
    for name in ("symptoms", "cause", "detection", "remediation", "action-items", "lessons", "timeline"):
        assert UNTOLD[language] in section(html, name)
    assert not re.search(r">\s*[–—-]\s*<", html)


def test_a_root_cause_that_is_unknown_is_a_term() -> None:
    cause = section(article(**{**EMPTY, "root_cause": "undisclosed"}), "cause")
    assert 'href="/en/topics/root_cause/undisclosed/"' in cause


# Two languages


def test_a_text_of_the_other_language_is_marked() -> None:
    html = article("ko", lessons={"en": "Watch each node.", "ko": None})
    assert '<span class="only">영어로만 제공</span>' in section(html, "lessons")
    assert '<div lang="en"><p>Watch each node.</p></div>' in section(html, "lessons")
    assert 'class="only"' not in section(html, "summary")


def test_an_item_of_the_other_language_is_marked() -> None:
    html = article(
        "en", action_items=[{"text": {"en": None, "ko": "알림을 추가한다."}, "uid": "a1", "status": "planned"}]
    )
    items = section(html, "action-items")
    assert '<span lang="ko">알림을 추가한다.</span> <span class="only">Korean only</span>' in items
    assert "Planned" in items


@pytest.mark.parametrize(
    ("language", "other", "notice"),
    [("ko", "en", "아직 한국어로 제공되지 않습니다"), ("en", "ko", "not told in English yet")],
)
def test_a_missing_language_gets_a_notice(language: Language, other: Language, notice: str) -> None:
    texts = {language: None, other: "가나다" if other == "ko" else "Some text"}
    html = article(language, title=texts, summary=texts)
    assert notice in html
    assert f'hreflang="{other}"' in html
    assert f'<h1><span lang="{other}">' in html


def test_a_label_of_the_other_language_has_its_lang() -> None:
    assert '<span lang="en">Networking</span>' in article("ko")
    assert "쿠버네티스" in article("ko")


def test_the_organisation_is_called_as_the_reader_calls_it() -> None:
    assert '<a class="org" href="/ko/orgs/livekit/">라이브킷</a>' in article("ko")
    assert '<a class="org" href="/en/orgs/livekit/">LiveKit</a>' in article("en")


def test_an_organisation_without_a_page_has_no_link() -> None:
    assert '<span class="org">Nobody</span>' in article(org="Nobody")


# Texts


def test_texts_are_escaped_and_backticks_are_code() -> None:
    text = "One `a < b` <script>alert(1)</script>\nsame paragraph\n\nTwo & more"
    lessons = section(article(lessons={"en": text, "ko": None}), "lessons")
    assert "<p>One <code>a &lt; b</code> &lt;script&gt;alert(1)&lt;/script&gt;<br>same paragraph</p>" in lessons
    assert "<p>Two &amp; more</p>" in lessons


def test_source_links_are_not_followed() -> None:
    sources = section(article(), "sources")
    assert 'href="https://status.livekit.io/" rel="noopener nofollow"' in sources
    assert "No archived copy" in sources


def test_a_source_says_what_is_known_of_it() -> None:
    source = {
        "url": "https://a.example/x", "kind": "news", "archived": "https://b.example/y", "uid": "s1", "title": "Down",
        "publisher": "A", "language": "de", "published_at": "2026-10-19T10:00:00Z",
        "fetched_at": "2026-10-20T10:00:00Z", "machine_translated": True, "state": "gone",
    }  # fmt: skip
    html = article(**{**EMPTY, "sources": [source, {**source, "uid": "s2", "state": "changed"}]})
    words = plain(section(html, "sources"))
    assert "Down A news a.example In another language (de) Machine translation" in words
    assert "Published on 19 October 2026 Read on 20 October 2026 No longer online Archived copy" in words
    assert "Changed since it was read" in words


def test_documentation_is_listed() -> None:
    assert 'href="https://docs.example/" rel="noopener nofollow"' in article(docs=["https://docs.example/"])


# Terms


def test_a_replaced_term_is_called_by_its_successor() -> None:
    assert 'href="/en/topics/domain/networking/"' in article(domain=["network"])


def test_an_unknown_term_is_called_by_its_slug() -> None:
    assert ">made-up</a>" in article(domain=["made-up"])


def test_terms_that_replace_each_other_come_to_an_end() -> None:
    ring = {("domain", one): Label("domain", one, replaced_by=other) for one, other in (("a", "b"), ("b", "a"))}
    assert replace(LABELS, terms=ring).term("domain", "a").list == "domain"


# Times


def test_durations_show_their_sum() -> None:
    timeline = plain(section(article(), "timeline"))
    assert "Time to detect 4m From 16:34 (Impact started) to 16:38 (detected)" in timeline
    assert "Time with impact 36m 29m + 7m" in timeline
    assert "16:34 – 17:03 29m US Central (Chicago)" in timeline


def test_korean_durations_are_in_korean_words() -> None:
    html = article("ko")
    assert '<time class="value" datetime="PT1H20M">1시간 20분</time>' in html
    assert "16:34 (영향 시작)부터 17:54 (영향 종료)까지" in html


def event(uid: str, at: str, kind: str = "impact-started", **more: Any) -> dict[str, Any]:
    return {"uid": uid, "at": at, "kind": kind, **more}


def window(uid: str, start: str, end: str | None) -> dict[str, Any]:
    return {"uid": uid, "start": start, "end": end}


def timeline_of(**parts: Any) -> str:
    return section(article(**{**EMPTY, "timeline": parts}), "timeline")


def test_a_window_over_midnight_names_both_days() -> None:
    html = timeline_of(windows=[window("w1", "2026-10-19T23:30:00Z", "2026-10-20T00:15:00Z")])
    assert "19 October 2026, 23:30</time>–<time" in html
    assert "20 October 2026, 00:15</time>" in html
    assert "One window of impact" in html


def test_a_window_without_an_end_says_so() -> None:
    html = timeline_of(windows=[window("w1", "2026-10-19T10:00:00Z", None)])
    assert "end not told" in html
    assert "<svg" not in html


def test_overlapping_windows_are_counted_once() -> None:
    windows = [
        window("w1", "2026-10-19T10:00:00Z", "2026-10-19T11:00:00Z"),
        window("w2", "2026-10-19T10:30:00Z", "2026-10-19T11:30:00Z"),
    ]
    assert "1h 30m 1h + 1h, overlaps counted once" in plain(timeline_of(windows=windows))


def test_events_are_told_in_order_by_day_with_what_is_known_of_the_time() -> None:
    events = [
        event("e2", "2026-10-20T08:00:00Z", "resolved"),
        event("e1", "2026-10-19T00:00:00Z", "detected", precision="day"),
        event("e3", "2026-11-01T00:00:00Z", "announced", precision="month"),
    ]
    words = plain(timeline_of(events=events))
    assert "19 October 2026 Time not told detected 20 October 2026 08:00 resolved November 2026" in words


def test_a_duration_in_other_words_is_shown_as_it_is() -> None:
    html = article(**{**EMPTY, "timeline": {"detected_after": "4m", "resolved_after": "about two weeks"}})
    facts = section(html, "facts")
    assert '<span class="value">about two weeks</span>' in facts
    assert "As the source states it" in facts


def test_the_strip_is_drawn_to_scale() -> None:
    events = [event("e1", "2026-10-19T10:00:00Z"), event("e2", "2026-10-19T14:00:00Z", "resolved")]
    html = timeline_of(events=events, windows=[window("w1", "2026-10-19T10:00:00Z", "2026-10-19T12:00:00Z")])
    assert '<rect class="strip-window" x="0" y="8" width="500"' in html
    assert "<span>10:00</span>" in html
    assert "style=" not in html


@pytest.mark.parametrize(("language", "end"), [("en", "19 October 2026, 22:00"), ("ko", "2026년 10월 19일 22:00")])
def test_a_strip_over_midnight_names_the_days(language: Language, end: str) -> None:
    events = [event("e1", "2026-10-19T22:00:00Z"), event("e2", "2026-10-20T01:00:00Z", "resolved")]
    assert f"<span>{end}</span>" in article(language, **{**EMPTY, "timeline": {"events": events}})


def test_weeks_are_not_drawn() -> None:
    events = [event("e1", "2026-09-01T10:00:00Z"), event("e2", "2026-10-19T14:00:00Z", "resolved")]
    assert "<svg" not in timeline_of(events=events)


@pytest.mark.parametrize(
    ("precision", "date", "shown"), [("month", "2026-10-01", "October 2026"), ("year", "2026-01-01", "2026")]
)
def test_the_date_shows_only_what_is_known(precision: str, date: str, shown: str) -> None:
    html = article(date=date, date_precision=precision, date_kind="estimated")
    assert f'estimated</span> <time datetime="{date[: 7 if precision == "month" else 4]}">{shown}</time>' in html


# Quotations


def claim(uid: str, path: str, **more: Any) -> dict[str, Any]:
    return {"uid": uid, "path": path, "source": "s-zygcbh", "quote": f"Quote {uid}", **more}


def conflict(**more: Any) -> dict[str, Any]:
    chosen = claim("c1", "timeline.resolved_after", value="1h 20m", note={"en": "The second window counts."})
    other = claim("c2", "timeline.resolved_after", value="2026-10-19T17:35:00Z", chosen=False, basis="disputed")
    return {"claims": [chosen, other], **more}


def test_a_quotation_stands_at_its_statement() -> None:
    quote = claim(
        "c1", "impact_text.users", language="ko", anchor="26.5%", value="26.5%", prefix="before", suffix="after"
    )
    html = article(claims=[quote, claim("c2", "impact_text.users")])
    facts = plain(section(html, "facts"))
    assert "2 quotations from the source before Quote c1 after Source 1 · 26.5% · Supports: 26.5%" in facts
    assert '<span lang="ko">26.5%</span>' in html
    assert '<blockquote lang="en">' in html
    assert "Further quotations" not in html


def test_a_quotation_of_anything_else_stands_with_the_sources() -> None:
    sources = section(article(claims=[claim("c1", "org")]), "sources")
    assert "Further quotations" in sources
    assert "Quote c1" in sources


def test_sources_that_disagree_are_shown_openly() -> None:
    facts = plain(section(article(**conflict()), "facts"))
    assert "The sources disagree This case follows 1h 20m Quote c1" in facts
    assert "Also stated 19 October 2026, 17:35 UTC Quote c2 Source 1 · Disputed" in facts
    assert "Why The second window counts." in facts


def test_a_chosen_value_that_is_none_is_said() -> None:
    claims = [
        claim("c1", "lessons", note={"en": "Neither is sure."}),
        claim("c2", "lessons", value="2026-13-45T99:00:00Z", chosen=False),
    ]
    lessons = plain(section(article(claims=claims, lessons={"en": "Some"}), "lessons"))
    assert "This case follows No value" in lessons
    assert "2026-13-45T99:00:00Z" in lessons


# Trust


def trust(en: LanguageVersion, language: Language = "en") -> str:
    found = re.search(r'<ul class="trust".*?</ul>', article(language, standing_of(en=en)), re.DOTALL)
    assert found is not None
    return plain(found[0])


APPROVED: dict[str, Any] = {"reviewed_by": MINJI, "reviewed_at": REVIEWED}


@pytest.mark.parametrize(
    ("found", "english", "korean"),
    [
        (version(), "English Not reviewed yet", "영어 아직 검토되지 않음"),
        (version("missing"), "English Not available", "영어 제공되지 않음"),
        (version("in-review"), "English In review, not approved yet", "영어 검토 중, 아직 승인되지 않음"),
        (version("changes-requested"), "English A reviewer asked for changes", "영어 검토자가 수정을 요청함"),
        (
            version("approved", **APPROVED),
            "English Reviewed by Minji on 2 November 2026",
            "검토: Minji, 2026년 11월 2일",
        ),
        (version("stale", stale_fields=["a", "b"], **APPROVED), "2 passages are newer", "검토 뒤 바뀐 곳 2군데"),
        (version("draft", **APPROVED), "· Changed since the review", "· 검토 뒤 바뀜"),
        (version(written_by=PROGRAM), "Written by session, a program", "작성: session (프로그램)"),
        (version(written_by=MINJI), "Not reviewed yet Written by Minji", "작성: Minji"),
        (version(elsewhere_by="Ada"), "Reviewed elsewhere by Ada", "다른 곳에서 검토: Ada"),
        (version(elsewhere_by="Ada", elsewhere_at=REVIEWED), "by Ada on 2 November 2026", "Ada, 2026년 11월 2일"),
        (version(override=True, override_reason="urgent"), "was set aside: urgent", "예외를 두었습니다: urgent"),
    ],
)
def test_the_trust_line_tells_the_truth(found: LanguageVersion, english: str, korean: str) -> None:
    assert english in trust(found)
    assert korean in trust(found, "ko")


def test_a_draft_says_that_it_is_one() -> None:
    html = article(standing=Standing())
    assert "A draft that is not published." in html
    assert "A draft has no edition to cite." in html


@pytest.mark.parametrize(
    ("en", "ko", "word"),
    [
        (version(), version(), "Not reviewed"),
        (version("approved", **APPROVED), version(), "Partly reviewed"),
        (version("stale", **APPROVED), version("missing"), "Partly reviewed"),
        (version("approved", **APPROVED), version("missing"), "Reviewed"),
        (version("missing"), version("missing"), "Draft"),
    ],
)
def test_the_badge_sums_the_review_up(en: LanguageVersion, ko: LanguageVersion, word: str) -> None:
    assert badge(standing_of(en, ko)).word == word
    assert f">{word}</li>" in card(standing=standing_of(en, ko))


# Around the case


def test_the_citation_names_edition_date_and_address(settings: Settings) -> None:
    tools = plain(section(article(title={"en": "A & B", "ko": None}), "tools"))
    assert "“A &amp; B”. IncidentLib, case IL-0561, edition 3, 2 November 2026." in tools
    assert f"{settings.SITE_URL}/en/cases/IL-0561/" in tools
    assert f"{settings.SITE_URL}/api/cases/IL-0561/similar" in tools


def test_examples_recurrences_and_merged_cases_are_marked() -> None:
    html = article(standing=replace(standing_of(), aliases=(7, 8)), example=True, recurrence_of="IL-0560")
    assert "This organisation and this incident are made up" in html
    assert '<a href="/en/cases/IL-0560/">The earlier case is IL-0560</a>' in html
    assert "Cases merged into this one: IL-0007, IL-0008" in plain(html)


def test_own_checks_come_first_then_those_that_share_most() -> None:
    checks = section(article(components=["message-bus"], domain=["network"]), "checks")
    questions = re.findall(r"<summary>(.*?)</summary>", checks)
    assert questions[0].startswith("Can a pod with a higher priority")
    assert questions[1:] == ["Is there two-terms?"]
    assert "Shares with this case: Message bus and Networking" in plain(checks)
    assert checks.count(" open>") == 1


def test_one_shared_term_counts_where_nothing_is_nearer() -> None:
    checks = section(article(**{**EMPTY, "components": ["message-bus"]}), "checks")
    assert "Is there one-term?" in checks
    assert "What" not in checks


def test_a_disruptive_check_is_marked() -> None:
    own = {"uid": "k1", "question": {"en": "Does it hold?", "ko": None}, "risk": "disruptive"}
    assert "May disturb the system" in section(article(checks=[own]), "checks")
    labels = replace(LABELS, checks=(check("risky", "domain:networking", risk="disruptive"),))
    assert "May disturb the system" in section(article(labels=labels, **{**EMPTY, "domain": ["network"]}), "checks")


def test_a_case_without_checks_says_so() -> None:
    assert "No check is known yet" in section(article(**EMPTY), "checks")


# Cards


def test_a_card_says_what_a_list_needs() -> None:
    words = plain(card(severity="major"))
    assert words.startswith("IL-0561 LiveKit 19 October 2026 ")
    assert "Severity major Repaired after 1h 20m Kubernetes Networking" in words
    assert "Not reviewed" in words


def test_a_card_falls_back_with_a_tag() -> None:
    title = {"en": "Only in English", "ko": None}
    assert '<span lang="en">Only in English</span></a> <span class="only">영어</span>' in card("ko", title=title)
    assert "In Korean" in card("en", title={"en": None, "ko": "한국어만"})


def test_a_card_leaves_out_what_is_not_known() -> None:
    words = plain(card(**{**EMPTY, "example": True}))
    assert "Example" in words
    assert "Severity" not in words
    assert "Repaired" not in words


# Related cases


def neighbour(**changes: Any) -> Neighbour:
    usual: dict[str, Any] = {
        "number": 12, "org_name": "LiveKit", "org_slug": "livekit", "title_en": "A <b>", "title_ko": None,
        "date_first": dt.date(2026, 1, 1), "date_precision": "year", "score": 0.5,
        "reasons": [("same-root-cause", []), ("shared-component", ["component:message-bus", "domain:kubernetes"])],
    }  # fmt: skip
    return Neighbour(**{**usual, **changes})


def test_related_cases_come_with_their_reasons() -> None:
    html = render_related([neighbour()], "ko", LABELS)
    assert (
        plain(html) == "관련 사례 공통점이 가장 많은 사례 "
        "IL-0012 라이브킷 2026년 A &lt;b&gt; 영어로만 제공 같은 원인 · 공통 메시지 버스, 쿠버네티스"
    )
    assert 'href="/ko/cases/IL-0012/"' in html


def test_reasons_are_written_as_inside_a_line() -> None:
    with translation.override("en"):
        terms = ["component:message-bus", "domain:kubernetes"]
        assert reason_words("shared-component", terms, LABELS, "en") == "shared message bus and Kubernetes"
        assert reason_words("duplicate-of", [], LABELS, "en") == "Duplicate of"


@pytest.mark.django_db
def test_no_related_case_is_said() -> None:
    assert "No similar case is known yet." in render_related([], "en")


# Telling


def test_what_nobody_told_is_none() -> None:
    assert tell(Pair(), "en") is None
    assert tell(None, "ko") is None
    assert Told("own", "en").mark == ""


# Labels


@pytest.mark.django_db
def test_labels_are_read_in_five_queries_and_kept_for_their_version(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    load_vocabulary()
    with django_assert_num_queries(6):
        first = current_labels()
    with django_assert_num_queries(1):
        assert current_labels() is first
    with django_assert_num_queries(0):
        assert current_labels(first.version) is first
    touch_vocabulary()
    assert current_labels() is not first
    assert first.term("component", "service-discovery").name("ko").text == "서비스 디스커버리"
    assert first.checks_for(["component:service-discovery"])[0][0].slug == "stale-endpoints"
    assert first.org("LiveKit").slug == "livekit"


# Stamps and stored rows


def test_the_stamp_follows_words_and_settings(settings: Settings) -> None:
    first = stamp(1)
    assert first == stamp(1)
    assert first != stamp(2)
    stamp.cache_clear()
    settings.CONTENT_LICENSE_NAME = "Another licence"
    assert stamp(1) != first
    stamp.cache_clear()


@pytest.mark.django_db
def test_rows_are_rendered_in_a_fixed_number_of_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(1, 4):
        make_case(id=f"IL-000{number}")
    current_labels()
    with django_assert_num_queries(10):
        assert store_rendered([1]) == 1
    with django_assert_num_queries(10):
        assert store_rendered([1, 2, 3, 3, 99]) == 3
    row = StoredCase.objects.get(number=2)
    assert row.stamp == stamp(current_labels().wording)
    assert '<article class="case" id="IL-0002">' in row.article_ko
    assert 'href="/en/cases/IL-0002/"' in row.card_en


@pytest.mark.django_db
def test_a_row_that_was_replaced_meanwhile_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    make_case(id="IL-0001")

    def publish_anew(*arguments: Any) -> str:
        StoredCase.objects.filter(number=1).update(sequence=999)
        return render_card(*arguments)

    monkeypatch.setattr("cases.rendering.storing.render_card", publish_anew)
    assert store_rendered([1]) == 0
    assert StoredCase.objects.get(number=1).stamp == ""
