"""Makes the people of tests: accounts with a password and the roles named."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from cases.models import Person
from review.accounts import _give
from review.confirmation import CONFIRMED_AT
from review.permissions import Standing

PASSWORD = "correct horse battery"
SIGN_IN = "/accounts/login/"


def make_member(username: str, *held: str) -> User:
    """Create an active account that holds groups (``publisher``) and roles in languages (``reviewer/ko``)."""
    user = User.objects.create_user(username, f"{username}@example.org", PASSWORD)
    person = Person.objects.create(name=f"{username.title()} Kim", user=user)
    _give(user, person, holding(*held))
    return user


def holding(*held: str) -> Standing:
    roles = [(role, language) for role, _slash, language in (sign.partition("/") for sign in held) if language]
    return Standing(frozenset(sign for sign in held if "/" not in sign), frozenset(roles))


def confirm_password(client: Client, at: float) -> None:
    """Note in the session of a signed-in client that the password was given again at this time."""
    session = client.session
    session[CONFIRMED_AT] = at
    session.save()


def sign_in(client: Client, username: str = "minji", password: str = PASSWORD, **told: str) -> Any:
    return client.post(SIGN_IN, {"username": username, "password": password, **told})


def path_of(link: str) -> str:
    return link.removeprefix("http://127.0.0.1:8000")


def choose_password(client: Client, link: str, password: str) -> Any:
    """Open a link that was sent, and set the password on the page it leads to."""
    path = client.get(path_of(link)).headers["Location"]
    return client.post(path, {"new_password1": password, "new_password2": password}, follow=True)
