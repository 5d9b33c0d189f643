"""The form of the editor: what it shows, reads back, refuses and leaves alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.document import CaseDocument, Pair
from cases.fields import fields
from cases.labels import Label, Labels
from review.forms import LISTS, PRESENT, CaseForm
from review.forms.fields import InstantField, MomentField, PeriodField, as_case_id, clock
from review.forms.part import ALL_SCOPES
from review.forms.sections import sections
from tests.cases.making import make_document, make_raw

NO_LABELS = Labels(0, 0, {}, {})
LABELS = Labels(
    0,
    0,
    {
        ("severity", "major"): Label("severity", "major", Pair(en="Major", ko="심각")),
        ("domain", "dns"): Label("domain", "dns", Pair(en="DNS", ko="DNS"), Pair(en="Names", ko="이름")),
        ("domain", "old"): Label("domain", "old", Pair(en="Old"), replaced_by="dns"),
    },
    {},
)


def post(pairs: list[tuple[str, str]]) -> QueryDict:
    """Post like a browser, with its line ends."""
    data = QueryDict(mutable=True)
    for name, value in pairs:
        data.appendlist(name, value.replace("\n", "\r\n"))
    return data


def posted(document: CaseDocument, **changes: str) -> QueryDict:
    """Post the form of a document with these fields typed over; ``__`` is a dot."""
    data = post(CaseForm(document, LABELS).posted())
    for name, value in changes.items():
        data[name.replace("__", ".")] = value
    return data


def read(document: CaseDocument | None, data: QueryDict) -> CaseForm:
    form = CaseForm(document, LABELS, data)
    form.is_valid()
    return form


def saved(document: CaseDocument, data: QueryDict) -> CaseDocument:
    form = read(document, data)
    assert form.complaints == []
    assert form.document is not None
    return form.document


def complaints(document: CaseDocument | None, data: QueryDict) -> list[tuple[str, str]]:
    return [(complaint.target, complaint.text) for complaint in read(document, data).complaints]


# Opened and saved without a change, a document stays what it is

ALPHABET = "abc XYZ 09 ,.`-_한글은을 각힣\n\u200b\u00a0é"
TEXTS = st.text(ALPHABET, min_size=1, max_size=30).map(lambda text: f"{text.strip()}.")
LINES = TEXTS.map(lambda text: " ".join(text.split()))
SLUGS = st.from_regex(r"[a-z]{1,5}(-[a-z0-9]{1,3})?", fullmatch=True)
TERMS = st.lists(SLUGS, max_size=3, unique=True)
PAIRS = st.fixed_dictionaries({"en": st.none() | TEXTS, "ko": st.none() | TEXTS})
TOLD = PAIRS.filter(any) | TEXTS.map(lambda text: {"en": text, "ko": None})
TOLD = TOLD.filter(lambda pair: any(pair.values()))
TITLES = st.fixed_dictionaries({"en": LINES, "ko": st.none() | LINES})
PRECISE = st.datetimes().map(lambda at: at.isoformat() + "Z").filter(lambda text: text >= "1")
INSTANTS = st.integers(0, 59).map(lambda minute: f"2026-10-19T16:{minute:02d}:00Z") | PRECISE
DATES = st.sampled_from([("2026-10-19", "day"), ("2026-10-01", "month"), ("2026-01-01", "year"), ("2026-01-01", "day")])
PRECISIONS = st.sampled_from(["minute", "day", "month", "year"])
SOURCE = "s-first"


def items(letter: str, **keys: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    uids = st.integers(0, 30).map(lambda number: f"{letter}-{number}")
    one = st.fixed_dictionaries({"uid": uids, **keys})
    return st.lists(one, max_size=3, unique_by=lambda item: item["uid"])


ADDRESSES = st.sampled_from(["https://example.org/a?b=c&d=%20", "http://example.org/한글"])
SOURCES = items(
    "s",
    url=ADDRESSES,
    kind=SLUGS,
    archived=st.none() | ADDRESSES,
    title=st.none() | LINES,
    publisher=st.none() | LINES,
    language=st.sampled_from([None, "en", "zh-Hant"]),
    published_at=st.none() | INSTANTS,
    fetched_at=st.none() | INSTANTS,
    machine_translated=st.booleans(),
    state=st.sampled_from([None, "live", "changed", "gone"]),
).map(lambda found: [{"uid": SOURCE, "url": "https://example.org/1", "kind": "blog"}, *found])
EVENT_KINDS = st.sampled_from(["impact-started", "detected", "note", "resolved"])
EVENTS = items(
    "e", at=INSTANTS, precision=PRECISIONS, kind=EVENT_KINDS, text=PAIRS, source=st.sampled_from([SOURCE, None])
)
STATED = st.none() | st.sampled_from(["4m", "60m", "some hours"])
CLAIMS = items(
    "c",
    path=st.sampled_from(["title", "severity"]),
    language=st.sampled_from([None, "en", "ko"]),
    anchor=st.none() | TEXTS,
    source=st.just(SOURCE),
    quote=TEXTS,
    prefix=st.none() | TEXTS,
    suffix=st.none() | TEXTS,
    basis=st.sampled_from(["stated", "derived", "inferred", "disputed"]),
    chosen=st.booleans(),
    note=PAIRS,
)
COMMANDS = st.none() | st.just("kubectl get pods\n\tgrep x | awk '{print $1}'")
CHECKS = items(
    "k",
    question=TOLD,
    how=PAIRS,
    command=COMMANDS,
    applies_to=st.lists(st.sampled_from(["component:dns", "root_cause:code-bug"]), max_size=2, unique=True),
    risk=st.sampled_from(["read-only", "disruptive"]),
)
RAW = st.fixed_dictionaries(
    {
        "org": LINES,
        "docs": st.lists(ADDRESSES, max_size=2),
        "title": TITLES,
        "domain": TERMS,
        "lessons": PAIRS,
        "related": st.lists(st.sampled_from(["IL-0001", "IL-0002", "IL-12345"]), max_size=2, unique=True),
        "sources": SOURCES,
        "summary": TOLD,
        "trigger": PAIRS,
        "severity": SLUGS,
        "symptoms": TERMS,
        "timeline": st.fixed_dictionaries(
            {
                "detected_after": STATED,
                "resolved_after": STATED,
                "events": EVENTS,
                "windows": items("w", start=INSTANTS, region=PAIRS),
            }
        ),
        "date_kind": SLUGS,
        "detection": PAIRS,
        "components": TERMS,
        "root_cause": st.none() | SLUGS,
        "remediation": items("r", text=TOLD, kind=st.none() | SLUGS),
        "action_items": items("a", text=TOLD, status=st.sampled_from([None, "planned", "done"])),
        "contributing": TERMS,
        "recurrence_of": st.none() | st.just("IL-0001"),
        "symptoms_text": PAIRS,
        "impact_text": st.fixed_dictionaries({"scope": PAIRS, "users": PAIRS, "region": PAIRS}),
        "claims": CLAIMS,
        "detection_method": st.none() | SLUGS,
        "example": st.booleans(),
        "checks": CHECKS,
    }
)


def document_of(raw: dict[str, Any], when: tuple[str, str]) -> CaseDocument:
    return CaseDocument.model_validate({"id": "IL-0561", **raw, "date": when[0], "date_precision": when[1]})


DOCUMENTS = st.builds(document_of, RAW, DATES)


@given(DOCUMENTS)
@settings(max_examples=150, deadline=None)
def test_opening_and_saving_changes_nothing(document: CaseDocument) -> None:
    form = CaseForm(document, NO_LABELS, post(CaseForm(document, NO_LABELS).posted()))
    assert form.changed_paths() == []
    assert form.is_valid(), form.complaints
    assert form.document == document


@given(DOCUMENTS)
@settings(max_examples=50, deadline=None)
def test_form_without_a_base_reads_the_whole_document(document: CaseDocument) -> None:
    data = post(CaseForm(document, NO_LABELS).posted())
    form = CaseForm(None, NO_LABELS, data, told=fields(document))
    assert form.is_valid(), form.complaints
    assert form.document == document.model_copy(update={"id": "IL-999999999"})


def test_samples_stay_equal_in_both_interface_languages() -> None:
    document = make_document()
    for language in ("en", "ko"):
        with translation.override(language):
            assert saved(document, posted(document)) == document


# What is not posted is unchanged


def test_absent_section_is_unchanged() -> None:
    document = make_document()
    data = posted(document, title__en="Another title")
    data.setlist(PRESENT, ["summary"])
    result = saved(document, data)
    assert result.title.en == "Another title"
    assert result.model_copy(update={"title": document.title}) == document


def test_absent_field_is_unchanged() -> None:
    document = make_document()
    data = posted(document)
    for name in ("title.ko", "domain", "severity", "example", f"remediation[{document.remediation[0].uid}].text.en"):
        del data[name]
    assert saved(document, data) == document


def test_item_that_is_not_posted_stays_where_it_is() -> None:
    document = make_document()
    data = posted(document)
    first, second, *_rest = [item.uid for item in document.remediation]
    data.setlist("remediation", [uid for uid in data.getlist("remediation") if uid != second])
    assert saved(document, data).remediation[:2] == document.remediation[:2]
    assert first != second


def test_emptied_list_of_terms_is_empty() -> None:
    document = make_document()
    data = posted(document)
    data.setlist("domain", [""])
    assert saved(document, data).domain == []


def test_unticked_box_is_false() -> None:
    document = make_document(example=True)
    data = posted(document)
    data.setlist("example", [""])
    assert saved(document, data).example is False


# Items


def test_item_is_removed_by_its_mark_only() -> None:
    document = make_document()
    uid = document.remediation[0].uid
    data = posted(document)
    data[f"remediation[{uid}].removed"] = "on"
    assert uid not in [item.uid for item in saved(document, data).remediation]


def test_order_is_that_of_the_post() -> None:
    document = make_document()
    data = posted(document)
    order = [item.uid for item in document.remediation][::-1]
    data.setlist("remediation", order)
    assert [item.uid for item in saved(document, data).remediation] == order


def test_order_can_be_chosen_whole() -> None:
    document = make_document()
    order = [item.uid for item in document.remediation][::-1]
    data = posted(document)
    data["order:remediation"] = " ".join(order)
    assert [item.uid for item in saved(document, data).remediation] == order


def test_new_item_keeps_the_uid_the_page_gave_it() -> None:
    document = make_document()
    data = posted(document)
    data.appendlist("remediation", "r-newnew")
    data["remediation[r-newnew].text.ko"] = "새 조치"
    data["remediation[r-newnew].kind"] = ""
    item = saved(document, data).remediation[-1]
    assert (item.uid, item.text.ko, item.text.en) == ("r-newnew", "새 조치", None)


def test_new_item_that_nobody_filled_in_is_none() -> None:
    document = make_document()
    data = posted(document)
    data.appendlist("sources", "s-newnew")
    data["sources[s-newnew].kind"] = "official-status"
    assert saved(document, data) == document


@pytest.mark.parametrize("uid", ["", "R-1", "r 1", "r" * 50, "../etc"])
def test_uid_that_is_none_makes_no_item(uid: str) -> None:
    document = make_document()
    data = posted(document)
    data.appendlist("remediation", uid)
    data[f"remediation[{uid}].text.en"] = "Forged"
    assert saved(document, data) == document


def test_uid_of_another_list_makes_no_item() -> None:
    document = make_document()
    uid = document.sources[0].uid
    data = posted(document)
    data.appendlist("remediation", uid)
    data[f"remediation[{uid}].text.en"] = "Forged"
    assert saved(document, data) == document


def test_blank_item_can_be_added_and_moved() -> None:
    form = CaseForm(make_document(), LABELS)
    remediation = form.lists["remediation"]
    before = [row.uid for row in remediation.rows]
    row = remediation.add()
    assert row.is_new
    assert row.is_blank
    remediation.move(row.uid, -1)
    assert [row.uid for row in remediation.rows] == [*before[:-1], row.uid, before[-1]]
    remediation.move(before[0], -1)
    remediation.move("r-nobody", 1)
    assert remediation.rows[0].uid == before[0]


# What is wrong is said at its field


def test_problem_of_the_document_stands_at_its_field() -> None:
    document = make_document()
    uid = document.remediation[1].uid
    data = posted(document, org="", title__ko="가" * 301)
    data[f"remediation[{uid}].text.en"] = data[f"remediation[{uid}].text.ko"] = " \r\n "
    found = dict(complaints(document, data))
    assert list(found) == ["field-org", "field-title.ko", f"field-remediation[{uid}].text.en"]
    assert found["field-title.ko"] == "This is longer than 300 characters. Nothing was cut off."
    assert found[f"field-remediation[{uid}].text.en"] == "This needs a text in English or in Korean."


def test_complaint_names_field_item_and_language() -> None:
    document = make_document()
    uid = document.remediation[1].uid
    data = posted(document)
    data[f"remediation[{uid}].text.ko"] = "a\x00"
    (complaint,) = read(document, data).complaints
    assert (complaint.label, complaint.language) == ("Remediation 2: What was done", "ko")
    assert complaint.text == "Contains a control character (U+0000)"


def test_too_long_text_is_kept_in_its_field() -> None:
    document = make_document()
    form = read(document, posted(document, summary__ko="가" * 1_000_000))
    assert [complaint.target for complaint in form.complaints] == ["field-summary.ko"]
    assert form.parts["summary"].cell("summary_ko").value == "가" * 1_000_000


def test_whole_case_may_not_be_larger_than_its_limit() -> None:
    document = make_document()
    data = posted(document)
    for field in (
        "summary",
        "symptoms_text",
        "trigger",
        "detection",
        "lessons",
        "impact_text.scope",
        "impact_text.users",
    ):
        data[f"{field}.ko"] = "가" * 50_000
        data[f"{field}.en"] = "가" * 5_000
    assert complaints(document, data) == [("", "The whole case is larger than 1 MB.")]


def test_items_of_all_lists_together_are_limited() -> None:
    document = make_document()
    data = posted(document)
    for number in range(400):
        data.appendlist("remediation", f"r-{number}")
        data[f"remediation[r-{number}].text.en"] = "Step"
    assert ("", "A case has at most 400 items in all its lists.") in complaints(document, data)


def test_word_that_is_not_offered_is_refused() -> None:
    document = make_document()
    data = posted(document, severity="terrible")
    data.setlist("domain", ["", "dns", "young"])
    found = dict(complaints(document, data))
    assert "“terrible”" in found["field-severity"]
    assert "“young”" in found["field-domain"]


def test_unknown_word_that_the_case_has_already_stays() -> None:
    document = make_document(severity="terrible", domain=["made-up"])
    assert saved(document, posted(document)) == document


def test_rules_about_several_keys_stand_where_they_can_be_mended() -> None:
    claim = {"uid": "c-1", "path": "severity", "source": make_document().sources[0].uid, "quote": "bad"}
    document = make_document(claims=[claim])
    data = posted(document, related="IL-0002, 561")
    assert complaints(document, data) == [("field-related", "A case cannot be related to itself")]
    data = posted(document)
    data["claims[c-1].path"] = "remediation[r-nobody]"
    assert [target for target, _text in complaints(document, data)] == ["field-claims[c-1].path"]
    data = posted(document)
    data["claims[c-1].source"] = "s-nobody"
    assert [target for target, _text in complaints(document, data)] == ["field-claims[c-1].source"]


def test_rule_about_no_single_field_is_said_all_the_same() -> None:
    source = make_document().sources[0].uid
    claims = [{"uid": f"c-{n}", "path": "severity", "source": source, "quote": "q", "value": "v"} for n in (1, 2)]
    document = make_document(claims=claims)
    data = posted(document)
    data["claims[c-2].value"] = "w"
    assert [target for target, _text in complaints(document, data)] == [""]


def test_problem_of_an_item_stands_at_its_first_field() -> None:
    document = make_document()
    uid = document.timeline.windows[0].uid
    data = posted(document)
    data[f"timeline.windows[{uid}].end"] = "2001-01-01"
    assert [target for target, _text in complaints(document, data)] == [f"field-timeline.windows[{uid}].start"]


def test_new_case_lacks_everything_at_once() -> None:
    form = CaseForm(None, LABELS)
    form.lists["sources"].add()
    found = [target for target, _text in complaints(None, post(form.posted()))]
    assert found == ["field-org", "field-date", "field-title.en", "field-summary.en"]


def test_new_case_without_any_section_is_refused_at_its_fields() -> None:
    assert next(target for target, _text in complaints(None, post([]))) == "field-org"


def test_warning_of_the_document_stands_at_its_field() -> None:
    document = make_document()
    form = read(document, posted(document, timeline__detected_after="3h"))
    assert form.document == document
    assert "replaces 3h" in form.parts["durations"].notes["timeline__detected_after"][0]


# Durations


def test_duration_follows_the_events_that_were_changed() -> None:
    document = make_document()
    event = next(event for event in document.timeline.events if event.kind == "detected")
    data = posted(document)
    data[f"timeline.events[{event.uid}].at"] = "2026-10-19 16:54"
    assert saved(document, data).timeline.detected_after == "20m"
    data[f"timeline.events[{event.uid}].removed"] = "on"
    assert saved(document, data).timeline.detected_after is None


def test_stated_duration_stays_when_events_change() -> None:
    timeline = {**make_raw()["timeline"], "events": [], "windows": [], "detected_after": "about an hour"}
    document = make_document(timeline=timeline, claims=[])
    data = posted(document)
    data.appendlist("timeline.events", "e-newnew")
    data["timeline.events[e-newnew].at"] = "2026-10-19"
    data["timeline.events[e-newnew].kind"] = "change"
    form = CaseForm(document, Labels(0, 0, {("timeline_event", "change"): Label("timeline_event", "change")}, {}), data)
    assert form.is_valid()
    assert form.document is not None
    assert form.document.timeline.detected_after == "about an hour"


# How values are written


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("2026-08-25", ("2026-08-25", "day")),
        ("2026-8-5", ("2026-08-05", "day")),
        ("2026.08.25.", ("2026-08-25", "day")),
        ("2026년 8월 25일", ("2026-08-25", "day")),
        ("2026-08", ("2026-08-01", "month")),
        ("2026년 8월", ("2026-08-01", "month")),
        (" 2026 ", ("2026-01-01", "year")),
        ("2026년", ("2026-01-01", "year")),
        ("", None),
    ],
)
def test_date_is_read_as_far_as_it_is_known(typed: str, told: tuple[str, str] | None) -> None:
    assert PeriodField(label="").clean(typed) == told


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("2026-08-25 12:10", ("2026-08-25T12:10:00Z", "minute")),
        ("2026-08-25T12:10:30.5Z", ("2026-08-25T12:10:30.5Z", "minute")),
        ("2026-08-25 12:10 UTC", ("2026-08-25T12:10:00Z", "minute")),
        ("2026-08-25 21:10 KST", ("2026-08-25T12:10:00Z", "minute")),
        ("2026-08-25 05:10 -07:00", ("2026-08-25T12:10:00Z", "minute")),
        ("2026년 8월 25일 9:10 kst", ("2026-08-25T00:10:00Z", "minute")),
        ("2026-08-25", ("2026-08-25T00:00:00Z", "day")),
        ("2026", ("2026-01-01T00:00:00Z", "year")),
        ("2026-08-25 12:10 (month)", ("2026-08-25T12:10:00Z", "month")),
    ],
)
def test_time_is_read_in_utc(typed: str, told: tuple[str, str]) -> None:
    assert MomentField(label="").clean(typed) == told
    assert InstantField(label="").clean(typed) == told[0]


@pytest.mark.parametrize(
    "typed", ["noon", "25/08/2026 12:10", "2026-08-25 12:10 PDT", "2026-02-30 12:10 KST", "0001-01-01 00:00 KST"]
)
def test_time_that_cannot_be_read_is_said_at_its_field(typed: str) -> None:
    document = make_document()
    uid = document.timeline.events[0].uid
    data = posted(document, date="25 August")
    data[f"timeline.events[{uid}].at"] = typed
    found = dict(complaints(document, data))
    assert list(found) == ["field-date", f"field-timeline.events[{uid}].at"]


def test_clock_shows_seconds_only_where_there_are_any() -> None:
    assert clock("2026-08-25T12:10:00Z") == "2026-08-25 12:10"
    assert clock("2026-08-25T12:10:01Z") == "2026-08-25 12:10:01"


def test_case_numbers_are_forgiven() -> None:
    assert [as_case_id(text) for text in ("560", "il-560", "IL-12345", "x")] == ["IL-0560", "IL-0560", "IL-12345", "x"]


# The page


def test_every_field_of_a_document_is_typed_somewhere() -> None:
    claim = {"uid": "c-1", "path": "severity", "source": make_document().sources[0].uid, "quote": "bad"}
    document = make_document(claims=[claim])
    form = CaseForm(document, LABELS)
    typed = {path for part in form.forms() for path in part.names_by_path()}
    assert set(fields(document)) == typed | set(LISTS)


def test_new_item_that_cannot_be_read_is_complained_of_once() -> None:
    document = make_document()
    data = posted(document)
    data.appendlist("timeline.events", "e-newnew")
    data["timeline.events[e-newnew].at"] = "noon"
    found = [target for target, _text in complaints(document, data)]
    assert found == ["field-timeline.events[e-newnew].at", "field-timeline.events[e-newnew].kind"]


def test_sections_hold_every_part_and_list_once() -> None:
    found = list(sections(CaseForm(make_document(), LABELS)))
    assert [one.path for section in found for one in section.lists] != []
    assert {one.path for section in found for one in section.lists} == set(LISTS)
    assert sum(len(section.parts) for section in found) == len(CaseForm(None, LABELS).parts)


def test_complaints_are_counted_in_their_section() -> None:
    document = make_document()
    form = read(document, posted(document, org="", title__en="x" * 301, title__ko="x" * 301))
    assert [(one.key, one.complaints) for one in sections(form) if one.complaints] == [("basics", 1), ("summary", 2)]


def test_only_what_a_person_may_change_can_be_typed_in() -> None:
    form = CaseForm(make_document(), LABELS, editable=frozenset({"ko"}))
    cells = [cell for part in form.forms() for group in part.groups() for cell in group.cells]
    assert {cell.language for cell in cells if cell.is_editable} == {"ko"}
    assert not any(item_list.can_change for item_list in form.lists.values())
    assert {"en", "ko", "facts"} == ALL_SCOPES


def test_words_are_offered_with_their_meaning_in_both_languages() -> None:
    form = CaseForm(make_document(domain=["made-up"]), LABELS)
    with translation.override("en"):
        choices = form.parts["basics"].cell("domain").choices
    assert [(one["value"], one["is_chosen"]) for one in choices] == [("made-up", True), ("dns", False)]
    assert choices[1]["meaning"] == "Names"
    with translation.override("ko"):
        severity = form.parts["facts"].cell("severity").choices[0]
    assert (severity["name"], severity["other_name"]) == ("심각", "Major")


def test_statements_that_can_be_quoted_are_named() -> None:
    document = make_document()
    paths = CaseForm(document, LABELS).statement_paths
    assert "summary" in paths
    assert f"remediation[{document.remediation[0].uid}].text" in paths
    assert not {"remediation", "example"} & set(paths)
