"""What has changed since: the public log, a page at a time, from which anybody can keep a copy of the library.

Each line tells what happened and how its case stands now, not how it stood then: a copy needs nothing else.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Min

from cases.catalog import Catalog
from cases.cursors import read_cursor, write_cursor
from cases.document import case_id, write_instant, write_json
from cases.lists import FULL, View, texts
from cases.models import Case, Change
from cases.queries import Refused, Wrong

CURSOR = "changes"
TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2}))?", re.ASCII)
REMOVED = "removed"


class LogMoved(Exception):
    """The log does not lead on from this cursor: the library was put back from a copy. Begin anew."""


@dataclass(frozen=True)
class ChangeList:
    """One page of the log as JSON texts; ``next`` leads on from its end, also when nothing follows yet."""

    changes: list[str]
    next: str
    more: bool

    def text(self) -> str:
        head = f'"next":{write_json(self.next)},"more":{write_json(self.more)}'
        return f'{{{head},"changes":[{",".join(self.changes)}]}}'


def change_list(present: Catalog, since: str | None, limit: int, view: View) -> ChangeList:
    """Return what follows a cursor or a time; None is the beginning. Raises Refused and LogMoved."""
    start = _start(since) if since else 0
    rows = list(Change.objects.filter(sequence__gt=start)[: limit + 1])
    page = rows[:limit]
    whole = _whole(present, page) if view == FULL else {}
    next_cursor = cursor_of(page[-1]) if page else _cursor_at(start)
    return ChangeList(_lines(page, whole), next_cursor, len(rows) > limit)


def newest_cursor() -> str:
    """Return the cursor after which nothing has happened yet."""
    last = Change.objects.last()
    return cursor_of(last) if last else _cursor_at(0)


def cursor_of(change: Change) -> str:
    return write_cursor(CURSOR, (change.sequence, change.token))


def _cursor_at(sequence: int) -> str:
    last = Change.objects.filter(sequence=sequence).first()
    return cursor_of(last) if last else write_cursor(CURSOR, (0, 0))


def _start(since: str) -> int:
    """Return the number of the change after which to begin."""
    if TIME.fullmatch(since):
        return _before(_instant(since))
    try:
        sequence, token = read_cursor(CURSOR, since)
    except ValueError:
        detail = "Is neither a cursor of this address nor a time such as 2026-08-25 or 2026-08-25T12:00:00Z."
        raise Refused([Wrong("since", detail)]) from None
    if sequence and not Change.objects.filter(sequence=sequence, token=token).exists():
        raise LogMoved
    return sequence


def _instant(text: str) -> dt.datetime:
    try:
        found = dt.datetime.fromisoformat(text)
        return found.astimezone(dt.UTC) if found.tzinfo else found.replace(tzinfo=dt.UTC)
    except (ValueError, OverflowError):
        raise Refused([Wrong("since", "Is a time that does not exist.")]) from None


def _before(moment: dt.datetime) -> int:
    """Return the number of the last change before a time, so that none at or after it is missed."""
    first = Change.objects.filter(at__gte=moment).aggregate(first=Min("sequence"))["first"]
    if first is not None:
        return int(first) - 1
    last = Change.objects.last()
    return last.sequence if last else 0


def _whole(present: Catalog, page: Sequence[Change]) -> dict[int, str]:
    numbers = list(dict.fromkeys(change.number for change in page))
    return dict(zip(*texts(present, numbers), strict=True))


def _lines(page: Sequence[Change], whole: dict[int, str]) -> list[str]:
    cases = {case.number: case for case in _cases(page)}
    return [_line(change, cases.get(change.number), whole.get(change.number, "null")) for change in page]


def _cases(page: Iterable[Change]) -> Iterable[Case]:
    cases = Case.objects.filter(number__in={change.number for change in page})
    return cases.only("number", "status", "edition_number", "merged_into")


def _line(change: Change, case: Case | None, whole: str) -> str:
    merged_into = case.merged_into if case else None
    told = {
        "sequence": change.sequence,
        "id": case_id(change.number),
        "kind": change.kind,
        "at": write_instant(change.at),
        "status": case.status if case else REMOVED,
        "edition": case.edition_number if case else None,
        "merged_into": case_id(merged_into) if merged_into else None,
    }
    return f'{write_json(told)[:-1]},"case":{whole}}}'
