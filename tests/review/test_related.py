"""Choosing related cases on the desk: who may, what is asked, what is logged, and what a stale page gets."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cases import pairings
from cases.models import Pairing
from cases.publishing import withdraw
from review import workflow
from review.log import broken_links
from review.models import Event
from tests.cases.test_similarity import make, numbers_near

from .making import make_draft, make_publisher, make_writer

pytestmark = pytest.mark.django_db

ADDRESS = "/desk/cases/IL-0001/related/"
TOLD: dict[str, Any] = {
    "other": "il-0003",
    "verdict": "pin",
    "note_en": "The same  pager rule.",
    "note_ko": "",
    "seen": "",
}


@pytest.fixture(autouse=True)
def library() -> None:
    make(1, components=["dns"])
    make(2, components=["dns"], title={"en": "Names were not found", "ko": None})
    make(3, title={"en": "Pages to nobody", "ko": None})


@pytest.fixture
def publisher(client: Client) -> Client:
    client.force_login(make_publisher())
    return client


def test_a_publisher_pins_a_case_and_readers_see_it(publisher: Client) -> None:
    page = publisher.get(ADDRESS).content.decode()
    assert "Names were not found" in page
    assert "Nothing is chosen yet." in page
    answer = publisher.post(ADDRESS, TOLD, follow=True).content.decode()
    assert "Readers see it from now on" in answer
    assert "The same pager rule." in answer
    assert numbers_near(1) == [3, 2]
    assert "The same pager rule." in publisher.get("/en/cases/IL-0003/").content.decode()


def test_a_similar_case_is_kept_apart_and_put_back(publisher: Client) -> None:
    publisher.post(ADDRESS, {**TOLD, "other": "IL-0002", "verdict": "veto", "note_ko": "낱말만 같다."})
    assert (numbers_near(1), numbers_near(2)) == ([], [])
    form = publisher.get(f"{ADDRESS}?other=IL-0002").context["form"]
    assert (form["verdict"].value(), form["note_ko"].value(), form["seen"].value()) == ("veto", "낱말만 같다.", "veto")
    answer = publisher.post(f"{ADDRESS}unpair/", {"other": "IL-0002", "seen": "veto"}, follow=True)
    assert "The choice is taken back." in answer.content.decode()
    assert numbers_near(1) == [2]


def test_each_step_is_logged_with_the_other_case(publisher: Client) -> None:
    publisher.post(ADDRESS, TOLD)
    publisher.post(ADDRESS, {**TOLD, "verdict": "veto", "seen": "pin"})
    publisher.post(f"{ADDRESS}unpair/", {"other": "IL-0003", "seen": "veto"})
    events = Event.objects.order_by("sequence").values_list("verb", "number", "about", "person__name")
    assert [event[:3] for event in events] == [
        ("pinned", 1, "IL-0003"),
        ("kept-apart", 1, "IL-0003"),
        ("unpaired", 1, "IL-0003"),
    ]
    assert broken_links() == []
    page = publisher.get("/desk/cases/IL-0001/").content.decode()
    assert "IL-0003: The same pager rule." in page
    assert f'href="{ADDRESS}"' in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"note_en": " "}, "a note is needed"),
        ({"other": "560"}, "Write a case number such as IL-0560."),
        ({"other": ""}, "This field is required."),
        ({"verdict": "best"}, "Select a valid choice"),
        ({"note_en": "x" * 301}, "at most 300 characters"),
        ({"note_en": "a\u202eb"}, "turns the direction of writing"),
    ],
)
def test_what_is_missing_or_wrong_is_said_at_the_form(publisher: Client, changes: dict[str, str], words: str) -> None:
    answer = publisher.post(ADDRESS, TOLD | changes)
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert not Pairing.objects.exists()


def test_the_act_itself_asks_for_a_note() -> None:
    with pytest.raises(workflow.Refused, match="a note is needed"):
        workflow.pair(make_publisher(), 1, 3, Pairing.Verdict.PIN, {"en": None, "ko": None}, "")


@pytest.mark.parametrize("other", ["IL-0001", "IL-0099", "IL-9001"])
def test_a_case_that_cannot_stand_beside_is_refused_in_words(publisher: Client, other: str) -> None:
    make(9001, example=True)
    answer = publisher.post(ADDRESS, TOLD | {"other": other})
    assert answer.status_code == 409
    assert "Both cases must be public" in answer.content.decode()
    assert not Event.objects.exists()


def test_a_stale_page_undoes_nobodys_decision(publisher: Client) -> None:
    pairings.pair(1, 3, Pairing.Verdict.VETO, {"en": "Somebody else's word.", "ko": None})
    for address, told in ((ADDRESS, TOLD), (f"{ADDRESS}unpair/", {"other": "IL-0003", "seen": "pin"})):
        answer = publisher.post(address, told)
        assert answer.status_code == 409
        assert "Somebody else has decided" in answer.content.decode()
    assert Pairing.objects.get().note_en == "Somebody else's word."
    assert not Event.objects.exists()


def test_a_choice_of_a_case_that_left_can_be_taken_back(publisher: Client) -> None:
    publisher.post(ADDRESS, TOLD)
    withdraw(3, {"en": "Wrong.", "ko": None})
    assert "Not public now" in publisher.get(ADDRESS).content.decode()
    assert publisher.post(f"{ADDRESS}unpair/", {"other": "IL-0003", "seen": "pin"}).status_code == 302
    assert not Pairing.objects.exists()


def test_a_case_that_readers_do_not_see_has_no_such_page(publisher: Client) -> None:
    draft = make_draft().manuscript.id_text
    withdraw(2, {"en": "Wrong.", "ko": None})
    for number in (draft, "IL-0002", "IL-0099", "x"):
        assert publisher.get(f"/desk/cases/{number}/related/").status_code == 404
    assert publisher.get(f"{ADDRESS}?other=x").context["form"].initial == {}


def test_a_writer_is_refused_with_the_reason(client: Client) -> None:
    client.force_login(make_writer())
    assert "Only publishers choose related cases." in client.post(ADDRESS, TOLD).content.decode()
    assert client.post(f"{ADDRESS}unpair/", {"other": "IL-0003", "seen": ""}).status_code == 403
    assert not Pairing.objects.exists()


def test_the_page_speaks_korean(publisher: Client) -> None:
    page = publisher.get(ADDRESS, headers={"accept-language": "ko"}).content.decode()
    assert "관련 사례" in page
    assert "공통 dns" in page
