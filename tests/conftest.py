"""What all tests share. The database is SQLite, or the PostgreSQL named by DATABASE_URL (see tests/postgres.py)."""

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import TransactionTestCase

from cases.models import Counter, guards
from incidentlib.translation_files import compile_translations
from review import guards as review_guards
from review.models import GROUPS


def pytest_configure() -> None:
    compile_translations()
    lift_guards_when_tables_are_emptied()


ALL_GUARDS = (*guards.GUARDS, *review_guards.GUARDS, *review_guards.COMMENT_GUARDS)


def lift_guards_when_tables_are_emptied() -> None:
    """Let tests with real transactions clean up: the guards of permanent rows refuse that, and what the migrations
    wrote (counters, groups) must stay."""
    empty_tables = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined] # noqa: SLF001 - no public hook

    def teardown(case: TransactionTestCase) -> None:
        counters = [Counter(name=name) for name in Counter.objects.values_list("name", flat=True)]
        guards.remove(connection, ALL_GUARDS)
        empty_tables(case)
        guards.install(connection, ALL_GUARDS)
        Counter.objects.bulk_create(counters)
        Group.objects.bulk_create(Group(name=name) for name in GROUPS)

    TransactionTestCase._fixture_teardown = teardown  # type: ignore[attr-defined] # noqa: SLF001


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is about the other database, whichever this is."""
    other = "sqlite" if connection.vendor == "postgresql" else "postgres"
    for item in items:
        if item.get_closest_marker(other):
            item.add_marker(pytest.mark.skip(reason=f"needs {other}"))
