"""Writing many rows at once as plain values: an object for each row would cost more than its way into the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.models import Field, Model

# Values of all other fields reach the database as they are.
CONVERTED = {"DateField", "DateTimeField", "JSONField"}


def insert(table: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows that hold a value for each of ``columns`` (``case_id`` for a reference), which the caller validated.

    A column that is not named becomes null: defaults are Django's, not the database's.
    """
    fields: list[Field[Any, Any]] = [table._meta.get_field(name) for name in columns]  # type: ignore[misc]  # noqa: SLF001  (Django's public API for fields)
    values = _converted(fields, rows)
    name = connection.ops.quote_name(table._meta.db_table)  # noqa: SLF001  (as above)
    names = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    if connection.vendor == "postgresql":
        _copy(f"COPY {name} ({names}) FROM STDIN", values)
        return
    places = ", ".join(["%s"] * len(fields))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {name} ({names}) VALUES ({places})", values)  # noqa: S608  (names of ours)


def _converted(fields: Sequence[Field[Any, Any]], rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
    wanted = [(place, field) for place, field in enumerate(fields) if field.get_internal_type() in CONVERTED]
    return _with_values(wanted, rows) if wanted else rows


def _with_values(wanted: list[tuple[int, Field[Any, Any]]], rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    for row in rows:
        values = list(row)
        for place, field in wanted:
            values[place] = field.get_db_prep_save(values[place], connection)
        yield values


def _copy(statement: str, rows: Iterable[Sequence[Any]]) -> None:
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
