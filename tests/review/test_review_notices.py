"""Who is told of a review: asked for, decided, fallen behind."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from cases.models import LanguageVersion, Person
from review import notice_mail, workflow
from review.models import Decision, LanguageRole, Manuscript, Notice
from review.notice_words import address, sentence
from tests.cases.making import make_case

from .making import make_draft, make_publisher, make_user, make_writer
from .test_assigning import assign
from .test_review import approve, edit, edit_text, reviewer, seen, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def number() -> int:
    return make_draft().manuscript.number


def told(kind: str) -> list[str]:
    """Return who was told of this kind, in the order of time."""
    return list(Notice.objects.filter(kind=kind).order_by("pk").values_list("user__username", flat=True))


def test_a_submission_asks_the_reviewers_who_did_not_write(number: int) -> None:
    first, _other = reviewer("first"), reviewer("other", "ko")
    reviewer("english", "en")
    edit_text(number, reviewer("wrote"), "새 제목")
    submit(number, first)
    assert told("review-wanted") == ["other"], "not who asks, not who wrote, not who reads the other language"
    notice = Notice.objects.get(kind="review-wanted")
    assert (notice.event.verb, notice.event.language) == ("submitted", "ko")
    workflow.withdraw_submission(first, number, "ko", seen(number))
    assert told("review-wanted") == ["other"]


def test_a_submission_of_an_assigned_text_asks_only_its_reviewer(number: int) -> None:
    first, _second = reviewer("first"), reviewer("second")
    assign(make_publisher(), number, first)
    submit(number)
    assert told("review-wanted") == ["first"]


def test_a_text_assigned_to_somebody_who_left_asks_the_other_reviewers(number: int) -> None:
    gone = reviewer("gone")
    assign(make_publisher(), number, gone)
    reviewer("here")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    submit(number)
    assert told("review-wanted") == ["here"]


def test_a_text_assigned_to_who_writes_it_still_asks_the_reviewers(number: int) -> None:
    writer = User.objects.get(username="writer")
    assign(writer, number, writer)
    reviewer("first")
    submit(number)
    assert told("review-wanted") == ["first"]


def test_what_was_approved_is_not_counted_as_written(number: int) -> None:
    wrote = reviewer("wrote")
    edit_text(number, wrote, "새 제목")
    approve(number, reviewer("first"))
    edit_text(number, make_writer("second"), "더 새 제목")
    submit(number)
    assert told("review-wanted") == ["wrote", "first"]


def decisions(number: int) -> list[tuple[str, Callable[[], Any]]]:
    other = reviewer("other")
    return [
        ("requested-changes", lambda: workflow.request_changes(reviewer(), number, "ko", seen(number), "no")),
        ("approved", lambda: approve_corrected(number)),
        ("requested-changes", lambda: workflow.request_changes(other, number, "ko", seen(number), "no")),
    ]


def approve_corrected(number: int) -> None:
    edit_text(number, make_writer("second"), "고친 제목")
    approve(number)


def test_each_decision_tells_authors_and_who_submitted_every_time(number: int) -> None:
    submit(number, make_user("translator", translates="ko"))
    for verb, act in decisions(number):
        Notice.objects.all().delete()
        act()
        people = {"writer", "translator"} | ({"second"} if Decision.objects.count() > 1 else set())
        assert set(told("decision")) == people
        assert {notice.event.verb for notice in Notice.objects.filter(kind="decision")} == {verb}


def test_notices_say_what_was_decided_each_kind_by_itself(number: int) -> None:
    approve(number)
    workflow.withdraw_approval(reviewer(), number, "ko", seen(number), "no")
    submit(number)
    workflow.request_changes(reviewer(), number, "ko", seen(number), "no")
    found = Notice.objects.filter(kind="decision", user__username="writer").order_by("pk")
    assert [sentence(notice) for notice in found] == [
        "reviewer approved IL-0001 (Korean)",
        "reviewer withdrew the approval of IL-0001 (Korean)",
        "reviewer asks for changes to IL-0001 (Korean)",
    ]


def test_who_decides_is_not_told_even_as_an_author(number: int) -> None:
    writes = reviewer("writes")
    edit_text(number, writes, "새 제목", "en")
    approve(number, writes, "ko")
    assert told("decision") == ["writer"]
    Notice.objects.all().delete()
    workflow.withdraw_approval(make_publisher(), number, "ko", seen(number), "no")
    assert told("decision") == ["writer"]


def test_an_edit_tells_the_last_translator_and_the_last_reviewer_of_the_other_language(number: int) -> None:
    edit_text(number, make_user("translator", translates="ko"), "옮긴 제목")
    approve(number)
    edit_text(number, make_writer("second"), "Another title", "en")
    assert set(told("became-stale")) == {"translator", "reviewer"}
    edit_text(number, User.objects.get(username="second"), "Yet another title", "en")
    assert len(told("became-stale")) == 2, "it was stale already"
    assert "writer" not in told("became-stale")


def test_a_fact_makes_both_stale_and_tells_each_person_once(number: int) -> None:
    approve(number, None, "en", "ko")
    edit(number, make_writer("second"), severity="major")
    assert sorted(told("became-stale")) == ["reviewer", "writer"]
    assert told("saved") == []
    for notice in Notice.objects.filter(kind="became-stale"):
        assert sentence(notice) == "Both texts of IL-0001 are out of date: second changed what they rest on"
        assert address(notice) == "/desk/cases/IL-0001/"


def test_notice_names_the_language_that_is_out_of_date_and_leads_to_its_review(
    number: int, client: Client, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    translator = make_user("translator", translates="ko")
    edit_text(number, translator, "옮긴 제목")
    approve(number)
    User.objects.filter(pk=translator.pk).update(email="translator@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        edit_text(number, make_writer("second"), "Another title", "en")
    notice = Notice.objects.get(kind="became-stale", user=translator)
    english = "The Korean text of IL-0001 is out of date: second changed what it rests on"
    korean = "IL-0001: second 님이 바탕이 되는 내용을 바꿔 한국어 글이 최신이 아닙니다"
    assert sentence(notice) == english
    with translation.override("ko"):
        assert sentence(notice) == korean
    for thread in threading.enumerate():
        if thread.name == notice_mail.THREAD:
            thread.join()
    assert [mail.to for mail in mailoutbox] == [["translator@example.org"]]
    assert mailoutbox[0].subject == f"{english} · {korean}"
    assert f"{settings.SITE_URL}/desk/cases/IL-0001/review/ko/" in mailoutbox[0].body
    client.force_login(translator)
    assert english in client.get("/desk/inbox/").content.decode()
    answer = client.post(f"/desk/inbox/{notice.pk}/open/")
    assert answer["Location"] == "/desk/cases/IL-0001/review/ko/"


def test_notices_about_other_languages_are_not_counted_together(number: int) -> None:
    approve(number, None, "en", "ko")
    second = make_writer("second")
    edit(number, second, severity="major")
    edit(number, second, severity="minor")
    approve(number, None, "en")
    edit(number, second, severity="major")
    found = Notice.objects.filter(kind="became-stale", user__username="writer").order_by("pk")
    assert [(notice.languages, notice.count) for notice in found] == [(["en", "ko"], 1), (["en"], 1)]


def test_restoring_makes_stale_too_and_the_actor_is_not_told(number: int) -> None:
    edit(number, User.objects.get(username="writer"), severity="major")
    approve(number)
    workflow.restore(User.objects.get(username="writer"), number, 1, 2)
    assert told("became-stale") == ["reviewer"]


def test_who_lost_the_role_is_not_told(number: int) -> None:
    approve(number)
    LanguageRole.objects.filter(user=reviewer()).delete()
    edit(number, make_writer("second"), severity="major")
    assert told("became-stale") == ["writer"]


def test_an_import_over_an_approved_text_tells_them(tmp_path: Any) -> None:
    number = make_case().number
    LanguageVersion.objects.update(written_by=Person.objects.create(name="Elsewhere"))
    edit_text(number, make_writer(), "우리 제목")
    approve(number)
    workflow.publish(make_publisher(), number, 2, 2)
    found = workflow.current(number)
    assert found is not None
    raw = json.loads(found.document.text()) | {"severity": "major", "review": {"written_by": "Elsewhere"}}
    (tmp_path / "case.json").write_text(json.dumps(raw), encoding="utf-8")
    call_command("import_cases", str(tmp_path / "case.json"))
    assert told("became-stale") == [], "nobody opened it yet"
    edit_text(number, make_writer("second"), "Another title", "en")
    assert set(told("became-stale")) == {"writer", "reviewer"}


def test_notices_of_a_review_lead_to_the_page_of_the_language(number: int, client: Client) -> None:
    client.force_login(reviewer("first"))
    submit(number)
    notice = Notice.objects.get(kind="review-wanted")
    answer = client.post(f"/desk/inbox/{notice.pk}/open/")
    assert answer["Location"] == f"/desk/cases/{Manuscript.objects.get().id_text}/review/ko/"
