"""What is wrong with what was typed, each thing at its field, in words for the person who typed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from cases.document import LANGUAGES, Language, Problem
from cases.fields import language_of

from .part import PartForm

if TYPE_CHECKING:
    from .case import CaseForm

# What pydantic says in English only, by the code of the problem.
WORDS = {
    "string_too_long": gettext_noop("This is longer than {max_length} characters. Nothing was cut off."),
    "too_long": gettext_noop("These are more than {max_length}."),
    "missing": gettext_noop("This is needed."),
    "string_type": gettext_noop("This is needed."),
    "untold": gettext_noop("This needs a text in English or in Korean."),
    "bad_time": gettext_noop("This is needed."),
    "bad_date": gettext_noop("This is needed."),
    "string_pattern_mismatch": gettext_noop("This is not written as it must be."),
    "literal_error": gettext_noop("Choose one of the words offered."),
}
# Rules about several keys that name the item they are about, and the field to look at.
FIELDS_OF_RULES = {"no_such_source": "source", "no_such_path": "path"}


@dataclass(frozen=True)
class Place:
    """A field of the form."""

    form: PartForm
    name: str


@dataclass(frozen=True)
class Complaint:
    """One thing that keeps the case from being saved. ``target`` is the id of its field; empty when it has none."""

    target: str
    text: str
    label: str = ""
    language: Language | None = None

    @classmethod
    def at(cls, form: CaseForm, part: PartForm, name: str, text: str) -> Complaint:
        path = part.path_of(name)
        return cls(part[name].id_for_label, text, label_of(form, part, name), language_of(path))


def words_of(problem: Problem) -> str:
    """Say a problem without its path, which the field says already."""
    said = _(WORDS.get(problem.code, problem.message))
    for name, value in problem.values.items():
        said = said.replace("{" + name + "}", str(value))
    return said[:1].upper() + said[1:]


def label_of(form: CaseForm, part: PartForm, name: str) -> str:
    """Name a field as the page does, with the place of its item: ``Remediation, item 2: Kind``."""
    label = str(part.fields[name].label)
    for item_list in form.lists.values():
        if part in item_list.rows:
            words = {"list": item_list.name, "position": item_list.rows.index(part) + 1, "field": label}
            return _("%(list)s %(position)s: %(field)s") % words
    return label


def place_of(form: CaseForm, problem: Problem, raw: Mapping[str, Any]) -> Place | None:
    """Find the field that a problem of the document is about; None when it is about no single one."""
    index = {path: Place(part, name) for part in form.forms() for path, name in part.names_by_path().items()}
    if problem.code == "own_relation":
        return index["related"]
    if problem.code in FIELDS_OF_RULES:
        wanted = f"[{problem.values['uid']}].{FIELDS_OF_RULES[problem.code]}"
        return next((place for path, place in index.items() if path.endswith(wanted)), None)
    for path in _candidates(_with_uids(problem.path, raw)):
        if path in index:
            return index[path]
    return None


def _candidates(path: str) -> Iterator[str]:
    """Give a path, then its languages, then what it is a part of or what begins it."""
    while path:
        yield path
        yield from (f"{path}.{language}" for language in LANGUAGES)
        yield from (f"{path}.{first}" for first in ("start", "url", "at", "path"))
        path = path.rpartition(".")[0]


def _with_uids(path: Sequence[str | int], raw: Any) -> str:
    """Write the path of a problem with the uids of items: ``remediation[r-abc123].text.ko``."""
    written = ""
    for step in path:
        if isinstance(step, str):
            written += f".{step}" if written else step
            raw = raw.get(step) if isinstance(raw, Mapping) else None
        else:
            raw = raw[step] if isinstance(raw, list) and step < len(raw) else None
            written += f"[{raw['uid']}]" if isinstance(raw, Mapping) and "uid" in raw else ""
    return written
