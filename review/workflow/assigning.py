"""Saying whose work a language of a case is, and giving it back. It touches no text, so no approval falls by it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cases.document import Language
from cases.models import Person
from review import assignments, notices
from review.log import record
from review.models import Assignment, Event, Manuscript
from review.permissions import Act, can

from .manuscripts import person_of
from .refusals import Conflict, NoBase, Refused, noted, require
from .review import Seen, opened_as_seen

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def assign(
    user: User, number: int, language: Language, seen: Seen, assignee: User, until: dt.date | None = None
) -> Assignment:
    """Make a language of a case somebody's work, one's own or another's, until a day or for good."""
    act = Act.TAKE if assignee.pk == user.pk else Act.ASSIGN
    with noted(user, act, number, [language]), transaction.atomic():
        manuscript, before = _opened(user, number, language, seen, act)
        _require_useful(assignee, language, until)
        person, by = person_of(assignee), person_of(user)
        if before is not None and (before.person, before.until) == (person, until):
            raise Refused(_("This is so already."))
        told = {"person": person, "by": by, "at": timezone.now(), "until": until}
        assignment, _is_new = Assignment.objects.update_or_create(
            manuscript=manuscript, language=language, defaults=told
        )
        note = until.isoformat() if until is not None else ""
        event = _record(by, Event.Verb.ASSIGNED, manuscript, language, person, note)
        notices.assigned(event, person)
    return assignment


def unassign(user: User, number: int, language: Language, seen: Seen) -> None:
    """End an assignment, one's own or another's."""
    with noted(user, Act.ASSIGN, number, [language]), transaction.atomic():
        manuscript, before = _opened(user, number, language, seen, Act.TAKE)
        if before is None:
            raise Refused(_("This is nobody's work now."))
        if before.person.user_id != user.pk:
            require(can(user, Act.ASSIGN, manuscript, language))
        before.delete()
        _record(person_of(user), Event.Verb.UNASSIGNED, manuscript, language, before.person, "")


def _opened(user: User, number: int, language: Language, seen: Seen, act: Act) -> tuple[Manuscript, Assignment | None]:
    """Lock what the page showed, with the assignment that it showed."""
    manuscript, _head, states = opened_as_seen(user, number, [language], seen, act)
    require(can(user, act, manuscript, language, states=states))
    current = assignments.of(manuscript).get(language)
    knew = seen.assignees.get(language)
    if knew is None:
        raise NoBase(_("This form does not say whose work it took this for. Reload the page."))
    if knew != (current.person_id if current is not None else 0):
        raise Conflict(_meanwhile(current), head=manuscript.head)
    return manuscript, current


def _meanwhile(current: Assignment | None) -> str:
    if current is None:
        return _("Meanwhile the assignment ended.")
    return _("Meanwhile this was assigned to: %(name)s.") % {"name": current.person.name}


def _require_useful(assignee: User, language: Language, until: dt.date | None) -> None:
    """Refuse an assignment to somebody who can do nothing with it, or for a day that is over."""
    if not can(assignee, Act.TAKE, language=language):
        raise Refused(_("This person has no part in this language."))
    if until is not None and until < assignments.today():
        raise Refused(_("This day is over. Choose a later one, or none."))


def _record(
    by: Person, verb: Event.Verb, manuscript: Manuscript, language: Language, person: Person, note: str
) -> Event:
    about = f"person {person.pk}"
    return record(by, verb, number=manuscript.number, language=language, note=note, about=about)
