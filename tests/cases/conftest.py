"""What tests of the public library share."""

from collections.abc import Iterator

import pytest

from cases import answers, catalog, labels


@pytest.fixture(autouse=True)
def memory_is_empty() -> Iterator[None]:
    """Forget the words of other tests: each test's database is new, its vocabulary has the same version."""
    forget()
    yield
    forget()


def forget() -> None:
    labels._kept.cache_clear()  # noqa: SLF001  (no program needs this)
    catalog.forget()
    answers._finished.clear()  # noqa: SLF001
