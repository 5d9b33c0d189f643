"""Accounts to try the desk with, made only on a site that serves its own machine."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

ADMINISTRATOR = "admin"


@dataclass(frozen=True)
class Account:
    """An account to try a role with; ``roles`` are (role, language)."""

    username: str
    name: str
    groups: tuple[str, ...] = ()
    roles: tuple[tuple[str, str], ...] = ()

    @property
    def mail(self) -> str:
        return f"{self.username}@example.org"


ACCOUNTS = (
    Account("writer", "Demo Writer", ("writer",), (("writer", "en"), ("writer", "ko"))),
    Account("translator-ko", "Demo Translator", roles=(("translator", "ko"),)),
    Account("reviewer-en", "Demo Reviewer (English)", roles=(("reviewer", "en"),)),
    Account("reviewer-ko", "Demo Reviewer (Korean)", roles=(("reviewer", "ko"),)),
    Account("publisher", "Demo Publisher", ("publisher",)),
)


def accounts_file() -> Path:
    return Path(settings.DATA_DIR / "demo-accounts.txt")


def create_accounts() -> None:
    """Create the accounts that do not exist yet, and keep their passwords where only the owner of the site reads."""
    if settings.PRODUCTION:
        return
    present = set(User.objects.values_list("username", flat=True))
    made = [] if ADMINISTRATOR in present else [_create_administrator()]
    if apps.is_installed("review"):
        made += [_create(account) for account in ACCOUNTS if account.username not in present]
    if made:
        _keep(made, anew=ADMINISTRATOR not in present)


@transaction.atomic
def _create_administrator() -> str:
    if not apps.is_installed("review"):
        return _with_password(User.objects.create_superuser(ADMINISTRATOR), "administrator")
    from review import accounts  # noqa: PLC0415  (the library runs without the desk)

    user = accounts.first_administrator(ADMINISTRATOR, f"{ADMINISTRATOR}@example.org", "Demo Administrator")
    return _with_password(user, "administrator")


@transaction.atomic
def _create(account: Account) -> str:
    from review import accounts  # noqa: PLC0415
    from review.models import Event  # noqa: PLC0415
    from review.permissions import Standing  # noqa: PLC0415

    actor = User.objects.get(username=ADMINISTRATOR)
    holds = Standing(frozenset(account.groups), frozenset(account.roles))
    channel = Event.Channel.COMMAND
    user = accounts.invite(actor, account.username, account.mail, account.name, holds, channel)
    return _with_password(user, ", ".join(accounts.signs(holds)))


def _with_password(user: User, roles: str) -> str:
    """Give an account a random password; return its line in the file."""
    password = secrets.token_urlsafe(12)
    user.set_password(password)
    user.save(update_fields=["password"])
    return f"{user.get_username():<14} {password}  ({roles})\n"


def _keep(lines: list[str], *, anew: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if anew else os.O_APPEND)
    with os.fdopen(os.open(accounts_file(), flags, 0o600), "w", encoding="utf-8") as file:
        file.writelines(lines)
