"""How durations follow from events and windows. No Django here.

detect = first impact-started to first detected; resolve = first impact-started to last impact-ended, else last
mitigated, else last resolved; fix = first impact-started to last fix-deployed; impact = union of the windows.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

END_KINDS = ("impact-ended", "mitigated", "resolved")


@dataclass(frozen=True)
class Timed:
    """Events as (uid, kind, at) and windows as (uid, start, end), in the order of the document."""

    events: list[tuple[str, str, dt.datetime]]
    windows: list[tuple[str, dt.datetime, dt.datetime | None]]


@dataclass(frozen=True)
class Duration:
    """Seconds (None when the wording could not be read) and the rule that gave them, such as ``e1 to e2``."""

    seconds: int | None
    rule: str


def computed_durations(timed: Timed) -> dict[str, Duration]:
    """Compute ``detect``, ``resolve``, ``impact`` and ``fix``, each only where its events are known."""
    found = {}
    start = _first(timed, "impact-started")
    if start is not None:
        ends = {
            "detect": _first(timed, "detected"),
            "resolve": next(filter(None, (_last(timed, kind) for kind in END_KINDS)), None),
            "fix": _last(timed, "fix-deployed"),
        }
        found = {name: _between(start, end) for name, end in ends.items() if end is not None}
    closed = [(uid, begin, end) for uid, begin, end in timed.windows if end is not None]
    if closed:
        found["impact"] = Duration(_union(closed), " + ".join(uid for uid, _, _ in closed))
    return found


def _first(timed: Timed, kind: str) -> tuple[str, dt.datetime] | None:
    found = [(uid, at) for uid, event_kind, at in timed.events if event_kind == kind]
    return min(found, key=lambda event: event[1]) if found else None


def _last(timed: Timed, kind: str) -> tuple[str, dt.datetime] | None:
    found = [(uid, at) for uid, event_kind, at in timed.events if event_kind == kind]
    return max(found, key=lambda event: event[1]) if found else None


def _between(start: tuple[str, dt.datetime], end: tuple[str, dt.datetime]) -> Duration:
    """Measure from one event to another; what was noticed before it began took no time."""
    seconds = max(0, int((end[1] - start[1]).total_seconds()))
    return Duration(seconds, f"{start[0]} to {end[0]}")


def _union(windows: list[tuple[str, dt.datetime, dt.datetime]]) -> int:
    """Return the seconds that at least one window covers."""
    covered, reached = dt.timedelta(), None
    for _, start, end in sorted(windows, key=lambda window: window[1]):
        begin = start if reached is None else max(start, reached)
        covered += max(end - begin, dt.timedelta())
        reached = end if reached is None else max(end, reached)
    return int(covered.total_seconds())
