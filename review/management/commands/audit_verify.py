"""``manage.py audit_verify``: check that the log of the desk and all revisions are as they were written."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from review.log import broken_links
from review.models import Event, Revision


class Command(BaseCommand):
    help = "Check the chain of events and the checksum of every revision."

    def handle(self, *_args: Any, **_options: Any) -> None:
        found = broken_links()
        for revision in Revision.objects.select_related("manuscript").iterator():
            if Revision.digest(revision.text) != revision.sha256:
                found.append(f"revision {revision.number} of {revision.manuscript.id_text} was changed")
        for line in found:
            self.stderr.write(line)
        self.stdout.write(f"{Event.objects.count()} events, {Revision.objects.count()} revisions: {len(found)} faults.")
        if found:
            raise SystemExit(1)
