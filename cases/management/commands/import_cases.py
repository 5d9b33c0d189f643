"""``manage.py import_cases FILE…``: take in cases from JSON files, JSON Lines files and folders of them."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from cases.importing import Importer, case_texts

SAID = ("new", "changed", "unchanged", "refused")


class Command(BaseCommand):
    help = "Import cases from JSON files (one case each), JSON Lines files (one a line) and folders of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")
        parser.add_argument(
            "--trust-reviews", action="store_true", help="take reviewers named in the files as approvals (own exports)"
        )

    def handle(self, *_args: Any, files: list[Path], dry_run: bool, trust_reviews: bool, **_options: Any) -> None:
        importer = Importer(trust_reviews=trust_reviews, dry_run=dry_run)
        started, said = time.monotonic(), 0
        for looked_at in importer.run(case_texts(files)):
            said = self._say_notes(importer, said)
            if sys.stderr.isatty():
                self.stderr.write(f"\r{looked_at} cases", ending="")
        self._say_notes(importer, said)
        counts = importer.report.counts
        seconds = time.monotonic() - started
        told = ", ".join(f"{counts[name]} {name}" for name in SAID)
        self.stdout.write(f"{'Dry run: ' if dry_run else ''}{told} in {seconds:.1f} s.")
        if counts["refused"]:
            raise SystemExit(1)

    def _say_notes(self, importer: Importer, said: int) -> int:
        for note in importer.report.notes[said:]:
            self.stderr.write(note.text())
        return len(importer.report.notes)
