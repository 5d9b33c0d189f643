"""One click on many rows of the queue: each row is an act of its own, about what that row showed.

A row that changed meanwhile, cannot be read, or is not this person's to do is left alone and listed with the reason; it
stops no other. The events of one click have one batch.
"""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.utils.translation import gettext as _

from cases.document import Language, case_id

from . import workflow
from .answers import Act
from .log import one_batch
from .workflow import Refused, Seen

if TYPE_CHECKING:
    from django.contrib.auth.models import User

logger = logging.getLogger(__name__)

# As Item.row of queue.py writes it: number, language, revision, last decision, person assigned.
ROW = re.compile(r"([0-9]{1,9}):(en|ko|):([0-9]{1,9}):([0-9]{1,18}):([0-9]{1,18})")
MOST_ROWS = 600


@dataclass(frozen=True)
class Picked:
    """A row that somebody ticked, with what it showed."""

    number: int
    language: Language | None
    revision: int
    seen: Seen


@dataclass(frozen=True)
class Outcome:
    """What became of a row: ``id`` is empty when the row could not be read, ``reason`` when the act was done."""

    id: str
    language: Language | None
    reason: str = ""


@dataclass(frozen=True)
class Order:
    """What is to be done to the rows; ``assignee`` and ``until`` are there for assigning only."""

    act: Act
    note: str = ""
    assignee: User | None = None
    until: dt.date | None = None


def do_to_all(user: User, rows: Sequence[str], order: Order) -> list[Outcome]:
    """Do an act to each row in turn, in a transaction of its own; say for each what became of it."""
    with one_batch():
        return [_do(user, row, order) for row in dict.fromkeys(rows[:MOST_ROWS])]


def _do(user: User, row: str, order: Order) -> Outcome:
    picked = read(row)
    if picked is None:
        return Outcome("", None, _("This row cannot be read. Reload the queue."))
    done = Outcome(case_id(picked.number), picked.language)
    try:
        ACTS[order.act](user, picked, order)
    except (Refused, PermissionDenied) as refusal:
        return Outcome(done.id, done.language, str(refusal))
    except DatabaseError:
        logger.exception("An act on many failed at one row")
        return Outcome(done.id, done.language, _("The database did not take this. Try it on the page of the case."))
    return done


def read(row: str) -> Picked | None:
    """Read what a row showed; None when it is no row of the queue."""
    found = ROW.fullmatch(row)
    if found is None:
        return None
    number, language, revision, decision, person = found.groups()
    if not language:
        return Picked(int(number), None, int(revision), Seen(int(revision)))
    spoken = cast("Language", language)
    seen = Seen(int(revision), {spoken: int(decision)}, {spoken: int(person)})
    return Picked(int(number), spoken, int(revision), seen)


def _submit(user: User, picked: Picked, order: Order) -> None:
    workflow.submit(user, picked.number, _language(picked), picked.seen, order.note)


def _approve(user: User, picked: Picked, order: Order) -> None:
    workflow.approve(user, picked.number, [_language(picked)], picked.seen, order.note)


def _publish(user: User, picked: Picked, order: Order) -> None:
    workflow.publish(user, picked.number, picked.revision, picked.revision, order.note)


def _assign(user: User, picked: Picked, order: Order) -> None:
    if order.assignee is None:
        raise Refused(_("Choose a person."))
    workflow.assign(user, picked.number, _language(picked), picked.seen, order.assignee, order.until)


def _language(picked: Picked) -> Language:
    if picked.language is None:
        raise Refused(_("This row is a whole case. Choose the row of a language."))
    return picked.language


ACTS: dict[Act, Callable[[User, Picked, Order], None]] = {
    Act.SUBMIT: _submit,
    Act.APPROVE: _approve,
    Act.PUBLISH: _publish,
    Act.ASSIGN: _assign,
}


def count_done(outcomes: Iterable[Outcome]) -> int:
    return sum(not outcome.reason for outcome in outcomes)
