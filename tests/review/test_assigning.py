"""Whose work a language is: who may say so, until when, and who is told."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from review import assignments, workflow
from review.log import broken_links
from review.models import Assignment, Event, Manuscript, Notice
from review.workflow import Seen
from tests.cases.making import make_case

from .making import make_administrator, make_draft, make_publisher, make_user, make_writer
from .test_review import approve, edit_text, reviewer, seen, state

pytestmark = pytest.mark.django_db
TODAY = timezone.now().date()


@pytest.fixture
def number() -> int:
    return make_draft().manuscript.number


def shown(number: int) -> Seen:
    """Say what a page opened now shows, whose work each language is included."""
    known, held = seen(number), assignments.of(Manuscript.objects.filter(number=number).first())
    of_nobody = {"en": 0, "ko": 0}
    return Seen(known.revision, known.decisions, of_nobody | {one: held[one].person_id for one in held})  # type: ignore[arg-type]  # en and ko


def assign(user: User, number: int, assignee: User, until: dt.date | None = None, **changes: Any) -> Assignment:
    return workflow.assign(user, number, "ko", changes.get("seen") or shown(number), assignee, until)


def whose(number: int) -> str:
    held = assignments.of(Manuscript.objects.get(number=number))
    return held["ko"].person.name if "ko" in held else ""


def test_a_publisher_assigns_and_the_person_is_told_and_gives_it_back(number: int) -> None:
    publisher, translator = make_publisher(), make_user("translator", translates="ko")
    assign(publisher, number, translator, TODAY)
    assert whose(number) == "translator"
    assert list(Notice.objects.values_list("user__username", "kind")) == [("translator", "assigned")]
    workflow.unassign(translator, number, "ko", shown(number))
    assert whose(number) == ""
    assert Notice.objects.count() == 1
    events = Event.objects.filter(language="ko").order_by("sequence")
    person = workflow.person_of(translator).pk
    assert list(events.values_list("verb", "about")) == [
        ("assigned", f"person {person}"),
        ("unassigned", f"person {person}"),
    ]
    assert broken_links() == []


def test_an_assignment_whose_day_is_over_counts_as_none(number: int) -> None:
    assign(make_publisher(), number, reviewer(), TODAY)
    Assignment.objects.update(until=TODAY - dt.timedelta(days=1))
    assert whose(number) == ""
    with pytest.raises(workflow.Refused, match="nobody's work"):
        workflow.unassign(User.objects.get(username="publisher"), number, "ko", shown(number))
    assign(make_user("translator", translates="ko"), number, User.objects.get(username="translator"))
    assert (whose(number), Assignment.objects.count()) == ("translator", 1)


@pytest.mark.parametrize(
    ("who", "may_take", "may_give"),
    [
        (lambda: make_writer("somebody"), True, False),
        (lambda: make_user("somebody", translates="ko"), True, False),
        (lambda: make_user("somebody", reviews="ko"), True, True),
        (lambda: make_user("somebody", reviews="en"), False, False),
        (lambda: make_publisher("somebody"), True, True),
        (lambda: make_administrator("somebody"), True, True),
    ],
)
def test_who_takes_and_who_gives(number: int, who: Any, *, may_take: bool, may_give: bool) -> None:
    user = who()
    for assignee, may in ((user, may_take), (reviewer(), may_give)):
        if may:
            assign(user, number, assignee)
            assert whose(number) == assignee.username
        else:
            with pytest.raises(PermissionDenied):
                assign(user, number, assignee)
    if not may_give:
        assign(reviewer(), number, reviewer("other"))
        with pytest.raises(PermissionDenied):
            workflow.unassign(user, number, "ko", shown(number))


def test_it_is_given_to_who_can_do_something_with_it_and_for_a_day_to_come(number: int) -> None:
    publisher = make_publisher()
    gone = make_user("gone", reviews="ko")
    gone.is_active = False
    gone.save()
    for nobody in (make_user("english", reviews="en", translates="en"), make_user("without"), gone):
        with pytest.raises(workflow.Refused, match="no part in this language"):
            assign(publisher, number, nobody)
    with pytest.raises(workflow.Refused, match="day is over"):
        assign(publisher, number, reviewer(), TODAY - dt.timedelta(days=1))
    assign(publisher, number, reviewer())
    with pytest.raises(workflow.Refused, match="is so already"):
        assign(publisher, number, reviewer())
    assert Event.objects.filter(verb="assigned").count() == 1


def test_it_needs_what_the_page_showed(number: int) -> None:
    publisher, before = make_publisher(), shown(number)
    assign(publisher, number, reviewer())
    with pytest.raises(workflow.Conflict, match="Meanwhile this was assigned to: reviewer"):
        assign(make_writer("second"), number, User.objects.get(username="second"), seen=before)
    held = shown(number)
    workflow.unassign(publisher, number, "ko", held)
    with pytest.raises(workflow.Conflict, match="Meanwhile the assignment ended"):
        assign(publisher, number, reviewer("other"), seen=held)
    edit_text(number, User.objects.get(username="second"), "새 제목")
    with pytest.raises(workflow.Conflict, match="Revision 2"):
        assign(publisher, number, reviewer(), seen=before)
    with pytest.raises(workflow.NoBase):
        assign(publisher, number, reviewer(), seen=seen(number))
    assert whose(number) == ""


def test_it_changes_no_state_and_a_published_case_can_be_assigned(number: int) -> None:
    approve(number)
    assign(make_publisher(), number, reviewer())
    assert state(number) == "approved"
    unedited = make_case(id="IL-0561").number
    assign(User.objects.get(username="publisher"), unedited, reviewer())
    assert whose(unedited) == "reviewer"


def test_nobody_is_assigned_a_case_that_is_gone(number: int) -> None:
    publisher = make_publisher()
    workflow.publish(publisher, number, 1, 1)
    workflow.withdraw(publisher, number, {"en": "Wrong", "ko": None})
    with pytest.raises(PermissionDenied, match="withdrawn or merged"):
        assign(publisher, number, reviewer())
