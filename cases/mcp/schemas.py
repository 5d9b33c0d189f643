"""JSON Schemas for agents: what pydantic writes, without what only costs them room. No SDK here."""

from __future__ import annotations

from typing import Any, Literal

from django.utils import translation
from pydantic import BaseModel

from cases.filters import CaseFilter

SAY_NOTHING: tuple[object, ...] = (None, [])
# A wrong word is answered with the one that was meant, so agents need no pattern to check theirs against.
LEFT_OUT_OF_ITEMS = ("pattern", "maxLength")


def schema_of(kind: type[BaseModel], mode: Literal["validation", "serialization"] = "validation") -> dict[str, Any]:
    """Return the schema of a type: what must be given first, no titles made of names, no empty defaults.

    Where words of a list are wanted, it is said of which list: agents find them by the tool vocab. A number is told
    with its label.
    """
    schema = kind.model_json_schema(mode=mode)
    with translation.override("en"):
        for part in (schema, *schema.get("$defs", {}).values()):
            _shorten(part)
    return schema


def _shorten(part: dict[str, Any]) -> None:
    part.pop("title", None)
    properties = part.get("properties", {})
    for name, value in properties.items():
        value.pop("title", None)
        for word in LEFT_OUT_OF_ITEMS:
            value.get("items", {}).pop(word, None)
        one = CaseFilter.base_filters.get(name)
        if value.get("type") == "array" and getattr(one, "list_name", None):
            value["description"] = f"Words of the list {one.list_name} of vocab; an incident with any of them is found."
        if value.get("type") == "integer" and one is not None:
            value["description"] = f"{one.label}. {value['description']}"
        if value.get("default") in SAY_NOTHING:
            value.pop("default", None)
    order = dict.fromkeys([*part.get("required", []), *properties])
    part["properties"] = {name: properties[name] for name in order}
