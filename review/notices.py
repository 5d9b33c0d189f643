"""Telling people what concerns them: never who did it, only who may still read the case, once for an event.

The rows are written in the transaction of the act; mails go out after it (notice_mail.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from cases.document import LANGUAGES
from cases.models import Person

from .mentions import mentioned
from .models import Comment, Event, Manuscript, Notice, Revision, RevisionAuthor, Thread
from .notice_mail import send_at_once
from .permissions import Act, can

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MERGED_WITHIN = dt.timedelta(minutes=10)


def notify(persons: Iterable[Person], kind: Notice.Kind, event: Event, thread: Thread | None = None) -> None:
    """Tell persons of an event, in the transaction that wrote it. What a program is told goes to its owner.

    Who was told of this event already is not told again, so call with the closest reason first.
    """
    accounts = (account_of(person) for person in persons)
    _tell([user for user in accounts if user is not None], kind, event, thread)


def account_of(person: Person) -> User | None:
    """Return who reads what is meant for a person: nobody signs in as a program."""
    return person.owner.user if person.owner is not None else person.user


def _tell(users: Iterable[User], kind: Notice.Kind, event: Event, thread: Thread | None) -> None:
    actor = event.person
    acting = {actor.user_id, actor.owner.user_id if actor.owner is not None else None}
    told = {user.pk: user for user in users if user.pk not in acting and can(user, Act.SEE)}
    told_before = set(Notice.objects.filter(event=event, user__in=told).values_list("user_id", flat=True))
    new = [
        Notice.objects.create(
            user=user, kind=kind, event=event, actor=actor, number=event.number, thread=thread,
            first_at=event.at, at=event.at,
        ).pk
        for pk, user in told.items()
        if pk not in told_before and not _counted_up(user, kind, event, thread)
    ]  # fmt: skip
    if new:
        transaction.on_commit(partial(send_at_once, new))


def _counted_up(user: User, kind: Notice.Kind, event: Event, thread: Thread | None) -> bool:
    """Add an event to an unread notice of the last minutes that says the same; no second mail is sent then."""
    same = Notice.objects.filter(
        user=user, kind=kind, number=event.number, thread=thread, actor=event.person, event__language=event.language
    )
    recent = same.filter(read_at=None, first_at__gte=event.at - MERGED_WITHIN).first()
    if recent is None:
        return False
    Notice.objects.filter(pk=recent.pk).update(count=F("count") + 1, at=event.at, event=event)
    return True


# Who is told of what


def commented(comment: Comment, event: Event) -> None:
    """Tell who is called, then who spoke in the thread, then who wrote in the case."""
    thread = comment.thread
    _tell(mentioned(comment.text).users, Notice.Kind.MENTION, event, thread)
    spoke = Comment.objects.filter(thread=thread).values("person")
    notify(_persons(Q(pk__in=spoke)), Notice.Kind.REPLY, event, thread)
    notify(authors(thread.manuscript), Notice.Kind.COMMENT, event, thread)


def saved(event: Event, revision: Revision, scopes: Collection[str]) -> None:
    """Tell those who wrote in a language whose text this revision changes."""
    languages = [language for language in LANGUAGES if language in scopes]
    if languages:
        notify(authors(revision.manuscript, languages, before=revision.number), Notice.Kind.SAVED, event)


def published(event: Event, manuscript: Manuscript) -> None:
    notify(authors(manuscript), Notice.Kind.PUBLISHED, event)


def withdrawn(event: Event, manuscript: Manuscript) -> None:
    notify(authors(manuscript), Notice.Kind.WITHDRAWN, event)


def authors(manuscript: Manuscript, scopes: Collection[str] | None = None, before: int | None = None) -> list[Person]:
    """Return who wrote in a case, by name: anything, or in these scopes; ever, or before a revision."""
    rows = RevisionAuthor.objects.filter(revision__manuscript=manuscript)
    if scopes is not None:
        rows = rows.filter(scope__in=scopes)
    if before is not None:
        rows = rows.filter(revision__number__lt=before)
    return _persons(Q(pk__in=rows.values("person")))


def _persons(which: Q) -> list[Person]:
    return list(Person.objects.filter(which).select_related("user", "owner__user"))


# The inbox


def unread(user: User) -> int:
    return Notice.objects.filter(user=user, read_at=None).count()


def mark_read(user: User, pk: int | None = None) -> int:
    """Mark one notice of a user, or all, as read; return how many were not."""
    found = Notice.objects.filter(user=user, read_at=None)
    return (found if pk is None else found.filter(pk=pk)).update(read_at=timezone.now())
