"""What a part of the editor's form is: a plain Django form over a stretch of the document, named like its paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils.translation import get_language

from cases.document import LANGUAGES, Language
from cases.fields import FieldValue, Scope, language_of
from cases.labels import Labels

from .fields import CaseField, Choice, ChosenField, Told

ALL_SCOPES: frozenset[Scope] = frozenset({"en", "ko", "facts"})
# A line of typing in a half-width column, for the height of a box before the browser measures it.
LINE_WIDTH = {"en": 58, "ko": 38}


def key_of(name: str) -> str:
    """Turn a field's name into its key of the document: ``impact_text__scope_en`` is ``impact_text.scope.en``."""
    base, _, language = name.replace("__", ".").rpartition("_")
    return f"{base}.{language}" if language in LANGUAGES else name.replace("__", ".")


@dataclass(frozen=True)
class Cell:
    """One box of the page: a field in one language, or a field that has none."""

    bound: BoundField
    path: str
    is_editable: bool
    notes: list[str]

    @property
    def field(self) -> CaseField:
        return cast("CaseField", self.bound.field)

    @property
    def kind(self) -> str:
        return self.field.kind

    @property
    def id(self) -> str:
        return self.bound.id_for_label

    @property
    def language(self) -> Language | None:
        return language_of(self.path)

    @property
    def value(self) -> Any:
        """What the box shows: what was typed, else what the document says."""
        value = self.bound.value()
        return "" if value is None else value

    @property
    def rows(self) -> int:
        """How many lines high the box is where the browser does not fit it to the text."""
        if not self.field.rows:
            return 0
        width = LINE_WIDTH[self.language or "en"]
        needed = sum(1 + len(line) // width for line in str(self.value).split("\n"))
        return max(self.field.rows, min(needed, 30))

    @property
    def errors(self) -> list[str]:
        return [str(error) for error in self.bound.errors]

    @property
    def choices(self) -> list[dict[str, Any]]:
        """The words to choose from, those chosen first and in the order of the document."""
        offered = cast("ChosenField", self.field).offered
        chosen = self.value if isinstance(self.value, list) else [self.value]
        named = [slug for slug in chosen if slug]
        order = [*named, *(slug for slug in offered if slug not in chosen)] if self.kind == "terms" else list(offered)
        return [_shown(offered.get(slug) or Choice(slug, slug), is_chosen=slug in chosen) for slug in order]


def _shown(choice: Choice, *, is_chosen: bool) -> dict[str, Any]:
    language: Language = "ko" if get_language() == "ko" else "en"
    return {
        "value": choice.value,
        "name": choice.name(language),
        "other_name": choice.other_name(language),
        "meaning": choice.meaning(language),
        "is_chosen": is_chosen,
    }


@dataclass(frozen=True)
class Group:
    """What stands under one label: one box, or two, one for each language."""

    name: str
    label: str
    help: str
    cells: list[Cell] = field(default_factory=list)

    @property
    def is_pair(self) -> bool:
        return self.cells[0].language is not None

    @property
    def kind(self) -> str:
        return "pair" if self.is_pair else self.cells[0].kind


class PartForm(forms.Form):
    """A part of the case. Bound to what was posted, if this part was in the post; else it shows the document.

    A field that was not posted is unchanged: what it would have posted is filled in.
    """

    use_required_attribute = False

    def __init__(
        self,
        told: Told,
        labels: Labels,
        data: QueryDict | None = None,
        *,
        prefix: str = "",
        editable: frozenset[Scope] = ALL_SCOPES,
    ) -> None:
        super().__init__(data, prefix=prefix, auto_id="field-%s")
        self.told, self.editable = told, editable
        self.notes: dict[str, list[str]] = {}
        for name, one in self.case_fields():
            written = one.written(told, self.path_of(name))
            if written is not None:  # what a new item begins with stays otherwise
                self.initial[name] = written
            if isinstance(one, ChosenField):
                one.offer(labels, *_present(self.initial.get(name, one.initial)))
            if data is not None and self.path_of(name) not in data:
                data.setlist(self.path_of(name), one.posted(self.get_initial_for_field(one, name)))

    def add_prefix(self, field_name: str) -> str:
        """Name a field of the page like the path of the document."""
        return f"{self.prefix}.{key_of(field_name)}" if self.prefix else key_of(field_name)

    def path_of(self, name: str) -> str:
        return self.add_prefix(name)

    def case_fields(self) -> Iterator[tuple[str, CaseField]]:
        for name, one in self.fields.items():
            yield name, cast("CaseField", one)

    def posted(self) -> list[tuple[str, str]]:
        """Give what a browser posts for this part when nobody touches it."""
        return [
            (self.path_of(name), value)
            for name, one in self.case_fields()
            for value in one.posted(self.get_initial_for_field(one, name))
        ]

    def says(self) -> dict[str, FieldValue]:
        """Give the document's fields that were typed here and could be read."""
        if not self.is_bound:
            return {}
        unread, found = self.errors, dict[str, FieldValue]()
        for name, one in self.case_fields():
            if name not in unread:
                found |= one.telling(self.cleaned_data[name], self.path_of(name))
        return found

    def names_by_path(self) -> dict[str, str]:
        """Say which field a path of the document is typed in."""
        return {path: name for name, one in self.case_fields() for path in one.paths(self.path_of(name))}

    def cell(self, name: str) -> Cell:
        path = self.path_of(name)
        return Cell(self[name], path, (language_of(path) or "facts") in self.editable, self.notes.get(name, []))

    def groups(self) -> list[Group]:
        """Put the two languages of a text together, in the order in which the fields are declared."""
        found: dict[str, Group] = {}
        for name, one in self.case_fields():
            base = name[:-3] if language_of(self.path_of(name)) else name
            group = found.setdefault(base, Group(base, str(one.label), str(one.help_text)))
            group.cells.append(self.cell(name))
        return list(found.values())


def _present(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value] if value else []
