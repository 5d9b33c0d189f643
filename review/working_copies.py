"""What people have typed and not saved: kept, found again, and told to others who open the same case.

A working copy is private: others learn who has one, since when and on which fields, never what was typed.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from cases.document import CaseDocument, write_json
from cases.fields import label_parts
from cases.models import Person
from review.models import WorkingCopy

if TYPE_CHECKING:
    from django.contrib.auth.models import User

TAB = re.compile(r"[a-z0-9-]{8,40}")
# What a page posts besides the form, and what must not be kept.
LEFT_OUT = {"csrfmiddlewaretoken", "sequence", "do", "restored", "seen"}
# Work that rested longer is no longer announced to others.
ANNOUNCED = dt.timedelta(hours=12)
MOST_FIELDS = 6


@dataclass(frozen=True)
class Typing:
    """Where and on what somebody is typing. ``number`` is None for a case that has none yet."""

    number: int | None
    base_number: int | None
    tab: str
    sequence: int


def keep(user: User, data: QueryDict, typing: Typing, changed: Iterable[str]) -> WorkingCopy | None:
    """Keep what was typed, unless something newer from the same tab is here; None when it was not kept."""
    if not TAB.fullmatch(typing.tab):
        return None
    pairs = [(name, value) for name, values in data.lists() if name not in LEFT_OUT for value in values]
    told = {
        "number": typing.number,
        "base_number": typing.base_number,
        "fields": write_json(pairs),
        "changed_fields": list(changed),
        "sequence": typing.sequence,
        "updated_at": timezone.now(),
    }
    here = WorkingCopy.objects.filter(user=user, tab=typing.tab)
    if not here.filter(sequence__lt=typing.sequence).update(**told):
        try:
            with transaction.atomic():
                return WorkingCopy.objects.create(user=user, tab=typing.tab, **told)
        except IntegrityError:
            return None
    return here.first()


def forget(user: User, tab: str) -> None:
    """Drop what a tab typed, once it is saved or undone."""
    WorkingCopy.objects.filter(user=user, tab=tab).delete()


def drop(user: User, pk: int) -> None:
    """Drop a copy that another tab has taken over."""
    WorkingCopy.objects.filter(user=user, pk=pk).delete()


def data_of(copy: WorkingCopy) -> QueryDict:
    """Give what was typed as the post it was."""
    data = QueryDict(mutable=True)
    for name, value in json.loads(copy.fields):
        data.appendlist(name, value)
    return data


def of_user(user: User, number: int | None, *, but: str = "") -> Sequence[WorkingCopy]:
    """Find a person's own unsaved work on a case (or on cases without a number), the newest first."""
    return list(WorkingCopy.objects.filter(user=user, number=number).exclude(tab=but).defer("fields"))


@dataclass(frozen=True)
class Announcement:
    """Somebody else's unsaved work: who, since when, on which fields."""

    person: str
    at: dt.datetime
    fields: list[str]
    more: int


def of_others(user: User, number: int, document: CaseDocument) -> list[Announcement]:
    """Say who else has unsaved work on a case."""
    since = timezone.now() - ANNOUNCED
    copies = WorkingCopy.objects.filter(number=number, updated_at__gte=since).exclude(user=user).defer("fields")
    names = dict(Person.objects.filter(user__in=[copy.user_id for copy in copies]).values_list("user", "name"))
    found = []
    for copy in copies.select_related("user"):
        labels = list(dict.fromkeys(label_parts(path, document).text(_) for path in copy.changed_fields))
        name = names.get(copy.user_id) or copy.user.get_full_name() or copy.user.get_username()
        found.append(Announcement(name, copy.updated_at, labels[:MOST_FIELDS], max(0, len(labels) - MOST_FIELDS)))
    return found
