"""The description of the API in OpenAPI 3.1: what django-ninja makes of the declarations, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings

from cases.document import write_json

from .application import Address, addresses, api

PROBLEM = "application/problem+json"
BAD = 400
ABOUT = (
    "A public library of production incidents of cloud and internet services, in English and Korean. "
    "No key, no account, no cookies. Texts that are not told in a language are null."
)
TAGS = {
    "Cases": "Lists of cases, whole cases, their neighbours and their editions.",
    "Words": "The vocabulary that cases are described and asked for with.",
    "Figures": "How often, with what and how long, of any cases; and what to ask of one's own systems.",
    "The whole library": "What has changed, everything at once, and what it all looks like.",
}
# What stands in addresses.
IN_PATHS: dict[str, dict[str, Any]] = {
    "id": {"description": "The number of a case.", "example": "IL-0560"},
    "number": {"description": "The number of an edition.", "example": 1},
    "list": {"description": "A list of the vocabulary.", "example": "component"},
    "slug": {"description": "A word of that list.", "example": "service-discovery"},
}


@cache
def openapi() -> str:
    """Return the description as JSON text. It changes with the program only."""
    return write_json(described())


def described() -> dict[str, Any]:
    found: dict[str, Any] = dict(api.get_openapi_schema(path_prefix="api/"))
    licence = {"name": settings.CONTENT_LICENSE_NAME, "url": settings.CONTENT_LICENSE_URL}
    found["info"] = {**found["info"], "description": ABOUT, "license": licence}
    found["servers"] = [{"url": settings.SITE_URL}]
    found["security"] = []
    found["tags"] = [{"name": name, "description": told} for name, told in TAGS.items()]
    for address in addresses.values():
        for operation in found["paths"][address.url].values():
            _complete(operation, address)
    for part in _parts(found):
        _tidy(part)
    _without_unused(found)
    return found


def _without_unused(found: dict[str, Any]) -> None:
    """Leave out the types that nothing names: those of parameters, which stand where they are used."""
    schemas = found["components"]["schemas"]
    while unused := set(schemas) - {part["$ref"].rsplit("/", 1)[-1] for part in _parts(found) if "$ref" in part}:
        for name in unused:
            del schemas[name]


def _complete(operation: dict[str, Any], address: Address) -> None:
    for parameter in operation["parameters"]:
        parameter.update(IN_PATHS.get(parameter["name"], {}) if parameter["in"] == "path" else {})
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        ((_, schema),) = content.items() or [("", None)]
        if schema is None:
            continue
        is_problem = status >= BAD and "Problem" in str(schema)
        answer["content"] = {PROBLEM if is_problem else address.media if status < BAD else "application/json": schema}


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Give every object in a description, the inner ones first."""
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _parts(inner)
    if isinstance(value, dict):
        yield value


def _tidy(part: dict[str, Any]) -> None:
    """Take away what pydantic adds that says nothing: titles made from names, and defaults that are no values."""
    if isinstance(part.get("title"), str) and ("type" in part or "anyOf" in part or "$ref" in part or "enum" in part):
        del part["title"]
    if "default" in part and part["default"] in (None, []):
        del part["default"]
