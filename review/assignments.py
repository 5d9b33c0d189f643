"""Which languages of which cases are whose work now. An assignment whose day is over counts as none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from cases.document import Language

from .models import ADMINISTRATOR, PUBLISHER, WRITER, Assignment, Manuscript


def today() -> dt.date:
    return timezone.now().date()


def holding() -> QuerySet[Assignment]:
    """Return the assignments that count today."""
    return Assignment.objects.filter(Q(until=None) | Q(until__gte=today())).select_related("person")


def of(manuscript: Manuscript | None) -> Mapping[str, Assignment]:
    """Return the assignments of one manuscript by language."""
    return {one.language: one for one in holding().filter(manuscript=manuscript)} if manuscript is not None else {}


def of_all(manuscripts: Collection[int]) -> Mapping[tuple[int, str], Assignment]:
    """Return the assignments of many manuscripts by manuscript and language, in one query."""
    return {(one.manuscript_id, one.language): one for one in holding().filter(manuscript__in=manuscripts)}


def people(language: Language | None = None) -> list[tuple[int, str]]:
    """Name those who can be given work, by account, in the order of their names."""
    found = candidates(language).select_related("person")
    named = ((user.pk, getattr(user, "person", None), user.get_full_name() or user.get_username()) for user in found)
    return sorted(((pk, person.name if person is not None else name) for pk, person, name in named), key=_name)


def _name(one: tuple[int, str]) -> str:
    return one[1].casefold()


def candidates(language: Language | None = None) -> QuerySet[User]:
    """Find who can be given work in a language, or in any: people who write or review there, and publishers."""
    roles = Q(language_roles__role__in=["translator", "reviewer"]) | Q(
        language_roles__role="writer", groups__name=WRITER
    )
    if language is not None:
        roles &= Q(language_roles__language=language)
    anywhere = Q(groups__name__in=[PUBLISHER, ADMINISTRATOR]) | Q(is_superuser=True)
    return User.objects.filter(roles | anywhere, is_active=True).distinct().order_by("username")
