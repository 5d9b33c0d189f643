"""The fields of the editor: how each kind of value of a document is written for a person, read back, and posted.

A field that cannot read what was typed says so; whether the value fits is the document's business. Values are the
plain ones of ``review.fields``.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from cases.document import Language, write_instant
from cases.document.text import LONGEST_ADDRESS, LONGEST_LINE, LONGEST_TEXT
from cases.fields import FieldValue
from cases.labels import Label, Labels

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Told = Mapping[str, FieldValue]

BLANK = " \t\r\n"
ON = "on"


class CaseField(forms.Field):
    """What every field of the editor can do besides checking: write a value, tell it, and say what a browser posts."""

    kind = "text"
    # How many characters fit; None where nobody counts.
    longest: int | None = None
    rows = 0

    def written(self, told: Told, path: str) -> Any:
        """Give what the field shows for the value at a path."""
        return told.get(path)

    def telling(self, value: Any, path: str) -> dict[str, FieldValue]:
        """Give the document's fields that a cleaned value says."""
        return {path: value}

    def posted(self, written: Any) -> list[str]:
        """Give what a browser posts for what the field shows, when nobody touches it."""
        return [written or ""]

    def paths(self, path: str) -> list[str]:
        """Give the document's fields that this one is about."""
        return [path]


# Texts


class TextField(forms.CharField, CaseField):
    """A text; nothing but blanks is nothing. Everything else about texts is checked by the document."""

    longest: int | None = LONGEST_TEXT
    rows = 3

    def __init__(self, *, label: StrPromise | str, help_text: StrPromise | str = "", rows: int | None = None) -> None:
        self.rows = self.rows if rows is None else rows
        widget = forms.Textarea if self.rows else forms.TextInput
        super().__init__(label=label, help_text=help_text, required=False, strip=False, empty_value=None, widget=widget)
        self.validators = []  # the document says what is wrong with a character, in its own words

    def to_python(self, value: Any) -> Any:
        text = str(value or "").replace("\r\n", "\n").replace("\r", "\n")
        return text if text.strip(BLANK) else None


class LineField(TextField):
    """One line. A line end that was pasted in is a blank."""

    longest: int | None = LONGEST_LINE
    rows = 0

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text and re.sub(r" *\n *", " ", text.strip("\n"))


class AddressField(LineField):
    kind = "address"
    longest = LONGEST_ADDRESS

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text and text.strip(BLANK)


class CommandField(TextField):
    kind = "command"


class WordsField(CaseField, forms.Field):
    """A list of words without blanks inside, such as addresses (one in a line) or case numbers (parted by commas)."""

    kind = "words"
    joint = "\n"

    def __init__(self, *, label: StrPromise | str, help_text: StrPromise | str = "", rows: int = 0) -> None:
        self.rows = rows
        widget = forms.Textarea if rows else forms.TextInput
        super().__init__(label=label, help_text=help_text, required=False, widget=widget)
        self.joint = "\n" if rows else ", "

    def written(self, told: Told, path: str) -> str:
        return self.joint.join(cast("list[str]", told.get(path) or []))

    def to_python(self, value: Any) -> list[str]:
        parts = re.split(r"\s+" if self.rows else r"[\s,]+", str(value or ""))
        return [part for part in parts if part]


class NumbersField(WordsField):
    kind = "numbers"

    def to_python(self, value: Any) -> list[str]:
        return [as_case_id(part) for part in super().to_python(value)]


class NumberField(LineField):
    kind = "numbers"
    longest: int | None = None

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text and as_case_id(text.strip())


def as_case_id(text: str) -> str:
    """Write ``560`` and ``il-560`` as ``IL-0560``; leave everything else to the document to refuse."""
    found = re.fullmatch(r"(?:il)?[-_ ]?0*([1-9][0-9]{0,8})", text, re.IGNORECASE)
    return f"IL-{int(found[1]):04d}" if found else text


# Dates and times

DAY = r"([0-9]{4})(?:[-./년] ?([0-9]{1,2})(?:[-./월] ?([0-9]{1,2})[일.]?|월)?|년)?"
CLOCK = r"(?:[T ]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?)"
ZONE = r"(?: ?(Z|UTC|KST|[+-][0-9]{2}:?[0-9]{2}))?"
DATE = re.compile(DAY)
MOMENT = re.compile(rf"{DAY}(?:{CLOCK}{ZONE})?(?: \((minute|day|month|year)\))?", re.IGNORECASE)
NOT_A_DATE = _("Write a date as 2026-08-25, or 2026-08 or 2026 when no more is known.")
NOT_A_MOMENT = _("Write a time as 2026-08-25 12:10 (UTC), or with its zone: 2026-08-25 21:10 KST.")


def _precision(found: re.Match[str]) -> str:
    return "day" if found[3] else "month" if found[2] else "year"


class PeriodField(TextField):
    """A date as far as it is known: ``2026-08-25``, ``2026-08`` or ``2026``. It tells the precision, too."""

    kind = "when"
    longest: int | None = None
    rows = 0
    precision_key = "date_precision"

    def written(self, told: Told, path: str) -> str:
        date, precision = str(told.get(path) or ""), told.get(self.precision_path(path))
        return date[: {"year": 4, "month": 7}.get(str(precision), 10)]

    def clean(self, value: Any) -> tuple[str, str] | None:
        text = (self.to_python(value) or "").strip()
        if not text:
            return None
        found = DATE.fullmatch(text)
        if found is None:
            raise ValidationError(NOT_A_DATE)
        return f"{found[1]}-{int(found[2] or 1):02d}-{int(found[3] or 1):02d}", _precision(found)

    def telling(self, value: Any, path: str) -> dict[str, FieldValue]:
        told, precision = value or (None, "day")
        return {path: told, self.precision_path(path): precision}

    def precision_path(self, path: str) -> str:
        return f"{path.rpartition('.')[0]}.{self.precision_key}".lstrip(".")

    def paths(self, path: str) -> list[str]:
        return [path, self.precision_path(path)]


class InstantField(TextField):
    """A time in UTC. One given with another zone is turned into UTC."""

    kind = "when"
    longest: int | None = None
    rows = 0

    def written(self, told: Told, path: str) -> str:
        return clock(str(told.get(path) or ""))

    def clean(self, value: Any) -> Any:
        moment = read_moment(self.to_python(value))
        return moment and moment[0]


class MomentField(PeriodField):
    """A time in UTC as far as it is known; it tells the precision, too. ``(day)`` behind a time says so."""

    precision_key = "precision"

    def written(self, told: Told, path: str) -> str:
        at, precision = str(told.get(path) or ""), str(told.get(self.precision_path(path)) or "minute")
        if precision == "minute" or not at:
            return clock(at)
        known = at[: {"year": 4, "month": 7, "day": 10}[precision]]
        begins = f"{known}-01-01"[:10] if precision == "year" else f"{known}-01"[:10]
        return known if at == f"{begins}T00:00:00Z" else f"{clock(at)} ({precision})"

    def clean(self, value: Any) -> Any:
        return read_moment(self.to_python(value))


def clock(instant: str) -> str:
    """Write ``2026-08-25T12:10:00Z`` as ``2026-08-25 12:10``, with seconds only where there are any."""
    text = instant.removesuffix("Z").replace("T", " ")
    return text.removesuffix(":00") if text.count(":") > 1 else text


def read_moment(text: str | None) -> tuple[str, str] | None:
    """Read a time as an instant in UTC and its precision. Raises ValidationError."""
    if text is None:
        return None
    found = MOMENT.fullmatch(text.strip())
    if found is None:
        raise ValidationError(NOT_A_MOMENT)
    day = f"{found[1]}-{int(found[2] or 1):02d}-{int(found[3] or 1):02d}"
    seconds = f"{found[6] or '00'}.{found[7]}" if found[7] else found[6] or "00"
    precision = (found[9] or ("minute" if found[4] else _precision(found))).lower()
    return _in_utc(f"{day}T{int(found[4] or 0):02d}:{found[5] or '00'}:{seconds}", found[8] or "Z"), precision


def _in_utc(local: str, zone: str) -> str:
    zone = zone.upper().replace("KST", "+09:00")
    if zone in {"Z", "UTC"}:
        return f"{local}Z"
    try:
        return write_instant(dt.datetime.fromisoformat(local + zone))
    except (ValueError, OverflowError):
        raise ValidationError(NOT_A_MOMENT) from None


# Choices

NOT_OFFERED = _("Choose one of the words offered: “%(word)s” is not among them.")


class Choice:
    """One word to choose, as the page shows it: its name, its name in the other language, and what it means."""

    def __init__(self, value: str, label: Label | StrPromise | str, *, is_chosen: bool = False) -> None:
        self.value, self.label, self.is_chosen = value, label, is_chosen

    def name(self, language: Language) -> str:
        return self.label.name(language).text if isinstance(self.label, Label) else str(self.label)

    def other_name(self, language: Language) -> str:
        own, other = self.name(language), self.name("ko" if language == "en" else "en")
        return "" if own == other else other

    def meaning(self, language: Language) -> str:
        told = self.label.meaning(language) if isinstance(self.label, Label) else None
        return told.text if told else ""


class ChosenField(CaseField, forms.Field):
    """One of a few values. ``terms`` names the list of the vocabulary they come from; ``blank`` says how none reads."""

    kind = "choice"
    widget = forms.Select

    def __init__(
        self,
        *,
        label: StrPromise | str,
        terms: str = "",
        values: Iterable[tuple[str, StrPromise | str]] = (),
        blank: StrPromise | str | None = None,
        help_text: StrPromise | str = "",
        initial: str | None = None,
    ) -> None:
        super().__init__(label=label, help_text=help_text, required=False, initial=initial)
        self.terms, self.values, self.blank = terms, tuple(values), blank
        self.offered: dict[str, Choice] = {}
        # What may be posted: a word that is no longer in force may come back with an item that somebody removed.
        self.accepted: set[str] = set()

    def offer(self, labels: Labels, *present: str) -> None:
        """Offer the words in force, and those that are chosen already, whatever they are."""
        self.offered = {value: Choice(value, label) for value, label in self.values}
        for (list_name, slug), label in labels.terms.items():
            is_in_force = label.known and not label.replaced_by
            if list_name == self.terms and (is_in_force or slug in present):
                self.offered[slug] = Choice(slug, label)
        self.accepted = {slug for list_name, slug in labels.terms if list_name == self.terms} | {
            *self.offered,
            *present,
        }
        for slug in present:
            self.offered.setdefault(slug, Choice(slug, labels.term(self.terms, slug) if self.terms else slug))

    def clean(self, value: Any) -> Any:
        if value in {None, ""}:
            return None
        if value not in self.accepted:
            raise ValidationError(NOT_OFFERED, params={"word": str(value)[:60]})
        return value


class TermsField(ChosenField):
    """Any number of words of a list of the vocabulary. Their order is kept."""

    kind = "terms"
    widget = forms.SelectMultiple

    def written(self, told: Told, path: str) -> list[str]:
        return cast("list[str]", told.get(path) or [])

    def posted(self, written: Any) -> list[str]:
        return ["", *written]

    def clean(self, value: Any) -> list[str]:
        chosen = list(dict.fromkeys(slug for slug in value or [] if slug))
        for slug in chosen:
            super().clean(slug)
        return chosen


class SourceField(LineField):
    """One of the sources of the case, by its uid; whether there is such a source is for the document to say."""

    kind = "source"
    longest: int | None = None

    def __init__(self, *, label: StrPromise | str, blank: StrPromise | str = "") -> None:
        super().__init__(label=label)
        self.blank = blank


class TickField(CaseField, forms.BooleanField):
    """Yes or no. A hidden blank stands before the box, so that an unticked box is not taken for a missing one."""

    kind = "tick"

    def __init__(self, *, label: StrPromise | str, initial: bool = False) -> None:
        super().__init__(label=label, required=False, initial=initial)

    def posted(self, written: Any) -> list[str]:
        return ["", ON] if written else [""]
