"""What the people screen shows of an account: name, state and roles, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cases.models import Person

from .accounts import held_by, is_program, waits_for_password
from .models import ADMINISTRATOR, GROUPS, PUBLISHER, WRITER, LanguageRole
from .permissions import Standing

if TYPE_CHECKING:
    from django.db.models import QuerySet

GROUP_NAMES = {
    WRITER: gettext_lazy("Writer"),
    PUBLISHER: gettext_lazy("Publisher"),
    ADMINISTRATOR: gettext_lazy("Administrator"),
}


@dataclass(frozen=True)
class ShownPerson:
    """One account. ``state`` is active, invited (no password chosen yet) or deactivated."""

    user: User
    name: str
    state: str
    roles: list[str]
    owner: str | None

    @property
    def state_name(self) -> str:
        names = {"active": _("Active"), "invited": _("Invited, no password yet"), "deactivated": _("Deactivated")}
        return names[self.state]


def shown_people() -> list[ShownPerson]:
    """Return all accounts by public name."""
    users = User.objects.select_related("person__owner").prefetch_related("groups", "language_roles")
    return sorted(map(shown, users), key=lambda person: person.name.casefold())


def shown(user: User) -> ShownPerson:
    person = getattr(user, "person", None)  # None before the first act of an account made by `createsuperuser`
    return ShownPerson(
        user=user,
        name=person.name if person else user.get_username(),
        state=_state(user),
        roles=_in_words(held_by(user)) or ([_("Writes what its owner may write")] if is_program(user) else []),
        owner=person.owner.name if person and person.owner else None,
    )


def programs_without_account() -> QuerySet[Person]:
    return Person.objects.filter(kind=Person.Kind.AGENT, user=None).select_related("owner")


def _state(user: User) -> str:
    if not user.is_active:
        return "deactivated"
    return "invited" if waits_for_password(user) else "active"


def _in_words(holds: Standing) -> list[str]:
    """Write roles for people: groups first, then each language's."""
    words = [str(GROUP_NAMES[group]) for group in GROUPS if group in holds.groups]
    languages = {"en": _("English"), "ko": _("Korean")}
    for language, name in languages.items():
        held = [str(role.label) for role in LanguageRole.Role if (role.value, language) in holds.roles]
        words += [_("%(language)s: %(roles)s") % {"language": name, "roles": ", ".join(held)}] if held else []
    return words
