"""The content of a case as one typed value. No Django, no tables: those are ``cases.models`` and ``cases.mapping``.

The keys and their order are those of the seed format, then ours; ``order.py`` says the order of the public JSON.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from .problems import Problem, gettext_noop
from .problems import problem as make_problem
from .text import Address, Command, Line, Slug, TermName, Text, is_korean
from .timeline import Timed, computed_durations
from .values import (
    CaseId,
    Date,
    EventPrecision,
    Instant,
    Precision,
    Uid,
    duration_seconds,
    first_of_period,
    write_duration,
)

SCHEMA_VERSION: Literal["1.0"] = "1.0"
LANGUAGES: tuple[Language, ...] = ("en", "ko")
MOST_TERMS = 100
MOST_ITEMS = 400

Language = Literal["en", "ko"]


def warn(info: ValidationInfo, warning: Problem) -> None:
    """Note what is accepted but worth a look, when the reader of the document asked for warnings."""
    if isinstance(info.context, list):
        info.context.append(warning)


class Shape(BaseModel):
    """Base of all parts: frozen, strict, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Pair(Shape):
    """One statement in both languages; null is "not told in this language"."""

    en: Text | None = None
    ko: Text | None = None

    def told(self, language: Language) -> str | None:
        return self.en if language == "en" else self.ko


class LinePair(Pair):
    """A pair of single lines, such as a title."""

    en: Line | None = None
    ko: Line | None = None


def _null_if_untold(value: object) -> object:
    """A pair with neither language is the same as no pair, and is written null."""
    if isinstance(value, dict) and set(value) <= {"en", "ko"} and all(told is None for told in value.values()):
        return None
    return value


def _told(value: object) -> object:
    if _null_if_untold(value) is None:
        raise PydanticCustomError("untold", gettext_noop("needs a text in English or in Korean"))
    return value


MaybePair = Annotated[Pair | None, BeforeValidator(_null_if_untold)]
ToldPair = Annotated[Pair, BeforeValidator(_told)]
ToldLine = Annotated[LinePair, BeforeValidator(_told)]


def _distinct(values: list[str]) -> list[str]:
    if len(set(values)) < len(values):
        repeated = next(value for value, count in Counter(values).items() if count > 1)
        raise PydanticCustomError("repeated", gettext_noop("names {value} twice"), {"value": repeated})
    return values


def _check_distinct(value: object) -> object:
    return _distinct(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value


Terms = Annotated[list[Slug], Field(max_length=MOST_TERMS), BeforeValidator(_check_distinct)]
Numbers = Annotated[list[CaseId], Field(max_length=MOST_TERMS), BeforeValidator(_check_distinct)]


class Impact(Shape):
    """The one-language impact of the seed format, written from ``impact_text`` (English, else Korean)."""

    scope: Text | None = None
    users: Text | None = None
    region: Text | None = None


class ImpactText(Shape):
    scope: MaybePair = None
    users: MaybePair = None
    region: MaybePair = None


class Source(Shape):
    url: Address
    kind: Slug
    archived: Address | None = None
    uid: Uid
    title: Line | None = None
    publisher: Line | None = None
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=35)] | None = None
    published_at: Instant | None = None
    fetched_at: Instant | None = None
    machine_translated: bool = False
    state: Literal["live", "changed", "gone"] | None = None


class Event(Shape):
    uid: Uid
    at: Instant
    precision: EventPrecision = "minute"
    kind: Slug
    text: MaybePair = None
    source: Uid | None = None


class Window(Shape):
    """A span of time in which users were affected; ``end`` is null when it is not told."""

    uid: Uid
    start: Instant
    end: Instant | None = None
    region: MaybePair = None

    @model_validator(mode="after")
    def ends_after_its_start(self) -> Self:
        if self.end is not None and self.end < self.start:
            raise PydanticCustomError("ends_first", gettext_noop("ends before it starts"))
        return self


class Timeline(Shape):
    """Durations as text, and the events and windows they follow from where these are known."""

    detected_after: Line | None = None
    resolved_after: Line | None = None
    events: Annotated[list[Event], Field(max_length=MOST_ITEMS)] = []
    windows: Annotated[list[Window], Field(max_length=MOST_ITEMS)] = []

    @model_validator(mode="wrap")
    @classmethod
    def computed_wins(cls, value: Any, handler: Any, info: ValidationInfo) -> Timeline:
        """Replace a given duration by the one that the events give, and warn where they differ."""
        timeline: Timeline = handler(value)
        computed = computed_durations(timeline.timed())
        changes = {}
        for name, given in (("detect", timeline.detected_after), ("resolve", timeline.resolved_after)):
            seconds = computed[name].seconds if name in computed else None
            if seconds is None or (given and duration_seconds(given) == seconds // 60 * 60):
                continue
            field = "detected_after" if name == "detect" else "resolved_after"
            changes[field] = write_duration(seconds)
            if given is not None:
                message = gettext_noop("the events give {computed}, which replaces {given}")
                found = make_problem(("timeline", field), "computed", message, computed=changes[field], given=given)
                warn(info, found)
        return timeline.model_copy(update=changes) if changes else timeline

    def timed(self) -> Timed:
        """Give what durations are computed from: events known to the minute, and windows."""
        events = [(event.uid, event.kind, event.at) for event in self.events if event.precision == "minute"]
        return Timed(events, [(window.uid, window.start, window.end) for window in self.windows])

    @model_validator(mode="after")
    def ends_after_its_start(self) -> Self:
        starts = [event.at for event in self.events if event.kind == "impact-started"]
        ends = [event.at for event in self.events if event.kind == "impact-ended"]
        if starts and ends and max(ends) < min(starts):
            raise PydanticCustomError("ends_first", gettext_noop("the impact ends before it starts"))
        return self


class Remediation(Shape):
    text: ToldPair
    uid: Uid
    kind: Slug | None = None


class ActionItem(Shape):
    text: ToldPair
    uid: Uid
    status: Literal["planned", "underway", "done", "dropped"] | None = None


class Claim(Shape):
    """A quotation that supports one statement of the case.

    ``path`` names the statement: document keys joined by dots, items as ``list[uid]``. ``anchor`` is the words of
    our text in ``language`` that the quotation supports; ``value`` is what the quotation says.
    """

    uid: Uid
    path: Annotated[str, Field(pattern=r"^[a-z_]+(\[[a-z0-9-]+\])?(\.[a-z_]+(\[[a-z0-9-]+\])?)*$", max_length=200)]
    language: Language | None = None
    anchor: Text | None = None
    source: Uid
    quote: Text
    prefix: Text | None = None
    suffix: Text | None = None
    basis: Literal["stated", "derived", "inferred", "disputed"] = "stated"
    value: Text | None = None
    chosen: bool = True
    note: MaybePair = None


class Check(Shape):
    """An "am I exposed?" question of this case, with a command that answers it."""

    uid: Uid
    question: ToldPair
    how: MaybePair = None
    command: Command | None = None
    applies_to: Annotated[list[TermName], Field(max_length=MOST_TERMS), BeforeValidator(_check_distinct)] = []
    risk: Literal["read-only", "disruptive"] = "read-only"


class CaseDocument(Shape):
    """The whole content of one case; what revisions, editions, equality and approvals are about."""

    id: CaseId
    org: Line
    date: Date
    docs: Annotated[list[Address], Field(max_length=MOST_TERMS)] = []
    title: ToldLine
    domain: Terms = []
    impact: Impact = Impact()
    lessons: MaybePair = None
    related: Numbers = []
    sources: Annotated[list[Source], Field(max_length=MOST_ITEMS)] = []
    summary: ToldPair
    trigger: MaybePair = None
    severity: Slug = "unknown"
    symptoms: Terms = []
    timeline: Timeline = Timeline()
    date_kind: Slug = "incident"
    detection: MaybePair = None
    components: Terms = []
    root_cause: Slug | None = None
    remediation: Annotated[list[Remediation], Field(max_length=MOST_ITEMS)] = []
    action_items: Annotated[list[ActionItem], Field(max_length=MOST_ITEMS)] = []
    contributing: Terms = []
    recurrence_of: CaseId | None = None
    symptoms_text: MaybePair = None
    impact_text: ImpactText = ImpactText()
    claims: Annotated[list[Claim], Field(max_length=MOST_ITEMS)] = []
    detection_method: Slug | None = None
    example: bool = False
    checks: Annotated[list[Check], Field(max_length=MOST_ITEMS)] = []
    date_precision: Precision = "day"
    schema_version: Literal["1.0"] = "1.0"

    @model_validator(mode="before")
    @classmethod
    def one_impact(cls, value: Any, info: ValidationInfo) -> Any:
        """Fill ``impact_text`` from the one-language ``impact`` where it is empty, then write ``impact`` from it."""
        if not isinstance(value, dict):
            return value
        plain, pairs = value.get("impact") or {}, value.get("impact_text") or {}
        if not isinstance(plain, dict) or not isinstance(pairs, dict):
            return value
        pairs = dict(pairs)
        for key, text in plain.items():
            if not isinstance(text, str) or key not in ImpactText.model_fields:
                continue
            if _null_if_untold(pairs.get(key)) is None:
                pairs[key] = {"ko" if is_korean(text) else "en": text}
            elif isinstance(pairs[key], dict) and text != (pairs[key].get("en") or pairs[key].get("ko")):
                message = gettext_noop("differs from impact_text, which is kept")
                warn(info, make_problem(("impact", key), "two_impacts", message))
        written = {key: pair.get("en") or pair.get("ko") for key, pair in pairs.items() if isinstance(pair, dict)}
        unknown = {key: text for key, text in plain.items() if key not in Impact.model_fields}
        return {**value, "impact": {**written, **unknown}, "impact_text": pairs}

    @model_validator(mode="after")
    def holds_together(self) -> Self:
        """Check what concerns several keys at once; the rules are in ``rules.py``."""
        from .rules import check  # noqa: PLC0415  (the rules speak of this class)

        check(self)
        return self

    @property
    def number(self) -> int:
        return int(self.id.removeprefix("IL-"))

    @property
    def languages(self) -> list[Language]:
        """The languages that are present: those with a title and a summary."""
        return [language for language in LANGUAGES if self.title.told(language) and self.summary.told(language)]

    def text(self) -> str:
        """Return the canonical form that is stored and compared: compact JSON, not ASCII-escaped."""
        return self.model_dump_json()

    def starts_its_period(self) -> bool:
        return self.date == first_of_period(self.date, self.date_precision)
