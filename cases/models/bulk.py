"""Writing many rows at once as plain values: an object for each row would cost more than its way into the database."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import chain, islice
from typing import Any

from django.db import connection
from django.db.models import Field, Model

# Values of all other fields reach the database as they are.
CONVERTED = {"DateField", "DateTimeField", "JSONField"}
# SQLite takes more values in a statement, but not endlessly many.
MOST_VALUES = 10_000


def insert(table: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows that hold a value for each of ``columns`` (``case_id`` for a reference), which the caller validated.

    A column that is not named becomes null: defaults are Django's, not the database's.
    """
    fields = _fields(table, columns)
    if connection.vendor == "postgresql":
        _copy(f"COPY {_name(table)} ({_names(fields)}) FROM STDIN", _converted(fields, rows))
        return
    with connection.cursor() as cursor:
        cursor.executemany(_insert(table, fields), list(_converted(fields, rows)))


def insert_together(table: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows in few statements, for a table that does more after a statement than after a row."""
    if connection.vendor == "postgresql":
        insert(table, columns, rows)
    else:
        _insert_together(table, columns, rows)


def insert_missing(table: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows in few statements; one that is there already stays as it is."""
    _insert_together(table, columns, rows, "ON CONFLICT DO NOTHING")


def _insert_together(
    table: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]], conflict: str = ""
) -> None:
    fields = _fields(table, columns)
    place, waiting = f"({', '.join(['%s'] * len(fields))})", iter(_converted(fields, rows))
    with connection.cursor() as cursor:
        while batch := list(islice(waiting, MOST_VALUES // len(fields))):
            statement = f"{_insert_into(table, fields)} VALUES {', '.join([place] * len(batch))} {conflict}"
            cursor.execute(statement, list(chain.from_iterable(batch)))


def put(
    table: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]], key: str, *, kept: Container[str] = ()
) -> None:
    """Insert rows; where one with the same ``key`` is there, replace its values but those of the columns ``kept``."""
    fields = _fields(table, columns)
    replaced = [_column(field) for field in fields if field.name != key and field.name not in kept]
    values = ", ".join(f"{column} = EXCLUDED.{column}" for column in replaced)
    statement = f"{_insert(table, fields)} ON CONFLICT ({_quoted(key)}) DO UPDATE SET {values}"
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(_converted(fields, rows)))


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _name(table: type[Model]) -> str:
    return _quoted(table._meta.db_table)  # noqa: SLF001  (Django's public API for tables)


def _fields(table: type[Model], names: Sequence[str]) -> list[Field[Any, Any]]:
    return [table._meta.get_field(name) for name in names]  # type: ignore[misc]  # noqa: SLF001  (as above)


def _names(fields: Sequence[Field[Any, Any]]) -> str:
    return ", ".join(map(_column, fields))


def _column(field: Field[Any, Any]) -> str:
    return _quoted(str(field.column))


def _insert(table: type[Model], fields: Sequence[Field[Any, Any]]) -> str:
    return f"{_insert_into(table, fields)} VALUES ({', '.join(['%s'] * len(fields))})"


def _insert_into(table: type[Model], fields: Sequence[Field[Any, Any]]) -> str:
    return f"INSERT INTO {_name(table)} ({_names(fields)})"


def _converted(fields: Sequence[Field[Any, Any]], rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
    wanted = [(place, field) for place, field in enumerate(fields) if field.get_internal_type() in CONVERTED]
    return (_with_values(row, wanted) for row in rows) if wanted else rows


def _with_values(row: Sequence[Any], wanted: list[tuple[int, Field[Any, Any]]]) -> list[Any]:
    values = list(row)
    for place, field in wanted:
        values[place] = field.get_db_prep_save(values[place], connection)
    return values


def _copy(statement: str, rows: Iterable[Sequence[Any]]) -> None:
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
