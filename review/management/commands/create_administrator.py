"""``manage.py create_administrator``: make the first administrator of a site; everybody else is invited on the desk."""

from __future__ import annotations

import sys
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.db import transaction

from review.accounts import first_administrator, waits_for_password
from review.mail import password_link


class Command(BaseCommand):
    help = "Create an administrator and print a link to choose a password, valid for three days and once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("mail")
        parser.add_argument("--name", help="the public name (default: the username)")
        parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")

    def handle(self, *_args: Any, **options: Any) -> None:
        username: str = options["username"]
        try:
            with transaction.atomic():
                user = self.account(username, options["mail"], options["name"] or username)
                if options["password_stdin"]:
                    self.set_password(user, sys.stdin.readline().rstrip("\r\n"))
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"Administrator {username}")
        if not options["password_stdin"]:
            self.stdout.write(f"Choose a password within three days: {password_link(user)}")

    def account(self, username: str, mail: str, name: str) -> User:
        """Create the account; the second time, find it, as long as it has no password."""
        user = User.objects.filter(username=username).first()
        if user is None:
            User.username_validator(username)
            validate_email(mail)
            return first_administrator(username, mail, name)
        if user.is_superuser and user.email == mail and waits_for_password(user):
            return user
        raise CommandError(f"{username} has an account. `manage.py changepassword {username}` sets its password.")

    def set_password(self, user: User, password: str) -> None:
        validate_password(password, user)
        user.set_password(password)
        user.save(update_fields=["password"])
