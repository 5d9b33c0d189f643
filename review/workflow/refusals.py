"""Why an act cannot be done, in words for the person who tried."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from cases.document import Language, case_id
from review.answers import Act, Answer
from review.merge import Merge

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from review.models import Revision

logger = logging.getLogger(__name__)
Told = ParamSpec("Told")
Done = TypeVar("Done")


class Denied(PermissionDenied):
    """An act that this person may not do now (HTTP 403); ``code`` says why to the log."""

    def __init__(self, answer: Answer) -> None:
        self.code = answer.code
        super().__init__(str(answer.reason))


class Refused(Exception):
    """An act that cannot be done now; ``reason`` is for the person who tried, ``code`` for the log."""

    code = "refused"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class NoBase(Refused):
    """A save that does not say which revision it was made from (HTTP 428)."""

    code = "no-base"


class Conflict(Refused):
    """Somebody else changed the same fields meanwhile (HTTP 409); ``merge`` holds base, theirs and mine."""

    code = "conflict"

    def __init__(self, reason: str, merge: Merge | None = None, head: Revision | None = None) -> None:
        self.merge, self.head = merge, head
        super().__init__(reason)


def require(answer: Answer) -> None:
    """Raise ``Denied`` with the reason, unless the answer is yes."""
    if not answer:
        raise Denied(answer)


def given(reason: str) -> str:
    """Return the reason that an act needs, or refuse the act."""
    if not reason.strip():
        raise Refused(_("Say why: a reason is needed."))
    return reason.strip()


@contextmanager
def noted(user: User, act: Act, number: int | None = None, languages: Sequence[Language] = ()) -> Iterator[None]:
    """Log an act that is refused: who tried what on which case, and the code of the reason.

    A line of the log, not an event: nothing happened, and the transaction that would hold the event is gone.
    """
    try:
        yield
    except (Denied, Refused) as refusal:
        level = logging.WARNING if isinstance(refusal, Denied) else logging.INFO
        case, spoken = case_id(number) if number is not None else "-", ",".join(languages) or "-"
        logger.log(
            level, "refused: user=%d act=%s case=%s language=%s code=%s", user.pk, act, case, spoken, refusal.code
        )
        raise


def refusals_noted(
    act: Act,
) -> Callable[[Callable[Concatenate[User, int, Told], Done]], Callable[Concatenate[User, int, Told], Done]]:
    """Wrap an act on a case so that its refusals are logged."""

    def wrap(do: Callable[Concatenate[User, int, Told], Done]) -> Callable[Concatenate[User, int, Told], Done]:
        @wraps(do)
        def watched(user: User, number: int, /, *told: Told.args, **named: Told.kwargs) -> Done:
            with noted(user, act, number):
                return do(user, number, *told, **named)

        return watched

    return wrap
