"""Which checks apply to a stack, and which cases stand behind each."""

from __future__ import annotations

from typing import Any

import pytest

from cases import catalog
from cases.checking import applying, cases_with_checks, own_checks
from cases.models import Check, Term
from cases.publishing import touch_vocabulary, withdraw
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db


def library_check(slug: str, *terms: str) -> None:
    check = Check.objects.create(slug=slug, question_en=f"{slug}?", position=Check.objects.count())
    for term in terms:
        list_name, _, word = term.partition(":")
        check.terms.add(Term.objects.get_or_create(list=list_name, slug=word)[0])
    touch_vocabulary()


def case_check(uid: str, *applies_to: str) -> dict[str, Any]:
    return {"uid": uid, "question": {"en": f"{uid}?", "ko": None}, "applies_to": list(applies_to)}


def found(*stack: str) -> dict[str, list[int]]:
    """Return the slugs of the checks that apply, in their order, with the numbers of the cases behind each."""
    present = catalog.current()
    return {one.check.slug: numbers(one.cases) for one in applying(present, stack)}


def numbers(cases: int) -> list[int]:
    return list(catalog.Selection(catalog.current(), {"component": cases}).numbers)


def own(*stack: str) -> dict[int, list[str]]:
    present = catalog.current()
    of_cases = own_checks(numbers(cases_with_checks(present, stack)), stack, present.labels)
    return {number: [check.uid for check in checks] for number, checks in of_cases.items()}


def test_a_check_applies_where_it_shares_a_word_most_shared_first() -> None:
    library_check("of-dns", "component:dns")
    library_check("of-both", "component:dns", "domain:kubernetes")
    library_check("of-causes", "root_cause:overload")
    assert list(found("component:dns", "domain:kubernetes")) == ["of-both", "of-dns"]
    assert list(found("domain:kubernetes")) == ["of-both"]
    assert list(found("component:cache")) == []


def test_without_a_stack_all_checks_are_given_in_their_order() -> None:
    library_check("second-name", "component:dns")
    library_check("a-name", "root_cause:overload")
    assert list(found()) == ["second-name", "a-name"]


def test_behind_a_check_stand_cases_with_two_of_its_words() -> None:
    library_check("stale", "component:dns", "contributing:stale-state")
    make_case(id="IL-0001", components=["dns"], contributing=["stale-state"])
    make_case(id="IL-0002", components=["dns"], contributing=[])
    make_case(id="IL-0003", components=[], contributing=["stale-state"])
    assert found("component:dns") == {"stale": [1]}
    assert found() == {"stale": [1]}


def test_where_none_has_two_those_with_one_stand_behind_it() -> None:
    library_check("stale", "component:dns", "contributing:stale-state")
    make_case(id="IL-0002", components=["dns"], contributing=[])
    make_case(id="IL-0003", components=[], contributing=["stale-state"])
    assert found("component:dns") == {"stale": [2]}
    assert found() == {"stale": [3, 2]}


def test_a_check_without_cases_still_applies() -> None:
    library_check("alone", "component:dns")
    assert found("component:dns") == {"alone": []}


def test_a_withdrawn_case_stands_behind_nothing() -> None:
    library_check("of-dns", "component:dns")
    make_case(id="IL-0001", components=["dns"], checks=[case_check("k-1", "component:dns")])
    assert (found("component:dns"), own("component:dns")) == ({"of-dns": [1]}, {1: ["k-1"]})
    withdraw(1, {"en": "Wrong.", "ko": None})
    assert (found("component:dns"), own("component:dns")) == ({"of-dns": []}, {})


def test_checks_of_cases_apply_by_what_they_name_not_by_what_the_case_is_about() -> None:
    make_case(id="IL-0001", components=["cache"], checks=[case_check("k-1", "component:dns"), case_check("k-2")])
    make_case(id="IL-0002", components=["dns"], checks=[case_check("k-3", "component:cache")])
    assert own("component:dns") == {1: ["k-1"]}
    assert own("component:cache") == {2: ["k-3"]}
    assert own() == {1: ["k-1", "k-2"], 2: ["k-3"]}


def test_a_check_that_names_no_word_is_among_all() -> None:
    make_case(id="IL-0001", checks=[case_check("k-1"), case_check("k-2", "nothing:known")])
    assert own() == {1: ["k-1", "k-2"]}
    assert own("component:dns") == {}


def test_replaced_words_lead_to_the_checks_of_their_successor() -> None:
    library_check("of-old", "component:old")
    make_case(id="IL-0001", components=["old", "new"], checks=[case_check("k-1", "component:old")])
    Term.objects.filter(slug="old").update(replaced_by=Term.objects.get(slug="new"))
    touch_vocabulary()
    assert found("component:new") == {"of-old": [1]}
    assert own("component:new") == {1: ["k-1"]}
