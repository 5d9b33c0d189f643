"""``manage.py check_states``: compare the cached review states of all manuscripts with the states found anew."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from review.models import Manuscript
from review.states import wrong_states


class Command(BaseCommand):
    help = "Check that the review states kept for the queues are the true ones."

    def handle(self, *_args: Any, **_options: Any) -> None:
        found = wrong_states()
        for line in found:
            self.stderr.write(line)
        self.stdout.write(f"{Manuscript.objects.count()} manuscripts: {len(found)} wrong states.")
        if found:
            raise SystemExit(1)
