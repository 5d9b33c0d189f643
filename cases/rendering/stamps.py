"""The stamp of stored HTML: it changes with whatever the HTML was made from besides the case itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings

CASES = Path(__file__).resolve().parent.parent


@lru_cache(maxsize=8)
def stamp(wording: int) -> str:
    """Return a short name for the present templates, words, site address and licence, and this wording of terms."""
    made_from = (
        settings.SITE_URL,
        settings.CONTENT_LICENSE_NAME,
        settings.CONTENT_LICENSE_URL,
        _fingerprint(),
        str(wording),
    )
    return hashlib.sha256("\0".join(made_from).encode()).hexdigest()[:16]


@cache
def _fingerprint() -> str:
    digest = hashlib.sha256()
    for path in _files():
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def _files() -> Iterator[Path]:
    """Every file that has a say in how a card or an article looks."""
    project = Path(settings.BASE_DIR)
    yield from sorted((project / "templates" / "cases").glob("_*.html"))
    yield from sorted((project / "incidentlib" / "locale").rglob("*.po"))
    yield from sorted(Path(__file__).parent.glob("*.py"))
    yield from (CASES / f"{name}.py" for name in ("formatting", "telling", "labels", "standing", "urls"))
    yield from (CASES / "document" / f"{name}.py" for name in ("public", "timeline"))
