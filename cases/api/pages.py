"""The page that describes the API to people, made from the same declarations, with examples to try and to copy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cases import catalog
from cases.answers import answered, etag, in_both_languages, language_of
from cases.document.problems import gettext_noop
from cases.lists import MOST
from cases.rendering import dataset, script
from cases.telling import Shown

from .application import Address, addresses

TAGS = (
    gettext_noop("Cases"),
    gettext_noop("Words"),
    gettext_noop("Figures"),
    gettext_noop("The whole library"),
)
PYTHON = """import json, urllib.request

with urllib.request.urlopen("{url}") as answer:
    print({read})"""
JAVASCRIPT = """const answer = await fetch("{url}");
console.log(await answer.{read}());"""


@dataclass(frozen=True)
class Parameter(Shown):
    """One parameter as the page shows it. ``values`` are those of a short closed list."""

    name: str
    text: str
    values: tuple[str, ...]
    several: bool
    default: str


@dataclass(frozen=True)
class Entry(Shown):
    """One address as the page shows it; ``examples`` are (name of the language, program)."""

    address: Address
    summary: str
    text: str
    parameters: list[Parameter]
    examples: list[tuple[str, str]]

    @property
    def anchor(self) -> str:
        return self.address.name.removeprefix("api-")

    @property
    def example_url(self) -> str:
        return f"/api/{self.address.example}"


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    language, now = language_of(request), catalog.versions()
    return answered(request, etag(now, language), lambda: _page(request))


def _page(request: HttpRequest) -> HttpResponse:
    entries = [_entry(address) for address in addresses.values()]
    context = {
        "section": "api",
        "site_url": settings.SITE_URL,
        "groups": [(_(tag), [entry for entry in entries if entry.address.tag == tag]) for tag in TAGS],
        "most": MOST,
        "api_rate": settings.API_RATE,
        "search_rate": settings.SEARCH_RATE,
        **in_both_languages(language_of(request), "api"),
        "head": script(dataset(language_of(request))),
    }
    return render(request, "cases/api.html", context)


def _entry(address: Address) -> Entry:
    return Entry(
        address, _(address.summary), _(address.description), list(_parameters(address)), list(_examples(address))
    )


def _parameters(address: Address) -> Iterator[Parameter]:
    schema: dict[str, Any] = address.query.model_json_schema() if address.query else {"properties": {}}
    for name, one in schema["properties"].items():
        several = one["type"] == "array"
        values = (one["items"] if several else one).get("enum", ())
        default = "" if one.get("default") in (None, []) else str(one["default"])
        yield Parameter(name, _(one["description"]), tuple(values), several, default)


def _examples(address: Address) -> Iterator[tuple[str, str]]:
    url, is_json = f"{settings.SITE_URL}/api/{address.example}", address.media.endswith("json")
    yield "curl", f"curl --compressed '{url}'"
    yield "Python", PYTHON.format(url=url, read="json.load(answer)" if is_json else "answer.read().decode()")
    yield "JavaScript", JAVASCRIPT.format(url=url, read="json" if is_json else "text")
