"""Why an act cannot be done, in words for the person who tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from review.merge import Merge
from review.permissions import Answer

if TYPE_CHECKING:
    from review.models import Revision


class Refused(Exception):
    """An act that cannot be done now; ``reason`` is for the person who tried."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class NoBase(Refused):
    """A save that does not say which revision it was made from (HTTP 428)."""


class Conflict(Refused):
    """Somebody else changed the same fields meanwhile (HTTP 409); ``merge`` holds base, theirs and mine."""

    def __init__(self, reason: str, merge: Merge | None = None, head: Revision | None = None) -> None:
        self.merge, self.head = merge, head
        super().__init__(reason)


def require(answer: Answer) -> None:
    """Raise ``PermissionDenied`` with the reason, unless the answer is yes."""
    if not answer:
        raise PermissionDenied(str(answer.reason))


def given(reason: str) -> str:
    """Return the reason that an act needs, or refuse the act."""
    if not reason.strip():
        raise Refused(_("Say why: a reason is needed."))
    return reason.strip()
