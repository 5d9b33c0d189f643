"""The incident drawn to scale: one bar of time with the windows of impact and a tick for each event."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from cases.document import Language
from cases.document.shape import Event, Timeline
from cases.formatting import clock_words, day_and_clock_words
from cases.labels import Labels
from cases.telling import Shown

# What comes long after the trouble would press the trouble itself into a corner.
AFTERWARDS = {"postmortem-published", "fix-deployed"}
WIDTH = 1000
LEAST = 6
MOST_DAYS = 7


@dataclass(frozen=True)
class Block(Shown):
    """A stretch of the bar, in thousandths of its width."""

    x: int
    width: int
    title: str


@dataclass(frozen=True)
class Strip(Shown):
    first: str
    last: str
    windows: list[Block]
    ticks: list[Block]


def strip(timeline: Timeline, labels: Labels, language: Language) -> Strip | None:
    """Draw the events known to the minute and the closed windows; None where there is too little to draw."""
    events = [event for event in timeline.events if event.precision == "minute" and event.kind not in AFTERWARDS]
    spans = [(window.start, window.end) for window in timeline.windows if window.end is not None]
    times = [event.at for event in events] + [time for span in spans for time in span]
    if len(set(times)) < 2 or max(times) - min(times) > dt.timedelta(days=MOST_DAYS):  # noqa: PLR2004  (two ends)
        return None
    first, last = min(times), max(times)
    scale = WIDTH / (last - first).total_seconds()

    def place(time: dt.datetime) -> int:
        return round((time - first).total_seconds() * scale)

    windows = [
        Block(place(start), max(LEAST, place(end) - place(start)), f"{clock_words(start)}–{clock_words(end)} UTC")
        for start, end in spans
    ]
    ticks = [Block(place(event.at), 0, _title(event, labels, language)) for event in events]
    is_one_day = first.astimezone(dt.UTC).date() == last.astimezone(dt.UTC).date()
    ends = [clock_words(time) if is_one_day else day_and_clock_words(time, language) for time in (first, last)]
    return Strip(ends[0], ends[1], windows, ticks)


def _title(event: Event, labels: Labels, language: Language) -> str:
    kind = labels.term("timeline_event", event.kind).name(language).text
    return f"{clock_words(event.at)} UTC: {kind}"
