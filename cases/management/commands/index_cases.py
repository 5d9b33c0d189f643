"""``manage.py index_cases [--all]``: let search know the cases that it does not know yet."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from cases.models import Case
from cases.search import index

BATCH = 200


class Command(BaseCommand):
    help = "Index the published cases that search does not know yet; publishing does it by itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="all cases again, after a change of the tokenizer")

    def handle(self, *_args: Any, **options: Any) -> None:
        known = Case.objects.order_by("number").values_list("number", flat=True)
        numbers = list(known) if options["all"] else index.missing()
        started, done = time.monotonic(), 0
        for first in range(0, len(numbers), BATCH):
            done += index.write_again(numbers[first : first + BATCH])
            if sys.stderr.isatty():
                self.stderr.write(f"\r{done} cases", ending="")
        self.stdout.write(f"Indexed {done} cases in {time.monotonic() - started:.1f} s.")
