"""Two people at the same moment, in real transactions: one outcome, no lost word, no server error."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from cases.models import Case, Edition
from review import workflow
from review.log import broken_links
from review.models import Assignment, Decision, Manuscript, Revision
from review.states import wrong_states
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


def test_an_approval_beside_a_save_is_of_what_was_read_or_of_nothing() -> None:
    """A text saved in the second of its approval is never shown as approved."""
    for turn in range(ROUNDS):
        writer, reviewer = make_writer(f"writer{turn}"), make_user(f"reviewer{turn}", reviews="en ko")
        saved = make_draft(writer)
        number, document = saved.manuscript.number, saved.revision.document()
        newer = changed(document, title={"en": document.title.en, "ko": "새 제목"})
        results = at_once(
            lambda: workflow.approve(reviewer, number, ["ko"], Seen(1, {"en": 0, "ko": 0})),  # noqa: B023  (done in this turn)
            lambda: workflow.save(writer, number, newer, 1),  # noqa: B023
        )
        assert not isinstance(results[1], workflow.Refused)
        assert Manuscript.objects.get(number=number).state_ko == "draft"
        assert all(decision.revision.number == 1 for decision in Decision.objects.filter(manuscript__number=number))
    assert (wrong_states(), broken_links()) == ([], [])


@pytest.mark.parametrize("other", ["request_changes", "withdraw_case"])
def test_of_two_decisions_at_once_the_later_knows_of_the_earlier(other: str) -> None:
    publisher = make_publisher()
    for turn in range(ROUNDS):
        writer = make_writer(f"writer{turn}")
        first, second = (make_user(f"reviewer{turn}{one}", reviews="en ko") for one in "ab")
        number, shown = make_draft(writer).manuscript.number, Seen(1, {"en": 0, "ko": 0})
        workflow.submit(writer, number, "ko", shown)
        workflow.publish(publisher, number, 1, 1)
        against: Callable[[], Any] = {
            "request_changes": lambda: workflow.request_changes(second, number, "ko", shown, "no"),  # noqa: B023
            "withdraw_case": lambda: workflow.withdraw(publisher, number, {"en": "Wrong", "ko": None}),  # noqa: B023
        }[other]
        results = at_once(lambda: tried(lambda: workflow.approve(first, number, ["ko"], shown)), against)  # noqa: B023
        kept = Decision.objects.filter(manuscript__number=number).count()
        if other == "request_changes":
            assert (refusals(results), kept) == (1, 1)
        else:
            assert kept == (0 if results[0] == "denied" else 1), "approved before it was withdrawn, or not at all"
            assert Case.objects.get(number=number).status == "withdrawn"
    assert (wrong_states(), broken_links()) == ([], [])


def tried(act: Callable[[], Any]) -> Any:
    """Do an act that may be denied meanwhile."""
    try:
        return act()
    except PermissionDenied:
        return "denied"
