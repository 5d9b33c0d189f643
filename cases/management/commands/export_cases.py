"""``manage.py export_cases [ID…]``: write public JSON, one case a line, in the order of numbers."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cases.document import case_number
from cases.exporting import export


class Command(BaseCommand):
    help = "Write cases as JSON Lines, as CSV, or with --all together with organisations and library checks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="ID")
        parser.add_argument("--format", choices=("jsonl", "csv"), default="jsonl")
        parser.add_argument("--all", action="store_true", help="also withdrawn and merged cases, organisations, checks")

    def handle(self, *_args: Any, ids: list[str], format: str, **options: Any) -> None:  # noqa: A002  (the flag's name)
        try:
            numbers = [case_number(text) for text in ids]
        except ValueError as error:
            message = f"{error} is not a case number such as IL-0560"
            raise CommandError(message) from None
        missing = set(numbers)
        for number, line in export(numbers or None, file_format=format, everything=options["all"]):
            missing.discard(number)
            self.stdout.write(line, ending="")
        if missing:
            message = "no such case: " + ", ".join(sorted(f"IL-{number:04d}" for number in missing))
            raise CommandError(message)
