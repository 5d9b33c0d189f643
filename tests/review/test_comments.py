"""Comments: threads beside a text, who may resolve them, and what becomes of them when the text goes."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.test import Client

from cases.document import CaseDocument
from review import comments, workflow
from review.comment_forms import LONGEST_COMMENT
from review.comments import Place
from review.models import Comment, Event, Revision, Thread
from review.models.comments import blocking
from tests.cases.making import make_case

from .making import changed, draft_document, make_draft, make_publisher, make_user, make_writer

pytestmark = pytest.mark.django_db
NUMBER = 1
PAGE = "/desk/cases/IL-0001/comments/"


@pytest.fixture
def writer() -> User:
    return make_writer()


@pytest.fixture
def draft(writer: User) -> workflow.Saved:
    return make_draft(writer)


def korean_reviewer(name: str = "jisu") -> User:
    return make_user(name, reviews="ko")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def told(**changes: Any) -> dict[str, Any]:
    return {"path": "summary.en", "quote": "", "text": "What does this mean?", "language": "", "revision": 1} | changes


def page(client: Client, address: str = PAGE, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer
    return answer.content.decode()


def save(user: User, base: int, **changes: Any) -> workflow.Saved:
    document = Revision.objects.get(manuscript__number=NUMBER, number=base).document()
    return workflow.save(user, NUMBER, changed(document, **changes), base)


def first_words(document: CaseDocument) -> str:
    assert document.summary.en is not None
    return document.summary.en[5:25].strip()


def test_a_thread_is_begun_answered_and_resolved(draft: workflow.Saved, writer: User) -> None:
    quote = first_words(draft.revision.document())
    reader = signed_in(korean_reviewer())
    answer = reader.post(PAGE, told(quote=quote, text="Which one?\r\nThe first?", blocking="on"))
    thread = Thread.objects.get()
    assert answer["Location"] == f"{PAGE}#thread-{thread.pk}"
    assert (thread.path, thread.language, thread.quote, thread.blocking) == ("summary.en", "en", quote, True)
    assert thread.revision == draft.revision
    signed_in(writer).post(f"{PAGE}{thread.pk}/reply/", {f"reply-{thread.pk}-text": "The second."})
    assert [comment.text for comment in thread.comments.all()] == ["Which one?\nThe first?", "The second."]
    shown = page(signed_in(writer))
    assert f"<mark>{quote}</mark>" in shown
    assert "Which one?<br>The first?" in shown
    reader.post(f"{PAGE}{thread.pk}/resolve/")
    thread.refresh_from_db()
    assert thread.resolved_by is not None
    assert thread.resolved_by.user.username == "jisu"  # type: ignore[union-attr]
    verbs = [event.verb for event in Event.objects.order_by("sequence")]
    assert verbs[1:] == ["commented", "commented", "resolved-thread"]
    reader.post(f"{PAGE}{thread.pk}/take-up/")
    thread.refresh_from_db()
    assert thread.is_open


def test_a_question_about_english_stands_beside_the_korean_field(draft: workflow.Saved) -> None:
    client = signed_in(korean_reviewer())
    client.post(PAGE, told())
    assert draft.is_new
    for path in ("summary.en", "summary.ko", "summary"):
        assert "What does this mean?" in page(client, f"{PAGE}?path={path}&language=ko")
    assert "What does this mean?" not in page(client, f"{PAGE}?path=title.en")
    assert "What does this mean?" in page(client, "/desk/cases/IL-0001/")


def test_a_comment_on_an_item_and_on_the_case(draft: workflow.Saved, writer: User) -> None:
    uid = draft.revision.document().remediation[0].uid
    client = signed_in(writer)
    client.post(PAGE, told(path=f"remediation[{uid}]", text="Is this one fix or two?"))
    client.post(PAGE, told(path="", text="Is this our case at all?"))
    of_item, of_case = Thread.objects.order_by("pk")
    assert (of_item.language, of_case.language) == ("*", "*")
    assert "Is this one fix" in page(client, f"{PAGE}?path=remediation[{uid}].text.ko") or of_item.path
    save(writer, 1, severity="major")
    assert "text changed" not in page(client)


def test_blocking_threads_hold_up_their_language_only(draft: workflow.Saved, writer: User) -> None:
    english = comments.open_thread(writer, NUMBER, Place("summary.en", "en", blocking=True), "a")
    both = comments.open_thread(writer, NUMBER, Place("severity", "*", blocking=True), "b")
    comments.open_thread(writer, NUMBER, Place("summary.ko", "ko"), "c")
    manuscript = draft.manuscript
    assert blocking(manuscript, "en") == [english, both]
    assert blocking(manuscript, "ko") == [both]
    comments.resolve(writer, both)
    assert blocking(manuscript, "ko") == []
    comments.reopen(writer, both)
    assert blocking(manuscript, "ko") == [both]


def test_a_thread_outlives_its_text_and_still_blocks(draft: workflow.Saved, writer: User) -> None:
    uid = draft.revision.document().remediation[0].uid
    client = signed_in(korean_reviewer())
    client.post(PAGE, told(path=f"remediation[{uid}].text.ko", text="Wrong number", blocking="on"))
    client.post(PAGE, told(path="title.en", text="Too long"))
    assert "text changed since" not in page(client)
    save(writer, 1, remediation=[], title={"en": "A new title", "ko": "새 제목이다"})
    shown = page(client)
    assert shown.count("text changed since r1") == 2
    assert "Wrong number" in page(client, f"{PAGE}?path=remediation[{uid}].text.ko")
    assert [thread.path for thread in blocking(draft.manuscript, "ko")] == [f"remediation[{uid}].text.ko"]


def test_a_quotation_is_looked_for_where_it_stood(writer: User) -> None:
    make_draft(writer, summary={"en": "An error came. Then the error went.", "ko": "오류가 났다."})
    client = signed_in(writer)
    client.post(PAGE, told(quote="error came"))
    thread = Thread.objects.get()
    assert (thread.prefix, thread.suffix) == ("An ", ". Then the error went.")
    save(writer, 1, summary={"en": "An error came, at last. Then the error went.", "ko": "오류가 났다."})
    assert "text changed" not in page(client)
    save(writer, 2, summary={"en": "A fault came. Then an error came up again.", "ko": "오류가 났다."})
    assert "text changed since r1" in page(client)


def test_a_comment_never_touches_the_case(draft: workflow.Saved, writer: User) -> None:
    comments.open_thread(writer, NUMBER, Place("summary.en", "en", blocking=True), "a")
    assert not workflow.save(writer, NUMBER, draft.revision.document(), 1).is_new
    workflow.publish(make_publisher(), NUMBER, 1, 1)
    assert Revision.objects.count() == 1
    client = Client()
    assert "summary" not in [thread.path for thread in Thread.objects.all()]
    assert client.get("/en/cases/IL-0001/").status_code == 200


def test_a_published_case_that_nobody_edited_can_be_commented_on(writer: User) -> None:
    make_case()
    client = signed_in(writer)
    address = "/desk/cases/IL-0561/comments/"
    assert "Nobody has commented here yet." in page(client, address)
    client.post(address, told())
    assert Thread.objects.get().revision.number == 1
    assert "What does this mean?" in page(client, address)


@pytest.mark.parametrize(
    ("held", "may"),
    [
        ({"reviews": "ko"}, False),
        ({"reviews": "en"}, True),
        ({"translates": "en"}, False),
        ({"writes": "en ko"}, False),
    ],
)
def test_who_resolves_others_blocking_threads(draft: workflow.Saved, held: dict[str, str], *, may: bool) -> None:
    asker = make_user("asker", translates="ko")
    thread = comments.open_thread(asker, NUMBER, Place("summary.en", "en", blocking=True), "a")
    client = signed_in(make_user("other", **held))
    assert ("reviewer of its language" in page(client)) != may
    assert client.post(f"{PAGE}{thread.pk}/resolve/").status_code == (302 if may else 403)
    thread.refresh_from_db()
    assert thread.is_open != may
    assert draft.is_new


def test_own_threads_and_those_that_block_nothing_are_resolved_by_anybody(draft: workflow.Saved, writer: User) -> None:
    asker = make_user("asker", translates="ko")
    own = comments.open_thread(asker, NUMBER, Place("summary.en", "en", blocking=True), "a")
    open_to_all = comments.open_thread(asker, NUMBER, Place("title.en", "en"), "b")
    of_both = comments.open_thread(asker, NUMBER, Place(blocking=True), "c")
    assert comments.resolve(asker, own)
    assert comments.resolve(writer, open_to_all)
    with pytest.raises(PermissionDenied):
        comments.resolve(writer, of_both)
    assert comments.resolve(make_publisher(), of_both)
    assert not comments.resolve(asker, own), "a second click changes nothing and logs nothing"
    assert Event.objects.filter(verb=Event.Verb.RESOLVED_THREAD).count() == 3
    assert draft.is_new


def test_a_program_does_not_settle_somebodys_question(draft: workflow.Saved, writer: User) -> None:
    thread = comments.open_thread(writer, NUMBER, Place("summary.en", "en", blocking=True), "a")
    robot = make_user("robot", reviews="en")
    person = workflow.person_of(robot)
    person.kind = "agent"
    person.save()
    answer = signed_in(robot).post(f"{PAGE}{thread.pk}/resolve/")
    assert answer.status_code == 409
    assert blocking(draft.manuscript, "en") == [thread]


def test_an_archived_draft_takes_no_comment(draft: workflow.Saved, writer: User) -> None:
    workflow.archive(writer, NUMBER, "a duplicate")
    client = signed_in(writer)
    assert "This draft is archived." in page(client)
    assert client.post(PAGE, told()).status_code == 403
    assert not Thread.objects.exists()
    assert draft.is_new


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": "x" * 1_000_000}, f"at most {LONGEST_COMMENT} characters"),
        ({"text": "가" * (LONGEST_COMMENT + 1)}, "at most"),
        ({"text": "   "}, "This field is required"),
        ({"text": "a\x00b"}, "Null characters"),
        ({"text": "a\x1bb"}, "control character (U+001B)"),
        ({"text": "a\u202eb"}, "U+202E"),
        ({"path": "no.such.place"}, "no such place"),
        ({"path": "remediation[r-000000].text.en"}, "no such place"),
        ({"path": "x" * 5000}, "no such place"),
        ({"quote": "words that stand nowhere"}, "do not stand there"),
        ({"path": "", "quote": "words"}, "do not stand there"),
        ({"language": "fr"}, "valid choice"),
        ({"revision": "99"}, "no revision 99"),
        ({"revision": "-1"}, "greater than or equal"),
        ({"revision": "9" * 40}, "less than or equal"),
        ({"revision": "²"}, "whole number"),
    ],
)
def test_bad_input_is_refused_in_place(
    draft: workflow.Saved, writer: User, changes: dict[str, str], words: str
) -> None:
    answer = signed_in(writer).post(PAGE, told(**changes))
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert not Thread.objects.exists()
    assert draft.is_new


def test_a_bad_answer_is_shown_again_in_its_thread(draft: workflow.Saved, writer: User) -> None:
    thread = comments.open_thread(writer, NUMBER, Place("summary.en", "en"), "a")
    answer = signed_in(writer).post(f"{PAGE}{thread.pk}/reply/", {f"reply-{thread.pk}-text": "y" * 20_000})
    assert "at most 10000 characters" in answer.content.decode()
    assert "y" * 20_000 in answer.content.decode()
    assert Comment.objects.count() == 1
    assert draft.is_new


def test_a_thread_of_another_case_or_of_none_is_not_found(draft: workflow.Saved, writer: User) -> None:
    other = make_draft(make_writer("other")).manuscript.number
    thread = comments.open_thread(writer, other, Place(), "a")
    client = signed_in(writer)
    for act in ("reply", "resolve", "take-up"):
        for pk in (thread.pk, 999_999):
            assert client.post(f"{PAGE}{pk}/{act}/", {f"reply-{pk}-text": "x"}).status_code == 404
        assert client.get(f"{PAGE}{thread.pk}/{act}/").status_code == 405
    assert Comment.objects.count() == 1
    assert draft.is_new


def test_an_unknown_place_is_not_found_and_odd_pages_are_pages(draft: workflow.Saved, writer: User) -> None:
    client = signed_in(writer)
    for path in ("no.such", "%00", "summary.fr", "x" * 3000):
        page(client, f"{PAGE}?path={path}", 404)
    page(client, f"{PAGE}?page=99999999999999999999&language=xx&quote=%3Cscript%3E")
    page(client, "/desk/cases/IL-0999/comments/", 404)
    assert draft.is_new


def test_a_second_click_says_it_once(draft: workflow.Saved, writer: User) -> None:
    client = signed_in(writer)
    for _click in range(2):
        client.post(PAGE, told())
    thread = Thread.objects.get()
    for _click in range(2):
        client.post(f"{PAGE}{thread.pk}/reply/", {f"reply-{thread.pk}-text": "Indeed"})
    assert thread.comments.count() == 2
    assert draft.is_new


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/desk/cases/IL-0001/?a=1#x", "/desk/cases/IL-0001/?a=1"),
        ("https://evil.example/desk/", PAGE),
        ("//evil.example/desk/", PAGE),
        ("/desk/\\evil.example", "/desk/%5Cevil.example"),
        ("/accounts/logout/", PAGE),
    ],
)
def test_answers_lead_back_to_a_page_of_the_desk_only(
    draft: workflow.Saved, writer: User, asked: str, leads_to: str
) -> None:
    thread = comments.open_thread(writer, NUMBER, Place(), "a")
    answer = signed_in(writer).post(f"{PAGE}{thread.pk}/resolve/", {"next": asked})
    assert answer["Location"] == f"{leads_to}#thread-{thread.pk}"
    assert draft.is_new


def test_markup_in_a_comment_is_text(draft: workflow.Saved, writer: User) -> None:
    client = signed_in(writer)
    client.post(PAGE, told(text="<script>alert(1)</script> https://example.org/a"))
    for address in (PAGE, "/desk/cases/IL-0001/"):
        assert "<script>alert" not in page(client, address)
    assert 'href="https://example.org/a"' in page(client)
    assert draft.is_new


def test_calling_nobody_is_said(draft: workflow.Saved, writer: User) -> None:
    make_user("stranger")
    client = signed_in(writer)
    text = "@writer님, @ghost and @stranger: see me@example.org"
    shown = client.post(PAGE, told(text=text), follow=True).content.decode()
    assert "is called @ghost." in shown
    assert "is called @stranger." in shown
    assert "is called @writer" not in shown
    assert "is called @example" not in shown
    assert draft.is_new


def test_the_database_keeps_what_was_said(draft: workflow.Saved, writer: User) -> None:
    thread = comments.open_thread(writer, NUMBER, Place(), "a")
    for act in (
        lambda: Comment.objects.update(text="b"),
        lambda: Comment.objects.all().delete(),
        lambda: Thread.objects.update(blocking=True),
        lambda: Thread.objects.update(path="title.en"),
        lambda: Thread.objects.filter(pk=thread.pk)._raw_delete("default"),  # noqa: SLF001  (past Django's own refusal)
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()
    assert draft.is_new


def test_a_page_of_many_threads_costs_the_same(
    draft: workflow.Saved, writer: User, django_assert_max_num_queries: Any
) -> None:
    for position in range(30):
        comments.open_thread(writer, NUMBER, Place("summary.en", "en"), f"comment {position}")
    client = signed_in(writer)
    with django_assert_max_num_queries(18):
        shown = page(client)
    assert "comment 29" in shown
    assert "comment 3<" not in shown
    assert "comment 3<" in page(client, f"{PAGE}?page=2&path=summary.en")
    assert draft.is_new


def test_places_are_known(draft: workflow.Saved) -> None:
    document = draft_document()
    assert comments.is_place(document, "summary")
    assert comments.text_at(document, "") is None
    assert comments.text_at(document, "summary") == f"{document.summary.en}\n{document.summary.ko}"
    assert draft.is_new


def test_the_korean_page_is_korean(draft: workflow.Saved, writer: User) -> None:
    client = signed_in(writer)
    assert client.get(PAGE, headers={"accept-language": "ko"}).status_code == 200
    assert draft.is_new
