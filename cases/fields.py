"""A case document as fields with addresses: what diffs, merges, comments and stale marks point at. No Django models.

A path is written like a claim's, then the language: ``remediation[r-abc123].text.ko``. The order of a list of items is
a field of its own: ``remediation`` is the list of its uids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast, get_args, get_origin

from pydantic import BaseModel

from cases.document import LANGUAGES, CaseDocument, Language, Pair, path_words
from cases.document.problems import gettext_noop

FieldValue = str | bool | list[str] | None
Scope = Literal["en", "ko", "facts"]

# Written from other keys, or the same for all documents of a case.
LEFT_OUT = frozenset({"id", "impact", "schema_version", "uid"})
# What a program notes about a source; no reader's fact.
NOTED_BY_PROGRAMS = re.compile(r"sources\[[^\]]+\]\.(?:archived|fetched_at|state)")
ITEM = re.compile(r"[a-z_.]+\[[^\]]+\]")
STEP = re.compile(r"([a-z_]+)(?:\[([^\]]+)\])?")
ORDER_WORD = gettext_noop("order")


@dataclass(frozen=True)
class Place:
    """One key of a shape: a plain value, a pair of texts, a part with keys of its own, or a list of items."""

    key: str
    kind: Literal["value", "pair", "part", "items"]
    shape: type[BaseModel]


@cache
def _places(shape: type[BaseModel]) -> tuple[Place, ...]:
    kept = {key: field.annotation for key, field in shape.model_fields.items() if key not in LEFT_OUT}
    return tuple(_place(key, annotation) for key, annotation in kept.items())


def _place(key: str, annotation: Any) -> Place:
    types = (annotation, *get_args(annotation))
    shape = next((one for one in types if isinstance(one, type) and issubclass(one, BaseModel)), None)
    if shape is None:
        return Place(key, "value", BaseModel)
    if get_origin(annotation) is list:
        return Place(key, "items", shape)
    return Place(key, "pair" if issubclass(shape, Pair) else "part", shape)


def _item_lists(shape: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for place in _places(shape):
        if place.kind == "items":
            yield prefix + place.key
        elif place.kind == "part":
            yield from _item_lists(place.shape, f"{prefix}{place.key}.")


ITEM_LISTS = tuple(_item_lists(CaseDocument))


# From a document to fields and back


def fields(document: CaseDocument) -> dict[str, FieldValue]:
    """Give every field in the order of the document, as plain JSON values; what is not told is None."""
    return flat(document.model_dump(mode="json"))


def flat(raw: Mapping[str, Any]) -> dict[str, FieldValue]:
    """Give every field of a document as plain JSON, which may hold values that no document accepts."""
    return dict(_flat(CaseDocument, raw, ""))


def _flat(shape: type[BaseModel], raw: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, FieldValue]]:
    for place in _places(shape):
        path, value = prefix + place.key, raw[place.key]
        if place.kind == "value":
            yield path, value
        elif place.kind == "pair":
            yield from ((f"{path}.{language}", (value or {}).get(language)) for language in LANGUAGES)
        elif place.kind == "part":
            yield from _flat(place.shape, value, f"{path}.")
        else:
            yield path, [item["uid"] for item in value]
            for item in value:
                yield from _flat(place.shape, item, f"{path}[{item['uid']}].")


def build(told: Mapping[str, FieldValue], base: CaseDocument | str) -> dict[str, Any]:
    """Put fields together to the raw form of a document, not validated yet.

    ``base`` is the document that says what ``told`` does not (an absent field is unchanged, an item that its list no
    longer names is gone), or the id of the case, when ``told`` is all there is. Raises ValueError for a field that has
    no place, such as the text of an item that its list does not name.
    """
    known, case = (fields(base), base.id) if isinstance(base, CaseDocument) else ({}, base)
    raw = {"id": case, **_nested(CaseDocument, {**known, **told}, ""), "schema_version": "1.0"}
    homeless = told.keys() - flat(raw).keys()
    if homeless:
        raise ValueError(f"fields without a place: {', '.join(sorted(homeless))}")
    return raw


def _nested(shape: type[BaseModel], told: Mapping[str, FieldValue], prefix: str) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    for place in _places(shape):
        path = prefix + place.key
        if place.kind == "value":
            raw[place.key] = told.get(path)
        elif place.kind == "pair":
            pair = {language: told.get(f"{path}.{language}") for language in LANGUAGES}
            raw[place.key] = pair if any(text is not None for text in pair.values()) else None
        elif place.kind == "part":
            raw[place.key] = _nested(place.shape, told, f"{path}.")
        else:
            uids = cast("list[str]", told.get(path) or [])
            raw[place.key] = [{"uid": uid, **_nested(place.shape, told, f"{path}[{uid}].")} for uid in uids]
    return raw


# Items


def item_of(path: str) -> str:
    """Give the path of the item that a field belongs to, ``remediation[r-abc123]``; empty when it is of none."""
    found = ITEM.match(path)
    return found.group() if found else ""


def by_item(told: Mapping[str, FieldValue]) -> dict[str, dict[str, FieldValue]]:
    """Group fields by the item they belong to; those of no item, orders included, stand under the empty path."""
    groups: dict[str, dict[str, FieldValue]] = {}
    for path, value in told.items():
        groups.setdefault(item_of(path), {})[path] = value
    return groups


def woven(order: Sequence[str], other: Sequence[str]) -> list[str]:
    """Add to ``order`` what only ``other`` has, each behind its predecessor there and what ``order`` put after that."""
    result, before = list(order), None
    for uid in other:
        if uid not in result:
            at = 0 if before is None else result.index(before) + 1
            while at < len(result) and result[at] not in other:
                at += 1
            result.insert(at, uid)
        before = uid
    return result


# What a field is


ENDINGS = {f".{language}": language for language in LANGUAGES}


def language_of(path: str) -> Language | None:
    return ENDINGS.get(path[path.rfind(".") :])


def texts(document: CaseDocument, language: Language) -> dict[str, str]:
    """Give Text(L): all texts of a language that are told, notes of claims included."""
    told = fields(document).items()
    return {path: text for path, text in told if language_of(path) == language and isinstance(text, str)}


def facts(document: CaseDocument) -> dict[str, FieldValue]:
    """Give all else that is told and that readers rely on: no claims, nothing that programs note about a source."""
    return {path: value for path, value in fields(document).items() if value is not None and _is_fact(path)}


def _is_fact(path: str) -> bool:
    is_claim = path == "claims" or path.startswith("claims[")
    return not (is_claim or language_of(path) or NOTED_BY_PROGRAMS.fullmatch(path))


def scopes_changed(before: CaseDocument, after: CaseDocument) -> frozenset[Scope]:
    """Say in which language a text differs, and whether a fact does."""
    changed: set[Scope] = {language for language in LANGUAGES if texts(before, language) != texts(after, language)}
    return frozenset(changed | {"facts"} if facts(before) != facts(after) else changed)


# How a field is named for a person


@dataclass(frozen=True)
class Label:
    """The steps to a field as ``path_words`` takes them: key words, the item's index, the language last."""

    steps: tuple[str | int, ...]

    @property
    def position(self) -> int | None:
        """The place of the item in its list, the first being 1."""
        return next((step + 1 for step in self.steps if isinstance(step, int)), None)

    @property
    def language(self) -> Language | None:
        return next((language for language in LANGUAGES if self.steps[-1] == language), None)

    def text(self, translate: Callable[[str], str] = str) -> str:
        """Say it in words: ``remediation, item 2, Korean text``."""
        return path_words(self.steps, translate)


def label_parts(path: str, document: CaseDocument) -> Label:
    """Name a field or an item; one that ``document`` does not have is named without a position."""
    steps: list[str | int] = []
    here: Any = document
    for key, uid in STEP.findall(path):
        steps.append(key)
        here = getattr(here, key, None)
        if uid:
            here = here or []
            steps += [index for index, item in enumerate(here) if item.uid == uid]
            here = next((item for item in here if item.uid == uid), None)
    return Label((*steps, ORDER_WORD) if path in ITEM_LISTS else tuple(steps))
