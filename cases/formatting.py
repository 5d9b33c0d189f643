"""How each language writes dates, times, durations and lists. No tables and no catalogue: only the language given."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from cases.document import Language

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
UNITS = {"en": ("{}d", "{}h", "{}m"), "ko": ("{}일", "{}시간", "{}분")}
LESS_THAN_A_MINUTE = {"en": "less than a minute", "ko": "1분 미만"}


def date_words(date: dt.date, precision: str, language: Language) -> str:
    """Write as much of a date as is known: ``25 August 2026``, ``August 2026`` or ``2026``."""
    if language == "ko":
        words = [f"{date.year}년", f"{date.month}월", f"{date.day}일"]
    else:
        words = [str(date.year), MONTHS[date.month - 1], str(date.day)]
    known = words[: {"year": 1, "month": 2}.get(precision, 3)]
    return " ".join(known if language == "ko" else reversed(known))


def date_code(date: dt.date, precision: str) -> str:
    """Write a date for programs, in a form that ``<time datetime>`` takes: ``2026-08-25``, ``2026-08`` or ``2026``."""
    return date.isoformat()[: {"year": 4, "month": 7}.get(precision, 10)]


def clock_words(instant: dt.datetime) -> str:
    """Write the time of the day in UTC, where a heading says so."""
    return instant.astimezone(dt.UTC).strftime("%H:%M")


def day_and_clock_words(instant: dt.datetime, language: Language) -> str:
    """Write a time of the day in UTC with its day, where a heading says the zone."""
    day = date_words(instant.astimezone(dt.UTC).date(), "day", language)
    return f"{day}, {clock_words(instant)}" if language == "en" else f"{day} {clock_words(instant)}"


def instant_words(instant: dt.datetime, precision: str, language: Language) -> str:
    """Write an instant in full, with its zone; one that is known to the day, month or year as that date."""
    utc = instant.astimezone(dt.UTC)
    day = date_words(utc.date(), precision, language)
    if precision != "minute":
        return day
    return f"{day} {utc.hour}시 {utc.minute}분 UTC" if language == "ko" else f"{day}, {utc:%H:%M} UTC"


def instant_code(instant: dt.datetime, precision: str) -> str:
    """Write an instant for programs: ``2026-08-25T12:10Z``, or as much of its date as is known."""
    utc = instant.astimezone(dt.UTC)
    return f"{utc:%Y-%m-%dT%H:%MZ}" if precision == "minute" else date_code(utc.date(), precision)


def _parts(seconds: int) -> tuple[int, int, int]:
    minutes = seconds // 60
    return minutes // 1440, minutes // 60 % 24, minutes % 60


def duration_words(seconds: int, language: Language) -> str:
    """Write a duration in days, hours and minutes: ``1h 15m`` or ``1시간 15분``."""
    units = zip(_parts(seconds), UNITS[language], strict=True)
    return " ".join(unit.format(count) for count, unit in units if count) or LESS_THAN_A_MINUTE[language]


def duration_code(seconds: int) -> str:
    """Write a duration for programs: ``PT1H15M``."""
    days, hours, minutes = _parts(seconds)
    clock = "".join(f"{count}{unit}" for count, unit in ((hours, "H"), (minutes, "M")) if count)
    if not days and not clock:
        return "PT0M"
    return "P" + (f"{days}D" if days else "") + (f"T{clock}" if clock else "")


def listed(words: Sequence[str], language: Language) -> str:
    """Join words as a list in running text: ``a, b and c`` or ``a, b, c``."""
    if language == "ko" or len(words) < 2:  # noqa: PLR2004  (one word needs no "and")
        return ", ".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
