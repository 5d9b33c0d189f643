"""A text as a reader of one language meets it: in which language it is, and its HTML.

Texts are plain: paragraphs parted by blank lines, backticks for code. This is the one place that makes HTML of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape  # Django's own takes lazy texts too, which costs three times as much
from typing import Any, Protocol
from unicodedata import combining

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from cases.document import Language

# In characters.
BEGINNING = 200
CODE = re.compile(r"`([^`\n]+)`")


class InBothLanguages(Protocol):
    """Anything that is told in English, in Korean or in both, such as a pair of a document or the label of a term."""

    def told(self, language: Language) -> str | None: ...


class Shown:
    """Base of what templates are given: they ask for keys first, and an exception for each name would cost too much."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


@dataclass(frozen=True)
class Told(Shown):
    """One text. ``language`` is None for what has none, such as a slug; ``is_other``: it is not the reader's own."""

    text: str
    language: Language | None = None
    is_other: bool = False

    @property
    def name(self) -> SafeString:
        """The text without a visible mark, for labels and where a mark stands elsewhere."""
        if not self.is_other:
            return with_code(self.text)
        return mark_safe(f'<span lang="{self.language}">{with_code(self.text)}</span>')  # noqa: S308  (escaped)

    @property
    def line(self) -> SafeString:
        """The text inside a line."""
        return mark_safe(f"{self.name} {self.mark}") if self.is_other else self.name  # noqa: S308  (both are safe)

    @property
    def prose(self) -> SafeString:
        """The text as paragraphs."""
        html = "".join(f"<p>{with_code(part)}</p>" for part in self.text.split("\n\n"))
        if self.is_other:
            html = f'<p class="only-line">{self.mark}</p><div lang="{self.language}">{html}</div>'
        return mark_safe(html)  # noqa: S308  (escaped by with_code)

    @property
    def mark(self) -> SafeString:
        """The visible word that says in which language the text is told, when that is not the reader's."""
        if not self.is_other:
            return SafeString()
        word = _("Korean only") if self.language == "ko" else _("English only")
        return mark_safe(f'<span class="only">{escape(word)}</span>')  # noqa: S308  (escaped)


def tell(text: InBothLanguages | None, language: Language) -> Told | None:
    """Give a text in the reader's language, else in the other one, else None: nobody told it."""
    if text is None:
        return None
    own = text.told(language)
    if own:
        return Told(own, language)
    other: Language = "ko" if language == "en" else "en"
    told = text.told(other)
    return Told(told, other, is_other=True) if told else None


def plain(text: str) -> str:
    """Return a text without the marks of code, for where there is nothing but text."""
    return CODE.sub(r"\1", text)


def beginning(told: Told | None) -> str:
    """Return the beginning of a text as one line, as search engines and previews show it."""
    text = plain(told.text[: 4 * BEGINNING]) if told else ""  # a page is not to read a long text for its first words
    return shortened(" ".join(text.split()), BEGINNING)


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters, with an ellipsis where it was cut. Django's way takes long."""
    if len(text) <= most:
        return text
    end = most - 1
    while end and combining(text[end]):  # a mark goes with its letter
        end -= 1
    return f"{text[:end]}…"


def with_code(text: str) -> SafeString:
    """Escape a text, turn what stands between backticks into code and single line ends into breaks."""
    html = escape(text)
    if "`" in html:
        html = CODE.sub(r"<code>\1</code>", html)
    return mark_safe(html.replace("\n", "<br>"))  # noqa: S308  (escaped in the line above)
