"""Which step of a review fits where a language is now: the table of transitions, with the reason of each "no"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cases.document import Language

from .answers import YES, Act, Answer, no
from .four_eyes import selves
from .states import LanguageState, State

if TYPE_CHECKING:
    from django.contrib.auth.models import User

FROM = {
    Act.SUBMIT: {State.DRAFT, State.CHANGES_REQUESTED, State.STALE},
    Act.WITHDRAW_SUBMISSION: {State.IN_REVIEW},
    Act.APPROVE: {State.IN_REVIEW, State.DRAFT, State.STALE},
    Act.REAFFIRM: {State.STALE},
    Act.REQUEST_CHANGES: {State.IN_REVIEW, State.APPROVED, State.STALE},
    Act.WITHDRAW_APPROVAL: {State.APPROVED, State.STALE},
}
UNFIT = {
    Act.SUBMIT: gettext_lazy("This text is in review already, or approved as it is."),
    Act.WITHDRAW_SUBMISSION: gettext_lazy("This text is not waiting for a review."),
    Act.APPROVE: gettext_lazy("This text is approved as it is."),
    Act.REAFFIRM: gettext_lazy("Only an approval that other changes made stale can be reaffirmed."),
    Act.REQUEST_CHANGES: gettext_lazy("Changes are requested of a text that is in review or approved."),
    Act.WITHDRAW_APPROVAL: gettext_lazy("No approval of this text is in force."),
}
MISSING: dict[Language, object] = {
    "en": gettext_lazy("There is no English text yet: it needs a title and a summary."),
    "ko": gettext_lazy("There is no Korean text yet: it needs a title and a summary."),
}
UNCHANGED = gettext_lazy("Changes were requested, and the text is still the same.")
NOT_THE_SUBMITTER = gettext_lazy("Only who submitted it, or a publisher, takes a submission back.")


def fits(act: Act, state: LanguageState) -> Answer:
    """Say whether an act fits the state of the language."""
    if state.state == State.MISSING:
        return no(str(MISSING[state.language]), "missing")
    if state.state not in FROM[act]:
        is_sent_back = act is Act.APPROVE and state.state == State.CHANGES_REQUESTED
        return no(UNCHANGED if is_sent_back else UNFIT[act], "unfit")
    if act is Act.SUBMIT and state.missing_fields:
        return no(_("These fields are missing: %(fields)s.") % {"fields": state.missing_words}, "incomplete")
    return YES


def submitted(user: User, state: LanguageState) -> bool:
    return state.submission is not None and state.submission.person_id in selves(user)
