"""What a reviewer reads: each text with the other language beside it, and what changed since the last approval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext

from cases.compare import Piece, pieces
from cases.differences import written
from cases.document import CaseDocument, Language
from cases.fields import FieldValue, facts, fields, label_parts, language_of

from .policy import OTHER, without_language


@dataclass(frozen=True)
class Cell:
    """One text or fact, with the marks of what changed since it was last read, if it was."""

    language: Language | None
    text: str | None
    before: str | None = None
    pieces: Sequence[Piece] = ()


@dataclass(frozen=True)
class Row:
    """One field: the own text and the counterpart, or one fact."""

    path: str
    label: str
    own: Cell
    other: Cell | None
    is_changed: bool


def rows(document: CaseDocument, read: CaseDocument | None, language: Language, *, everything: bool) -> list[Row]:
    """List what must be read to decide on a language; ``read`` is what its approval in force has read.

    Without ``everything``, or an approval, what did not change since then is left out.
    """
    now, was = fields(document), fields(read) if read is not None else {}
    counted = facts(document).keys() | (facts(read).keys() if read is not None else set())
    found = []
    for path in {**now, **was}:
        if language_of(path) == language:
            found.append(_text_row(path, language, (document, read), now, was))
        elif path in counted:
            found.append(_fact_row(path, (document, read), now, was))
    told = [
        row for row in found if row.own.text or row.own.before or (row.other and (row.other.text or row.is_changed))
    ]
    return told if everything or read is None else [row for row in told if row.is_changed]


def _text_row(
    path: str,
    language: Language,
    documents: tuple[CaseDocument, CaseDocument | None],
    now: Mapping[str, FieldValue],
    was: Mapping[str, FieldValue],
) -> Row:
    stem, is_known = without_language(path), bool(was)
    own = _cell(path, language, now, was)
    other = _cell(f"{stem}.{OTHER[language]}", OTHER[language], now, was)
    is_changed = is_known and (own.before != own.text or other.before != other.text)
    return Row(stem, _label(stem, path in now, documents), own, other, is_changed)


def _fact_row(
    path: str,
    documents: tuple[CaseDocument, CaseDocument | None],
    now: Mapping[str, FieldValue],
    was: Mapping[str, FieldValue],
) -> Row:
    before, after = written(was.get(path)), written(now.get(path))
    is_changed = bool(was) and was.get(path) != now.get(path)
    return Row(path, _label(path, path in now, documents), Cell(None, after, before), None, is_changed)


def _cell(path: str, language: Language, now: Mapping[str, FieldValue], was: Mapping[str, FieldValue]) -> Cell:
    text, before = cast("str | None", now.get(path)), cast("str | None", was.get(path))
    return Cell(language, text, before, pieces(before, text) if was and before != text else ())


def _label(path: str, is_there: bool, documents: tuple[CaseDocument, CaseDocument | None]) -> str:  # noqa: FBT001
    document, read = documents
    return label_parts(path, document if is_there or read is None else read).text(gettext)


def labels(document: CaseDocument, paths: Sequence[str]) -> list[str]:
    """Name fields for a person."""
    return [label_parts(path, document).text(gettext) for path in paths]
