"""The addresses that pages link to, each worked out once in a process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils import translation

from cases.document import Language, case_id

# Stands for a case number while an address is worked out: there is no such case.
SOME_ID = case_id(0)


def address(name: str, language: Language, **arguments: str) -> str:
    """Return the path of a public page in one language. ``id`` is a case number as people know it."""
    if "id" not in arguments:
        return _reversed(name, language, **arguments)
    return _reversed(name, language, **{**arguments, "id": SOME_ID}).replace(SOME_ID, arguments["id"])


@lru_cache(maxsize=4096)
def _reversed(name: str, language: Language, **arguments: str) -> str:
    with translation.override(language):
        return reverse(f"cases:{name}", kwargs=arguments)


def full_address(name: str, language: Language, **arguments: str) -> str:
    """Return the address of a public page as others write it down."""
    return f"{settings.SITE_URL}{address(name, language, **arguments)}"


def with_query(path: str, asked: Mapping[str, Iterable[str]]) -> str:
    """Return an address that asks for values by name; a name without any is left out."""
    query = urlencode({name: list(values) for name, values in asked.items() if values}, doseq=True)
    return f"{path}?{query}" if query else path
