"""``manage.py remove_examples``: take the fictional cases away, with the organisations that only they used."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from cases.publishing import remove_examples


class Command(BaseCommand):
    help = "Remove the example cases and the organisations that no other case uses."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="say what would be removed, change nothing")

    def handle(self, *_args: Any, dry_run: bool, **_options: Any) -> None:
        cases, orgs = remove_examples(dry_run=dry_run)
        self.stdout.write(f"{'Would remove' if dry_run else 'Removed'} {cases} examples and {orgs} organisations.")
