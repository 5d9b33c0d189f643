"""The small values of a case: numbers, uids, dates, instants and durations. No Django here."""

from __future__ import annotations

import datetime as dt
import re
import secrets
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from .problems import gettext_noop

Precision = Literal["day", "month", "year"]
EventPrecision = Literal["minute", "day", "month", "year"]

NUMBER = re.compile(r"IL-([0-9]{4}|[1-9][0-9]{4,8})")
EARLIEST = dt.date(1990, 1, 1)
BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


# Case numbers


def case_id(number: int) -> str:
    """Write a case number as people know it: 560 is ``IL-0560``."""
    return f"IL-{number:04d}"


def case_number(text: str) -> int:
    """Read ``IL-0560`` as 560. Raises ValueError for anything else, 0 included."""
    found = NUMBER.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise ValueError(text)
    return int(found[1])


def _case_id(text: str) -> str:
    try:
        case_number(text)
    except ValueError:
        message = gettext_noop("must be a case number: IL- and at least four digits, as in IL-0560")
        raise PydanticCustomError("bad_number", message) from None
    return text


CaseId = Annotated[
    str,
    StringConstraints(max_length=20),
    AfterValidator(_case_id),
    WithJsonSchema({"type": "string", "pattern": r"^IL-(\d{4}|[1-9]\d{4,8})$"}),
]

# Uids of items

Uid = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]


def new_uid(letter: str) -> str:
    """Make a uid for a new item, ``r-`` and six random base32 characters."""
    number = secrets.randbits(30)
    return f"{letter}-" + "".join([BASE32[number >> shift & 31] for shift in range(0, 30, 5)])


# Dates


def tomorrow() -> dt.date:
    """Return the last day that the date of an incident may have: somewhere it is already tomorrow."""
    return dt.datetime.now(dt.UTC).date() + dt.timedelta(days=1)


def _read_date(value: object) -> dt.date:
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise PydanticCustomError("bad_date", gettext_noop("must be a date written as 2026-08-25"))
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        raise PydanticCustomError("no_such_date", gettext_noop("is a date that does not exist")) from None


def _plausible(date: dt.date) -> dt.date:
    if not EARLIEST <= date <= tomorrow():
        message = gettext_noop("must lie between {first} and {last}")
        values = {"first": EARLIEST.isoformat(), "last": tomorrow().isoformat()}
        raise PydanticCustomError("implausible_date", message, values)
    return date


Date = Annotated[
    dt.date,
    BeforeValidator(_read_date),
    AfterValidator(_plausible),
    PlainSerializer(dt.date.isoformat, return_type=str),
    WithJsonSchema({"type": "string", "format": "date"}),
]


def first_of_period(date: dt.date, precision: str) -> dt.date:
    """Return the first day of the day, month or year that ``date`` lies in."""
    if precision == "year":
        return date.replace(month=1, day=1)
    return date.replace(day=1) if precision == "month" else date


def last_of_period(date: dt.date, precision: str) -> dt.date:
    """Return the last day of the day, month or year that begins at ``date``."""
    if precision == "year":
        return date.replace(month=12, day=31)
    if precision == "month":
        return (date.replace(day=28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)
    return date


# Instants


def _read_instant(value: object) -> dt.datetime:
    if isinstance(value, dt.datetime):
        return value
    pattern = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z"
    if not isinstance(value, str) or not re.fullmatch(pattern, value):
        raise PydanticCustomError("bad_time", gettext_noop("must be a UTC time written as 2026-08-25T12:10:00Z"))
    try:
        return dt.datetime.fromisoformat(value)
    except ValueError:
        raise PydanticCustomError("no_such_time", gettext_noop("is a time that does not exist")) from None


def write_instant(instant: dt.datetime) -> str:
    """Write an instant as ``2026-08-25T12:10:00Z``, with six more digits only where it has any."""
    return instant.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")


Instant = Annotated[
    dt.datetime,
    BeforeValidator(_read_instant),
    PlainSerializer(write_instant, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]

# Durations

DURATION = re.compile(r"(?:([0-9]{1,4})d)?(?: ?([0-9]{1,5})h)?(?: ?([0-9]{1,6})m)?")


def duration_seconds(text: str) -> int | None:
    """Read ``1d 2h 15m`` as seconds; None for any other wording, which is kept but not counted."""
    found = DURATION.fullmatch(text)
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60


def write_duration(seconds: int) -> str:
    """Write whole minutes as ``[Nd ][Nh ][Nm]``; less than a minute is ``0m``."""
    minutes = seconds // 60
    parts = [(minutes // 1440, "d"), (minutes // 60 % 24, "h"), (minutes % 60, "m")]
    return " ".join(f"{count}{unit}" for count, unit in parts if count) or "0m"
