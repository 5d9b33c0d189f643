"""Sends the daily mails of notices. To be run once a day; run again, it sends only what is new."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from review.notice_mail import send_digests


class Command(BaseCommand):
    help = "Send one mail to each person who wants notices once a day."

    def handle(self, *_args: Any, **_options: Any) -> None:
        sent, failed = send_digests(timezone.now())
        self.stdout.write(f"{sent} digests sent")
        if failed:
            raise CommandError(f"{failed} digests could not be sent; the next run tries them again")
