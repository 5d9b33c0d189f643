"""Acts on many rows of the queue: each row by itself, the same as one by one, and the reason for each that was not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client

from cases.models import Case, LanguageVersion, Person
from review import bulk, workflow
from review.assignments import of
from review.log import broken_links
from review.models import Decision, Event, Manuscript, Notice
from tests.cases.making import make_case

from .making import make_draft, make_publisher, make_user, make_writer
from .test_review import approve, edit, edit_text, reviewer, state, submit
from .test_reviewing import page, signed_in

pytestmark = pytest.mark.django_db
ROW = re.compile(r'name="row" value="([^"]*)"')


def drafts(count: int) -> list[int]:
    writer = make_writer()
    return [make_draft(writer).manuscript.number for _ in range(count)]


def rows(client: Client, slug: str) -> list[str]:
    """Return the rows of a list as the page has them now."""
    _before, _heading, rest = page(client, "/desk/queue/").partition(f'<h2 id="{slug}">')
    return ROW.findall(rest.split("<section")[0])


def post(client: Client, act: str, picked: list[str], **told: Any) -> str:
    answer = client.post("/desk/queue/bulk/", {"act": act, "row": picked, **told})
    assert answer.status_code == 200
    return answer.content.decode()


def done(number: int) -> Any:
    return Event.objects.filter(number=number, verb="approved")


def traces(number: int) -> Any:
    """Return what an approval leaves behind, but for the case and the time."""
    told = Notice.objects.filter(number=number).values_list("user", "kind").order_by("user", "kind")
    decisions = Decision.objects.filter(manuscript__number=number).values_list("verdict", "person")
    return list(done(number).values_list("person", "language", "revision_number")), list(told), list(decisions)


def test_approving_many_is_the_same_as_one_by_one() -> None:
    one, *many = drafts(3)
    for number in (one, *many):
        submit(number)
    client = signed_in(reviewer())
    approve(one)
    shown = post(client, "approve", rows(client, "review"), note="read all")
    assert "2 of 2 done" in shown
    assert {state(number) for number in (one, *many)} == {"approved"}

    assert traces(one) == traces(many[0]) == traces(many[1])
    batches = {number: set(done(number).values_list("batch", flat=True)) for number in (one, *many)}
    assert batches[one] == {""}
    assert batches[many[0]] == batches[many[1]] != {""}
    assert broken_links() == []


def test_rows_that_cannot_be_done_are_listed_and_stop_no_other() -> None:
    good, changed, own, decided = drafts(4)
    user = make_user("reviewer", "writer", writes="ko", reviews="ko")
    for number in (good, changed, own, decided):
        submit(number)
    client = signed_in(user)
    picked = rows(client, "review")
    edit_text(changed, make_writer("second"), "새 제목")
    approve(decided, reviewer("quick", "ko"))
    edit_text(own, user, "내 제목")
    picked[2] = re.sub(r":1:", ":2:", picked[2], count=1)
    shown = post(client, "approve", [*picked, "nonsense", "1:fr:1:0:0", "", picked[0], "999:ko:1:0:0"])
    assert "1 of 8 done" in shown
    assert "Revision 2 (second) is newer" in shown
    assert "You wrote in the Korean text" in shown
    assert "Meanwhile quick decided" in shown
    assert shown.count("This row cannot be read") == 3
    assert "There is no case IL-0999" in shown
    assert (state(good), state(changed), state(own)) == ("approved", "draft", "draft")
    assert Decision.objects.count() == 2


def test_publishing_many_leaves_out_the_incomplete_with_the_fields() -> None:
    numbers = drafts(10)
    for number in numbers[:2]:
        edit(number, User.objects.get(username="writer"), lessons={"en": "Only in English", "ko": None})
    client = signed_in(make_publisher())
    newest = {one.number: one.head.number for one in Manuscript.objects.select_related("head") if one.head}
    shown = post(client, "publish", [f"{number}::{newest[number]}:0:0" for number in numbers])
    assert "8 of 10 done" in shown
    assert shown.count("it lacks: lessons") == 2
    assert Case.objects.count() == 8
    assert len(rows(client, "ready")) == 0


def test_submitting_and_assigning_many() -> None:
    numbers = drafts(2)
    client, korean = signed_in(User.objects.get(username="writer")), reviewer("korean", "ko")
    assert "2 of 2 done" in post(client, "submit", [f"{number}:ko:1:0:0" for number in numbers])
    assert {state(number) for number in numbers} == {"in-review"}
    boss = signed_in(make_publisher())
    picked = rows(boss, "review")
    assert "2 of 2 done" in post(boss, "assign", picked, assignee=korean.pk, until="2999-12-31")
    held = [of(Manuscript.objects.get(number=number))["ko"] for number in numbers]
    assert {(one.person.name, str(one.until)) for one in held} == {("korean", "2999-12-31")}
    assert "0 of 2 done" in post(boss, "assign", picked, assignee=korean.pk)
    assert "Meanwhile this was assigned to: korean" in post(boss, "assign", picked, assignee=korean.pk)
    assert "Choose a person." in post(boss, "assign", rows(boss, "review"))
    assert "Only reviewers of the language and publishers" in post(client, "assign", picked, assignee=korean.pk)


def test_a_whole_case_is_not_the_text_of_a_language() -> None:
    [number] = drafts(1)
    for act in ("submit", "approve", "assign"):
        shown = post(signed_in(reviewer()), act, [f"{number}::1:0:0"], assignee=reviewer().pk)
        assert "This row is a whole case." in shown


def test_a_published_case_nobody_edited_is_approved_from_its_row() -> None:
    number = make_case().number
    client = signed_in(reviewer())
    assert "2 of 2 done" in post(client, "approve", rows(client, "public"))
    assert (state(number, "en"), state(number)) == ("approved", "approved")


def test_what_a_program_drafted_keeps_its_writer_and_gets_a_human_reviewer() -> None:
    program = make_user("program", "writer", writes="en ko")
    owner = workflow.person_of(make_user("owner"))
    Person.objects.create(name="Drafter", kind="agent", user=program, owner=owner)
    number = make_draft(program).manuscript.number
    workflow.publish(make_publisher(), number, 1, 1)
    client = signed_in(reviewer())
    post(client, "approve", rows(client, "public"))
    told = LanguageVersion.objects.get(language="ko")
    assert (str(told.written_by), str(told.reviewed_by), told.state) == ("Drafter", "reviewer", "approved")


def test_a_row_that_the_database_refuses_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = drafts(2)
    do = workflow.submit

    def failing(user: User, number: int, *told: Any) -> Any:
        if number == first:
            raise DatabaseError
        return do(user, number, *told)

    monkeypatch.setattr(workflow, "submit", failing)
    client = signed_in(User.objects.get(username="writer"))
    shown = post(client, "submit", [f"{number}:ko:1:0:0" for number in (first, second)])
    assert "1 of 2 done" in shown
    assert "The database did not take this." in shown
    assert (state(first), state(second)) == ("draft", "in-review")


def test_nothing_ticked_and_forged_orders() -> None:
    client = signed_in(reviewer())
    assert "No row was ticked" in post(client, "approve", [])
    for wrong in (
        {"act": "delete"},
        {"act": ""},
        {"act": "assign", "assignee": "999999"},
        {"act": "assign", "until": "tomorrow"},
        {"act": "approve", "note": "가" * 2001},
        {"act": "approve", "note": "a\x00b"},
    ):
        answer = client.post("/desk/queue/bulk/", {"row": "1:ko:1:0:0", **wrong})
        assert answer.status_code == 400
        assert "Nothing was changed." in answer.content.decode()
    assert client.get("/desk/queue/bulk/").status_code == 405


@pytest.mark.parametrize(
    "row", ["1:ko:1:0", "1:ko:1:0:0:0", "９:ko:1:0:0", "1:KO:1:0:0", "-1:ko:1:0:0", "9" * 10 + ":ko:1:0:0"]
)
def test_rows_are_read_strictly(row: str) -> None:
    assert bulk.read(row) is None
