"""The lists of a case: remediation, events, sources and so on. One small form for each item, addressed by its uid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from cases.document.values import new_uid
from cases.fields import FieldValue, Scope, woven
from cases.labels import Labels

from .fields import (
    AddressField,
    CaseField,
    ChosenField,
    CommandField,
    InstantField,
    LineField,
    MomentField,
    SourceField,
    TextField,
    TickField,
    Told,
    WordsField,
)
from .part import ALL_SCOPES, Group, PartForm
from .parts import texts

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

UID = re.compile(r"[a-z][a-z0-9-]{0,39}")
STATES = [("live", _("Online")), ("changed", _("Changed since it was read")), ("gone", _("No longer online"))]
STATUSES = [
    ("planned", _("Planned")),
    ("underway", _("Under way")),
    ("done", _("Done")),
    ("dropped", _("Dropped")),
]
LANGUAGE_NAMES = [("en", _("English")), ("ko", _("Korean"))]
RISKS = [("read-only", _("Only reads")), ("disruptive", _("May disturb the system"))]


class ItemForm(PartForm):
    """One item of a list. ``is_new``: the document has no such item yet."""

    uid: str = ""
    is_new = False
    is_removed = False
    # The fields that are seldom needed; the page keeps them folded.
    folded: ClassVar[tuple[str, ...]] = ()

    @property
    def item_path(self) -> str:
        """The path of the item; in a template ``prefix`` would be the field of that name."""
        return str(self.prefix)

    @property
    def is_blank(self) -> bool:
        """Tell whether this is a new item that nobody filled in, which is none."""
        return self.is_new and not any(self._is_typed(name) for name in self.fields)

    def _is_typed(self, name: str) -> bool:
        data, one = cast("QueryDict", self.data), cast("CaseField", self.fields[name])
        values = data.getlist(self.path_of(name)) if self.is_bound else []
        return values != one.posted(self.get_initial_for_field(one, name)) and any(map(str.strip, values))

    def open_groups(self) -> list[Group]:
        return [group for group in self.groups() if group.name not in self.folded]

    def folded_groups(self) -> list[Group]:
        return [group for group in self.groups() if group.name in self.folded]

    @property
    def has_folded_errors(self) -> bool:
        return any(cell.errors for group in self.folded_groups() for cell in group.cells)


class RemediationForm(ItemForm):
    text_en, text_ko = texts(_("What was done"), rows=2)
    kind = ChosenField(label=_("Kind"), terms="remediation_kind", blank=_("Not told"))


class ActionItemForm(ItemForm):
    text_en, text_ko = texts(_("What is to be done"), rows=2)
    status = ChosenField(label=_("Status"), values=STATUSES, blank=_("Not told"))


class EventForm(ItemForm):
    at = MomentField(label=_("When (UTC)"), help_text=_("2026-08-25 12:10, or only as much of the date as is known."))
    kind = ChosenField(label=_("Kind"), terms="timeline_event", blank="")
    source = SourceField(label=_("Source"), blank=_("None"))
    text_en, text_ko = texts(_("What happened"), rows=2)


class WindowForm(ItemForm):
    start = InstantField(label=_("Start (UTC)"))
    end = InstantField(label=_("End (UTC)"), help_text=_("Empty when it is not told."))
    region_en, region_ko = texts(_("Where"), rows=1)


class SourceForm(ItemForm):
    url = AddressField(label=_("Address"))
    kind = ChosenField(label=_("Kind"), terms="source_kind", initial="official-status")
    title = LineField(label=_("Title"))
    publisher = LineField(label=_("Publisher"))
    language = LineField(label=_("Language"), help_text=_("A code: en, ko, ja."))
    published_at = InstantField(label=_("Published (UTC)"))
    archived = AddressField(label=_("Archived copy"))
    fetched_at = InstantField(label=_("Read (UTC)"))
    state = ChosenField(label=_("State"), values=STATES, blank=_("Not known"))
    machine_translated = TickField(label=_("Machine translation"))
    folded = ("archived", "fetched_at", "state", "machine_translated")

    @property
    def address(self) -> str:
        return str(self["url"].value() or "")


class ClaimForm(ItemForm):
    path = LineField(label=_("Supports"), help_text=_("The part of the case, such as summary or root_cause."))
    source = SourceField(label=_("Source"))
    quote = TextField(label=_("Quotation"), rows=2)
    value = TextField(
        label=_("What it says"), help_text=_("Where sources disagree: the value that this one gives."), rows=1
    )
    chosen = TickField(label=_("This value is the one we tell"), initial=True)
    language = ChosenField(
        label=_("Language of our text"), values=[("en", _("English")), ("ko", _("Korean"))], blank=_("Both")
    )
    anchor = TextField(label=_("Words of our text"), rows=1)
    prefix = TextField(  # type: ignore[assignment]  # Django takes fields out of the class
        label=_("Words before the quotation"), rows=1
    )
    suffix = TextField(label=_("Words behind the quotation"), rows=1)
    basis = ChosenField(label=_("Basis"), terms="claim_basis", initial="stated")
    note_en, note_ko = texts(_("Note"), rows=1)
    folded = ("language", "anchor", "prefix", "suffix", "basis", "note")


class CheckForm(ItemForm):
    question_en, question_ko = texts(_("Question"), rows=2)
    how_en, how_ko = texts(_("How to find out"), rows=2)
    command = CommandField(label=_("Command"), rows=2)
    risk = ChosenField(label=_("Risk"), values=RISKS, initial="read-only")
    applies_to = WordsField(label=_("Applies to"), help_text=_("Terms with their list: component:service-discovery."))


@dataclass(frozen=True)
class ListKind:
    """One list of the document: where it is, the letter its uids begin with, and the form of an item."""

    path: str
    letter: str
    form: type[ItemForm]
    name: StrPromise | str
    add: StrPromise | str


LISTS = {
    kind.path: kind
    for kind in (
        ListKind("sources", "s", SourceForm, _("Source"), _("Add a source")),
        ListKind("timeline.events", "e", EventForm, _("Event"), _("Add an event")),
        ListKind("timeline.windows", "w", WindowForm, _("Window of impact"), _("Add a window of impact")),
        ListKind("remediation", "r", RemediationForm, _("Remediation"), _("Add a step")),
        ListKind("action_items", "a", ActionItemForm, _("Action item"), _("Add an action item")),
        ListKind("claims", "c", ClaimForm, _("Quotation"), _("Add a quotation")),
        ListKind("checks", "k", CheckForm, _("Check"), _("Add a check")),
    )
}


class ItemList:
    """The items of one list, in their order. Bound to what was posted, if this list was in the post.

    An item that the document has and the post does not name stays where it is: only a mark removes one.
    """

    def __init__(
        self,
        kind: ListKind,
        told: Told,
        labels: Labels,
        data: QueryDict | None = None,
        *,
        editable: frozenset[Scope] = ALL_SCOPES,
        taken: frozenset[str] = frozenset(),
    ) -> None:
        self.kind, self.told, self.labels, self.data, self.editable = kind, told, labels, data, editable
        self.known: list[str] = list(cast("list[str]", told.get(kind.path) or []))
        self.rows = [self._row(uid) for uid in self._order(taken)]

    @property
    def path(self) -> str:
        return self.kind.path

    @property
    def name(self) -> str:
        return str(self.kind.name)

    @property
    def can_change(self) -> bool:
        return "facts" in self.editable

    def _order(self, taken: frozenset[str]) -> list[str]:
        if self.data is None:
            return self.known
        posted = [uid for uid in self.data.getlist(self.path) if uid in self.known or self._may_be_new(uid, taken)]
        wanted = self.data.get(f"order:{self.path}", "").split()
        first = [uid for uid in wanted if uid in posted]
        return woven(woven(list(dict.fromkeys(first)), list(dict.fromkeys(posted))), self.known)

    def _may_be_new(self, uid: str, taken: frozenset[str]) -> bool:
        return UID.fullmatch(uid) is not None and uid not in taken

    def _row(self, uid: str) -> ItemForm:
        prefix = f"{self.path}[{uid}]"
        row = self.kind.form(self.told, self.labels, self.data, prefix=prefix, editable=self.editable)
        row.uid, row.is_new = uid, uid not in self.known
        row.is_removed = self.data is not None and bool(self.data.get(f"{prefix}.removed"))
        return row

    def add(self) -> ItemForm:
        """Append a blank item."""
        row = self._row(new_uid(self.kind.letter))
        self.rows.append(row)
        return row

    def move(self, uid: str, by: int) -> None:
        """Move an item up or down; at the ends of the list nothing moves."""
        at = next((index for index, row in enumerate(self.rows) if row.uid == uid), None)
        if at is not None and 0 <= at + by < len(self.rows):
            self.rows.insert(at + by, self.rows.pop(at))

    def blank(self) -> ItemForm:
        """Give the item that a script copies when somebody adds one."""
        return self.kind.form({}, self.labels, prefix=f"{self.path}[new]", editable=self.editable)

    def kept(self) -> list[ItemForm]:
        return [row for row in self.rows if not row.is_removed and not row.is_blank]

    def says(self) -> dict[str, FieldValue]:
        if self.data is None:
            return {}
        found: dict[str, FieldValue] = {self.path: [row.uid for row in self.kept()]}
        for row in self.kept():
            found |= row.says()
        return found

    def posted(self) -> Iterator[tuple[str, str]]:
        for row in self.rows:
            yield self.path, row.uid
            yield from row.posted()
