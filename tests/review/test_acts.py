"""Publish, withdraw, merge, archive and restore in the browser: asked first, done by POST, refused in words."""

from __future__ import annotations

import pytest
from django.test import Client

from cases.models import Case, Edition
from review import workflow
from review.models import Manuscript, Revision
from tests.cases.making import make_case

from .making import changed, make_draft, make_publisher, make_writer

pytestmark = pytest.mark.django_db


@pytest.fixture
def publisher(client: Client) -> Client:
    client.force_login(make_publisher())
    return client


def address(number: int, act: str) -> str:
    return f"/desk/cases/IL-{number:04d}/{act}/"


def published() -> int:
    saved = make_draft()
    workflow.publish(make_publisher("first publisher"), saved.manuscript.number, 1, 1)
    return saved.manuscript.number


def test_publish_page_shows_the_first_edition_and_then_what_changes(publisher: Client) -> None:
    saved = make_draft()
    number = saved.manuscript.number
    assert "This is the first edition." in publisher.get(address(number, "publish")).content.decode()
    answer = publisher.post(address(number, "publish"), {"revision": 1, "head": 1, "note": "First"}, follow=True)
    assert "Edition 1 is public now." in answer.content.decode()
    assert publisher.get(f"/ko/cases/IL-{number:04d}/").status_code == 200
    workflow.save(make_writer("w2"), number, changed(saved.revision.document(), severity="major"), 1)
    assert "<ins>major</ins>" in publisher.get(address(number, "publish")).content.decode()


def test_publishing_what_has_changed_meanwhile_is_a_conflict(publisher: Client) -> None:
    saved = make_draft()
    number = saved.manuscript.number
    workflow.save(make_writer("w2"), number, changed(saved.revision.document(), severity="major"), 1)
    answer = publisher.post(address(number, "publish"), {"revision": 1, "head": 1})
    assert answer.status_code == 409
    assert "has changed since this page was opened" in answer.content.decode()
    assert not Edition.objects.exists()


def test_double_click_on_publish_makes_one_edition(publisher: Client) -> None:
    number = make_draft().manuscript.number
    told = {"revision": 1, "head": 1}
    assert publisher.post(address(number, "publish"), told).status_code == 302
    assert publisher.post(address(number, "publish"), told).status_code == 409
    assert Edition.objects.count() == 1


def test_publish_obstacles_are_said_before_and_after(publisher: Client) -> None:
    number = make_draft(summary={"en": "Only in English.", "ko": None}).manuscript.number
    assert "Korean is neither absent nor complete" in publisher.get(address(number, "publish")).content.decode()
    answer = publisher.post(address(number, "publish"), {"revision": 1, "head": 1})
    assert answer.status_code == 409
    assert "it lacks: summary" in answer.content.decode()


def test_withdrawn_address_answers_410_with_the_reason_until_it_is_put_back(publisher: Client) -> None:
    number = published()
    public = f"/ko/cases/IL-{number:04d}/"
    missing = publisher.post(address(number, "withdraw"), {"reason_en": " ", "reason_ko": ""})
    assert "a reason is needed" in missing.content.decode()
    assert publisher.post(address(number, "withdraw"), {"reason_ko": "장애가 아니었다."}).status_code == 302
    gone = publisher.get(public)
    assert gone.status_code == 410
    assert "장애가 아니었다." in gone.content.decode()
    assert publisher.get(f"{public}history/").status_code == 410
    assert publisher.get(f"{public}history/1/").status_code == 410
    assert publisher.post(address(number, "withdraw"), {"reason_ko": "다시"}).status_code == 409
    assert publisher.post(address(number, "undo-withdrawal"), {"reason": "It was one."}).status_code == 302
    assert publisher.get(public).status_code == 200


def test_merged_address_leads_to_the_other_case(publisher: Client) -> None:
    make_case(id="IL-0600")
    number = published()
    bad = publisher.post(address(number, "merge"), {"target": "600", "reason": "same"})
    assert "Write a case number such as IL-0560." in bad.content.decode()
    assert publisher.post(address(number, "merge"), {"target": "IL-0601", "reason": "same"}).status_code == 409
    assert publisher.post(address(number, "merge"), {"target": "il-0600", "reason": "same"}).status_code == 302
    assert publisher.get(f"/en/cases/IL-{number:04d}/")["Location"] == "/en/cases/IL-0600/"
    assert publisher.post(address(number, "undo-merge"), {"reason": "two"}).status_code == 302
    assert Case.objects.get(number=number).status == "published"


def test_archive_and_reopen(client: Client) -> None:
    client.force_login(make_writer())
    number = make_draft(make_writer("w2")).manuscript.number
    assert client.get(address(number, "archive")).status_code == 200
    assert client.post(address(number, "archive"), {"reason": "a duplicate"}).status_code == 302
    assert Manuscript.objects.get().archived_at is not None
    assert client.get(address(number, "archive")).status_code == 403
    assert client.post(address(number, "reopen"), {"reason": "needed"}).status_code == 302
    assert Manuscript.objects.get().archived_at is None


def test_restore_needs_the_base_and_makes_a_revision(client: Client) -> None:
    user = make_writer()
    saved = make_draft(user)
    number = saved.manuscript.number
    workflow.save(user, number, changed(saved.revision.document(), severity="major"), 1)
    client.force_login(user)
    assert client.post(address(number, "history/1/restore")).status_code == 428
    assert client.post(address(number, "history/1/restore"), {"base": "1"}).status_code == 409
    assert client.post(address(number, "history/9/restore"), {"base": "2"}).status_code == 409
    assert client.post(address(number, "history/1/restore"), {"base": "2"}).status_code == 302
    assert Revision.objects.get(number=3).document() == saved.revision.document()
    assert client.get(address(number, "history/1/restore")).status_code == 405


@pytest.mark.parametrize("act", ["publish", "withdraw", "undo-withdrawal", "merge", "undo-merge"])
def test_writer_is_refused_with_the_reason(client: Client, act: str) -> None:
    number = published()
    client.force_login(make_writer("w2"))
    answer = client.post(address(number, act), {"revision": 1, "head": 1, "reason": "x", "target": "IL-0001"})
    assert answer.status_code == 403
    assert "Only publishers" in answer.content.decode()
    assert Case.objects.get().status == "published"


@pytest.mark.parametrize("revision", ["", "x", "-1", "99999999999999999999", "1e3"])
def test_strange_revision_numbers_are_refused_in_the_form(publisher: Client, revision: str) -> None:
    number = make_draft().manuscript.number
    answer = publisher.post(address(number, "publish"), {"revision": revision, "head": "1"})
    assert answer.status_code == 200
    assert not Edition.objects.exists()
