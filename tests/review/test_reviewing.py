"""The reviewer's page, the buttons on the page of a case, the queue and the table, through the door people use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cases.document import case_id
from cases.vocabulary import load_vocabulary
from review import assignments, comments, workflow
from review.models import Decision, Event, Manuscript
from tests.cases.making import make_case
from tests.undoing import undone

from .making import changed, make_administrator, make_draft, make_publisher, make_user, make_writer
from .test_review import approve, edit, edit_text, reviewer, seen, state, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def number() -> int:
    return make_draft().manuscript.number


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(number: int, act: str = "", language: str = "ko") -> str:
    return f"/desk/cases/{case_id(number)}/review/{language}/{act}"


def posted(number: int, verdict: str = "approve", **changes: Any) -> dict[str, Any]:
    """Return what the form of a page opened now posts."""
    shown = seen(number)
    told = {"revision": shown.revision, "decision_en": shown.decisions["en"], "decision_ko": shown.decisions["ko"]}
    return {**told, "verdict": verdict, "note": "a note", **changes}


def decide(client: Client, number: int, verdict: str = "approve", **changes: Any) -> Any:
    return client.post(address(number, "decide/"), posted(number, verdict, **changes))


def page(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def test_reviewer_reads_both_languages_and_decides_at_the_end(number: int) -> None:
    client = signed_in(reviewer())
    shown = page(client, address(number))
    document = make_draft(make_writer("other")).revision.document()
    assert str(document.summary.ko)[:20] in shown
    assert shown.index('value="approve"') > shown.index("All that readers will see")
    assert "Only an approval that other changes made stale can be reaffirmed." in shown
    answer = decide(client, number)
    assert answer.status_code == 302
    assert state(number) == "approved"
    assert "The case is not public yet" in page(client, answer.headers["Location"])


def test_page_shows_only_what_changed_since_the_approval(number: int) -> None:
    approve(number)
    edit_text(number, make_writer("second"), "Another title", "en")
    client = signed_in(reviewer())
    shown = page(client, address(number))
    assert "Another" in shown
    assert shown.count('<div class="review-row') == 1
    assert page(client, address(number) + "?all=1").count('<div class="review-row') > 10
    edit(number, User.objects.get(username="second"), severity="major")
    assert page(client, address(number)).count('<div class="review-row') == 2


def test_own_text_shows_the_reason_beside_the_disabled_button(number: int) -> None:
    edit_text(number, reviewer(), "내 제목")
    client = signed_in(reviewer())
    assert "You wrote in the Korean text since it was last approved." in page(client, address(number))
    answer = decide(client, number)
    assert answer.status_code == 403
    assert "You wrote in the Korean text" in answer.content.decode()


def test_both_languages_in_one_act(number: int) -> None:
    decide(signed_in(reviewer()), number, both="on")
    assert (state(number, "en"), state(number, "ko")) == ("approved", "approved")


def test_writer_submits_and_takes_back_on_the_page_of_the_case(number: int) -> None:
    client = signed_in(User.objects.get(username="writer"))
    here = f"/desk/cases/{Manuscript.objects.get().id_text}/"
    assert "Submit for review" in page(client, here)
    client.post(address(number, "submit/"), posted(number))
    assert state(number) == "in-review"
    assert "Take the submission back" in page(client, here)
    client.post(address(number, "withdraw-submission/"), posted(number))
    assert state(number) == "draft"
    stranger = signed_in(make_user("stranger", reviews="en"))
    assert "You do not write in Korean here." in page(stranger, here)


def test_note_of_the_reviewer_reaches_the_writer(number: int) -> None:
    submit(number)
    assert decide(signed_in(reviewer()), number, "request-changes", note="").status_code == 409
    decide(signed_in(reviewer()), number, "request-changes", note="제목이 어색하다")
    writer = signed_in(User.objects.get(username="writer"))
    assert "제목이 어색하다" in page(writer, f"/desk/cases/{Manuscript.objects.get().id_text}/")
    changes = page(writer, "/desk/queue/").split('<h2 id="changes">')[1].split("<section")[0]
    assert Manuscript.objects.get().id_text in changes


def test_published_case_nobody_edited_can_be_reviewed() -> None:
    number = make_case().number
    client = signed_in(reviewer())
    page(client, address(number))
    assert decide(client, number).status_code == 302
    assert state(number) == "approved"


def test_pages_in_korean(number: int) -> None:
    client = signed_in(reviewer())
    for path in (address(number), "/desk/queue/", "/desk/matrix/"):
        assert client.get(path, headers={"accept-language": "ko"}).status_code == 200


# Bad input


ROLES: dict[str, Callable[[], User]] = {
    "writer": lambda: make_writer("somebody"),
    "translator": lambda: make_user("somebody", translates="ko"),
    "reviewer of English": lambda: make_user("somebody", reviews="en"),
    "publisher": lambda: make_publisher("somebody"),
    "administrator": lambda: make_administrator("somebody"),
    "reviewer": lambda: make_user("somebody", reviews="ko"),
}
VERDICTS = ("approve", "reaffirm", "request-changes", "withdraw-approval")
ALLOWED = {
    ("reviewer", "draft"): {"approve"},
    ("reviewer", "in-review"): {"approve", "request-changes"},
    ("reviewer", "approved"): {"request-changes", "withdraw-approval"},
    ("reviewer", "stale"): {"approve", "reaffirm", "request-changes", "withdraw-approval"},
    ("publisher", "approved"): {"withdraw-approval"},
    ("publisher", "stale"): {"withdraw-approval"},
    ("administrator", "approved"): {"withdraw-approval"},
    ("administrator", "stale"): {"withdraw-approval"},
}


def bring_to(number: int, name: str) -> None:
    user = User.objects.get(username="writer")
    if name in {"in-review", "changes-requested"}:
        submit(number)
    if name == "changes-requested":
        workflow.request_changes(reviewer(), number, "ko", seen(number), "no")
    if name in {"approved", "stale"}:
        approve(number)
    if name == "stale":
        edit_text(number, user, "Another title", "en")
    if name == "missing":
        document = workflow.current(number).document  # type: ignore[union-attr]  # it exists
        title = json.loads(document.text())["title"]
        workflow.save(user, number, changed(document, title={**title, "ko": None}), 1)
    assert state(number) == name


@pytest.mark.parametrize("name", ["missing", "draft", "in-review", "changes-requested", "approved", "stale"])
def test_every_transition_by_every_role(number: int, name: str, subtests: pytest.Subtests) -> None:
    bring_to(number, name)
    path, told = address(number, "decide/"), posted(number)
    for role, make in ROLES.items():
        with subtests.test(role=role), undone():
            tries_to_decide(signed_in(make()), path, told, ALLOWED.get((role, name), set()))


def tries_to_decide(client: Client, path: str, told: dict[str, Any], allowed: set[str]) -> None:
    """Have somebody try what is refused to them, then the first of what is allowed."""
    before = (Decision.objects.count(), Event.objects.count())
    for verdict in VERDICTS:
        if verdict in allowed:
            continue
        answer = client.post(path, {**told, "verdict": verdict})
        assert answer.status_code == 403, verdict
        assert 'class="number">403' in answer.content.decode(), verdict
    assert (Decision.objects.count(), Event.objects.count()) == before
    for verdict in sorted(allowed)[:1]:
        assert client.post(path, {**told, "verdict": verdict}).status_code == 302, verdict


FORGED: list[tuple[dict[str, Any], int]] = [
    ({"revision": 99}, 409),
    ({"revision": ""}, 428),
    ({"revision": "r1"}, 400),
    ({"revision": "99999999999999999999999"}, 400),
    ({"revision": "-1"}, 400),
    ({"decision_ko": 999_999}, 409),
    ({"decision_ko": ""}, 428),
    ({"decision_ko": "1' OR 1=1"}, 400),
    ({"decision_ko": "9" * 30}, 400),
    ({"verdict": "publish"}, 400),
    ({"verdict": ""}, 400),
    ({"note": "가" * 3000}, 400),
    ({"note": "a\x00b"}, 400),
    ({"override": "because"}, 302),
]


def test_stale_and_forged_posts_are_refused_with_the_reason(number: int, subtests: pytest.Subtests) -> None:
    client, path, told = signed_in(reviewer()), address(number, "decide/"), posted(number)
    for changes, status in FORGED:
        with subtests.test(**changes), undone():
            answer = client.post(path, {**told, **changes})
            assert answer.status_code == status
            assert Decision.objects.exists() == (status == 302)
            assert status == 302 or "Nothing was changed." in answer.content.decode()


def test_double_click_decides_once(number: int) -> None:
    client, form = signed_in(reviewer()), posted(number)
    assert [client.post(address(number, "decide/"), form).status_code for _ in range(2)] == [302, 409]
    assert Decision.objects.count() == 1


def test_decision_on_a_withdrawn_case(number: int) -> None:
    workflow.publish(make_publisher(), number, 1, 1)
    workflow.withdraw(User.objects.get(username="publisher"), number, {"en": "Wrong", "ko": None})
    client = signed_in(reviewer())
    assert "withdrawn or merged" in page(client, address(number))
    assert decide(client, number).status_code == 403


@pytest.mark.parametrize("act", ["", "decide/", "submit/", "withdraw-submission/"])
def test_unknown_language_or_case_is_not_found(number: int, act: str) -> None:
    client = signed_in(reviewer())
    send = client.post if act else client.get
    for language in ("fr", "EN", "k"):
        assert send(address(number, act, language)).status_code == 404, language
    assert send(f"/desk/cases/IL-0999/review/ko/{act}").status_code == 404


def test_after_a_request_for_changes_only_the_change_is_read_after_a_withdrawal_all(number: int) -> None:
    approve(number)
    workflow.request_changes(reviewer(), number, "ko", seen(number), "no")
    edit_text(number, make_writer("second"), "고친 제목")
    client = signed_in(reviewer())
    assert page(client, address(number)).count('<div class="review-row') == 1
    approve(number)
    workflow.withdraw_approval(reviewer(), number, "ko", seen(number), "no")
    assert page(client, address(number)).count('<div class="review-row') > 10


def test_values_are_words_and_show_no_uid(number: int) -> None:
    load_vocabulary()
    shown = page(signed_in(reviewer()), address(number)).split('<section aria-labelledby="read">')[1]
    told, sources = shown.split('<section aria-labelledby="sources">')[:2]
    visible = re.sub(r"<[^>]*>", " ", told)
    assert "official-status" not in visible
    assert "Official status page" in visible
    assert not re.search(r"\b[a-z]-[a-z2-7]{6}\b", visible), "no uid"
    assert 'id="source-' in sources


def test_quotations_stand_beside_the_field_they_support(number: int) -> None:
    document = workflow.current(number).document  # type: ignore[union-attr]  # it exists
    claim = document.claims[0] if document.claims else None
    source = document.sources[0].uid
    raw = {"uid": "c-qqqqqq", "path": "summary", "language": None, "anchor": None, "source": source}
    rest = {"quote": "It was all our fault.", "prefix": None, "suffix": None, "basis": "stated"}
    edit(number, make_writer("second"), claims=[{**raw, **rest, "value": None, "chosen": True, "note": None}])
    rows = page(signed_in(reviewer()), address(number)).split('<div class="review-row')
    assert [row for row in rows if "It was all our fault." in row and 'data-place="summary.ko"' in row]
    assert sum("It was all our fault." in row for row in rows) == 1
    assert claim is None or claim.quote not in rows[1]


def test_a_changed_order_is_told_by_the_items(number: int) -> None:
    approve(number)
    document = workflow.current(number).document  # type: ignore[union-attr]  # it exists
    raw = json.loads(document.text())["remediation"]
    edit(number, make_writer("second"), remediation=raw[::-1])
    shown = page(signed_in(reviewer()), address(number))
    assert shown.count('<div class="review-row') == 1
    first = str(document.remediation[0].text.en)[:30]
    assert first in shown
    assert "→" in shown


def test_comments_stand_at_their_row_and_the_rest_after_them(number: int) -> None:
    writer = User.objects.get(username="writer")
    comments.open_thread(writer, number, comments.Place("summary.en", "en"), "A question on the summary")
    comments.open_thread(writer, number, comments.Place(), "A question on all of it")
    client = signed_in(reviewer())
    shown = page(client, address(number))
    row = next(row for row in shown.split('<div class="review-row') if "A question on the summary" in row)
    assert 'data-place="summary.ko"' in row
    assert "A question on all of it" in shown.split("Other open comments")[1]
    told = {"path": "title.ko", "text": "제목이 이상하다", "language": "ko", "revision": 1, "next": address(number)}
    answer = client.post(f"/desk/cases/{Manuscript.objects.get().id_text}/comments/", told)
    assert answer["Location"].startswith(f"{address(number)}#thread-")


def test_work_is_taken_given_and_given_back_on_the_page(number: int) -> None:
    user, client = reviewer(), signed_in(reviewer())

    def post(act: str, **told: Any) -> str:
        held = {key: one.person_id for key, one in assignments.of(Manuscript.objects.get()).items()}
        form = {**posted(number), "assignee_en": held.get("en", 0), "assignee_ko": held.get("ko", 0), **told}
        answer = client.post(address(number, act), {**form, "next": address(number)}, follow=True)
        assert answer.redirect_chain
        return str(answer.content.decode())

    assert "Assigned to nobody" in page(client, address(number))
    shown = post("assign/", assignee=user.pk)
    assert "Give it back" in shown
    assert "I take this" not in shown
    other = make_user("other", translates="ko")
    assert "until" in post("assign/", assignee=other.pk, until="2999-01-31")
    assert "End the assignment" in page(client, address(number))
    assert "Assigned to nobody" in post("unassign/")
    assert "Assigned to: <strong>" not in page(client, f"/desk/cases/{Manuscript.objects.get().id_text}/")


FORGED_ASSIGNMENTS: list[tuple[str, dict[str, str], int]] = [
    ("assign/", {"assignee": "0"}, 400),
    ("assign/", {"until": "soon"}, 400),
    ("assign/", {"assignee_ko": ""}, 428),
    ("assign/", {"assignee_ko": "7"}, 409),
    ("assign/", {"revision": "99"}, 409),
    ("unassign/", {}, 409),
    ("unassign/", {"revision": "x"}, 400),
]


def test_forged_assignments_are_refused(number: int, subtests: pytest.Subtests) -> None:
    client = signed_in(reviewer())
    form = {**posted(number), "assignee": reviewer().pk, "assignee_en": 0, "assignee_ko": 0}
    for act, told, status in FORGED_ASSIGNMENTS:
        with subtests.test(act=act, **told), undone():
            assert client.post(address(number, act), {**form, **told}).status_code == status
            assert not assignments.of(Manuscript.objects.get())


def test_after_an_assignment_nobody_is_led_away_from_the_desk(number: int) -> None:
    client = signed_in(reviewer())
    form = {**posted(number), "assignee": reviewer().pk, "assignee_en": 0, "assignee_ko": 0}
    answer = client.post(address(number, "assign/"), {**form, "next": "//evil.test/desk/"})
    assert answer["Location"] == f"/desk/cases/{Manuscript.objects.get().id_text}/"
