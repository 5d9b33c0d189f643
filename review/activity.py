"""The log for reading: what happened to a case, or what a person did, with where to look at it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from cases.document import case_id
from cases.models import Person

from .links import address_of
from .models import Event


@dataclass(frozen=True)
class Line:
    """One event as a page tells it. ``edition`` is the public number of what was published.

    ``whom`` is the name of the person that an assignment was about.
    """

    event: Event
    address: str
    id_text: str
    person_address: str
    edition: str
    whom: str = ""


def events_of_case(number: int) -> QuerySet[Event]:
    return Event.objects.filter(number=number).select_related("person")


def events_of_account(pk: int, *, with_administration: bool) -> QuerySet[Event]:
    """Return what somebody did. Acts on people and roles are about others: administrators see those of anybody."""
    found = Event.objects.filter(person__user=pk).select_related("person")
    return found if with_administration else found.filter(number__isnull=False)


def lines(events: Iterable[Event]) -> list[Line]:
    told = list(events)
    abouts = [_assigned(event) for event in told]
    names = dict(Person.objects.filter(pk__in=filter(None, abouts)).values_list("pk", "name"))
    return [
        Line(
            event=event,
            address=address_of(event),
            id_text=case_id(event.number) if event.number else "",
            person_address=reverse("review:person-activity", args=[event.person.user_id])
            if event.person.user_id
            else "",
            edition=event.about.removeprefix("edition ") if event.verb == Event.Verb.PUBLISHED else "",
            whom=names.get(about, ""),
        )
        for event, about in zip(told, abouts, strict=True)
    ]


def _assigned(event: Event) -> int:
    """Return the person that an assignment was about, 0 for another event."""
    of_an_assignment = event.verb in {Event.Verb.ASSIGNED, Event.Verb.UNASSIGNED}
    return int(event.about.removeprefix("person ")) if of_an_assignment else 0
