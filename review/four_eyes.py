"""Four eyes: nobody approves a language that they wrote in since its approval in force, superusers included.

A trigger of the database says the same over the same rows (guards.py), for whatever passes this by.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from cases.document import LANGUAGES, Language
from cases.models import Person

from .answers import YES, Act, Answer, no
from .models import Manuscript, RevisionAuthor
from .policy import OTHER
from .states import LanguageState, State, States

if TYPE_CHECKING:
    from django.contrib.auth.models import User

OWN_TEXT = {
    "en": _("You wrote in the English text since it was last approved. Somebody else must review it."),
    "ko": _("You wrote in the Korean text since it was last approved. Somebody else must review it."),
}
OWN_COUNTERPART = _("The approval is stale because of text that you changed. Somebody else must reaffirm it.")
OWN_FACTS = _(
    "You changed facts since this was last approved. Somebody else's approval of the other language must stand first."
)


def selves(user: User) -> set[int]:
    """Return the public names that count as one user: the own one, programs owned, and the same name in an import.

    An import may name several writers in one line, with commas between them.
    """
    person = Person.objects.filter(user=user).first()
    names = {name.casefold() for name in (person.name if person else "", user.get_full_name()) if name}
    alike = Q(pk__in=[])
    for name in names:
        alike |= Q(name__icontains=name)
    rows = Person.objects.filter(Q(user=user) | Q(owner__user=user) | (Q(user=None) & alike))
    return {
        row.pk for row in rows.select_related("owner") if row.user_id or row.owner_id or names & set(_names(row.name))
    }


def _names(line: str) -> list[str]:
    return [line.casefold(), *(name.strip().casefold() for name in line.split(","))]


def wrote(selves_: set[int], manuscript: Manuscript, scopes: Iterable[str], since: int) -> bool:
    """Tell whether one of these names changed one of the scopes after a revision."""
    rows = RevisionAuthor.objects.filter(revision__manuscript=manuscript, revision__number__gt=since)
    return rows.filter(scope__in=list(scopes), person__in=selves_).exists()


def approved_up_to(state: LanguageState) -> int:
    """Give the number of the revision that the approval in force has read, 0 when there is none.

    A refusal or a withdrawal ends an approval, so it never empties the list of authors: it lengthens it.
    """
    return state.approval.revision.number if state.approval is not None else 0


def independent(user: User, act: Act, manuscript: Manuscript, language: Language, states: States) -> Answer:
    """Say whether a user is independent enough of a text to approve or reaffirm it."""
    own, since = selves(user), approved_up_to(states[language])
    if wrote(own, manuscript, [language], since):
        return no(OWN_TEXT[language], "own-text")
    if act is Act.REAFFIRM and wrote(own, manuscript, LANGUAGES, since):
        return no(OWN_COUNTERPART, "own-counterpart")
    if wrote(own, manuscript, ["facts"], since) and not _others_vouch(own, states[OTHER[language]]):
        return no(OWN_FACTS, "own-facts")
    return YES


def _others_vouch(own: set[int], other: LanguageState) -> bool:
    """Tell whether somebody else's approval of the other language stands, having read the present facts."""
    return other.state == State.APPROVED and other.approval is not None and other.approval.person_id not in own
