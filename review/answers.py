"""The acts of the desk by name, and the form of an answer to "may I?"; who may is said in permissions.py."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


class Act(StrEnum):
    SEE = "see"
    CREATE = "create"
    EDIT_FACTS = "edit-facts"
    EDIT_TEXT = "edit-text"
    RESTORE = "restore"
    ARCHIVE = "archive"
    REOPEN = "reopen"
    PUBLISH = "publish"
    WITHDRAW = "withdraw"
    MERGE = "merge"
    # To pin a case to another or to keep the two apart, in what readers see as related.
    PAIR = "pair"
    MANAGE = "manage"
    COMMENT = "comment"
    # To close what somebody else said must be settled before an approval.
    RESOLVE_BLOCKING = "resolve-blocking"
    # Of one language; the four that decide are called as their verdicts.
    SUBMIT = "submit"
    WITHDRAW_SUBMISSION = "withdraw-submission"
    APPROVE = "approve"
    REAFFIRM = "reaffirm"
    REQUEST_CHANGES = "request-changes"
    WITHDRAW_APPROVAL = "withdraw-approval"
    OVERRIDE = "override"
    # To say whose work a language is: one's own, or somebody else's.
    TAKE = "take"
    ASSIGN = "assign"


APPROVING = frozenset({Act.APPROVE, Act.REAFFIRM})
DECIDING = APPROVING | {Act.REQUEST_CHANGES, Act.WITHDRAW_APPROVAL}
OF_A_LANGUAGE = DECIDING | {Act.SUBMIT, Act.WITHDRAW_SUBMISSION}


@dataclass(frozen=True)
class Answer:
    """Whether an act is allowed, and if not, why not: in words for the person who asked, in a code for the log."""

    ok: bool
    reason: str | StrPromise = ""
    code: str = ""

    def __bool__(self) -> bool:
        return self.ok


YES = Answer(ok=True)


def no(reason: str | StrPromise, code: str) -> Answer:
    return Answer(ok=False, reason=reason, code=code)
