"""Writing many rows at once as plain values, on both databases alike."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction

from cases.models import CaseCheck, Counter, Event, Remediation, SearchWord, Term
from cases.models.bulk import MOST_VALUES, insert, insert_together, put

from .making import make_case

pytestmark = pytest.mark.django_db


def test_times_and_lists_are_read_back_as_they_were_written() -> None:
    case = make_case()
    kind = Term.objects.filter(list=Term.List.TIMELINE_EVENT)[:1].get()
    at = dt.datetime(2026, 8, 25, 12, 10, tzinfo=dt.UTC)
    columns = ("case_id", "position", "uid", "at", "precision", "kind_id", "text_ko")
    insert(Event, columns, [(case.pk, 50, "e-new", at, "minute", kind.pk, "줄\n바꿈\t\\N")])
    insert(CaseCheck, ("case_id", "position", "uid", "applies_to", "risk"), [(case.pk, 50, "k-new", ["a", "나"], "x")])
    event, check = Event.objects.get(uid="e-new"), CaseCheck.objects.get(uid="k-new")
    assert (event.at, event.text_ko, event.text_en) == (at, "줄\n바꿈\t\\N", None)  # type: ignore[attr-defined]  # made by modeltranslation
    assert check.applies_to == ["a", "나"]


def test_nothing_to_insert_is_no_error() -> None:
    insert(Remediation, ("case_id", "position", "uid"), [])


def test_rows_together_may_be_more_than_one_statement_takes() -> None:
    count = MOST_VALUES + 3
    insert_together(SearchWord, ("word",), ((f"word{number}",) for number in range(count)))
    insert_together(SearchWord, ("word",), [])
    assert SearchWord.objects.count() == count


def test_what_the_database_refuses_is_an_error_of_django() -> None:
    case = make_case()
    rows = [(case.pk, 50, "r-twice"), (case.pk, 51, "r-twice")]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(Remediation, ("case_id", "position", "uid"), rows)
    assert not Remediation.objects.filter(uid="r-twice").exists()


def test_a_row_with_the_same_key_is_replaced_but_for_what_is_kept() -> None:
    columns = ("name", "value")
    put(Counter, columns, [("one", 1), ("other", 2)], "name")
    put(Counter, columns, [("one", 5), ("third", 3)], "name")
    put(Counter, columns, [("other", 7)], "name", kept={"name"})
    put(Counter, columns, [], "name")
    assert dict(Counter.objects.filter(name__in=("one", "other", "third")).values_list(*columns)) == {
        "one": 5,
        "other": 7,
        "third": 3,
    }


def test_what_the_desk_says_of_a_case_outlives_an_edition() -> None:
    case = make_case()
    type(case).objects.filter(pk=case.pk).update(has_draft=True)
    again = make_case(severity="minor")
    assert (again.pk, again.has_draft, again.severity.slug) == (case.pk, True, "minor")
