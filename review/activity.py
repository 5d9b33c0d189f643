"""The log for reading: what happened to a case, or what a person did, with where to look at it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from cases.document import case_id

from .links import address_of
from .models import Event


@dataclass(frozen=True)
class Line:
    """One event as a page tells it. ``edition`` is the public number of what was published."""

    event: Event
    address: str
    id_text: str
    person_address: str
    edition: str


def events_of_case(number: int) -> QuerySet[Event]:
    return Event.objects.filter(number=number).select_related("person")


def events_of_account(pk: int, *, with_administration: bool) -> QuerySet[Event]:
    """Return what somebody did. Acts on people and roles are about others: administrators see those of anybody."""
    found = Event.objects.filter(person__user=pk).select_related("person")
    return found if with_administration else found.filter(number__isnull=False)


def lines(events: Iterable[Event]) -> list[Line]:
    return [
        Line(
            event=event,
            address=address_of(event),
            id_text=case_id(event.number) if event.number else "",
            person_address=reverse("review:person-activity", args=[event.person.user_id])
            if event.person.user_id
            else "",
            edition=event.about.removeprefix("edition ") if event.verb == Event.Verb.PUBLISHED else "",
        )
        for event in events
    ]
