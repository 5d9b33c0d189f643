"""What tests of the public library share."""

from collections.abc import Iterator

import pytest

from cases import labels


@pytest.fixture(autouse=True)
def labels_are_read_anew() -> Iterator[None]:
    """Forget the labels of other tests: each test's database is new, its vocabulary has the same version."""
    labels._kept.cache_clear()  # noqa: SLF001  (no program needs this)
    yield
    labels._kept.cache_clear()  # noqa: SLF001
