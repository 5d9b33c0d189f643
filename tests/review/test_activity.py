"""The log for reading, by case and by person."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cases.models import Person
from review import comments, workflow
from review.comments import Place
from review.log import record
from review.models import Event
from tests.cases.making import make_case

from .making import changed, make_administrator, make_draft, make_publisher, make_writer

pytestmark = pytest.mark.django_db
CASE = "/desk/cases/IL-0001/activity/"


@pytest.fixture
def writer() -> User:
    return make_writer()


@pytest.fixture
def draft(writer: User) -> workflow.Saved:
    return make_draft(writer)


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer
    return answer.content.decode()


def person_page(user: User) -> str:
    return f"/desk/people/{user.pk}/activity/"


def test_a_case_tells_what_happened_with_links(client: Client, draft: workflow.Saved, writer: User) -> None:
    document = changed(draft.revision.document(), severity="major")
    workflow.save(writer, 1, document, 1, "a <b>reason</b>")
    thread = comments.open_thread(writer, 1, Place("summary.en", "en"), "Why?")
    workflow.publish(make_publisher(), 1, 2, 2)
    client.force_login(writer)
    shown = page(client, CASE)
    assert "/desk/cases/IL-0001/history/1/2/" in shown
    assert f"/desk/cases/IL-0001/comments/#thread-{thread.pk}" in shown
    assert person_page(writer) in shown
    assert "edition 1" in shown
    assert "a &lt;b&gt;reason" in shown
    assert shown.index("published") < shown.index("created the case")
    assert "All activity" in page(client, "/desk/cases/IL-0001/")


def test_a_person_tells_what_they_did(client: Client, draft: workflow.Saved, writer: User) -> None:
    client.force_login(make_publisher())
    workflow.publish(make_publisher("second"), 1, 1, 1)
    shown = page(client, person_page(writer))
    assert "Activity of writer" in shown
    assert 'href="/desk/cases/IL-0001/"' in shown
    assert "published" not in shown
    assert draft.is_new


def test_acts_on_people_are_for_administrators_and_oneself(client: Client, writer: User) -> None:
    administrator = make_administrator()
    record(workflow.person_of(administrator), Event.Verb.INVITED, about="minji", note="a note on minji")
    client.force_login(writer)
    assert "Nothing was done under this name yet." in page(client, person_page(administrator))
    client.force_login(administrator)
    assert "a note on minji" in page(client, person_page(administrator))
    client.force_login(make_administrator("other"))
    assert "invited a person" in page(client, person_page(administrator))


def test_names_without_an_account_are_no_links(client: Client, draft: workflow.Saved, writer: User) -> None:
    record(Person.objects.create(name="Old Author"), Event.Verb.TOOK_IN, number=1, channel="command")
    client.force_login(writer)
    shown = page(client, CASE)
    assert "<strong>Old Author</strong> " in shown
    assert "· command" in shown
    assert draft.is_new


def test_nothing_and_nobody(client: Client, writer: User) -> None:
    make_case()
    client.force_login(writer)
    assert "Nobody has worked on this case" in page(client, "/desk/cases/IL-0561/activity/")
    page(client, "/desk/cases/IL-0999/activity/", 404)
    page(client, "/desk/people/999999/activity/", 404)
    assert client.post(person_page(writer)).status_code == 405


def test_long_logs_are_paged_at_the_same_cost(
    client: Client, draft: workflow.Saved, writer: User, django_assert_max_num_queries: Any
) -> None:
    person = workflow.person_of(writer)
    for position in range(60):
        record(person, Event.Verb.SAVED, number=1, note=f"note {position}.")
    client.force_login(writer)
    for address in (CASE, person_page(writer)):
        with django_assert_max_num_queries(14):
            shown = page(client, address)
        assert "note 59." in shown
        assert "note 9." not in shown
        assert "note 9." in page(client, f"{address}?page=2")
    assert "note 9." in page(client, f"{CASE}?page=99999999999999999999")
    assert draft.is_new
