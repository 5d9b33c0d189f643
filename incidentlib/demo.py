"""Accounts to try the desk with, made only on a site that serves its own machine."""

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

ADMINISTRATOR = "admin"


def accounts_file() -> Path:
    return Path(settings.DATA_DIR / "demo-accounts.txt")


def create_accounts() -> None:
    """Create the accounts that do not exist yet, and keep their passwords where only the owner of the site reads."""
    if settings.PRODUCTION or User.objects.filter(username=ADMINISTRATOR).exists():
        return
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser(ADMINISTRATOR, password=password)
    file = os.open(accounts_file(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as lines:
        lines.write(f"{ADMINISTRATOR}  {password}  (administrator)\n")
