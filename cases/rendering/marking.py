"""Texts of a case as Markdown, escaped so that they stay texts.

No reader of CommonMark finds HTML, links, headings, lists or images in them; what stands between backticks stays code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count

from django.utils.translation import gettext as _

from cases.telling import CODE, Told

SPECIAL = re.compile(r"[\\`*\[\]<|~]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
# What would begin a heading, a quotation, a list or a rule.
LINE_START = re.compile(r"\d{1,9}(?=[.)](?:\s|$))|(?=>|#{1,6}(?:\s|$)|[+-](?:\s|$)|(?:-+|=+)$)")
LAST_SIGN = re.compile(r"(?<=[ #])#$")
TARGET = str.maketrans({"\\": "%5C", "<": "%3C", ">": "%3E"})


def escaped(text: str) -> str:
    """Return a text that says the same when it is read as Markdown."""
    pieces, end = [], 0
    for found in CODE.finditer(text):
        pieces += [_literal(text[end : found.start()]), _code(found[1])]
        end = found.end()
    pieces.append(_literal(text[end:]))
    return "\\\n".join(_line(line) for line in "".join(pieces).split("\n"))


def _literal(text: str) -> str:
    return SPECIAL.sub(r"\\\g<0>", text)


def _code(text: str) -> str:
    """Readers take one blank away from both ends where there are two."""
    return f"` {text} `" if text[0] == text[-1] == " " else f"`{text}`"


def _line(line: str) -> str:
    line = line.strip(" \t")
    start = LINE_START.match(line)
    return line if start is None else f"{start[0]}\\{line[start.end() :]}"


def link(text: str, url: str) -> str:
    """Return a link to a web address; the text is Markdown already."""
    return f"[{text}](<{url.translate(TARGET)}>)"


def heading(level: int, told: Told) -> str:
    """Return a heading, which is one line; a # that stands alone at its end would be taken for its end."""
    text = LAST_SIGN.sub(r"\\#", escaped(" ".join(told.text.split())))
    return f"{'#' * level} {text}"


def named(told: Told) -> str:
    """Return a text without a mark of its language, as for labels."""
    return escaped(told.text)


def line(told: Told) -> str:
    """Return a text inside a line; one that is told in the other language says so."""
    return f"{named(told)} {_mark(told)}" if told.is_other else named(told)


def prose(told: Told) -> str:
    paragraphs = [escaped(paragraph) for paragraph in told.text.split("\n\n")]
    return blocks([_mark(told) if told.is_other else "", *paragraphs])


def _mark(told: Told) -> str:
    return f"({_('Korean only') if told.language == 'ko' else _('English only')})"


def bracketed(text: str) -> str:
    return f"\\[{text}\\]"


def command(text: str) -> str:
    """Return a block of code, fenced by more backticks than there are in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}sh\n{text}\n{fence}"


def quotation(text: str) -> str:
    return "\n".join(f"> {one}".rstrip() for one in text.split("\n"))


def blocks(parts: Iterable[str]) -> str:
    """Put parts below each other, those that are there."""
    return "\n\n".join(part for part in parts if part)


def dots(parts: Iterable[str]) -> str:
    return " · ".join(part for part in parts if part)


def bullets(texts: Iterable[str]) -> str:
    return "\n".join(_item("- ", text) for text in texts)


def numbered(texts: Iterable[str]) -> str:
    return "\n".join(_item(f"{number}. ", text) for number, text in zip(count(1), texts, strict=False))


def _item(sign: str, text: str) -> str:
    """Write one item, its further lines below its first."""
    return sign + re.sub(r"\n(?=[^\n])", "\n" + " " * len(sign), text)
