"""Where the library stands: one reading of it at the start of a request decides what that request is told."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

# Three columns of a statement, whatever else it fetches.
VERSIONS = """
(SELECT value FROM cases_counter WHERE name = 'vocabulary'),
(SELECT sequence FROM cases_change ORDER BY sequence DESC LIMIT 1),
(SELECT token FROM cases_change ORDER BY sequence DESC LIMIT 1)"""


class LastChange(NamedTuple):
    """The newest line of the public log. A number alone would not tell a library from a copy of it put back."""

    sequence: int = 0
    token: int = 0


@dataclass(frozen=True)
class Versions:
    """The last change of a case, and the version of the words."""

    last: LastChange
    vocabulary: int

    @classmethod
    def of(cls, columns: Sequence[Any]) -> Versions:
        vocabulary, sequence, token = columns
        return cls(LastChange(sequence or 0, token or 0), vocabulary or 0)


def versions() -> Versions:
    """Read where the library stands, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {VERSIONS}")
        return Versions.of(cursor.fetchone())


def versions_quickly() -> Versions:
    """Read the same past Django's cursor, which takes longer than the answer. Raises ``django.db.Error``.

    Nobody asks before whether the connection still works: who reads this way has another way where it fails. Where
    queries are logged or counted, so is this one.
    """
    if connection.queries_logged:
        return versions()
    connection.ensure_connection()
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        cursor.execute(f"SELECT {VERSIONS}")
        return Versions.of(cursor.fetchone())


def changes_since(last: LastChange, most: int) -> list[tuple[LastChange, int]] | None:
    """Return (change, case number) for each change after this one; None when there are more or the log lacks it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sequence, token, number FROM cases_change WHERE sequence >= %s ORDER BY sequence LIMIT %s",
            [last.sequence, most + 2],
        )
        rows = [(LastChange(sequence, token), number) for sequence, token, number in cursor.fetchall()]
    return rows[1:] if rows and rows[0][0] == last and len(rows) <= most + 1 else None
