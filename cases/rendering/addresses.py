"""The addresses that pages link to, each worked out once in a process."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.urls import reverse
from django.utils import translation

from cases.document import Language


@lru_cache(maxsize=4096)
def address(name: str, language: Language, **arguments: str) -> str:
    """Return the path of a public page in one language."""
    with translation.override(language):
        return reverse(f"cases:{name}", kwargs=arguments)


def full_address(name: str, language: Language, **arguments: str) -> str:
    """Return the address of a public page as others write it down."""
    return f"{settings.SITE_URL}{address(name, language, **arguments)}"
