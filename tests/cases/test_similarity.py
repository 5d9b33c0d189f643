"""Which cases are near a case: what counts, in which order, for which reasons, as pages and programs get it."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from cases.document import LANGUAGES
from cases.document.public import LinkedCase, SimilarCase
from cases.labels import current_labels
from cases.models import Case, Term
from cases.similarity import as_json, neighbours, spliced
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

WITHDRAWN = {"status": "withdrawn", "withdrawn_at": dt.datetime(2026, 11, 1, tzinfo=dt.UTC)}


def make(number: int, **changes: Any) -> Case:
    """Publish a case without any term but those given."""
    none: dict[str, Any] = {
        key: [] for key in ("domain", "components", "symptoms", "contributing", "related", "checks")
    }
    return make_case(**{"id": f"IL-{number:04d}", "root_cause": None, "recurrence_of": None, **none, **changes})


def numbers_near(number: int) -> list[int]:
    return [neighbour.number for neighbour in neighbours(number)]


def test_what_tells_more_comes_first() -> None:
    make(1, root_cause="overload", components=["dns"], symptoms=["timeouts", "data-loss"], contributing=["hot-spot"])
    make(2, contributing=["hot-spot"], symptoms=["timeouts"])
    make(3, components=["dns"])
    make(4, root_cause="overload")
    make(5, root_cause="overload", components=["dns"])
    assert numbers_near(1) == [5, 2, 4, 3]
    assert [neighbour.score for neighbour in neighbours(1)] == [0.44, 0.32, 0.25, 0.19]


def test_a_rare_word_in_common_tells_more_than_a_common_one() -> None:
    make(1, components=["dns", "cache"])
    make(2, components=["dns"], date="2020-01-01")
    for number in range(3, 7):
        make(number, components=["cache"])
    assert numbers_near(1) == [2, 6, 5, 4, 3]
    make(7, components=["dns"], date="2021-01-01")
    assert numbers_near(1) == [7, 2, 6, 5, 4, 3]


def test_an_example_is_near_no_real_case() -> None:
    make(1, components=["dns"], related=["IL-9001"])
    make(9001, components=["dns"], example=True)
    make(9002, components=["dns"], example=True)
    assert numbers_near(1) == []
    assert sorted(numbers_near(9001)) == [1, 9002]


def test_a_case_that_is_gone_has_no_company() -> None:
    make(1, components=["dns"], columns=WITHDRAWN)
    make(2, components=["dns"])
    assert (numbers_near(1), numbers_near(2), numbers_near(99)) == ([], [], [])


def test_the_newer_of_two_equally_near_comes_first() -> None:
    make(1, components=["dns"])
    for number, date in ((2, "2024-05-01"), (3, "2026-05-01"), (4, "2025-05-01")):
        make(number, components=["dns"], date=date)
    assert numbers_near(1) == [3, 4, 2]


def test_a_little_in_common_is_not_enough() -> None:
    make(1, domain=["dns", "cdn"], symptoms=["timeouts"])
    make(2, domain=["dns", "cdn"])
    make(3, symptoms=["timeouts"])
    make(4, domain=["dns"], symptoms=["timeouts"])
    assert numbers_near(1) == [4]


@pytest.mark.parametrize("cause", ["unknown", "undisclosed"])
def test_not_knowing_the_cause_is_nothing_in_common(cause: str) -> None:
    make(1, root_cause=cause)
    make(2, root_cause=cause)
    assert numbers_near(1) == []


def test_the_reasons_name_the_shared_terms() -> None:
    shared: dict[str, Any] = {
        "root_cause": "overload",
        "components": ["dns", "cache"],
        "symptoms": ["timeouts"],
        "contributing": ["hot-spot"],
        "domain": ["networking"],
    }
    make(1, **shared)
    make(2, **{**shared, "components": ["cache", "dns", "network"]})
    (found,) = neighbours(1)
    assert found.reasons == (
        ("same-root-cause", ("root_cause:overload",)),
        ("shared-component", ("component:cache", "component:dns")),
        ("same-symptom", ("symptom:timeouts",)),
        ("shared-contributing", ("contributing:hot-spot",)),
        ("shared-domain", ("domain:networking",)),
    )
    assert found.score == 1.0


def test_what_the_editors_name_comes_first_and_in_their_order() -> None:
    make(1, components=["dns"], related=["IL-0004", "IL-0003", "IL-7777"])
    make(2, components=["dns"])
    make(3)
    make(4)
    found = neighbours(1)
    assert [neighbour.number for neighbour in found] == [4, 3, 2]
    assert [neighbour.reasons for neighbour in found[:2]] == [(("editor-related", ()),)] * 2
    assert found[0].score == 1.0


def test_a_recurrence_is_near_from_both_sides() -> None:
    make(1)
    make(2, recurrence_of="IL-0001")
    assert neighbours(1)[0].reasons == neighbours(2)[0].reasons == (("recurrence-of", ()),)
    assert (numbers_near(1), numbers_near(2)) == ([2], [1])


def test_only_published_cases_are_near() -> None:
    make(1, components=["dns"], related=["IL-0002", "IL-0003"])
    make(2, components=["dns"], columns=WITHDRAWN)
    make(4, components=["dns"])
    make(3, components=["dns"], columns={"status": "merged", "merged_into": 4})
    # What the editors named was merged: its place is taken by what it was merged into.
    assert [(near.number, near.reasons[0][0]) for near in neighbours(1)] == [(4, "editor-related")]


def test_at_most_ten_are_near() -> None:
    for number in range(2, 15):
        make(number, components=["dns"])
    make(1, components=["dns"], related=["IL-0002", "IL-0015"])
    assert numbers_near(1) == [2, *range(14, 5, -1)]
    make(1, components=["dns"], related=[f"IL-00{number:02d}" for number in range(2, 14)])
    assert numbers_near(1) == list(range(2, 12))


def test_a_renamed_term_is_the_same_term() -> None:
    make(1, components=["name-service"])
    make(2, components=["resolver"])
    make(3, components=["dns"])
    newest, middle, oldest = (Term.objects.get(slug=slug) for slug in ("dns", "resolver", "name-service"))
    Term.objects.filter(pk=oldest.pk).update(replaced_by=middle)
    Term.objects.filter(pk=middle.pk).update(replaced_by=newest)
    assert sorted(numbers_near(1)) == [2, 3]
    assert neighbours(1)[0].reasons == (("shared-component", ("component:dns",)),)
    assert sorted(numbers_near(3)) == [1, 2]


def test_a_case_with_a_term_and_those_it_replaced_counts_them_once() -> None:
    make(1, components=["dns"], symptoms=["timeouts"])
    make(2, components=["dns", "name-service", "resolver"])
    make(3, components=["name-service", "resolver"])
    Term.objects.filter(slug__in=("name-service", "resolver")).update(replaced_by=Term.objects.get(slug="dns"))
    assert [(near.number, near.score) for near in neighbours(1)] == [(3, 0.43), (2, 0.43)]
    assert neighbours(2)[0].reasons == (("shared-component", ("component:dns",)),)


def test_the_json_has_the_public_shape() -> None:
    make(1, components=["dns"], symptoms=["timeouts"])
    make(2, components=["dns"], title={"en": "Names were not found", "ko": None})
    (written,) = as_json(neighbours(1), current_labels())
    SimilarCase.model_validate(written)
    assert written["id"] == "IL-0002"
    assert written["url"] == "http://127.0.0.1:8000/cases/IL-0002"
    assert written["title"] == {"en": "Names were not found", "ko": None}
    assert written["score"] == 0.49
    assert set(written["text"]) == set(LANGUAGES)
    assert "dns" in written["text"]["ko"]


def chains(*numbers: int) -> dict[int, list[dict[str, Any]]]:
    return {number: json.loads(chain) for number, (_, chain) in spliced(numbers).items()}


def test_a_chain_of_recurrences_is_told_from_each_of_its_cases() -> None:
    make(1, date="2023-01-01")
    make(2, date="2024-01-01", recurrence_of="IL-0001")
    make(3, date="2025-01-01", recurrence_of="IL-0002")
    make(4, date="2022-01-01")
    make(5, date="2025-06-01", recurrence_of="IL-0003", columns=WITHDRAWN)
    found = chains(1, 2, 3, 4)
    ids = {number: [case["id"] for case in chain] for number, chain in found.items()}
    assert ids == {1: ["IL-0002", "IL-0003"], 2: ["IL-0001", "IL-0003"], 3: ["IL-0001", "IL-0002"], 4: []}
    LinkedCase.model_validate(found[1][0])
    assert found[1][0]["date"] == "2024-01-01"


def test_a_chain_leads_on_over_a_case_that_is_withdrawn() -> None:
    make(1)
    make(2, recurrence_of="IL-0001", columns=WITHDRAWN)
    make(3, recurrence_of="IL-0002")
    assert [case["id"] for case in chains(1)[1]] == ["IL-0003"]


def test_a_circle_of_recurrences_ends() -> None:
    make(1, recurrence_of="IL-0002")
    make(2, recurrence_of="IL-0001")
    assert [case["id"] for case in chains(1)[1]] == ["IL-0002"]


def test_an_export_gets_both_keys_as_text_in_two_queries(
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    for number in range(1, 6):
        make(number, components=["dns"], recurrence_of="IL-0001" if number == 2 else None)
    neighbours(1)
    with django_assert_num_queries(2):
        texts = spliced([1, 2, 3, 4, 5])
    assert json.loads(texts[1][0])[0]["id"] == "IL-0002"
    assert [case["id"] for case in json.loads(texts[2][1])] == ["IL-0001"]
    assert texts[3][1] == "[]"
    with django_assert_num_queries(1):
        assert spliced([99]) == {99: ("[]", "[]")}
