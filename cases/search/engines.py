"""The two indexes over the stored tokens, SQLite's FTS5 and PostgreSQL's tsvector, and how each is asked.

Both hold the same tokens and answer with sets of cases; nothing is ranked in the database, so both answer the same.
A migration calls ``install``. On SQLite a later migration that rebuilds ``cases_searchtext`` drops its triggers, and
must call ``remove`` before and ``install`` after.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection
from pydantic_core import from_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.backends.base.base import BaseDatabaseWrapper

# The triggers are those of FTS5's documentation for a table whose text stands elsewhere.
LEARN = "INSERT INTO cases_search(rowid, tokens) VALUES (NEW.case_id, NEW.tokens)"
UNLEARN = "INSERT INTO cases_search(cases_search, rowid, tokens) VALUES ('delete', OLD.case_id, OLD.tokens)"
SQLITE = (
    """
CREATE VIRTUAL TABLE cases_search USING fts5(
  tokens, content='cases_searchtext', content_rowid='case_id', tokenize='ascii', columnsize=0
)""",
    f"CREATE TRIGGER cases_search_insert AFTER INSERT ON cases_searchtext BEGIN {LEARN}; END",
    f"CREATE TRIGGER cases_search_delete AFTER DELETE ON cases_searchtext BEGIN {UNLEARN}; END",
    f"CREATE TRIGGER cases_search_update AFTER UPDATE ON cases_searchtext BEGIN {UNLEARN}; {LEARN}; END",
    "INSERT INTO cases_search(cases_search) VALUES ('rebuild')",
)
SQLITE_REMOVE = (
    "DROP TRIGGER IF EXISTS cases_search_insert",
    "DROP TRIGGER IF EXISTS cases_search_delete",
    "DROP TRIGGER IF EXISTS cases_search_update",
    "DROP TABLE IF EXISTS cases_search",
)
# The function is a fence: the planner neither looks into it nor, inside, reads the whole table, which unpacks every
# vector and takes fifty times as long as the index where a word is common.
POSTGRESQL = (
    """
ALTER TABLE cases_searchtext
  ADD COLUMN vector tsvector GENERATED ALWAYS AS (to_tsvector('simple', tokens)) STORED""",
    "ALTER TABLE cases_searchtext ALTER COLUMN vector SET STORAGE EXTERNAL",
    "CREATE INDEX cases_searchtext_vector ON cases_searchtext USING gin (vector)",
    """
CREATE FUNCTION cases_search(tsquery) RETURNS SETOF bigint LANGUAGE sql STABLE SET enable_seqscan = off
  AS 'SELECT case_id FROM cases_searchtext WHERE vector @@ $1'""",
)
POSTGRESQL_REMOVE = (
    "DROP FUNCTION IF EXISTS cases_search(tsquery)",
    "ALTER TABLE cases_searchtext DROP COLUMN IF EXISTS vector",
)


# Many questions at once, each with all its cases in one row: a row for each case would cost more than finding it.
ASK = {
    "sqlite": """
SELECT (SELECT json_group_array(rowid) FROM cases_search WHERE cases_search MATCH asked.value)
FROM json_each(%s) AS asked ORDER BY asked.key""",
    "postgresql": """
SELECT (SELECT json_agg(id)::text FROM cases_search(asked.query::tsquery) AS found(id))
FROM jsonb_array_elements_text(%s::jsonb) WITH ORDINALITY AS asked(query, key) ORDER BY asked.key""",
}


def install(connection: BaseDatabaseWrapper) -> None:
    """Create the index and what keeps it equal to the rows."""
    _run(connection, SQLITE if connection.vendor == "sqlite" else POSTGRESQL)


def remove(connection: BaseDatabaseWrapper) -> None:
    _run(connection, SQLITE_REMOVE if connection.vendor == "sqlite" else POSTGRESQL_REMOVE)


def _run(connection: BaseDatabaseWrapper, statements: Iterable[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


# Questions: trees of all and any over phrases, each a row of tokens that follow one another


@dataclass(frozen=True)
class Phrase:
    tokens: tuple[str, ...]
    # The last token may go on: "certif" also finds "certificate".
    is_start: bool = False


@dataclass(frozen=True)
class All:
    parts: tuple[Question, ...]


@dataclass(frozen=True)
class Any:
    parts: tuple[Question, ...]


Question = Phrase | All | Any


def ask(questions: Sequence[Question]) -> list[list[int]]:
    """Give for each question the primary keys of the cases that fit, in one statement."""
    if not questions:
        return []
    with connection.cursor() as cursor:
        cursor.execute(ASK[connection.vendor], [json.dumps(list(map(written, questions)))])
        return [from_json(found or "[]") for (found,) in cursor.fetchall()]


def written(question: Question) -> str:
    """Write a question in the language of the database."""
    return _write_sqlite(question) if connection.vendor == "sqlite" else _write_postgresql(question)


def _write_sqlite(question: Question) -> str:
    if isinstance(question, Phrase):
        return f'"{" ".join(question.tokens)}"{"*" if question.is_start else ""}'
    return f"({(' AND ' if isinstance(question, All) else ' OR ').join(map(_write_sqlite, question.parts))})"


def _write_postgresql(question: Question) -> str:
    if isinstance(question, Phrase):
        return f"({' <-> '.join(question.tokens)}{':*' if question.is_start else ''})"
    return f"({(' & ' if isinstance(question, All) else ' | ').join(map(_write_postgresql, question.parts))})"
