"""Takes back what was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def undone() -> Iterator[None]:
    """Take back what is written inside, so that many can start from the same state."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
