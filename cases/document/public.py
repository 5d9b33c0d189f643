"""The public JSON of a case: content, record and computed keys in one order. No Django here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import create_model

from .record import Languages, Record
from .shape import CaseDocument, LinePair, Pair, Shape, Timeline
from .timeline import Duration, computed_durations
from .values import CaseId, duration_seconds

# The seed's keys in the seed's order, then ours.
SEED_KEYS = (
    "id", "org", "date", "docs", "title", "domain", "impact", "review", "lessons", "related", "sources", "summary",
    "trigger", "severity", "symptoms", "timeline", "date_kind", "detection", "components", "root_cause", "remediation",
    "action_items", "contributing", "recurrence_of", "symptoms_text", "updated_at", "url", "org_slug",
)  # fmt: skip
KEY_ORDER = (
    *SEED_KEYS,
    "impact_text", "claims", "detection_method", "example", "checks", "date_precision", "schema_version", "status",
    "edition", "published_at", "withdrawn", "merged_into", "aliases", "languages", "similar", "recurrence_chain",
)  # fmt: skip
# Computed from other cases, so spliced in when a case is served.
SPLICED_KEYS = ("similar", "recurrence_chain")


class DurationJson(Shape):
    """Whole seconds, null when the wording could not be counted, and the rule: ``stated`` or the uids used."""

    seconds: int | None
    rule: str


class Durations(Shape):
    detect: DurationJson | None = None
    resolve: DurationJson | None = None
    impact: DurationJson | None = None
    fix: DurationJson | None = None


class PublicTimeline(Timeline):
    durations: Durations = Durations()


class Reason(Shape):
    kind: str
    terms: list[str]


class SimilarCase(Shape):
    """A neighbour: why it is near, in words of both languages, and a score from 0 to 1.

    ``note`` is what the editors wrote of the two cases, null where they have only words in common.
    """

    id: CaseId
    url: str
    org: str
    title: LinePair
    reasons: list[Reason]
    text: Pair
    score: float
    note: Pair | None = None


class LinkedCase(Shape):
    id: CaseId
    url: str
    org: str
    date: str
    title: LinePair


def durations(document: CaseDocument) -> dict[str, Duration | None]:
    """Give the four durations: computed from events where they are known, else as stated, else None."""
    timeline = document.timeline
    found: dict[str, Duration | None] = dict.fromkeys(Durations.model_fields)
    for name, given in (("detect", timeline.detected_after), ("resolve", timeline.resolved_after)):
        if given is not None:
            found[name] = Duration(duration_seconds(given), "stated")
    return {**found, **computed_durations(timeline.timed())}


def compose(document: CaseDocument, record: Mapping[str, Any], computed: Mapping[str, Any]) -> dict[str, Any]:
    """Put the public JSON together, without the spliced keys. ``record`` and ``computed`` hold plain JSON values."""
    content = document.model_dump(mode="json")
    content["timeline"]["durations"] = {
        name: None if duration is None else {"seconds": duration.seconds, "rule": duration.rule}
        for name, duration in durations(document).items()
    }
    found = {**content, **record, **computed}
    return {key: found[key] for key in KEY_ORDER if key not in SPLICED_KEYS}


def write_json(value: object) -> str:
    """Write JSON as every door of the product does: compact, UTF-8, not ASCII-escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def splice(stored: str, similar: str = "[]", recurrence_chain: str = "[]") -> str:
    """Complete a stored public JSON with the two keys that depend on other cases."""
    return f'{stored[:-1]},"similar":{similar},"recurrence_chain":{recurrence_chain}}}'


@cache
def public_model() -> type[Shape]:
    """Return the public JSON of a case as a type, with its keys in order."""
    told = {**CaseDocument.model_fields, **Record.model_fields}
    fields: dict[str, Any] = {key: (field.annotation, field) for key, field in told.items()} | {
        "languages": (Languages, ...),
        "timeline": (PublicTimeline, ...),
        "url": (str, ...),
        "org_slug": (str, ...),
        "similar": (list[SimilarCase], ...),
        "recurrence_chain": (list[LinkedCase], ...),
    }
    ordered: dict[str, Any] = {key: fields[key] for key in KEY_ORDER}
    return create_model("PublicCase", __base__=Shape, **ordered)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of the public JSON of a case."""
    return public_model().model_json_schema(mode="serialization")
