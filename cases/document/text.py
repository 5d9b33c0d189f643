"""The one text type of a case: what is normalised, what is refused. No Django here."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from .problems import gettext_noop

LONGEST_LINE = 300
LONGEST_TEXT = 50_000
LONGEST_ADDRESS = 2_000

BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# C0 and C1 controls (newline aside), surrogates, bidi controls: none of them is printable.
SUSPECT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff" + "".join(sorted(BIDI_CONTROLS)) + "]")
BLANK_END = re.compile(r"[ \t]+(?=\n|\Z)")
HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
NO_TEXT = gettext_noop("must not be empty: leave it out or write null")


def _refuse_suspects(text: str, *, tabs: bool) -> None:
    for found in SUSPECT.finditer(text):
        if not (tabs and found.group() == "\t"):
            raise _refused(found.group())


def _refused(suspect: str) -> PydanticCustomError:
    values = {"character": f"U+{ord(suspect):04X}"}
    if "\ud800" <= suspect <= "\udfff":
        return PydanticCustomError("surrogate", gettext_noop("contains half a character ({character})"), values)
    if suspect in BIDI_CONTROLS:
        message = gettext_noop("contains a character that turns the direction of writing ({character})")
        return PydanticCustomError("bidi_control", message, values)
    return PydanticCustomError("control_character", gettext_noop("contains a control character ({character})"), values)


def normal(text: str, *, tabs: bool = False) -> str:
    r"""Normalise a text: NFC, line ends ``\n``, no trailing blanks, no blank lines around it.

    No-break and zero-width spaces stay: they are a finding of the language checks, not ours to change.
    Raises ``PydanticCustomError`` for NUL, other control characters, bidi controls and lone surrogates.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if " \n" in text or "\t\n" in text or text.endswith((" ", "\t")):
        text = BLANK_END.sub("", text)
    if not text.isprintable():
        _refuse_suspects(text, tabs=tabs)
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return text.strip("\n")


def _filled(text: str) -> str:
    if not text:
        raise PydanticCustomError("empty_text", NO_TEXT)
    return text


def _paragraphs(text: str) -> str:
    text = _filled(normal(text))
    return re.sub(r"\n{3,}", "\n\n", text) if "\n\n\n" in text else text


def _line(text: str) -> str:
    text = _filled(normal(text))
    if "\n" in text:
        raise PydanticCustomError("several_lines", gettext_noop("must be one line"))
    return text


def _command(text: str) -> str:
    return _filled(normal(text, tabs=True))


def _address(text: str) -> str:
    text = _line(text)
    if not re.match(r"https?://[^\s/?#@]+(?:[/?#]|\Z)", text) or re.search(r"\s", text):
        message = gettext_noop("must be an address that begins with http:// or https://, without blanks or a user name")
        raise PydanticCustomError("bad_address", message)
    return text


def is_korean(text: str) -> bool:
    """Tell whether a text without a language mark is Korean: it holds Hangul."""
    return HANGUL.search(text) is not None


Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT), AfterValidator(_paragraphs)]
Line = Annotated[str, StringConstraints(max_length=LONGEST_LINE), AfterValidator(_line)]
Command = Annotated[str, StringConstraints(max_length=LONGEST_TEXT), AfterValidator(_command)]
Address = Annotated[str, StringConstraints(max_length=LONGEST_ADDRESS), AfterValidator(_address)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$", max_length=80)]
TermName = Annotated[str, StringConstraints(pattern=r"^[a-z_]+:[a-z0-9]+(?:-[a-z0-9]+)*$", max_length=120)]
