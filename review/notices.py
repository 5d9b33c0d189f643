"""Telling people what concerns them: never who did it, only who may still read the case, once for an event.

The rows are written in the transaction of the act; mails go out after it (notice_mail.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from cases.document import LANGUAGES, Language
from cases.models import LanguageVersion, Person

from . import assignments
from .answers import APPROVING
from .mentions import mentioned
from .models import Comment, Event, Manuscript, Notice, Revision, RevisionAuthor, Thread
from .notice_mail import send_at_once
from .permissions import Act, Standing, can

STALE = LanguageVersion.State.STALE
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


def _tell(
    users: Iterable[User], kind: Notice.Kind, event: Event, thread: Thread | None, languages: Sequence[Language] = ()
) -> None:
    actor = event.person
    acting = {actor.user_id, actor.owner.user_id if actor.owner is not None else None}
    told = _readers({user.pk: user for user in users if user.pk not in acting})
    told -= set(Notice.objects.filter(event=event, user__in=told).values_list("user_id", flat=True))
    said = {"kind": kind, "actor": actor, "number": event.number, "thread": thread, "languages": list(languages)}
    told -= _counted_up(told, event, said)
    dated: dict[str, Any] = {**said, "event": event, "first_at": event.at, "at": event.at}
    new = Notice.objects.bulk_create(Notice(user_id=pk, **dated) for pk in sorted(told))
    if new:
        transaction.on_commit(partial(send_at_once, [notice.pk for notice in new]))


def _readers(users: Mapping[int, User]) -> set[int]:
    """Return which of these users may still read cases."""
    standings = Standing.of_all(list(users.values()))
    return {pk for pk, user in users.items() if can(user, Act.SEE, standing=standings[pk])}


def _counted_up(users: set[int], event: Event, said: Mapping[str, Any]) -> set[int]:
    """Add an event to unread notices of the last minutes that say the same; no second mail is sent to these users."""
    same = Notice.objects.filter(user__in=users, event__verb=event.verb, event__language=event.language, **said)
    recent = same.filter(read_at=None, first_at__gte=event.at - MERGED_WITHIN)
    newest = dict(recent.order_by("at", "pk").values_list("user", "pk"))
    if newest:
        Notice.objects.filter(pk__in=newest.values()).update(count=F("count") + 1, at=event.at, event=event)
    return set(newest)


# Who is told of what


def commented(comment: Comment, event: Event) -> None:
    """Tell who is called, then who spoke in the thread, then who wrote in the case."""
    thread = comment.thread
    _tell(mentioned(comment.text).users, Notice.Kind.MENTION, event, thread)
    spoke = Comment.objects.filter(thread=thread).values("person")
    notify(_persons(Q(pk__in=spoke)), Notice.Kind.REPLY, event, thread)
    notify(authors(thread.manuscript), Notice.Kind.COMMENT, event, thread)


def saved(event: Event, revision: Revision, scopes: Collection[str], was: Mapping[str, str]) -> None:
    """Tell whose approved text rests on something else now, and whose text this revision changes.

    ``was`` are the states before it.
    """
    became_stale(event, revision.manuscript, was)
    languages = [language for language in LANGUAGES if language in scopes]
    if languages:
        notify(authors(revision.manuscript, languages, before=revision.number), Notice.Kind.SAVED, event)


def became_stale(event: Event, manuscript: Manuscript, was: Mapping[str, str]) -> None:
    """Tell who wrote last in a language that is stale now and was not, and who approved it last; each person once."""
    concerned: dict[User, list[Language]] = {}
    for language in LANGUAGES:
        if manuscript.kept_states[language] == STALE and was[language] != STALE:
            for user in _last_on(manuscript, language):
                concerned.setdefault(user, []).append(language)
    for languages in sorted({tuple(found) for found in concerned.values()}):
        users = [user for user, found in concerned.items() if tuple(found) == languages]
        _tell(users, Notice.Kind.BECAME_STALE, event, None, languages)


def _last_on(manuscript: Manuscript, language: Language) -> set[User]:
    """Return who wrote last in a language and who approved it last, as far as they have accounts."""
    writers = RevisionAuthor.objects.filter(revision__manuscript=manuscript, scope=language)
    last = writers.order_by("-revision__number").values("revision")[:1]
    wrote = writers.filter(revision__in=last).values("person")
    approvals = manuscript.decisions.filter(language=language, verdict__in=APPROVING)
    approver = approvals.order_by("-pk").values("person")[:1]
    persons = _persons(Q(pk__in=wrote) | Q(pk__in=approver))
    return {user for person in persons if (user := account_of(person)) is not None}


def submitted(event: Event, manuscript: Manuscript, language: Language, approved_up_to: int) -> None:
    """Ask the reviewers of a language who did not write in it since that revision; of these, who it is assigned to."""
    wrote = RevisionAuthor.objects.filter(
        revision__manuscript=manuscript, revision__number__gt=approved_up_to, scope=language
    )
    writers = {user.pk for person in _persons(Q(pk__in=wrote.values("person"))) if (user := account_of(person))}
    roles = {"language_roles__role": "reviewer", "language_roles__language": language}
    reviewers = User.objects.filter(is_active=True, **roles)
    asked = list(reviewers.exclude(pk__in=writers))
    assigned_to = assignments.of(manuscript).get(language)
    own = [user for user in asked if assigned_to is not None and user.pk == assigned_to.person.user_id]
    _tell(own or asked, Notice.Kind.REVIEW_WANTED, event, None)


def decided(event: Event, manuscript: Manuscript, language: Language) -> None:
    """Tell who wrote in the language and who last asked for the review."""
    asked = manuscript.submissions.filter(language=language).order_by("-pk").values("person")[:1]
    notify([*authors(manuscript, [language]), *_persons(Q(pk__in=asked))], Notice.Kind.DECISION, event)


def assigned(event: Event, person: Person) -> None:
    notify([person], Notice.Kind.ASSIGNED, event)


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
