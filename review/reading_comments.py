"""Threads as a page shows them: with what was said, where, whether that text still stands, and what may be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, Q, QuerySet

from cases.document import CaseDocument, Language
from cases.fields import language_of

from .comment_forms import CommentForm, place_name
from .comments import may_resolve, said_in, text_at
from .models import Comment, Manuscript, Thread
from .permissions import Answer, Standing
from .policy import without_language

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True)
class ShownThread:
    """A thread with its comments. ``is_changed``: what it is about reads otherwise since its revision, or is gone."""

    thread: Thread
    place: str
    field_language: Language | None
    is_changed: bool
    comments: Sequence[Comment]
    can_resolve: Answer
    reply: CommentForm

    @property
    def anchor(self) -> str:
        return f"thread-{self.thread.pk}"


def reply_prefix(pk: int) -> str:
    """Tell the forms of a page apart."""
    return f"reply-{pk}"


def threads_at(manuscript: Manuscript | None, path: str = "") -> QuerySet[Thread]:
    """Return threads, the open ones first: all of a case, or those at a place.

    What is asked about the English text of a field is shown beside the Korean one, too, and the other way round.
    """
    found = Thread.objects.filter(manuscript=manuscript).select_related(
        "manuscript", "opened_by", "resolved_by", "revision"
    )
    if path:
        field = without_language(path)
        inside = Q(path__startswith=f"{field}.") | Q(path__startswith=f"{field}[")
        found = found.filter(inside | Q(path=field))
    return found.order_by(F("resolved_at").desc(nulls_first=True), "-pk")


def open_threads(manuscript: Manuscript | None) -> QuerySet[Thread]:
    return threads_at(manuscript).filter(resolved_at=None)


def shown_threads(
    user: User,
    threads: Sequence[Thread],
    newest: CaseDocument,
    standing: Standing,
    refused: CommentForm | None = None,
) -> list[ShownThread]:
    """Prepare threads of one manuscript for a page; each revision that they are about is read once.

    ``refused`` is an answer with errors; it is shown again in its thread.
    """
    answering = {refused.prefix: refused} if refused is not None else {}
    documents = {revision: revision.document() for revision in {thread.revision for thread in threads}}
    said = said_in(threads)
    return [
        ShownThread(
            thread=thread,
            place=place_name(thread.path, newest),
            field_language=language_of(thread.path),
            is_changed=_is_changed(thread, documents[thread.revision], newest),
            comments=said[thread.pk],
            can_resolve=may_resolve(user, thread, standing),
            reply=answering.get(reply_prefix(thread.pk)) or CommentForm(prefix=reply_prefix(thread.pk)),
        )
        for thread in threads
    ]


def _is_changed(thread: Thread, before: CaseDocument, newest: CaseDocument) -> bool:
    """Tell whether the quoted words are gone from where they stood; without a quotation, whether the text differs."""
    now = text_at(newest, thread.path)
    if not thread.quote:
        return text_at(before, thread.path) != now
    now = now or ""
    sides = [thread.prefix + thread.quote] if thread.prefix else []
    sides += [thread.quote + thread.suffix] if thread.suffix else []
    return not any(side in now for side in sides or [thread.quote])
