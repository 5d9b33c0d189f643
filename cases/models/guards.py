"""Triggers that keep history as it was: the database itself refuses to change it, whoever asks, on both engines.

``install`` and ``remove`` take the guards of any app; migrations and tests (whose teardown empties tables) call them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.backends.base.base import BaseDatabaseWrapper

# Examples are no history: `manage.py remove_examples` may take their editions away.
OF_AN_EXAMPLE = "EXISTS (SELECT 1 FROM cases_case WHERE cases_case.id = OLD.case_id AND cases_case.example)"
SUPERSEDED = (
    "EXISTS (SELECT 1 FROM cases_edition e JOIN cases_case c ON c.id = e.case_id"
    " WHERE e.id = OLD.edition_id AND c.edition_number > e.number)"
)

POSTGRES_FUNCTION = """
CREATE FUNCTION {guard.name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' OR {guard.when} THEN RAISE EXCEPTION '{guard.message}' USING ERRCODE = '23514'; END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$
"""


@dataclass(frozen=True)
class Guard:
    """Refuse ``act`` on rows of ``table``, if ``when`` holds for OLD (UPDATE, DELETE) or NEW (INSERT)."""

    table: str
    act: str
    message: str
    when: str = "1 = 1"

    @property
    def name(self) -> str:
        return f"guard_{self.table}_{self.act.lower()}"


GUARDS = (
    Guard("cases_edition", "UPDATE", "an edition is permanent"),
    Guard("cases_edition", "DELETE", "an edition is permanent", f"NOT {OF_AN_EXAMPLE}"),
    Guard("cases_change", "UPDATE", "a change is permanent"),
    Guard("cases_change", "DELETE", "a change is permanent"),
    Guard("cases_languageversion", "UPDATE", "the language version of an older edition is frozen", SUPERSEDED),
)


def install(connection: BaseDatabaseWrapper, guards: Iterable[Guard] = GUARDS) -> None:
    """Create the triggers; on PostgreSQL also refuse TRUNCATE, which passes row triggers."""
    for guard in guards:
        for statement in _create(guard, connection.vendor):
            _run(connection, statement)


def remove(connection: BaseDatabaseWrapper, guards: Iterable[Guard] = GUARDS) -> None:
    """Drop the triggers again."""
    for guard in guards:
        for statement in _drop(guard, connection.vendor):
            _run(connection, statement)


def _run(connection: BaseDatabaseWrapper, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _create(guard: Guard, vendor: str) -> list[str]:
    trigger = f"CREATE TRIGGER {guard.name} BEFORE {guard.act} ON {guard.table} FOR EACH ROW"
    if vendor == "sqlite":
        return [f"{trigger} WHEN {guard.when} BEGIN SELECT RAISE(ABORT, '{guard.message}'); END"]
    statements = [POSTGRES_FUNCTION.format(guard=guard), f"{trigger} EXECUTE FUNCTION {guard.name}()"]
    if guard.act == "DELETE":
        statements.append(
            f"CREATE TRIGGER {guard.name}_all BEFORE TRUNCATE ON {guard.table} EXECUTE FUNCTION {guard.name}()"
        )
    return statements


def _drop(guard: Guard, vendor: str) -> list[str]:
    if vendor == "sqlite":
        return [f"DROP TRIGGER IF EXISTS {guard.name}"]
    return [f"DROP FUNCTION IF EXISTS {guard.name}() CASCADE"]
