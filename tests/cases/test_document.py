"""The case document: what is accepted, normalised, computed and refused, and what the messages say."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.document import (
    KEY_ORDER,
    CaseDocument,
    DocumentError,
    Record,
    compose,
    durations,
    json_schema,
    path_words,
    read_case,
    read_document,
    read_json,
)
from cases.document.values import (
    case_id,
    case_number,
    duration_seconds,
    first_of_period,
    last_of_period,
    write_duration,
    write_instant,
)

from .making import SAMPLES, SHARED, make_document, make_raw


def problems(raw: Any) -> list[str]:
    with pytest.raises(DocumentError) as refused:
        read_case(raw)
    return [problem.text() for problem in refused.value.problems]


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    raw = make_raw()
    change(raw)
    return raw


# What comes in comes out


def samples() -> list[dict[str, Any]]:
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SAMPLES.glob("*.json"))]
    lines = (SAMPLES / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    return files + [json.loads(line) for line in lines]


@pytest.mark.parametrize("raw", samples(), ids=lambda raw: raw["id"])
def test_sample_is_accepted_without_a_warning(raw: dict[str, Any]) -> None:
    reading = read_case(raw)
    assert reading.warnings == []
    assert read_document(reading.document.text()) == reading.document


def check_superset(seed: Any, public: Any, path: str = "") -> None:
    """The seed's keys come first, in their order, with equal values and lists of equal length, at every level."""
    if isinstance(seed, dict):
        assert list(public)[: len(seed)] == list(seed), path
        for key in seed.keys() - ({"url"} if not path else set()):
            check_superset(seed[key], public[key], f"{path}.{key}")
    elif isinstance(seed, list):
        assert len(seed) == len(public), path
        for position, (left, right) in enumerate(zip(seed, public, strict=True)):
            check_superset(left, right, f"{path}[{position}]")
    else:
        assert seed == public, path


def public_form(raw: dict[str, Any]) -> dict[str, Any]:
    reading = read_case(raw)
    record = reading.record.model_dump(mode="json")
    record["languages"] = reading.record.language_reviews(reading.document.languages).model_dump(mode="json")
    return compose(reading.document, record, {"url": "", "org_slug": reading.org_slug})


@pytest.mark.skipif(not SHARED.exists(), reason="the shared example is not here")
def test_example_document_comes_back_with_all_its_keys_in_order() -> None:
    example = json.loads((SHARED / "case-extended-example.json").read_text(encoding="utf-8"))
    public = public_form(example)
    assert list(example) == list(KEY_ORDER)
    assert list(public) == [key for key in example if key not in {"similar", "recurrence_chain"}]
    check_superset({key: example[key] for key in public}, public)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared corpus is not here")
def test_every_corpus_case_is_kept_key_for_key() -> None:
    lines = (SHARED / "search-corpus.jsonl").read_text(encoding="utf-8").splitlines()
    seed = (SHARED / "seeds" / "case-IL-0560.json").read_text(encoding="utf-8")
    for line in [*lines, seed]:
        raw = json.loads(line)
        check_superset(raw, public_form(raw))


def test_public_json_has_the_keys_of_the_schema_in_order() -> None:
    schema = json_schema()
    assert list(schema["properties"]) == list(KEY_ORDER)
    assert list(public_form(make_raw())) == [k for k in KEY_ORDER if k not in {"similar", "recurrence_chain"}]


# Text


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u061c\u200e\u200f"), min_size=1)


@given(TEXT)
@settings(max_examples=200, deadline=None)
def test_normalising_a_text_twice_changes_nothing_more(text: str) -> None:
    try:
        once = make_document(lessons={"en": text, "ko": None})
    except DocumentError:
        return
    assert once.lessons is not None
    assert make_document(lessons={"en": once.lessons.en, "ko": None}) == once


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("one\r\n\r\ntwo", "one\n\ntwo"),
        ("trailing  \n\nblank\t", "trailing\n\nblank"),
        ("far\n\n\n\napart", "far\n\napart"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("no\u00a0break\u200b", "no\u00a0break\u200b"),
    ],
)
def test_text_is_normalised(written: str, kept: str) -> None:
    document = make_document(lessons={"en": written, "ko": None})
    assert document.lessons is not None
    assert document.lessons.en == kept


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must not be empty: leave it out or write null"),
        ("  ", "must not be empty: leave it out or write null"),
        ("a\x00b", "contains a control character (U+0000)"),
        ("a\tb", "contains a control character (U+0009)"),
        ("a\u202eb", "contains a character that turns the direction of writing (U+202E)"),
    ],
)
def test_text_is_refused_with_its_path(text: str, said: str) -> None:
    raw = changed(lambda raw: raw["remediation"][1]["text"].update(ko=text))
    assert problems(raw) == [f"remediation, item 2, Korean text: {said}"]


def test_lone_surrogate_is_refused() -> None:
    raw = changed(lambda raw: raw["title"].update(en=json.loads('"\\ud800"')))
    assert problems(raw)[0].startswith("English title: ")


def test_tabs_stay_in_a_command() -> None:
    raw = changed(lambda raw: raw["checks"][0].update(command="cat <<E\n\tx\nE"))
    assert read_case(raw).document.checks[0].command == "cat <<E\n\tx\nE"


def test_title_is_one_line_of_at_most_300_characters() -> None:
    assert problems(make_raw(title={"en": "a\nb", "ko": None})) == ["English title: must be one line"]
    assert "300" in problems(make_raw(title={"en": "가" * 301, "ko": None}))[0]


# Pairs


@pytest.mark.parametrize("english", ["told", None])
@pytest.mark.parametrize("korean", ["이야기", None])
def test_pair_with_neither_language_is_null(english: str | None, korean: str | None) -> None:
    document = make_document(lessons={"en": english, "ko": korean})
    written = json.loads(document.text())["lessons"]
    assert written == ({"en": english, "ko": korean} if english or korean else None)


def test_title_and_summary_need_a_language() -> None:
    said = problems(make_raw(title={"en": None, "ko": None}, summary=None))
    assert said == ["title: needs a text in English or in Korean", "summary: needs a text in English or in Korean"]


def test_language_is_present_with_title_and_summary() -> None:
    document = make_document(title={"en": "Told", "ko": "제목"}, summary={"en": None, "ko": "요약했다."})
    assert document.languages == ["ko"]


# Numbers, dates, durations


@pytest.mark.parametrize("text", ["IL-560", "IL-00560", "IL-0000", "il-0560", "IL-٠٥٦٠", "IL-0560 ", "560", ""])
def test_other_spellings_are_no_case_number(text: str) -> None:
    with pytest.raises(ValueError, match="^" + text.replace(" ", " ") + "$"):
        case_number(text)


@given(st.integers(1, 999_999_999))
def test_number_and_id_are_inverse(number: int) -> None:
    assert case_number(case_id(number)) == number


@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("2026-02-30", "is a date that does not exist"),
        ("1756080000", "must be a date written as 2026-08-25"),
        (1756080000, "must be a date written as 2026-08-25"),
        ("2026-8-5", "must be a date written as 2026-08-25"),
        ("２０２６-08-25", "must be a date written as 2026-08-25"),
        ("0000-01-01", "is a date that does not exist"),
    ],
)
def test_date_is_strict(date: Any, said: str) -> None:
    assert problems(make_raw(date=date)) == [f"date: {said}"]


def test_date_lies_between_1990_and_tomorrow() -> None:
    far = (dt.datetime.now(dt.UTC).date() + dt.timedelta(days=2)).isoformat()
    for date in ("1989-12-31", far):
        assert "must lie between 1990-01-01 and " in problems(make_raw(date=date))[0]


def test_date_of_a_month_is_its_first_day() -> None:
    assert problems(make_raw(date_precision="month")) == ["date must be the first day of its month"]
    assert make_document(date="2026-10-01", date_precision="month").date == dt.date(2026, 10, 1)


@pytest.mark.parametrize(
    ("precision", "first", "last"),
    [
        ("day", dt.date(2024, 2, 11), dt.date(2024, 2, 11)),
        ("month", dt.date(2024, 2, 1), dt.date(2024, 2, 29)),
        ("year", dt.date(2024, 1, 1), dt.date(2024, 12, 31)),
    ],
)
def test_period_of_a_date(precision: str, first: dt.date, last: dt.date) -> None:
    assert first_of_period(dt.date(2024, 2, 11), precision) == first
    assert last_of_period(first, precision) == last


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1h 15m", 4500), ("3d", 259200), ("90m", 5400), ("1d 0h 5m", 86700), ("about an hour", None), ("", None)],
)
def test_duration_is_read(text: str, seconds: int | None) -> None:
    assert duration_seconds(text) == seconds


@given(st.integers(0, 10_000_000))
def test_written_duration_is_read_back(minutes: int) -> None:
    assert duration_seconds(write_duration(minutes * 60 + 59)) == minutes * 60


@pytest.mark.parametrize("text", ["2026-11-14T12:34:20.887052Z", "2026-08-25T12:10:00Z"])
def test_instant_is_written_as_it_was_read(text: str) -> None:
    updated = Record.model_validate({"updated_at": text}).updated_at
    assert updated is not None
    assert write_instant(updated) == text


@pytest.mark.parametrize(
    "text", ["2026-08-25T12:10:00+09:00", "2026-08-25 12:10", "1756080000", "2026-08-25T24:61:00Z"]
)
def test_instant_is_strictly_utc(text: str) -> None:
    raw = changed(lambda raw: raw["timeline"]["events"][0].update(at=text))
    assert problems(raw)[0].startswith("timeline, events, item 1, at: ")


# Timeline


def test_durations_follow_from_events_and_windows() -> None:
    found = durations(make_document())
    told = {name: duration and duration.seconds for name, duration in found.items()}
    assert told == {"detect": 240, "resolve": 4800, "impact": 2160, "fix": 18120}


def test_computed_duration_wins_with_a_warning() -> None:
    reading = read_case(changed(lambda raw: raw["timeline"].update(resolved_after="9h")))
    assert reading.document.timeline.resolved_after == "1h 20m"
    assert [w.text() for w in reading.warnings] == [
        "timeline, resolved after: the events give 1h 20m, which replaces 9h"
    ]


def test_other_wording_is_kept_and_not_counted() -> None:
    document = make_document(timeline={"detected_after": "at once", "resolved_after": None})
    found = durations(document)["detect"]
    assert document.timeline.detected_after == "at once"
    assert found is not None
    assert found.seconds is None


def test_event_known_to_the_day_gives_no_duration() -> None:
    raw = changed(lambda raw: raw["timeline"]["events"][0].update(precision="day", at="2026-10-19T00:00:00Z"))
    assert "detect" not in {name for name, d in durations(read_case(raw).document).items() if d and d.rule != "stated"}


def test_impact_ends_after_it_starts() -> None:
    def swap(raw: dict[str, Any]) -> None:
        for event in raw["timeline"]["events"]:
            event["kind"] = {"impact-started": "impact-ended", "impact-ended": "impact-started"}.get(
                event["kind"], event["kind"]
            )

    assert problems(changed(swap)) == ["timeline: the impact ends before it starts"]


def test_window_ends_after_it_starts() -> None:
    raw = changed(lambda raw: raw["timeline"]["windows"][0].update(end="2026-10-19T00:00:00Z"))
    assert problems(raw) == ["timeline, windows, item 1: ends before it starts"]


# Impact


def test_plain_impact_becomes_a_pair_by_its_script() -> None:
    document = make_document(impact={"scope": "결제 전체", "users": "All users", "region": None}, impact_text={})
    assert json.loads(document.text())["impact_text"] == {
        "scope": {"en": None, "ko": "결제 전체"},
        "users": {"en": "All users", "ko": None},
        "region": None,
    }
    assert document.impact.scope == "결제 전체"


def test_impact_text_wins_over_another_plain_impact() -> None:
    reading = read_case(changed(lambda raw: raw["impact"].update(scope="something else")))
    assert reading.document.impact.scope == make_document().impact.scope
    assert [w.text() for w in reading.warnings] == ["impact, scope: differs from impact_text, which is kept"]


# Items, claims, sources


def test_item_without_uid_keeps_that_of_the_equal_known_item() -> None:
    known = make_document()
    raw = changed(lambda raw: [item.pop("uid") for item in raw["remediation"]])
    raw["remediation"].insert(0, {"text": {"en": "New first step", "ko": None}})
    document = read_case(raw, json.loads(known.text())).document
    assert [item.uid for item in document.remediation[1:]] == [item.uid for item in known.remediation]
    assert document.remediation[0].uid.startswith("r-")


def test_uid_is_unique_in_the_document() -> None:
    raw = changed(lambda raw: raw["action_items"][0].update(uid=raw["remediation"][0]["uid"]))
    uid = raw["remediation"][0]["uid"]
    assert problems(raw) == [f"remediation uses the uid {uid}, which another item has too"]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "ftp://a.example/",
        "https://user@a.example/",
        "https://a b.example/",
        "//a.example",
        "https://",
    ],
)
def test_source_address_is_on_the_web(url: str) -> None:
    raw = changed(lambda raw: raw["sources"][0].update(url=url))
    assert problems(raw)[0].startswith("sources, item 1, url: must be an address that begins with http://")


def claim(**changes: Any) -> dict[str, Any]:
    return {"uid": "c-aaaaaa", "path": "timeline.events", "source": "", "quote": "as it was said", **changes}


def with_claims(*claims: dict[str, Any]) -> dict[str, Any]:
    def change(raw: dict[str, Any]) -> None:
        source = raw["sources"][0]["uid"]
        raw["claims"] = [{**one, "source": one["source"] or source} for one in claims]

    return changed(change)


def test_claim_speaks_of_a_stored_path_and_a_known_source() -> None:
    first = make_raw()["timeline"]["events"][0]["uid"]
    assert read_case(with_claims(claim(path=f"timeline.events[{first}].at"))).document.claims
    for path in ("timeline.events[e-zzzzzz].at", "impact.scope", "nothing", "title[x]", "similar"):
        assert problems(with_claims(claim(path=path))) == [
            f"claim c-aaaaaa speaks of {path}, which this case does not have"
        ]
    assert "names the source s-none" in problems(with_claims(claim(source="s-none")))[0]


def test_conflicting_claims_need_one_chosen_value_and_a_note() -> None:
    note = {"en": "The later source.", "ko": None}
    one, other = claim(value="12:10"), claim(uid="c-bbbbbb", value="12:15")
    assert "exactly one value must be chosen" in problems(with_claims(one, other))[0]
    assert "needs a note" in problems(with_claims(one, {**other, "chosen": False}))[0]
    assert read_case(with_claims({**one, "note": note}, {**other, "chosen": False})).document.claims


def test_case_is_not_related_to_itself() -> None:
    assert problems(make_raw(related=["IL-0561"])) == ["a case cannot be related to itself"]
    assert problems(make_raw(recurrence_of="IL-0561")) == ["a case cannot be related to itself"]


def test_repeated_term_is_refused() -> None:
    assert problems(make_raw(domain=["dns", "dns"])) == ["domain: names dns twice"]


# Keys and versions


def test_unknown_key_is_named_with_its_path() -> None:
    raw = changed(lambda raw: raw["remediation"][1]["text"].update(fr="texte"))
    assert problems(raw) == ["remediation, item 2, text, fr: is not a key of a case document"]


def test_computed_and_record_keys_are_no_content() -> None:
    raw = make_raw(url="https://elsewhere.example/", similar=[1], review={"written_by": "someone"})
    reading = read_case(raw)
    assert reading.document == make_document()
    assert reading.record.review.written_by == "someone"


def test_absent_added_keys_mean_empty() -> None:
    seed_keys = KEY_ORDER[:28]
    raw = {key: value for key, value in make_raw().items() if key in seed_keys}
    document = read_case(raw).document
    assert (document.claims, document.checks, document.detection_method) == ([], [], None)


def test_seed_shape_is_upgraded() -> None:
    raw = json.loads(
        (SAMPLES.parents[1] / "tests" / "cases" / "frozen" / "seed-shape.json").read_text(encoding="utf-8")
    )
    document = read_case(raw).document
    assert document.schema_version == "1.0"
    assert document.impact_text.region is not None
    assert document.impact_text.region.ko == "서울"


def test_newer_version_is_refused() -> None:
    assert problems(make_raw(schema_version="7.0")) == [
        "schema version: 7.0 is not a version that this program reads (1.0)"
    ]


def test_path_of_a_plain_key_is_words() -> None:
    assert path_words(("action_items", 0, "text", "ko")) == "action items, item 1, Korean text"


# JSON


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON: line 1"),
        ('{"a": 1, "a": 2}', "the key a stands twice in one object"),
        ("[NaN]", "NaN is not a JSON number"),
        ("[" * 100_000, "is nested too deeply"),
        ("1" * 5_000, "is not JSON: "),
        ("\ufeff{}", "is not JSON"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8 (byte 0)"),
        (" " * 1_048_577, "is larger than 1048576 bytes"),
    ],
)
def test_broken_json_is_refused_in_words(text: str | bytes, said: str) -> None:
    with pytest.raises(DocumentError, match="^" + said.replace("(", r"\(").replace(")", r"\)")):
        read_json(text)


@pytest.mark.parametrize("raw", [None, [], "text", 5])
def test_case_is_an_object(raw: Any) -> None:
    assert problems(raw) == ["a case must be a JSON object"]


def test_document_is_frozen() -> None:
    document: CaseDocument = make_document()
    with pytest.raises(ValueError, match="frozen"):
        document.org = "Other"  # type: ignore[misc]  # what mypy knows, pydantic must enforce


@pytest.mark.parametrize("raw", samples()[:20], ids=lambda raw: raw["id"])
def test_public_json_keeps_its_own_schema(raw: dict[str, Any]) -> None:
    public = public_form(raw) | {"similar": [], "recurrence_chain": [], "org_slug": "slug"}
    jsonschema.validate(public, json_schema(), format_checker=jsonschema.FormatChecker())
