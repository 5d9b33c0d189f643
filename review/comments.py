"""Commenting: opening a thread, answering, resolving. Each is an act of its own, never a part of saving the case."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language
from cases.fields import fields, item_of

from . import notices
from .log import record
from .models import Comment, Event, Revision, Thread
from .models.comments import AROUND
from .permissions import Act, Answer, Standing, can
from .workflow.manuscripts import locked, person_of
from .workflow.refusals import Refused, require

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

    from cases.models import Person

# The same words of the same person at the same place within this time are a second click.
SECOND_CLICK = dt.timedelta(minutes=1)


@dataclass(frozen=True)
class Place:
    """What a thread is about. ``quote`` are words of the field; ``language`` is the one that has to become right."""

    path: str = ""
    language: str = Thread.Concerned.BOTH
    quote: str = ""
    blocking: bool = False


def is_place(document: CaseDocument, path: str) -> bool:
    """Tell whether a path names the case as a whole (empty), a field, a text in both languages, or an item."""
    known = fields(document)
    return not path or path in known or f"{path}.en" in known or path in {item_of(field) for field in known}


def text_at(document: CaseDocument, path: str) -> str | None:
    """Give the words that stand at a place, for comparing and quoting; None when nothing does.

    Of an item, all its fields count; of the whole case nothing, since it changes with every save.
    """
    known = fields(document)
    at = [path] if path in known else [field for field in known if path and field.startswith((f"{path}.", f"{path}["))]
    told = [known[field] for field in at]
    words = [", ".join(value) if isinstance(value, list) else str(value) for value in told if value is not None]
    return "\n".join(words) or None


@transaction.atomic
def open_thread(user: User, number: int, place: Place, text: str, revision_number: int | None = None) -> Thread:
    """Begin a thread at a place of a revision, by default of the newest one."""
    manuscript, head = locked(number)
    require(can(user, Act.COMMENT, manuscript))
    revision = manuscript.revisions.filter(number=revision_number or head.number).first()
    if revision is None:
        raise Refused(_("There is no revision %(number)s of this case.") % {"number": revision_number})
    prefix, suffix = _around(revision, place)
    person = person_of(user)
    again = Thread.objects.filter(manuscript=manuscript, path=place.path, comments__in=_just_said(person, text))
    if (thread := again.filter(opened_by=person).first()) is not None:
        return thread
    thread = Thread.objects.create(
        manuscript=manuscript,
        language=place.language,
        path=place.path,
        quote=place.quote,
        prefix=prefix,
        suffix=suffix,
        revision=revision,
        blocking=place.blocking,
        opened_by=person,
        opened_at=timezone.now(),
    )
    _say(thread, person, text)
    return thread


def _around(revision: Revision, place: Place) -> tuple[str, str]:
    """Return what stands before and after the quotation, refusing a place or words that the revision does not have."""
    document = revision.document()
    if place.language not in Thread.Concerned.values or not is_place(document, place.path):
        raise Refused(_("Revision %(number)s has no such place.") % {"number": revision.number})
    if not place.quote:
        return "", ""
    before, found, after = (text_at(document, place.path) or "").partition(place.quote)
    if not found:
        raise Refused(_("The quoted words do not stand there. Copy them from the text as they are."))
    return before[-AROUND:], after[:AROUND]


@transaction.atomic
def reply(user: User, thread: Thread, text: str) -> Comment:
    """Answer in a thread. A resolved one stays resolved: taking it up again is an act of its own."""
    thread = _locked(thread)
    require(can(user, Act.COMMENT, thread.manuscript))
    person = person_of(user)
    return _just_said(person, text).filter(thread=thread).first() or _say(thread, person, text)


def _just_said(person: Person, text: str) -> QuerySet[Comment]:
    return Comment.objects.filter(person=person, text=text, at__gte=timezone.now() - SECOND_CLICK)


def _say(thread: Thread, person: Person, text: str) -> Comment:
    comment = Comment.objects.create(thread=thread, person=person, text=text, at=timezone.now())
    notices.commented(comment, _record(thread, person, Event.Verb.COMMENTED))
    return comment


def _record(thread: Thread, person: Person, verb: Event.Verb) -> Event:
    language = "" if thread.language == Thread.Concerned.BOTH else thread.language
    number, revision = thread.manuscript.number, thread.revision.number
    return record(person, verb, number=number, language=language, revision_number=revision, about=str(thread))


def may_resolve(user: User, thread: Thread, standing: Standing | None = None) -> Answer:
    """Say whether a user may resolve a thread: one's own, any that blocks nothing, others' by role."""
    own = thread.opened_by.user_id == user.pk
    if own or not thread.blocking:
        return can(user, Act.COMMENT, thread.manuscript, standing=standing)
    language = None if thread.language == Thread.Concerned.BOTH else cast("Language", thread.language)
    return can(user, Act.RESOLVE_BLOCKING, thread.manuscript, language, standing)


@transaction.atomic
def resolve(user: User, thread: Thread) -> bool:
    """Close a thread; say whether it was open until now."""
    thread = _locked(thread)
    require(may_resolve(user, thread))
    person = person_of(user)
    if person.kind == person.Kind.AGENT and thread.blocking and thread.opened_by_id != person.pk:
        raise Refused(_("A program does not decide that somebody's question is settled."))
    closed = Thread.objects.filter(pk=thread.pk, resolved_at=None)
    if not closed.update(resolved_by=person, resolved_at=timezone.now()):
        return False
    _record(thread, person, Event.Verb.RESOLVED_THREAD)
    return True


@transaction.atomic
def reopen(user: User, thread: Thread) -> bool:
    """Take a resolved thread up again; say whether it was resolved until now."""
    thread = _locked(thread)
    require(can(user, Act.COMMENT, thread.manuscript))
    if not Thread.objects.filter(pk=thread.pk).exclude(resolved_at=None).update(resolved_by=None, resolved_at=None):
        return False
    _record(thread, person_of(user), Event.Verb.REOPENED_THREAD)
    return True


def _locked(thread: Thread) -> Thread:
    """Read a thread again behind the lock of its manuscript, which approvals take, too."""
    manuscript, _head = locked(thread.manuscript.number)
    return manuscript.threads.select_related("manuscript", "revision", "opened_by").get(pk=thread.pk)


def said_in(threads: Sequence[Thread]) -> dict[int, list[Comment]]:
    """Return the comments of threads by thread."""
    found: dict[int, list[Comment]] = {thread.pk: [] for thread in threads}
    for comment in Comment.objects.filter(thread__in=threads).select_related("person").order_by("pk"):
        found[comment.thread_id].append(comment)
    return found
