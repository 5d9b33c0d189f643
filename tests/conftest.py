"""What all tests share. The database is SQLite, or the PostgreSQL named by DATABASE_URL (see tests/postgres.py)."""

import gc
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import TransactionTestCase
from pytest_django.plugin import DjangoDbBlocker

from cases import catalog, finished, labels, views
from cases.models import Counter, guards
from cases.search import glossary, spelling
from incidentlib.translation_files import compile_translations
from review import guards as review_guards
from review.models import GROUPS
from tests.undoing import undone


def pytest_configure() -> None:
    compile_translations()
    lift_guards_when_tables_are_emptied()


def pytest_collection_finish() -> None:
    """Let the collector pass over what stays until the end; it takes a tenth of the time of some tests."""
    gc.collect()
    gc.freeze()


ALL_GUARDS = (*guards.GUARDS, *review_guards.GUARDS, *review_guards.COMMENT_GUARDS)


def lift_guards_when_tables_are_emptied() -> None:
    """Let tests with real transactions clean up: the guards refuse that, and what migrations wrote must stay."""
    empty_tables = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined] # noqa: SLF001 - no public hook

    def teardown(case: TransactionTestCase) -> None:
        counters = [Counter(name=name) for name in Counter.objects.values_list("name", flat=True)]
        guards.remove(connection, ALL_GUARDS)
        empty_tables(case)
        guards.install(connection, ALL_GUARDS)
        Counter.objects.bulk_create(counters)
        Group.objects.bulk_create(Group(name=name) for name in GROUPS)

    TransactionTestCase._fixture_teardown = teardown  # type: ignore[attr-defined] # noqa: SLF001


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:  # noqa: ARG001  (the database is there)
    """Keep what a fixture of a module writes until its last test; what a test writes is undone inside of that."""
    with django_db_blocker.unblock(), undone():
        yield


@pytest.fixture(autouse=True)
def memory_is_empty() -> Iterator[None]:
    """Forget the words of other tests: each test's database is new, its vocabulary has the same version."""
    forget()
    yield
    forget()


def forget() -> None:
    for kept in (labels._kept, glossary._kept, spelling._kept, views._around_case):  # noqa: SLF001  (no program needs to forget)
        kept.cache_clear()
    catalog.forget()
    finished.forget()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what is about the other database; on PostgreSQL leave out, too, what asks no database at all."""
    is_postgres = connection.vendor == "postgresql"
    other = "sqlite" if is_postgres else "postgres"
    for item in items:
        if item.get_closest_marker(other):
            item.add_marker(pytest.mark.skip(reason=f"needs {other}"))
    if is_postgres:
        config.hook.pytest_deselected(items=[item for item in items if not asks_a_database(item)])
        items[:] = [item for item in items if asks_a_database(item)]


def asks_a_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(item.get_closest_marker("django_db") or fixtures & {"db", "transactional_db", "live_server"})
