"""What changed between two documents, in rows that a page can print: public history and desk show the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from cases.compare import Change, Piece, compare
from cases.document import CaseDocument, Language
from cases.field_words import FieldWords
from cases.fields import label_parts, language_of
from cases.labels import current_labels

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

KINDS = {
    "changed": pgettext_lazy("difference", "changed"),
    "added": _("added"),
    "removed": _("removed"),
    "moved": _("moved"),
}


@dataclass(frozen=True)
class Row:
    """One difference: the name of the field, what happened to it, and its text with the marks of what changed."""

    label: str
    kind: str
    kind_word: str | StrPromise
    language: Language | None
    before: str | None
    after: str | None
    pieces: Sequence[Piece] = ()
    positions: tuple[int | None, int | None] = (None, None)
    item: Sequence[ItemField] = field(default_factory=list)


@dataclass(frozen=True)
class ItemField:
    """What an item that was added or removed says in one field."""

    label: str
    language: Language | None
    text: str


def differences(before: CaseDocument, after: CaseDocument) -> list[Row]:
    """Compare two documents field by field and item by item, in the order of the document."""
    labels = current_labels()
    was, now = FieldWords.here(before, labels), FieldWords.here(after, labels)
    return [_row(change, was, now) for change in compare(before, after)]


def _row(change: Change, was: FieldWords, now: FieldWords) -> Row:
    words = was if change.kind == "removed" else now
    label = label_parts(change.path, words.document)
    return Row(
        label=label.text(gettext),
        kind=change.kind,
        kind_word=KINDS[change.kind],
        language=label.language,
        before=was.of(change.path, change.before),
        after=now.of(change.path, change.after),
        pieces=change.pieces,
        positions=change.positions,
        item=[
            ItemField(words.label(path), language_of(path), told)
            for path, value in change.item.items()
            if (told := words.of(path, value))
        ],
    )
