"""Asking for a review, taking that back, and deciding: the acts that tie an approval to exactly what was read.

Each takes what the person saw: the revision and, per language, the last decision. If either is not the current one,
nothing is decided and the person is told what happened meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cases.document import Language
from cases.rendering import store_rendered
from review import notices
from review.answers import APPROVING, Answer
from review.four_eyes import approved_up_to, independent
from review.log import record
from review.models import Decision, Event, Manuscript, Revision, Submission
from review.permissions import Act, Standing, can
from review.states import LanguageState, States, keep_states, shown_hash, states_of

from .manuscripts import locked, person_of
from .publication import tell_readers
from .refusals import Conflict, NoBase, Refused, given, noted, require

if TYPE_CHECKING:
    from django.contrib.auth.models import User

VERBS = {
    Act.APPROVE: Event.Verb.APPROVED,
    Act.REAFFIRM: Event.Verb.REAFFIRMED,
    Act.REQUEST_CHANGES: Event.Verb.REQUESTED_CHANGES,
    Act.WITHDRAW_APPROVAL: Event.Verb.WITHDREW_APPROVAL,
}


@dataclass(frozen=True)
class Seen:
    """What a page showed: the number of the revision, and the id of each language's last decision (0 for none).

    ``assignees`` are the persons whose work each language was (0 for nobody); only assigning asks for them.
    """

    revision: int | None
    decisions: Mapping[Language, int | None] = field(default_factory=dict)
    assignees: Mapping[Language, int | None] = field(default_factory=dict)


def submit(user: User, number: int, language: Language, seen: Seen, note: str = "") -> Submission:
    """Ask for a review of one language."""
    return _ask(user, number, language, seen, note, Act.SUBMIT)


def withdraw_submission(user: User, number: int, language: Language, seen: Seen, note: str = "") -> Submission:
    """Take a submission back before anybody decided."""
    return _ask(user, number, language, seen, note, Act.WITHDRAW_SUBMISSION)


def approve(
    user: User, number: int, languages: Sequence[Language], seen: Seen, note: str = "", override: str = ""
) -> list[Decision]:
    """Approve one language or both in one act; ``override`` is an administrator's reason to set four eyes aside."""
    return _decide(user, number, languages, seen, note, Act.APPROVE, override=override)


def reaffirm(
    user: User, number: int, languages: Sequence[Language], seen: Seen, note: str = "", override: str = ""
) -> list[Decision]:
    """Say that a text is still right although its counterpart or facts moved."""
    return _decide(user, number, languages, seen, note, Act.REAFFIRM, override=override)


def request_changes(user: User, number: int, language: Language, seen: Seen, note: str) -> Decision:
    """Send a text back to who writes it, saying what is wrong."""
    return _decide(user, number, [language], seen, note, Act.REQUEST_CHANGES)[0]


def withdraw_approval(user: User, number: int, language: Language, seen: Seen, note: str) -> Decision:
    """Take an approval back. That shows to readers; it does not unpublish."""
    return _decide(user, number, [language], seen, note, Act.WITHDRAW_APPROVAL)[0]


# Submitting


def _ask(user: User, number: int, language: Language, seen: Seen, note: str, act: Act) -> Submission:
    with noted(user, act, number, [language]), transaction.atomic():
        manuscript, head, states = opened_as_seen(user, number, [language], seen, act)
        require(can(user, act, manuscript, language, states=states))
        person, is_submission = person_of(user), act is Act.SUBMIT
        submission = Submission.objects.create(
            manuscript=manuscript,
            language=language,
            revision=head,
            kind=Submission.Kind.SUBMIT if is_submission else Submission.Kind.WITHDRAW,
            after=states[language].last,
            person=person,
            note=note.strip(),
            at=timezone.now(),
        )
        verb = Event.Verb.SUBMITTED if is_submission else Event.Verb.WITHDREW_SUBMISSION
        told = {"language": language, "revision_number": head.number, "note": note.strip()}
        event = record(person, verb, number=number, **told)
        if is_submission:
            notices.submitted(event, manuscript, language, approved_up_to(states[language]))
        shows = _settle(manuscript)
    _render(number, shows=shows)
    return submission


# Deciding


def _decide(
    user: User, number: int, languages: Sequence[Language], seen: Seen, note: str, act: Act, *, override: str = ""
) -> list[Decision]:
    with noted(user, act, number, languages), transaction.atomic():
        if not languages:
            raise Refused(_("Choose a language."))
        if act not in APPROVING:
            given(note)
        manuscript, head, states = opened_as_seen(user, number, languages, seen, act)
        reasons = {one: _allowed(user, act, manuscript, one, states, override.strip()) for one in languages}
        decisions = [_write(user, act, head, one, note.strip(), reason) for one, reason in reasons.items()]
        shows = _settle(manuscript)
    _render(number, shows=shows)
    return decisions


def _allowed(user: User, act: Act, manuscript: Manuscript, language: Language, states: States, override: str) -> str:
    """Require that a decision may be taken; return the reason of the override if it takes one."""
    answer = can(user, act, manuscript, language, states=states)
    if not override or answer or not _is_about_four_eyes(user, act, manuscript, language, states, answer):
        require(answer)
        return ""
    require(can(user, Act.OVERRIDE, manuscript))
    return override


def _is_about_four_eyes(
    user: User, act: Act, manuscript: Manuscript, language: Language, states: States, answer: Answer
) -> bool:
    """Tell whether nothing but the rule of four eyes stands against a decision."""
    return act in APPROVING and answer == independent(user, act, manuscript, language, states)


def _write(user: User, act: Act, head: Revision, language: Language, note: str, override: str) -> Decision:
    person = person_of(user)
    decision = Decision.objects.create(
        manuscript=head.manuscript,
        language=language,
        revision=head,
        verdict=act.value,
        person=person,
        note=note,
        shown=shown_hash(head.document(), language),
        override=bool(override),
        override_reason=override,
        at=timezone.now(),
    )
    about = f"decision {decision.pk}" + (", four eyes overridden" if override else "")
    said = " · ".join(filter(None, (note, override)))
    number = head.manuscript.number
    told = {"language": language, "revision_number": head.number, "note": said, "about": about}
    notices.decided(record(person, VERBS[act], number=number, **told), head.manuscript, language)
    return decision


# What all share


def opened_as_seen(
    user: User, number: int, languages: Sequence[Language], seen: Seen, act: Act
) -> tuple[Manuscript, Revision, States]:
    """Lock the manuscript for somebody who has the role, if it still is what the page showed.

    The lock comes first: SQLite refuses to write in a transaction that has read what somebody changed since.
    """
    manuscript, head = locked(number)
    standing = Standing.of(user)
    for language in languages:
        require(can(user, act, language=language, standing=standing))
    states = states_of(manuscript, head.document())
    if seen.revision is None:
        raise NoBase(_("This form does not say which revision it was made from. Reload the page."))
    if seen.revision != head.number:
        told = {"number": head.number, "name": head.author.name if head.author else ""}
        raise Conflict(_("Revision %(number)s (%(name)s) is newer than what this page showed.") % told, head=head)
    for language in languages:
        _require_last(states[language], seen.decisions.get(language), head)
    return manuscript, head, states


def _require_last(state: LanguageState, seen: int | None, head: Revision) -> None:
    if seen is None:
        raise NoBase(_("This form does not say which decision it knew of. Reload the page."))
    if seen == state.last_id:
        return
    if state.last is None:
        raise Conflict(_("There is no such decision. Reload the page."), head=head)
    told = {"name": state.last.person.name, "verdict": state.last.get_verdict_display()}
    raise Conflict(_("Meanwhile %(name)s decided: %(verdict)s.") % told, head=head)


def _settle(manuscript: Manuscript) -> bool:
    """Bring everything that follows from a decision up to date; tell whether readers see a difference."""
    keep_states(manuscript)
    return tell_readers(manuscript)


def _render(number: int, *, shows: bool) -> None:
    """Render what readers see after the transaction, so that none of them waits for it."""
    if shows:
        store_rendered([number])
