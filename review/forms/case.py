"""The whole form of a case: what is shown, what was posted, the document that it makes, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from cases.document import MOST_BYTES, CaseDocument, DocumentError, Problem, durations, read_case
from cases.document.timeline import Duration
from cases.fields import FieldValue, Scope, build, fields, flat
from cases.labels import Labels

from .complaints import Complaint, place_of, words_of
from .fields import Told
from .items import LISTS, ItemForm, ItemList
from .part import ALL_SCOPES, PartForm
from .parts import PARTS

# The id of a case that has none yet: nothing else can be related to it.
NO_ID = "IL-999999999"
MOST_ITEMS = 400
PRESENT = "present"
DURATIONS = {"timeline.detected_after": "detect", "timeline.resolved_after": "resolve"}
STATED = Duration(None, "stated")


@dataclass(frozen=True)
class _Open:
    """What may be typed in, and what is shown."""

    told: Told
    labels: Labels
    editable: frozenset[Scope]


class CaseForm:
    """The form over a whole document.

    ``base`` is the document that the form was made from (None for a new case): what is not posted is as it says.
    ``told`` is what is shown instead of ``base``, such as the outcome of a merge.
    """

    def __init__(
        self,
        base: CaseDocument | None,
        labels: Labels,
        data: QueryDict | None = None,
        *,
        told: Told | None = None,
        editable: frozenset[Scope] = ALL_SCOPES,
    ) -> None:
        self.base, self.labels, self.editable = base, labels, editable
        self.base_fields: Told = fields(base) if base is not None else {}
        self.is_bound = data is not None
        self.data = data.copy() if data is not None else QueryDict(mutable=True)
        shown = _Open(self.base_fields if told is None else told, labels, editable)
        self.parts = {key: self._part(key, form, shown) for key, form in PARTS.items()}
        self.lists = {path: self._list(path, shown) for path in LISTS}
        self.document: CaseDocument | None = None
        self.warnings: list[Problem] = []
        self.complaints: list[Complaint] = []

    def _data_of(self, mark: str) -> QueryDict | None:
        """Give the posted data for a stretch of the form that says it was posted whole; of a new case, for any."""
        is_posted = self.is_bound and (self.base is None or mark in self.data.getlist(PRESENT))
        return self.data if is_posted else None

    def _part(self, key: str, form: type[PartForm], shown: _Open) -> PartForm:
        return form(shown.told, shown.labels, self._data_of(key), editable=shown.editable)

    def _list(self, path: str, shown: _Open) -> ItemList:
        others = {uid for other in LISTS if other != path for uid in _uids(shown.told.get(other))}
        data = self._data_of(path)
        return ItemList(LISTS[path], shown.told, shown.labels, data, editable=shown.editable, taken=frozenset(others))

    def forms(self) -> Iterator[PartForm]:
        yield from self.parts.values()
        for item_list in self.lists.values():
            yield from item_list.rows

    # What was typed

    @cached_property
    def said(self) -> dict[str, FieldValue]:
        """Every field of the document that the post says and that could be read."""
        found: dict[str, FieldValue] = {}
        for part in self.parts.values():
            found |= part.says()
        for item_list in self.lists.values():
            found |= item_list.says()
        return found | self._durations(found)

    def _durations(self, said: Told) -> dict[str, FieldValue]:
        """Let a duration follow the events that were changed, unless somebody typed another one."""
        events = {path: value for path, value in said.items() if path.startswith("timeline.events")}
        if self.base is None or not _differ(events, self.base_fields):
            return {}
        known = durations(self.base)
        followed = [path for path, name in DURATIONS.items() if (known[name] or STATED).rule != STATED.rule]
        return dict.fromkeys(path for path in followed if said.get(path) == self.base_fields[path])

    def changed_paths(self) -> list[str]:
        """Name the fields that say something else than the document, unreadable ones included."""
        said = self.said
        unread = [form.path_of(name) for form in self.forms() for name in form.errors if form.is_bound]
        changed = [path for path, value in said.items() if value != self.base_fields.get(path)]
        return list(dict.fromkeys([*changed, *unread]))

    def raw(self) -> dict[str, Any]:
        """Put the raw document together; what could not be read is as the base says."""
        return build(self.said, self.base or NO_ID)

    # What came out

    def is_valid(self) -> bool:
        """Read the document. Then it stands in ``document``, or what is wrong in ``complaints`` and at its field."""
        raw = self.raw()
        unread = self._unread()
        problems: list[Problem] = []
        document = None
        try:
            reading = read_case(raw)
            document, self.warnings = reading.document, reading.warnings
        except DocumentError as error:
            problems = error.problems
        self.complaints = [*unread, *self._placed(problems, raw), *self._beyond_limits(document)]
        self.document = None if self.complaints else document
        self._note_warnings(raw)
        return self.document is not None

    def _unread(self) -> list[Complaint]:
        return [
            Complaint.at(self, form, name, str(message))
            for form in self.forms()
            if form.is_bound and not (isinstance(form, ItemForm) and (form.is_removed or form.is_blank))
            for name, messages in form.errors.items()
            for message in messages
        ]

    def _placed(self, problems: list[Problem], raw: Mapping[str, Any]) -> Iterator[Complaint]:
        """Show what the document refuses at its field, unless that field could not be read anyway."""
        for problem in problems:
            place = place_of(self, problem, raw)
            if place is None:
                yield Complaint("", words_of(problem))
            elif not place.form.has_error(place.name):
                place.form.add_error(place.name, words_of(problem))
                yield Complaint.at(self, place.form, place.name, words_of(problem))

    def _beyond_limits(self, document: CaseDocument | None) -> Iterator[Complaint]:
        before = sum(len(_uids(self.base_fields.get(path))) for path in LISTS)
        now = sum(len(item_list.kept()) for item_list in self.lists.values())
        if now > max(MOST_ITEMS, before):
            yield Complaint("", _("A case has at most %(most)s items in all its lists.") % {"most": MOST_ITEMS})
        if document is not None and len(document.text().encode()) > MOST_BYTES:
            yield Complaint("", _("The whole case is larger than 1 MB."))

    def _note_warnings(self, raw: Mapping[str, Any]) -> None:
        for warning in self.warnings:
            for place in filter(None, [place_of(self, warning, raw)]):
                place.form.notes.setdefault(place.name, []).append(words_of(warning))

    # For the page

    @property
    def source_uids(self) -> list[str]:
        return [row.uid for row in self.lists["sources"].rows]

    @property
    def statement_paths(self) -> list[str]:
        """What a quotation may support: the keys of the document, a pair of texts as one, and its items."""
        told = [path for path, value in self.base_fields.items() if value not in (None, []) and _may_be_claimed(path)]
        return list(dict.fromkeys(path.removesuffix(".en").removesuffix(".ko") for path in told))

    # What a browser would post

    def posted(self) -> list[tuple[str, str]]:
        """Give all pairs that a browser posts for this form when nobody touches it, marks of presence included."""
        pairs: list[tuple[str, str]] = []
        for key, part in self.parts.items():
            pairs += [*part.posted(), (PRESENT, key)]
        for path, item_list in self.lists.items():
            pairs += [*item_list.posted(), (PRESENT, path)]
        return pairs


def _may_be_claimed(path: str) -> bool:
    return path not in LISTS and path != "example" and not path.startswith("claims")


def _uids(value: FieldValue) -> list[str]:
    return value if isinstance(value, list) else []


def _differ(some: Told, known: Told) -> bool:
    return any(value != known.get(path) for path, value in some.items())


def told_of(raw: Mapping[str, Any]) -> dict[str, FieldValue]:
    """Give the fields of a raw document, even of one that is not valid."""
    return flat(raw)
