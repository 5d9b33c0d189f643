"""Writing the log: one event for each act, numbered and chained, in the transaction of the act itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from secrets import token_hex
from typing import Any

from django.db.models import F
from django.utils import timezone

from cases.models import Counter, Person

from .models import Event

START = "0" * 64
_door = ContextVar("door", default=Event.Channel.DESK)


@contextmanager
def through(door: Event.Channel) -> Iterator[None]:
    """Let the events of an act say through which door it came."""
    before = _door.set(door)
    try:
        yield
    finally:
        _door.reset(before)


_batch: ContextVar[str] = ContextVar("batch", default="")


@contextmanager
def one_batch() -> Iterator[str]:
    """Give all events that are written inside one batch: they come from one click on many cases."""
    token = _batch.set(token_hex(5))
    try:
        yield _batch.get()
    finally:
        _batch.reset(token)


def record(person: Person, verb: Event.Verb, *, number: int | None = None, **told: Any) -> Event:
    """Write an event. The counter row is locked until the transaction ends, so the chain never forks."""
    Counter.objects.filter(name="event").update(value=F("value") + 1)
    sequence = Counter.objects.get(name="event").value
    last = Event.objects.order_by("-sequence").values_list("hash", flat=True).first()
    told = {"channel": _door.get(), "batch": _batch.get(), **told}
    event = Event(sequence=sequence, at=timezone.now(), person=person, verb=verb, number=number, **told)
    event.previous_hash = last or START
    event.hash = event.chained()
    event.save(force_insert=True)
    return event


def broken_links() -> list[str]:
    """Check the whole chain; say in one line each what does not fit."""
    found, previous, expected = [], START, 1
    for event in Event.objects.order_by("sequence").iterator():
        if event.sequence != expected:
            found.append(f"event {expected} is missing")
            expected = event.sequence
        if event.previous_hash != previous:
            found.append(f"event {event.sequence} does not follow the event before it")
        if event.chained() != event.hash:
            found.append(f"event {event.sequence} was changed after it was written")
        previous, expected = event.hash, expected + 1
    counted = Counter.objects.get(name="event").value
    if counted != expected - 1:
        found.append(f"{counted} events were counted, {expected - 1} are here")
    return found
