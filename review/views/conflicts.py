"""The page where a person decides between two changes of the same field: base, theirs and mine side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from cases.compare import Piece, is_text, pieces
from cases.document import CaseDocument, Language
from cases.field_words import FieldWords
from cases.fields import ITEM_LISTS, FieldValue, label_parts, language_of
from cases.labels import current_labels
from review.forms import CaseForm
from review.forms.case import told_of
from review.forms.complaints import words_of
from review.forms.items import ItemForm
from review.forms.part import Cell, Group
from review.merge import Choice, Conflict, Content, Merge
from review.models import Revision
from review.workflow import Current

from .editing import Post, editable_scopes, here, script_words


@dataclass(frozen=True)
class Side:
    """What one of the three says: a text with its changes marked, or words in a list."""

    marked: list[Piece] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    is_nothing: bool = False
    text: str = ""


@dataclass(frozen=True)
class Row:
    """One conflict: the three sides, and where the person's own version is typed."""

    path: str
    label: str
    language: Language | None
    reason: str
    base: Side
    theirs: Side
    mine: Side
    cell: Cell | None = None
    group: Group | None = None
    item: ItemForm | None = None
    groups: list[Group] = field(default_factory=list)
    orders: list[tuple[str, str]] = field(default_factory=list)
    is_removed: bool = False


def conflict_page(
    post: Post, found: Current, merge: Merge, theirs: CaseDocument, head_number: int, *, status: int = 409
) -> HttpResponse:
    """Show every conflict with its three sides; the rest of the form is posted along, merged, out of sight."""
    form = _settled_form(post, merge, theirs)
    words = FieldWords.here(theirs, form.labels)
    rows = _once([_row(conflict, form, words) for conflict in merge.conflicts])
    context = {
        "found": found,
        "form": form,
        "rows": rows,
        "hidden": [(name, value) for name, value in form.posted() if name not in _visible(rows)],
        "head_number": head_number,
        "authors": authors_since(found.number, post.base_number, head_number),
        "base_number": post.base_number,
        "tab": post.tab,
        "note": post.note,
        "restored": post.restored,
        "words": script_words(),
        "here": here(found),
        "section": "desk",
    }
    return render(post.request, "review/conflict.html", context, status=status)


def _settled_form(post: Post, merge: Merge, theirs: CaseDocument) -> CaseForm:
    """Make the form of the merged document: mine where both changed something; an item that I removed is shown."""
    choices: dict[str, Choice] = {
        conflict.path: "theirs" if conflict.mine is None and conflict.path.endswith("]") else "mine"
        for conflict in merge.conflicts
    }
    told = told_of(merge.resolved(choices))
    return CaseForm(theirs, current_labels(), told=told, editable=editable_scopes(post.user, post.found))


def authors_since(number: int, base_number: int | None, head_number: int) -> list[str]:
    """Name who saved after one revision of a case and up to another."""
    since = Revision.objects.filter(manuscript__number=number, number__gt=base_number or 0, number__lte=head_number)
    names = since.exclude(author=None).order_by("number").values_list("author__name", flat=True)
    return list(dict.fromkeys(names))


def _row(conflict: Conflict, form: CaseForm, words: FieldWords) -> Row:
    path = conflict.path
    item = next((row for one in form.lists.values() for row in one.rows if row.prefix == path), None)
    group, cell = (None, None) if item is not None or path in ITEM_LISTS else _cell(form, path)
    return Row(
        path=path,
        label=label_parts(path, words.document).text(_),
        language=language_of(path),
        reason=words_of(conflict.reason) if conflict.reason else "",
        base=_side(path, conflict.base, form, words),
        theirs=_side(path, conflict.theirs, form, words, conflict.base),
        mine=_side(path, conflict.mine, form, words, conflict.base),
        cell=cell,
        group=group,
        item=item,
        groups=item.groups() if item is not None else [],
        orders=_orders(conflict) if path in ITEM_LISTS else [],
        is_removed=item is not None and conflict.mine is None,
    )


def _cell(form: CaseForm, path: str) -> tuple[Group, Cell]:
    """Find the box in which a path is typed, and what it stands under."""
    part, name = next((part, names[path]) for part in form.forms() if path in (names := part.names_by_path()))
    wanted = part.path_of(name)
    return next((group, cell) for group in part.groups() for cell in group.cells if cell.path == wanted)


def _once(rows: list[Row]) -> list[Row]:
    """Show a box once, even where two fields of the document are typed in it, such as a date and its precision."""
    boxes: dict[str, Row] = {}
    for row in rows:
        boxes.setdefault(row.cell.path if row.cell is not None else row.path, row)
    return list(boxes.values())


def _orders(conflict: Conflict) -> list[tuple[str, str]]:
    """Give both orders as the form posts them: mine, then theirs."""
    both = ((_("Mine"), conflict.mine), (_("Theirs"), conflict.theirs))
    return [(word, " ".join(uids)) for word, uids in both if isinstance(uids, list)]


def _visible(rows: list[Row]) -> set[str]:
    """Name the fields that the page shows, so that they are not posted twice."""
    found = {row.cell.path for row in rows if row.cell is not None}
    return found | {cell.path for row in rows for group in row.groups for cell in group.cells}


# What each side says


def _side(path: str, content: Content, form: CaseForm, words: FieldWords, base: Content = None) -> Side:
    if content is None or content == []:
        return Side(is_nothing=True)
    if isinstance(content, str) and is_text(path):
        return Side(marked=pieces(base if isinstance(base, str) else content, content), text=content)
    if isinstance(content, Mapping):
        return Side(lines=_of_an_item(content, words))
    if not isinstance(content, list):
        return Side(lines=[words.of(path, content) or ""], text=content if isinstance(content, str) else "")
    lines = [_excerpt(one, form) if path in ITEM_LISTS else words.of(path, [one]) or "" for one in content]
    return Side(lines=lines, text="\n".join(content))


def _of_an_item(content: Mapping[str, FieldValue], words: FieldWords) -> list[str]:
    """Say what an item tells, field by field; what is not ticked is not told."""
    told = {path: words.of(path, value) for path, value in content.items() if value is not False}
    return [f"{words.label(path)}: {said}" for path, said in told.items() if said]


def _excerpt(uid: str, form: CaseForm) -> str:
    """Say which item a uid means, by the beginning of what it tells."""
    for item_list in form.lists.values():
        for row in item_list.rows:
            if row.uid == uid:
                values = [str(row[name].value() or "") for name in row.fields]
                return next((value[:80] for value in values if value), uid)
    return uid
