"""``manage.py snapshot FOLDER``: write all that is public into a new, dated folder, with checksums."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from cases.snapshot import SnapshotError, take


class Command(BaseCommand):
    help = "Write all that is public as files into FOLDER/incidentlib-DAY; FOLDER/latest leads to the newest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *_args: Any, folder: Path, **_options: Any) -> None:
        try:
            written = take(folder, timezone.now().date(), self.stderr.write)
        except (SnapshotError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Wrote {written}")
