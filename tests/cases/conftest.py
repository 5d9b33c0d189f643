"""What tests of the public library share."""

from collections.abc import Iterator

import pytest

from cases import labels
from cases.search import glossary, spelling

# What a process remembers of the words by their version.
KEPT = (labels._kept, glossary._kept, spelling._kept)  # noqa: SLF001  (no program needs to forget)


@pytest.fixture(autouse=True)
def words_are_read_anew() -> Iterator[None]:
    """Forget the words of other tests: each test's database is new, its vocabulary has the same version."""
    for kept in KEPT:
        kept.cache_clear()
    yield
    for kept in KEPT:
        kept.cache_clear()
