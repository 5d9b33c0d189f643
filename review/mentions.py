"""Who is called by @username in a comment. A particle may follow the name at once, as Korean has it: @minji님."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from cases.models import Person

from .permissions import Act, can

# Nothing that belongs to a mail address may stand before it.
CALL = re.compile(r"(?<![\w.+@/-])@([\w.@+-]{1,150})")
GOES_ON = re.compile(r"[A-Za-z0-9_]")
MOST_CALLED = 20


@dataclass(frozen=True)
class Mentions:
    """The users called, and the names that nobody who may read the desk has."""

    users: Sequence[User]
    unknown: Sequence[str]


def mentioned(text: str) -> Mentions:
    """Find who is called; names are read as at sign-in, but in any case of letters."""
    calls = list(dict.fromkeys(CALL.findall(text)))[:MOST_CALLED]
    if not calls:
        return Mentions([], [])
    people = User.objects.filter(is_active=True).exclude(person__kind=Person.Kind.AGENT)
    known = {user.get_username().casefold(): user for user in people}
    users, unknown = {}, []
    for call in calls:
        user = _longest(call, known)
        if user is not None and can(user, Act.SEE):
            users[user.pk] = user
        else:
            unknown.append(call)
    return Mentions(list(users.values()), unknown)


def _longest(call: str, known: dict[str, User]) -> User | None:
    """Return whose name begins a call, the longest first, if no Latin letter or digit goes on behind it."""
    for length in range(len(call), 0, -1):
        user = known.get(call[:length].casefold())
        if user is not None and not GOES_ON.match(call[length:]):
            return user
    return None
