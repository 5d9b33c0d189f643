"""Notices: who is told what, once, in the inbox and by mail, and never who did it."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from cases.models import Person
from review import comments, notice_mail, workflow
from review.comments import Place
from review.models import Event, LanguageRole, Notice, NoticePreference, Revision
from review.notices import notify

from .making import changed, make_draft, make_publisher, make_user, make_writer

pytestmark = pytest.mark.django_db
NUMBER = 1
Kind = Notice.Kind
Committing = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def writer() -> User:
    return reachable(make_writer())


@pytest.fixture
def draft(writer: User) -> workflow.Saved:
    return make_draft(writer)


@pytest.fixture
def jisu() -> User:
    return reachable(make_user("jisu", reviews="ko"))


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Committing) -> Callable[[Callable[[], Any]], Any]:
    """Do an act, let its transaction end, and wait until its mails are out."""

    def do(act: Callable[[], Any]) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            done = act()
        for thread in threading.enumerate():
            if thread.name == notice_mail.THREAD:
                thread.join()
        return done

    return do


def reachable(user: User) -> User:
    user.email = f"{user.username}@example.org"
    user.save()
    return user


def told(user: User) -> list[str]:
    return [notice.kind for notice in Notice.objects.filter(user=user).order_by("pk")]


def say(user: User, text: str = "Is this right?") -> Any:
    return comments.open_thread(user, NUMBER, Place("summary.en", "en"), text)


def save(user: User, base: int, **changes: Any) -> workflow.Saved:
    document = Revision.objects.get(manuscript__number=NUMBER, number=base).document()
    return workflow.save(user, NUMBER, changed(document, **changes), base)


def test_a_comment_tells_each_person_once_for_the_closest_reason(
    draft: workflow.Saved, writer: User, jisu: User
) -> None:
    minji = make_user("minji", translates="ko")
    thread = say(jisu, "@minji, what do you say? And @jisu?")
    assert (told(minji), told(writer), told(jisu)) == (["mention"], ["comment"], [])
    comments.reply(minji, thread, "@writer님 knows")
    assert told(writer) == ["comment", "mention"]
    assert (told(jisu), told(minji)) == (["reply"], ["mention"])
    comments.reply(writer, thread, "Yes.")
    assert (told(jisu), told(minji)) == (["reply", "reply"], ["mention", "reply"])
    assert draft.is_new


def test_saving_publishing_and_withdrawing_tell_who_wrote(draft: workflow.Saved, writer: User) -> None:
    korean = make_user("korean", translates="ko")
    save(korean, 1, title={"en": draft.revision.document().title.en, "ko": "새 제목이다"})
    assert (told(writer), told(korean)) == (["saved"], [])
    save(writer, 2, severity="major")
    assert told(korean) == [], "facts are nobody's text"
    publisher = make_publisher()
    workflow.publish(publisher, NUMBER, 3, 3)
    workflow.withdraw(publisher, NUMBER, {"en": "wrong", "ko": None})
    assert told(korean) == ["published", "withdrawn"]
    assert told(writer) == ["saved", "published", "withdrawn"]
    assert told(publisher) == []


def test_restoring_tells_whose_text_is_replaced(draft: workflow.Saved, writer: User) -> None:
    other = make_writer("other")
    save(other, 1, title={"en": "Another title", "ko": "다른 제목이다"})
    workflow.restore(writer, NUMBER, 1, 2)
    assert told(other) == ["saved"]
    assert draft.is_new


def test_only_people_who_may_still_read_are_told(draft: workflow.Saved, writer: User, jisu: User) -> None:
    writer.groups.clear()
    LanguageRole.objects.filter(user=writer).delete()
    say(jisu, "@writer")
    assert told(writer) == []
    gone = make_writer("gone")
    save(gone, 1, title={"en": "Another title", "ko": "다른 제목이다"})
    User.objects.filter(pk=gone.pk).update(is_active=False)
    say(jisu, "@gone")
    assert told(gone) == []
    assert draft.is_new


def test_what_a_program_wrote_is_told_to_its_owner(writer: User, jisu: User) -> None:
    program = Person.objects.create(name="Drafter", kind="agent", owner=workflow.person_of(writer))
    make_draft(writer)
    event = Event.objects.latest("sequence")
    notify([program], Kind.ASSIGNED, event)
    assert told(writer) == [], "the owner did it"
    say(jisu)
    notify([program, workflow.person_of(writer)], Kind.DECISION, Event.objects.latest("sequence"))
    assert told(writer) == ["comment"], "one for an event"
    person = workflow.person_of(make_user("robot", translates="ko"))
    person.kind, person.owner = "agent", workflow.person_of(writer)
    person.save()
    assert person.user is not None
    say(person.user, "from the program")
    assert told(writer) == ["comment"], "a program is its owner's hand"


def test_the_same_again_within_ten_minutes_counts_up(
    draft: workflow.Saved, writer: User, jisu: User, committed: Callable[..., Any]
) -> None:
    translator = make_user("translator", translates="ko")
    for base in (1, 2, 3):
        title = {"en": draft.revision.document().title.en, "ko": f"제목 {base}"}
        committed(lambda base=base, title=title: save(translator, base, title=title))
    notice = Notice.objects.get(user=writer)
    assert (notice.count, notice.event.revision_number) == (3, 4)
    assert len(mail.outbox) == 1
    Notice.objects.update(first_at=notice.first_at - dt.timedelta(minutes=11))
    save(translator, 4, title={"en": draft.revision.document().title.en, "ko": "제목 4"})
    assert Notice.objects.filter(user=writer).count() == 2
    assert told(jisu) == []


def test_two_people_send_back_and_both_are_told(draft: workflow.Saved, writer: User, jisu: User) -> None:
    thread = say(jisu)
    comments.reply(make_user("minji", reviews="ko"), thread, "I ask, too")
    assert told(writer) == ["comment", "comment"]
    assert draft.is_new


def test_mails_go_out_after_the_act_and_hold_no_text_of_it(
    draft: workflow.Saved, jisu: User, committed: Callable[..., Any]
) -> None:
    committed(lambda: say(jisu, "@writer A secret of the draft"))
    (letter,) = mail.outbox
    assert letter.to == ["writer@example.org"]
    assert letter.subject.startswith("jisu calls you in a comment on IL-0001 (English) · ")
    assert "http://127.0.0.1:8000/desk/cases/IL-0001/comments/#thread-" in letter.body
    assert "secret" not in letter.body
    assert Notice.objects.get().mailed_at is not None
    assert draft.is_new


def test_an_act_that_fails_tells_nobody(draft: workflow.Saved, writer: User, committed: Callable[..., Any]) -> None:
    with pytest.raises(workflow.Refused):
        committed(lambda: comments.open_thread(make_writer("o"), NUMBER, Place("no.such", "en"), "@writer"))
    assert (told(writer), mail.outbox) == ([], [])
    assert draft.is_new


def test_a_mail_server_that_is_down_stops_nothing(
    draft: workflow.Saved, writer: User, jisu: User, committed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_mail, "get_connection", down)
    committed(lambda: say(jisu))
    assert told(writer) == ["comment"]
    assert draft.is_new


def down() -> None:
    raise ConnectionRefusedError


@pytest.mark.parametrize(
    ("choice", "mails"),
    [
        ({"mail": "never"}, 0),
        ({"mail": "daily"}, 0),
        ({"mail": "at-once", "not_mailed": ["comment"]}, 0),
        ({"mail": "at-once", "language": "ko"}, 1),
    ],
)
def test_preferences_hold(
    draft: workflow.Saved,
    writer: User,
    jisu: User,
    committed: Callable[..., Any],
    choice: dict[str, Any],
    mails: int,
) -> None:
    NoticePreference.objects.create(user=writer, **choice)
    committed(lambda: say(jisu))
    assert len(mail.outbox) == mails
    assert told(writer) == ["comment"]
    assert not mails or "commented on" not in mail.outbox[0].subject or " · " not in mail.outbox[0].subject
    assert draft.is_new


def test_digests_hold_what_is_new_and_go_out_once(
    draft: workflow.Saved, writer: User, jisu: User, capsys: pytest.CaptureFixture[str]
) -> None:
    NoticePreference.objects.create(user=writer, mail="daily", language="en", not_mailed=["withdrawn"])
    NoticePreference.objects.create(user=jisu, mail="daily")
    thread = say(jisu)
    comments.reply(jisu, thread, "And @writer?")
    call_command("send_digests")
    (letter,) = mail.outbox
    assert letter.subject == "IncidentLib: 2 new notices"
    assert "jisu commented on IL-0001 (English)" in letter.body
    assert "jisu calls you" in letter.body
    call_command("send_digests")
    assert len(mail.outbox) == 1
    assert capsys.readouterr().out == "1 digests sent\n0 digests sent\n"
    assert draft.is_new


def test_a_digest_that_fails_is_tried_again(
    draft: workflow.Saved, writer: User, jisu: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    NoticePreference.objects.create(user=writer, mail="daily")
    say(jisu)
    with monkeypatch.context() as patched:
        patched.setattr(notice_mail, "get_connection", down)
        with pytest.raises(CommandError):
            call_command("send_digests")
    call_command("send_digests")
    assert len(mail.outbox) == 1
    assert draft.is_new


def test_a_digest_is_only_for_who_may_still_read(draft: workflow.Saved, writer: User, jisu: User) -> None:
    NoticePreference.objects.create(user=writer, mail="daily")
    say(jisu)
    writer.groups.clear()
    LanguageRole.objects.filter(user=writer).delete()
    call_command("send_digests")
    assert mail.outbox == []
    assert draft.is_new


# The pages


def test_the_inbox_shows_counts_opens_and_clears(
    client: Client, draft: workflow.Saved, writer: User, jisu: User
) -> None:
    thread = say(jisu)
    comments.reply(jisu, thread, "@writer?")
    client.force_login(writer)
    shown = client.get("/desk/inbox/").content.decode()
    assert "jisu commented on IL-0001 (English)" in shown
    assert 'class="unread-count">2<' in shown
    first = Notice.objects.filter(user=writer).earliest("pk")
    answer = client.post(f"/desk/inbox/{first.pk}/open/")
    assert answer["Location"] == f"/desk/cases/IL-0001/comments/#thread-{thread.pk}"
    assert 'class="unread-count">1<' in client.get("/desk/").content.decode()
    client.post("/desk/inbox/read-all/")
    shown = client.get("/desk/inbox/?page=7777777777777777777").content.decode()
    assert "unread-count" not in shown
    assert "jisu" in shown
    assert client.get("/desk/inbox/", headers={"accept-language": "ko"}).status_code == 200
    assert draft.is_new


def test_nobody_opens_the_notices_of_another(client: Client, draft: workflow.Saved, writer: User, jisu: User) -> None:
    say(jisu)
    client.force_login(jisu)
    notice = Notice.objects.get(user=writer)
    assert client.post(f"/desk/inbox/{notice.pk}/open/").status_code == 404
    client.post("/desk/inbox/read-all/")
    notice.refresh_from_db()
    assert notice.read_at is None
    assert "Nothing here yet." in client.get("/desk/inbox/").content.decode()
    assert client.get(f"/desk/inbox/{notice.pk}/open/").status_code == 405
    assert draft.is_new


def test_preferences_are_chosen_on_their_page(client: Client, writer: User) -> None:
    client.force_login(writer)
    page = "/desk/inbox/preferences/"
    assert 'value="at-once" required id="id_mail_0" checked' in " ".join(client.get(page).content.decode().split())
    answer = client.post(page, {"mail": "daily", "language": "ko", "mailed": ["mention", "reply"]})
    assert answer.status_code == 302
    kept = NoticePreference.objects.get(user=writer)
    assert (kept.mail, kept.language) == ("daily", "ko")
    assert set(Kind.values) - set(kept.not_mailed) == {"mention", "reply"}
    for wrong in ({}, {"mail": "hourly"}, {"mail": "daily", "mailed": ["gossip"]}, {"mail": "never", "language": "fr"}):
        assert client.post(page, wrong).status_code == 200
    kept.refresh_from_db()
    assert kept.mail == "daily"


def test_the_inbox_costs_the_same_however_much_is_in_it(
    client: Client, draft: workflow.Saved, writer: User, jisu: User, django_assert_max_num_queries: Any
) -> None:
    for position in range(12):
        say(jisu, f"comment {position}")
    client.force_login(writer)
    with django_assert_max_num_queries(10):
        client.get("/desk/inbox/")
    assert draft.is_new


def test_every_kind_has_words_and_a_place(client: Client, draft: workflow.Saved, jisu: User) -> None:
    event = Event.objects.latest("sequence")
    for kind in Kind:
        Notice.objects.filter(user=jisu).update(read_at=event.at)
        Notice.objects.create(
            user=jisu, kind=kind, event=Event.objects.create(**next_event(event)), actor=event.person,
            number=NUMBER, first_at=event.at, at=event.at, count=2,
            languages=["en", "ko"] if kind == Kind.BECAME_STALE else [],
        )  # fmt: skip
    client.force_login(jisu)
    assert client.get("/desk/inbox/").content.decode().count(", 2 times") == len(Kind)
    assert draft.is_new


def next_event(event: Event) -> dict[str, Any]:
    sequence = Event.objects.latest("sequence").sequence + 1
    return {
        "sequence": sequence, "at": event.at, "person": event.person, "verb": "approved", "hash": str(sequence),
        "previous_hash": "",
    }  # fmt: skip
