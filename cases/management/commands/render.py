"""``manage.py render [ID…]``: make the cards and articles that readers fetch, where they are out of date."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

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
        for first in range(0, len(numbers), BATCH):
            done += store_rendered(numbers[first : first + BATCH])
            if sys.stderr.isatty():
                self.stderr.write(f"\r{done} cases", ending="")
        self.stdout.write(f"Rendered {done} cases in {time.monotonic() - started:.1f} s.")


def outdated() -> list[int]:
    """Return the numbers of all cases whose stored pages were made for other words, templates or addresses."""
    rows = StoredCase.objects.exclude(stamp=stamp(current_labels().wording)).order_by("number")
    return list(rows.values_list("number", flat=True))
