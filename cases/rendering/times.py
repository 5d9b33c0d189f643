"""What happened when: events by day, windows of impact, and durations with the sum that gave them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language, durations
from cases.document.shape import Event, Timeline, Window
from cases.document.timeline import Duration
from cases.formatting import (
    clock_words,
    date_code,
    date_words,
    day_and_clock_words,
    duration_code,
    duration_words,
    instant_code,
)
from cases.labels import Labels
from cases.telling import Shown, Told, tell

from .quotes import Evidence, Quotes


@dataclass(frozen=True)
class When(Shown):
    """A point or span of time in words, and as ``<time datetime>`` takes it ("" where that has no form for it)."""

    words: str
    code: str = ""


def dated(date: dt.date, precision: str, language: Language) -> When:
    return When(date_words(date, precision, language), date_code(date, precision))


@dataclass(frozen=True)
class EventRow(Shown):
    uid: str
    kind: Told
    slug: str
    when: When
    told: Told | None
    source: int | None
    source_uid: str | None
    source_name: str
    evidence: Evidence


@dataclass(frozen=True)
class Day(Shown):
    """The events of one day, or of one month or year where no more is known."""

    when: When
    events: list[EventRow]


@dataclass(frozen=True)
class WindowRow(Shown):
    uid: str
    start: When
    end: When | None
    length: When | None
    region: Told | None
    evidence: Evidence


@dataclass(frozen=True)
class DurationRow(Shown):
    """A duration, and how it was worked out: from when to when, as a sum, or as the case states it."""

    name: str
    when: When
    sum: str


@dataclass(frozen=True)
class Chronicle(Shown):
    days: list[Day]
    windows: list[WindowRow]
    durations: dict[str, DurationRow]

    def __bool__(self) -> bool:
        return bool(self.days or self.windows or self.durations)


class Chronicler:
    """Writes the timeline of one case for one language."""

    def __init__(self, document: CaseDocument, labels: Labels, quotes: Quotes, language: Language) -> None:
        self.document = document
        self.labels = labels
        self.quotes = quotes
        self.language: Language = language
        self.sources = {source.uid: number for number, source in enumerate(document.sources, 1)}
        self.spans_days = spans_days(document.timeline)

    def chronicle(self) -> Chronicle:
        measured = durations(self.document)
        rows = {name: self._duration(name, found) for name, found in measured.items() if found is not None}
        return Chronicle(self._days(), list(map(self._window, self.document.timeline.windows)), rows)

    # Events

    def _days(self) -> list[Day]:
        days: list[Day] = []
        for event in sorted(self.document.timeline.events, key=lambda event: event.at):
            precision = "day" if event.precision == "minute" else event.precision
            date = event.at.astimezone(dt.UTC).date()
            when = dated(date, precision, self.language)
            if not days or days[-1].when != when:
                days.append(Day(when, []))
            days[-1].events.append(self._event(event))
        return days

    def _event(self, event: Event) -> EventRow:
        exact = event.precision == "minute"
        words = clock_words(event.at) if exact else _("Time not told")
        return EventRow(
            uid=event.uid,
            kind=self.labels.term("timeline_event", event.kind).name(self.language),
            slug=event.kind,
            when=When(words, instant_code(event.at, event.precision)),
            told=tell(event.text, self.language),
            source=self.sources[event.source] if event.source else None,
            source_uid=event.source,
            source_name=_("Source {number}").format(number=self.sources[event.source]) if event.source else "",
            evidence=self.quotes.behind(f"timeline.events[{event.uid}]"),
        )

    # Windows

    def _window(self, window: Window) -> WindowRow:
        seconds = int((window.end - window.start).total_seconds()) if window.end else None
        return WindowRow(
            uid=window.uid,
            start=self._moment(window.start),
            end=self._end(window.start, window.end) if window.end else None,
            length=self._length(seconds) if seconds is not None else None,
            region=tell(window.region, self.language),
            evidence=self.quotes.behind(f"timeline.windows[{window.uid}]"),
        )

    def _moment(self, instant: dt.datetime) -> When:
        words = day_and_clock_words(instant, self.language) if self.spans_days else clock_words(instant)
        return When(words, instant_code(instant, "minute"))

    def _end(self, start: dt.datetime, end: dt.datetime) -> When:
        """Leave the day out where it is that of the start."""
        is_same_day = start.astimezone(dt.UTC).date() == end.astimezone(dt.UTC).date()
        return When(clock_words(end), instant_code(end, "minute")) if is_same_day else self._moment(end)

    def _length(self, seconds: int) -> When:
        return When(duration_words(seconds, self.language), duration_code(seconds))

    # Durations

    def _duration(self, name: str, duration: Duration) -> DurationRow:
        stated = {"detect": self.document.timeline.detected_after, "resolve": self.document.timeline.resolved_after}
        when = When(stated.get(name) or "") if duration.seconds is None else self._length(duration.seconds)
        return DurationRow(duration_name(name), when, self._sum(duration))

    def _sum(self, duration: Duration) -> str:
        """Say how a duration follows from events (``e1 to e2``) or windows (``w1 + w2``)."""
        if duration.rule == "stated":
            return _("As the source states it")
        uids = duration.rule.replace(" to ", " + ").split(" + ")
        if " to " in duration.rule:
            return self._span([event for uid in uids for event in self.document.timeline.events if event.uid == uid])
        return self._addition([window for window in self.document.timeline.windows if window.uid in uids], duration)

    def _span(self, events: Sequence[Event]) -> str:
        first, last = (self._named_moment(event) for event in events)
        return _("From {first} to {last}").format(first=first, last=last)

    def _named_moment(self, event: Event) -> str:
        kind = self.labels.term("timeline_event", event.kind).name(self.language).text
        return f"{self._moment(event.at).words} ({kind})"

    def _addition(self, windows: Sequence[Window], duration: Duration) -> str:
        lengths = [int((window.end - window.start).total_seconds()) for window in windows if window.end]
        if len(lengths) == 1:
            return _("One window of impact")
        total = " + ".join(duration_words(length, self.language) for length in lengths)
        if sum(lengths) != duration.seconds:
            return _("{total}, overlaps counted once").format(total=total)
        return total


def duration_name(name: str) -> str:
    names = {
        "detect": _("Time to detect"),
        "resolve": _("Time to repair"),
        "impact": _("Time with impact"),
        "fix": _("Time to the lasting fix"),
    }
    return names[name]


def spans_days(timeline: Timeline) -> bool:
    """Tell whether a time of the day alone would leave open which day is meant."""
    exact = [event for event in timeline.events if event.precision == "minute"]
    times = [event.at for event in exact if event.kind != "postmortem-published"]
    times += [time for window in timeline.windows for time in (window.start, window.end) if time is not None]
    return len({time.astimezone(dt.UTC).date() for time in times}) > 1
