"""The values that a list of cases can be asked for: periods, minutes, words, and how each is read from an address."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from cases.document import last_of_period
from cases.document.problems import printable
from cases.search.finding import LONGEST_QUERY

MOST_VALUES = 100
YEARS = range(1900, 2200)
PERIOD = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
MINUTES = re.compile(r"[0-9]{1,8}")
# "1h 30m", "2 hours", "1d", "2시간 30분".
SPAN = re.compile(
    r"(?:([0-9]{1,4}) ?(?:d|days?|일))? ?"
    r"(?:([0-9]{1,5}) ?(?:h|hours?|시간))? ?"
    r"(?:([0-9]{1,6}) ?(?:m|min|minutes?|분))?",
    re.IGNORECASE,
)
NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Period:
    """A day, a month or a year as a reader writes it."""

    text: str
    first: dt.date
    last: dt.date


def read_period(text: str) -> Period:
    """Read ``2026``, ``2026-08`` or ``2026-08-25``. Raises ValueError for anything else."""
    found = PERIOD.fullmatch(text)
    if found is None or int(found[1]) not in YEARS:
        raise ValueError(text)
    first = dt.date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    precision = "day" if found[3] else "month" if found[2] else "year"
    return Period(text, first, last_of_period(first, precision))


class PeriodField(forms.CharField):
    widget = forms.TextInput(attrs={"placeholder": "2026-08", "maxlength": 10, "autocomplete": "off"})

    def clean(self, value: Any) -> Period | None:
        text = super().clean(value)
        try:
            return read_period(text) if text else None
        except ValueError:
            message = _("Write a date as 2026, 2026-08 or 2026-08-25.")
            raise forms.ValidationError(message, code="bad_date") from None


def read_minutes(text: str) -> int:
    """Read a time in minutes: ``90``, or as people write it: ``1h 30m``, ``2d``, ``2시간``. Raises ValueError."""
    if MINUTES.fullmatch(text):
        return int(text)
    found = SPAN.fullmatch(text)
    if found is None or not any(found.groups()):
        raise ValueError(text)
    days, hours, minutes = (int(part or 0) for part in found.groups())
    return (days * 24 + hours) * 60 + minutes


class MinutesField(forms.CharField):
    widget = forms.TextInput(attrs={"placeholder": "1h 30m", "maxlength": 24, "autocomplete": "off"})

    def clean(self, value: Any) -> int | None:
        text = super().clean(value)
        try:
            return read_minutes(text) if text else None
        except ValueError:
            message = _("Write a time as 90 (minutes), 1h 30m or 2d.")
            raise forms.ValidationError(message, code="bad_minutes") from None


class QueryField(forms.CharField):
    """Words to look for. What no text holds, such as a NUL, counts as a blank."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_QUERY, **options)
        self.widget.input_type = "search"

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return " ".join(NO_TEXT.sub(" ", unicodedata.normalize("NFC", text)).split())


class WordsField(forms.Field):
    """Several words of a closed list. ``word`` gives the one in force for what was written, None for a wrong one.

    The error of wrong words carries them, and the right ones, which still apply.
    """

    widget = forms.SelectMultiple

    def __init__(self, *, word: Callable[[str], str | None], **options: Any) -> None:
        super().__init__(**options)
        self.word = word

    def clean(self, value: Any) -> list[str]:
        given = [text.strip() for text in dict.fromkeys(value or ()) if text.strip()]
        words = {text: self.word(text) for text in given[:MOST_VALUES]}
        kept = list(dict.fromkeys(word for word in words.values() if word is not None))
        wrong = [text for text, word in words.items() if word is None]
        if wrong:
            shown = ", ".join(printable(text) for text in wrong[:3])
            raise forms.ValidationError(
                _("Not known and left out: {values}").format(values=shown), "unknown", {"kept": kept, "wrong": wrong}
            )
        if len(given) > MOST_VALUES:
            message = _("At most {most} values are used.").format(most=MOST_VALUES)
            raise forms.ValidationError(message, "too_many", {"kept": kept})
        return kept
