"""What the database itself refuses, whoever asks: history that is permanent, and rows that contradict themselves."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import DatabaseError, connection, transaction

from cases.models import Case, Change, Counter, Edition, LanguageVersion, Org, OrgAlias, Person, Source, Term
from cases.publishing import next_number

from .making import make_case

pytestmark = pytest.mark.django_db


def refused(statement: str) -> bool:
    """Run raw SQL as an intruder would."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError:
        return True
    return False


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE cases_edition SET text = '{}'",
        "DELETE FROM cases_languageversion; DELETE FROM cases_edition",
        "UPDATE cases_change SET number = 1",
        "DELETE FROM cases_change",
        "UPDATE cases_case SET number = 0",
        "UPDATE cases_case SET title_en = NULL, title_ko = NULL",
        "UPDATE cases_case SET summary_en = NULL, summary_ko = NULL",
        "UPDATE cases_case SET date_last = '1990-01-01'",
        "UPDATE cases_case SET date_precision = 'minute'",
        "UPDATE cases_case SET recurrence_of = number",
        "UPDATE cases_case SET status = 'withdrawn'",
        "UPDATE cases_case SET status = 'merged', merged_into = number",
        "UPDATE cases_source SET url = 'javascript:alert(1)'",
        "UPDATE cases_source SET archived = 'data:text/html,x'",
        "UPDATE cases_event SET uid = 'same'",
        "UPDATE cases_languageversion SET language = 'fr'",
        "UPDATE cases_languageversion SET state = 'perfect'",
        "UPDATE cases_languageversion SET state = 'approved'",
        "UPDATE cases_languageversion SET reviewed_at = '2026-01-01 00:00:00'",
        "UPDATE cases_languageversion SET override = (1 = 1)",
        "UPDATE cases_languageversion SET reviewed_by_id = written_by_id, reviewed_at = '2026-01-01 00:00:00'",
        "UPDATE cases_org SET slug = ''",
        "UPDATE cases_term SET slug = ''",
        "UPDATE cases_term SET replaced_by_id = id",
    ],
)
def test_database_refuses(statement: str) -> None:
    make_case()
    if ";" in statement and connection.vendor == "sqlite":
        statement = statement.rpartition(";")[2]
    assert refused(statement)


@pytest.mark.postgres
def test_emptying_a_permanent_table_is_refused() -> None:
    make_case()
    assert refused("TRUNCATE cases_change")


def test_replacing_a_permanent_row_is_refused() -> None:
    """SQLite's INSERT OR REPLACE passes delete triggers unless recursive_triggers is on."""
    edition = Edition.objects.get(case=make_case())
    columns = "id, case_id, number, text, note, published_at"
    if connection.vendor == "sqlite":
        assert refused(
            f"INSERT OR REPLACE INTO cases_edition ({columns}) "  # noqa: S608  (our own numbers)
            f"VALUES ({edition.pk}, {edition.case_id}, 1, '{{}}', '', NULL)"
        )
    else:
        assert refused(
            f"INSERT INTO cases_edition ({columns}) VALUES ({edition.pk}, {edition.case_id}, 1, '{{}}', '', NULL) "  # noqa: S608
            "ON CONFLICT (id) DO UPDATE SET text = '{}'"
        )


def test_language_version_is_frozen_when_superseded() -> None:
    make_case()
    make_case(severity="major")
    old, new = LanguageVersion.objects.filter(language="en").order_by("edition__number")
    with pytest.raises(DatabaseError), transaction.atomic():
        LanguageVersion.objects.filter(pk=old.pk).update(state="in-review")
    assert LanguageVersion.objects.filter(pk=new.pk).update(state="in-review") == 1


def test_two_cases_cannot_share_a_number() -> None:
    first, second = make_case(), make_case(id="IL-0600")
    with pytest.raises(DatabaseError), transaction.atomic():
        Case.objects.filter(pk=second.pk).update(number=first.number)


def test_spelling_of_an_organisation_is_unique() -> None:
    org = Org.objects.create(slug="openai", name="OpenAI", folded="openai")
    with pytest.raises(DatabaseError), transaction.atomic():
        Org.objects.create(slug="open-ai", name="Open AI", folded="openai")
    with pytest.raises(DatabaseError), transaction.atomic():
        Org.objects.create(slug="OPENAI", name="Other", folded="other")
    OrgAlias.objects.create(org=org, alias="Open A.I.", folded="openai")
    with pytest.raises(DatabaseError), transaction.atomic():
        OrgAlias.objects.create(org=org, alias="open ai", folded="openai")


def test_only_an_agent_has_an_owner() -> None:
    owner = Person.objects.create(name="Owner")
    with pytest.raises(DatabaseError), transaction.atomic():
        Person.objects.create(name="Human", owner=owner)
    assert Person.objects.create(name="Agent", kind="agent", owner=owner).owner == owner


def test_reviewer_may_be_the_writer_only_by_a_reasoned_override() -> None:
    edition = Edition.objects.get(case=make_case())
    version = LanguageVersion.objects.get(edition=edition, language="en")
    values = {
        "reviewed_by": version.written_by,
        "reviewed_at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        "override": True,
    }
    rows = LanguageVersion.objects.filter(pk=version.pk)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(**values)
    assert rows.update(**values, override_reason="alone on call") == 1


def test_unknown_term_is_kept_once() -> None:
    make_case(domain=["brand-new"])
    make_case(domain=["brand-new"])
    term = Term.objects.get(list="domain", slug="brand-new")
    assert not term.known
    assert Source.objects.count() == 1


def test_change_numbers_have_no_gap() -> None:
    for _ in range(3):
        make_case()
    assert list(Change.objects.values_list("sequence", flat=True)) == [1, 2, 3]


def test_next_number_is_above_every_published_one_and_skips_the_examples() -> None:
    make_case(id="IL-0700")
    make_case(id="IL-9016")
    with transaction.atomic():
        assert next_number() == 701
    Counter.objects.filter(name="case").update(value=8999)
    with transaction.atomic():
        assert next_number() == 10000
        assert next_number() == 10001
