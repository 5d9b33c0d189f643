"""What changed between two documents, in rows that a page can print: public history and desk show the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from cases.compare import Change, Piece, compare
from cases.document import CaseDocument, Language
from cases.fields import FieldValue, label_parts

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
    item: Sequence[tuple[str, str]] = field(default_factory=list)


def differences(before: CaseDocument, after: CaseDocument) -> list[Row]:
    """Compare two documents field by field and item by item, in the order of the document."""
    return [_row(change, before, after) for change in compare(before, after)]


def _row(change: Change, before: CaseDocument, after: CaseDocument) -> Row:
    document = before if change.kind == "removed" else after
    label = label_parts(change.path, document)
    return Row(
        label=label.text(gettext),
        kind=change.kind,
        kind_word=KINDS[change.kind],
        language=label.language,
        before=written(change.before),
        after=written(change.after),
        pieces=change.pieces,
        positions=change.positions,
        item=[
            (path.rpartition("]")[2].lstrip("."), told)
            for path, value in change.item.items()
            if (told := written(value))
        ],
    )


def written(value: FieldValue) -> str | None:
    """Write the value of a field for a person; None when there is none."""
    if value is None or value == []:
        return None
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(str(part) for part in value)
    return str(value)
