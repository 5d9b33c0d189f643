"""``manage.py render [ID…]``: make the cards and articles that readers fetch, where they are out of date."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections

from cases.document import case_number
from cases.labels import current_labels
from cases.models import StoredCase
from cases.rendering import stamp, store_rendered

BATCH = 200


class Command(BaseCommand):
    help = (
        "Render the pages of all cases that were published, or whose words or templates changed, since the last time."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="ID")

    def handle(self, *_args: Any, ids: list[str], **_options: Any) -> None:
        try:
            numbers = [case_number(text) for text in ids] or outdated()
        except ValueError as error:
            message = f"{error} is not a case number such as IL-0560"
            raise CommandError(message) from None
        started, done = time.monotonic(), 0
        for rendered in store_everywhere(numbers):
            done += rendered
            if sys.stderr.isatty():
                self.stderr.write(f"\r{done} cases", ending="")
        self.stdout.write(f"Rendered {done} cases in {time.monotonic() - started:.1f} s.")


def store_everywhere(numbers: Sequence[int]) -> Iterator[int]:
    """Render and keep these cases on all processors; give how many were rendered, batch by batch.

    What a page is made from is read at once, and then it is work for the processor alone.
    """
    batches = [numbers[first : first + BATCH] for first in range(0, len(numbers), BATCH)]
    workers = min(os.cpu_count() or 1, len(batches))
    if workers > 1 and _can_be_shared():
        connections.close_all()  # two processes must not speak over one connection
        with ProcessPoolExecutor(workers, get_context("fork")) as pool:
            yield from pool.map(store_rendered, batches)
    else:
        yield from map(store_rendered, batches)


def _can_be_shared() -> bool:
    """Say whether another process sees what this one sees, and can be forked from it."""
    is_in_memory = connection.vendor == "sqlite" and connection.is_in_memory_db()  # type: ignore[attr-defined]  # SQLite's own
    return sys.platform == "linux" and not is_in_memory and not connection.in_atomic_block


def outdated() -> list[int]:
    """Return the numbers of all cases whose stored pages were made for other words, templates or addresses."""
    rows = StoredCase.objects.exclude(stamp=stamp(current_labels().wording)).order_by("number")
    return list(rows.values_list("number", flat=True))
