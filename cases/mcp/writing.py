"""From the public JSON of cases to the short answers of tools, in one language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cases.document import Language
from cases.labels import Label, Labels
from cases.rendering.addresses import full_address
from cases.statistics import Counted
from cases.statistics import Times as TimesOf
from cases.telling import shortened

from .shapes import ActionItem, Check, CountedWord, Impact, Incident, Line, Moment, Similar, Source, Times

Case = Mapping[str, Any]

ONLY: dict[Language, str] = {"en": "[English only] ", "ko": "[Korean only] "}
DATE_LENGTH = {"year": 4, "month": 7}
EXCERPT_LENGTH = 240
MOST_SIMILAR = 5


def text_of(pair: Mapping[str, str | None] | None, language: Language) -> str | None:
    """Return a text in this language, else in the other one with a mark, else None."""
    if pair is None:
        return None
    if own := pair[language]:
        return own
    other: Language = "ko" if language == "en" else "en"
    told = pair[other]
    return f"{ONLY[other]}{told}" if told else None


def line(case: Case, language: Language, passage: str | None = None) -> Line:
    return Line(
        id=case["id"],
        url=full_address("case", language, id=case["id"]),
        title=text_of(case["title"], language) or "",
        org=case["org"],
        date=_date(case),
        severity=case["severity"],
        root_cause=case["root_cause"],
        components=case["components"],
        time_to_repair=case["timeline"]["resolved_after"],
        reviewed=case["review"]["reviewed_by"] is not None,
        excerpt=passage or shortened(text_of(case["summary"], language) or "", EXCERPT_LENGTH),
    )


def _date(case: Case) -> str:
    return str(case["date"])[: DATE_LENGTH.get(case["date_precision"])]


def incident(case: Case, similar: Sequence[Case], language: Language) -> Incident:
    """Write everything that a case tells; quotations, uids and the other language are in its record only."""

    def told(key: str) -> str | None:
        return text_of(case[key], language)

    return Incident(
        id=case["id"],
        status="published",
        url=full_address("case", language, id=case["id"]),
        title=told("title"),
        org=case["org"],
        date=_date(case),
        edition=case["edition"],
        example=case["example"],
        review={one: state["state"] for one, state in case["languages"].items()},
        severity=case["severity"],
        domain=case["domain"],
        components=case["components"],
        summary=told("summary"),
        impact=_impact(case["impact_text"], language),
        symptoms=case["symptoms"],
        symptoms_text=told("symptoms_text"),
        root_cause=case["root_cause"],
        trigger=told("trigger"),
        contributing=case["contributing"],
        detection=told("detection"),
        time_to_detect=case["timeline"]["detected_after"],
        time_to_repair=case["timeline"]["resolved_after"],
        lessons=told("lessons"),
        recurrence_of=case["recurrence_of"],
        similar=[_similar(one, language) for one in similar[:MOST_SIMILAR]],
        **_items(case, language),
    )


def _items(case: Case, language: Language) -> dict[str, Any]:
    return {
        "timeline": [
            Moment(at=one["at"], kind=one["kind"], text=text_of(one["text"], language))
            for one in case["timeline"]["events"]
        ],
        "remediation": [text_of(one["text"], language) for one in case["remediation"]],
        "action_items": [
            ActionItem(text=text_of(one["text"], language) or "", status=one["status"]) for one in case["action_items"]
        ],
        "checks": [
            Check(
                question=text_of(one["question"], language) or "",
                how=text_of(one["how"], language),
                command=one["command"],
            )
            for one in case["checks"]
        ],
        "sources": [Source(**{key: one[key] for key in Source.model_fields}) for one in case["sources"]],
    }


def _impact(impact: Mapping[str, Mapping[str, str | None] | None], language: Language) -> Impact | None:
    told = {name: text_of(impact[name], language) for name in Impact.model_fields}
    return Impact(**told) if any(told.values()) else None


def _similar(one: Case, language: Language) -> Similar:
    return Similar(
        id=one["id"], title=text_of(one["title"], language) or "", org=one["org"], reason=one["text"][language]
    )


# Words and figures


def name_of(term: Label, language: Language) -> str:
    return term.name(language).text


def counted(list_name: str, words: Iterable[Counted], labels: Labels, language: Language) -> list[CountedWord]:
    return [
        CountedWord(slug=one.word, name=name_of(labels.term(list_name, one.word), language), incidents=one.cases)
        for one in words
    ]


def times(found: TimesOf) -> Times:
    lower, median, upper = (
        None if seconds is None else seconds // 60 for seconds in (found.lower, found.median, found.upper)
    )
    return Times(told_by=found.known, lower_quartile=lower, median=median, upper_quartile=upper)
