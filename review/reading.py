"""What a reviewer reads: each text with the other language beside it, and what changed since the last approval.

Beside a field stand the words of the sources and the open comments that belong to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from django.utils.translation import gettext

from cases.compare import Piece, pieces
from cases.document import CaseDocument, Language
from cases.field_words import FieldWords
from cases.fields import ITEM_LISTS, FieldValue, facts, fields, label_parts, language_of
from cases.labels import current_labels
from cases.rendering.quotes import NOTHING, Evidence, Quotes, lies_in

from .policy import OTHER, without_language
from .reading_comments import ShownThread


@dataclass(frozen=True)
class Cell:
    """One text or fact, with the marks of what changed since it was last read, if it was."""

    language: Language | None
    text: str | None
    before: str | None = None
    pieces: Sequence[Piece] = ()


@dataclass(frozen=True)
class Row:
    """One field: the own text and the counterpart, or one fact; what sources say of it, and what people do."""

    path: str
    label: str
    own: Cell
    other: Cell | None
    is_changed: bool
    evidence: Evidence = NOTHING
    threads: list[ShownThread] = field(default_factory=list)

    @property
    def place(self) -> str:
        """The field that a comment on this row is about, as comments know it."""
        return f"{self.path}.{self.own.language}" if self.own.language else self.path


class Reading:
    """Everything that must be read to decide on a language; ``read`` is what its approval in force has read."""

    def __init__(self, document: CaseDocument, read: CaseDocument | None, language: Language) -> None:
        labels = current_labels()
        self.document, self.read, self.language = document, read, language
        self.words = FieldWords.here(document, labels)
        self.words_before = FieldWords.here(read, labels) if read is not None else self.words
        self.quotes = Quotes(document, labels, self.words.language)
        self.now = fields(document)
        self.was: Mapping[str, FieldValue] = fields(read) if read is not None else {}

    def rows(self, threads: Sequence[ShownThread] = (), *, everything: bool) -> list[Row]:
        """List the fields in the order of the document.

        Without ``everything``, what did not change since the approval is left out; before there is one, nothing is.
        """
        counted = facts(self.document).keys() | (facts(self.read).keys() if self.read is not None else set())
        waiting, found = list(threads), []
        for path in {**self.now, **self.was}:
            row = self._row(path, counted)
            if row is not None and self._is_shown(row, everything=everything or self.read is None):
                found.append(self._with_what_belongs_to_it(row, waiting))
        return found

    def _row(self, path: str, counted: set[str]) -> Row | None:
        if language_of(path) == self.language:
            return self._text_row(path)
        return self._fact_row(path) if path in counted else None

    def _is_shown(self, row: Row, *, everything: bool) -> bool:
        if row.is_changed or row.path in ITEM_LISTS:
            return row.is_changed
        # What is not ticked is not told to readers either; how precise a time is, the time itself says.
        is_said = self.now.get(row.path) is not False and not row.path.endswith("precision")
        return everything and is_said and bool(row.own.text or (row.other and row.other.text))

    def _text_row(self, path: str) -> Row:
        stem = without_language(path)
        own = self._cell(path, self.language)
        other = self._cell(f"{stem}.{OTHER[self.language]}", OTHER[self.language])
        is_changed = self.read is not None and (own.before != own.text or other.before != other.text)
        return Row(stem, self._label(stem, is_there=path in self.now), own, other, is_changed)

    def _fact_row(self, path: str) -> Row:
        was, now = self.was.get(path), self.now.get(path)
        before, text = self.words_before.of(path, was), self.words.of(path, now)
        is_changed = self.read is not None and was != now
        # Of a list only what came and went is marked; one word for another is shown whole.
        marked = pieces(before, text) if is_changed and isinstance(was, list) and isinstance(now, list) else ()
        cell = Cell(None, text, before, marked)
        return Row(path, self._label(path, is_there=path in self.now), cell, None, is_changed)

    def _cell(self, path: str, language: Language) -> Cell:
        text, before = cast("str | None", self.now.get(path)), cast("str | None", self.was.get(path))
        is_marked = self.read is not None and before != text
        return Cell(language, text, before, pieces(before, text) if is_marked else ())

    def _label(self, path: str, *, is_there: bool) -> str:
        document = self.document if is_there or self.read is None else self.read
        return label_parts(path, document).text(gettext)

    def _with_what_belongs_to_it(self, row: Row, waiting: list[ShownThread]) -> Row:
        """Put the quotations and the threads of a field beside it; each stands once, at the first row it belongs to."""
        own = [one for one in waiting if one.thread.path and _belongs(without_language(one.thread.path), row.path)]
        for one in own:
            waiting.remove(one)
        evidence = self.quotes.around(row.path)
        return Row(row.path, row.label, row.own, row.other, row.is_changed, evidence, own)


def _belongs(place: str, path: str) -> bool:
    return lies_in(place, path) or lies_in(path, place)


def labels(document: CaseDocument, paths: Sequence[str]) -> list[str]:
    """Name fields for a person."""
    return [label_parts(path, document).text(gettext) for path in paths]
