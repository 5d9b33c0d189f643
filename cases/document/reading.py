"""From bytes to a typed case: safe JSON, upgrades of older shapes, uids for items, the three kinds of key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from .problems import DocumentError, Problem, gettext_noop, printable, problem, problems_of
from .record import Record
from .shape import SCHEMA_VERSION, CaseDocument, ImpactText
from .text import is_korean
from .values import new_uid

MOST_BYTES = 1_048_576
RECORD_KEYS = tuple(Record.model_fields)
COMPUTED_KEYS = ("url", "org_slug", "similar", "recurrence_chain")

# Where the items of a document are, and the letter that their uids begin with.
ITEM_LISTS = (
    (("sources",), "s"),
    (("timeline", "events"), "e"),
    (("timeline", "windows"), "w"),
    (("remediation",), "r"),
    (("action_items",), "a"),
    (("claims",), "c"),
    (("checks",), "k"),
)


@dataclass(frozen=True)
class Reading:
    """A case as a file tells it. ``org_slug`` is a hint for an organisation that is not known yet."""

    document: CaseDocument
    record: Record
    told_keys: frozenset[str]
    org_slug: str | None
    warnings: list[Problem]


# JSON


def read_json(data: bytes | str) -> Any:
    """Read JSON that a stranger wrote. Raises DocumentError; never RecursionError, never a silent last duplicate."""
    if len(data) > MOST_BYTES:
        message = gettext_noop("is larger than {most} bytes")
        raise DocumentError([problem((), "too_large", message, most=MOST_BYTES)])
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        return json.loads(text, object_pairs_hook=_keys_once, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        message = gettext_noop("is not UTF-8 (byte {at})")
        raise DocumentError([problem((), "not_utf8", message, at=error.start)]) from None
    except RecursionError:
        raise DocumentError([problem((), "too_deep", gettext_noop("is nested too deeply"))]) from None
    except DocumentError:
        raise
    except json.JSONDecodeError as error:
        message = gettext_noop("is not JSON: line {line}, column {column}: {reason}")
        values = {"line": error.lineno, "column": error.colno, "reason": error.msg}
        raise DocumentError([problem((), "not_json", message, **values)]) from None
    except ValueError as error:
        raise DocumentError([problem((), "not_json", gettext_noop("is not JSON: {reason}"), reason=error)]) from None


def _keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        message = gettext_noop("the key {key} stands twice in one object")
        raise DocumentError([problem((), "key_twice", message, key=printable(repeated))])
    return found


def _no_constant(name: str) -> None:
    raise DocumentError([problem((), "no_number", gettext_noop("{name} is not a JSON number"), name=name)])


# Older shapes


def _from_seed_shape(raw: dict[str, Any]) -> dict[str, Any]:
    """The seed format has no version, and an impact in one language only."""
    plain = raw.get("impact")
    if raw.get("impact_text") is not None or not isinstance(plain, dict):
        return {**raw, "schema_version": "1.0"}
    told = {key: plain[key] for key in ImpactText.model_fields if isinstance(plain.get(key), str)}
    pairs = {key: {"ko" if is_korean(text) else "en": text} for key, text in told.items()}
    return {**raw, "impact_text": pairs, "schema_version": "1.0"}


# version found in the file: the step that makes the next version of it
UPGRADES: dict[str | None, Callable[[dict[str, Any]], dict[str, Any]]] = {None: _from_seed_shape}


def upgraded(raw: dict[str, Any]) -> dict[str, Any]:
    """Bring a document of an older shape to the present one, step by step."""
    version = raw.get("schema_version")
    while version != SCHEMA_VERSION:
        step = UPGRADES.get(version) if isinstance(version, str | None) else None
        if step is None:
            message = gettext_noop("{version} is not a version that this program reads ({newest})")
            values = {"version": printable(str(version)), "newest": SCHEMA_VERSION}
            raise DocumentError([problem(("schema_version",), "version", message, **values)])
        raw = step(raw)
        version = raw.get("schema_version")
    return raw


# Uids


def with_uids(raw: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Give each item without a uid that of the equal item of ``known``, else a new one."""
    result = raw
    for path, letter in ITEM_LISTS:
        found = _at(result, path)
        if isinstance(found, list):
            result = _put(result, path, _items_with_uids(found, _at(known, path) or [], letter))
    return result


def _items_with_uids(found: list[Any], known: list[Any], letter: str) -> list[Any]:
    taken = {item["uid"] for item in found if isinstance(item, dict) and isinstance(item.get("uid"), str)}
    free = [item for item in known if item["uid"] not in taken]
    result = []
    for item in found:
        if isinstance(item, dict) and item.get("uid") is None:
            match = next((old for old in free if _same_item(item, old)), None)
            if match is not None:
                free.remove(match)
            result.append({**item, "uid": match["uid"] if match else new_uid(letter)})
        else:
            result.append(item)
    return result


def _same_item(item: dict[str, Any], old: dict[str, Any]) -> bool:
    """Two items are the same when they tell the same text; sources when they have the same address."""
    keys = [key for key in ("url", "text", "question", "quote", "start") if key in old]
    return all(item.get(key) == old[key] for key in keys) and item.get("at") == old.get("at")


def _at(raw: Any, path: Iterable[str]) -> Any:
    for key in path:
        raw = raw.get(key) if isinstance(raw, dict) else None
    return raw


def _put(raw: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    first, rest = path[0], path[1:]
    return {**raw, first: _put(raw[first], rest, value) if rest else value}


# A whole case


def read_case(raw: Any, known: dict[str, Any] | None = None) -> Reading:
    """Read a parsed JSON object as a case: content, record and computed keys apart.

    ``known`` is the stored document of the same number as plain JSON; its item uids are kept. Raises DocumentError.
    """
    if not isinstance(raw, dict):
        raise DocumentError([problem((), "not_an_object", gettext_noop("a case must be a JSON object"))])
    record = {key: raw[key] for key in RECORD_KEYS if key in raw}
    ignored = (*RECORD_KEYS, *COMPUTED_KEYS)
    content = upgraded({key: value for key, value in raw.items() if key not in ignored})
    if isinstance(content.get("timeline"), dict):
        content["timeline"] = {key: value for key, value in content["timeline"].items() if key != "durations"}
    warnings: list[Problem] = []
    problems: list[Problem] = []
    try:
        document = CaseDocument.model_validate(with_uids(content, known or {}), context=warnings)
    except ValidationError as error:
        problems += problems_of(error)
    try:
        told = Record.model_validate(record)
    except ValidationError as error:
        problems += problems_of(error)
    if problems:
        raise DocumentError(problems)
    slug = raw.get("org_slug")
    return Reading(document, told, frozenset(record), slug if isinstance(slug, str) else None, warnings)


def read_document(text: str) -> CaseDocument:
    """Read a stored document (an edition, a revision), upgrading an older shape. Raises DocumentError."""
    return read_case(read_json(text)).document
