"""Two people at the same moment, in real transactions: one outcome, no lost word, no server error."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from cases.models import Case, Edition
from review import workflow
from review.log import broken_links
from review.models import Assignment, Manuscript, Revision
from review.workflow import Seen
from tests.cases.making import make_case

from .making import changed, make_draft, make_publisher, make_user, make_writer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
ROUNDS = 5


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Do all acts at the same moment, each on its own connection; give results and refusals in their order."""
    start = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return act()
        except workflow.Refused as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def refusals(results: list[Any]) -> int:
    return sum(isinstance(result, workflow.Refused) for result in results)


def test_of_two_saves_of_one_field_one_wins_and_the_other_is_told() -> None:
    one, other = make_writer("one"), make_writer("other")
    for _ in range(ROUNDS):
        saved = make_draft(one)
        number, base = saved.manuscript.number, saved.revision.document()
        results = at_once(
            lambda: workflow.save(one, number, changed(base, severity="major"), 1),  # noqa: B023  (used at once)
            lambda: workflow.save(other, number, changed(base, severity="minor"), 1),  # noqa: B023
        )
        assert refusals(results) == 1
        assert Revision.objects.filter(manuscript__number=number).count() == 2
    assert broken_links() == []


def test_of_two_saves_of_two_fields_both_are_kept() -> None:
    one, other = make_writer("one"), make_writer("other")
    saved = make_draft(one)
    number, base = saved.manuscript.number, saved.revision.document()
    results = at_once(
        lambda: workflow.save(one, number, changed(base, severity="major"), 1),
        lambda: workflow.save(other, number, changed(base, domain=["dns"]), 1),
    )
    assert refusals(results) == 0
    head = Manuscript.objects.get().head
    assert head is not None
    assert (head.document().severity, head.document().domain) == ("major", ["dns"])


def test_two_people_begin_on_one_published_case() -> None:
    case = make_case()
    one, other = make_writer("one"), make_writer("other")
    found = workflow.current(case.number)
    assert found is not None
    results = at_once(
        lambda: workflow.save(one, case.number, changed(found.document, severity="major"), 1),
        lambda: workflow.save(other, case.number, changed(found.document, domain=["dns"]), 1),
    )
    assert refusals(results) == 0
    assert Manuscript.objects.count() == 1
    assert sorted(Revision.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_of_two_publishes_one_makes_an_edition() -> None:
    one, other = make_publisher("one"), make_publisher("other")
    number = make_draft().manuscript.number
    results = at_once(
        lambda: workflow.publish(one, number, 1, 1),
        lambda: workflow.publish(other, number, 1, 1),
    )
    assert refusals(results) == 1
    assert Edition.objects.count() == 1


def test_of_two_people_who_take_a_text_one_has_it() -> None:
    one, other = make_user("one", reviews="ko"), make_user("other", translates="ko")
    number = make_draft().manuscript.number
    opened = Seen(1, {"ko": 0}, {"ko": 0})
    results = at_once(
        lambda: workflow.assign(one, number, "ko", opened, one),
        lambda: workflow.assign(other, number, "ko", opened, other),
    )
    assert refusals(results) == 1
    assert Assignment.objects.count() == 1
    assert broken_links() == []


def test_numbers_given_out_at_once_are_distinct() -> None:
    people = [make_writer(f"writer {place}") for place in range(4)]
    results = at_once(*(lambda user=user: make_draft(user) for user in people))
    assert len({saved.manuscript.number for saved in results}) == 4
    assert not Case.objects.exists()
