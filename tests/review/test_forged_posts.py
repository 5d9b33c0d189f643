"""Posts that no page offered: each is refused with a reason in words, noted in the log, and leaves no trace.

The decisions of each role are in test_reviewing.py; here are the other posts, and cases that are not where they were.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cases.models import Case, Edition, Person
from review import workflow
from review.models import Decision, Event, Manuscript, Submission
from tests.undoing import undone

from .making import make_administrator, make_draft, make_publisher, make_user, make_writer
from .test_review import approve, edit, reviewer, seen, submit
from .test_reviewing import VERDICTS, address, bring_to, posted, signed_in

pytestmark = pytest.mark.django_db

STATES = ("missing", "draft", "in-review", "changes-requested", "approved", "stale")
NOBODYS = "nobody has given you a role yet"


@pytest.fixture
def number() -> int:
    return make_draft().manuscript.number


def make_program() -> User:
    """Make a program that was given roles of its own, even that of a reviewer."""
    user = make_user("somebody", "writer", writes="en ko", reviews="en ko")
    owner = Person.objects.create(name="Owner", user=make_user("owner", reviews="en ko"))
    Person.objects.create(name="Program", kind="agent", owner=owner, user=user)
    return user


def make_mighty() -> User:
    return User.objects.create_superuser("somebody", password="a long enough password")


ROLES: dict[str, Callable[[], User]] = {
    "nobody": lambda: make_user("somebody"),
    "writer": lambda: make_writer("somebody"),
    "writer of English": lambda: make_user("somebody", "writer", writes="en"),
    "translator": lambda: make_user("somebody", translates="ko"),
    "reviewer of English": lambda: make_user("somebody", reviews="en"),
    "reviewer": lambda: make_user("somebody", reviews="ko"),
    "publisher": lambda: make_publisher("somebody"),
    "administrator": lambda: make_administrator("somebody"),
    "superuser": make_mighty,
    "program": make_program,
}
SUBMITTERS = set(ROLES) - {"nobody", "writer of English", "reviewer of English"}
TAKERS_BACK = {"publisher", "administrator", "superuser"}


def traces() -> list[int]:
    return [model.objects.count() for model in (Decision, Submission, Event, Edition)]


def is_refused(client: Client, path: str, told: dict[str, Any], status: int = 403) -> str:
    """Post what must be refused, and return what the person reads."""
    before = traces()
    answer = client.post(path, told)
    assert answer.status_code == status, (path, told)
    assert traces() == before, ("what is refused writes nothing", path, told)
    return str(answer.content.decode())


@pytest.mark.parametrize("name", STATES)
def test_submitting_and_taking_back_by_every_role_in_every_state(
    number: int, name: str, subtests: pytest.Subtests
) -> None:
    bring_to(number, name)
    told = posted(number)
    for role, make in ROLES.items():
        with subtests.test(role=role), undone():
            submits_and_takes_back(role, signed_in(make()), number, name, told)


def submits_and_takes_back(role: str, client: Client, number: int, name: str, told: dict[str, Any]) -> None:
    for act, may, states in (
        ("submit/", SUBMITTERS, {"draft", "changes-requested", "stale"}),
        ("withdraw-submission/", TAKERS_BACK, {"in-review"}),
    ):
        if role in may and name in states:
            assert client.post(address(number, act), told).status_code == 302, act
            break
        shown = is_refused(client, address(number, act), told)
        assert (NOBODYS if role == "nobody" else 'class="number">403') in shown, act


@pytest.mark.parametrize("name", STATES)
def test_who_holds_no_review_decides_nothing(number: int, name: str, subtests: pytest.Subtests) -> None:
    bring_to(number, name)
    path, told = address(number, "decide/"), posted(number)
    for role, words in (("nobody", NOBODYS), ("superuser", ""), ("program", "A program may write and submit")):
        with subtests.test(role=role), undone():
            client = signed_in(ROLES[role]())
            for verdict in VERDICTS:
                if role == "superuser" and verdict == "withdraw-approval" and name in {"approved", "stale"}:
                    continue  # an administrator's right
                assert words in is_refused(client, path, {**told, "verdict": verdict}), verdict


def test_only_publishers_change_what_readers_see(number: int, subtests: pytest.Subtests) -> None:
    workflow.publish(make_publisher("first"), number, 1, 1)
    case = f"/desk/cases/{Manuscript.objects.get().id_text}"
    for role in sorted(set(ROLES) - {"publisher", "administrator", "superuser"}):
        with subtests.test(role=role), undone():
            client = signed_in(ROLES[role]())
            is_refused(client, f"{case}/publish/", {"revision": 1, "head": 1})
            is_refused(client, f"{case}/withdraw/", {"reason_en": "Wrong"})
            assert Case.objects.get().status == "published"


@pytest.mark.parametrize("end", ["withdrawn", "merged"])
def test_nothing_is_asked_or_decided_about_a_case_that_is_gone(
    number: int, end: str, caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    publisher = make_publisher("first")
    approve(number)
    workflow.publish(publisher, number, 1, 1)
    if end == "withdrawn":
        workflow.withdraw(publisher, number, {"en": "Wrong", "ko": None})
    else:
        other = make_draft(make_writer("other")).manuscript.number
        workflow.publish(publisher, other, 1, 1)
        workflow.merge_into(publisher, number, other, "the same")
    caplog.set_level(logging.INFO, "review")
    told = posted(number)
    for role, make in ROLES.items():
        caplog.clear()
        with subtests.test(role=role), undone():
            may_write = role in {"reviewer", "writer"}
            asks_and_decides(signed_in(make()), number, told, "This case is withdrawn or merged." if may_write else "")
            noted = [message for message in caplog.messages if message.startswith("refused: ")]
            assert len(noted) == len(VERDICTS) + 2


def asks_and_decides(client: Client, number: int, told: dict[str, Any], reason: str) -> None:
    for verdict in VERDICTS:
        is_refused(client, address(number, "decide/"), {**told, "verdict": verdict})
    for act in ("submit/", "withdraw-submission/"):
        assert reason in is_refused(client, address(number, act), told), act


FORGED: list[tuple[dict[str, Any], int]] = [
    ({"revision": 99}, 409),
    ({"revision": ""}, 428),
    ({"revision": "r1"}, 400),
    ({"revision": "9" * 30}, 400),
    ({"decision_ko": 999_999}, 409),
    ({"decision_ko": ""}, 428),
    ({"decision_ko": "'; --"}, 400),
    ({"note": "a\x00b"}, 400),
    ({"note": "가" * 3000}, 400),
]


@pytest.mark.parametrize("act", ["submit/", "withdraw-submission/"])
def test_stale_and_forged_submissions(number: int, act: str, subtests: pytest.Subtests) -> None:
    if act == "withdraw-submission/":
        submit(number)
    client, told = signed_in(User.objects.get(username="writer")), posted(number)
    for changes, status in FORGED:
        with subtests.test(**changes), undone():
            shown = is_refused(client, address(number, act), {**told, **changes}, status)
            assert "Nothing was changed." in shown


def test_stale_and_forged_publishing(number: int, subtests: pytest.Subtests) -> None:
    edit(number, User.objects.get(username="writer"), severity="major")
    client, path = signed_in(make_publisher()), f"/desk/cases/{Manuscript.objects.get().id_text}/publish/"
    for revision, head, status in ((1, 1, 409), (9, 2, 409), ("x", 2, 200)):
        with subtests.test(revision=revision, head=head), undone():
            is_refused(client, path, {"revision": revision, "head": head}, status)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("stale", "reaffirm"),
        ("in-review", "request-changes"),
        ("approved", "withdraw-approval"),
        ("stale", "approve"),
    ],
)
def test_double_click_on_each_decision(number: int, name: str, verdict: str) -> None:
    bring_to(number, name)
    client, told, before = signed_in(reviewer("somebody")), posted(number, verdict), Decision.objects.count()
    assert [client.post(address(number, "decide/"), told).status_code for _click in range(2)] == [302, 409]
    assert Decision.objects.count() == before + 1


def test_double_click_on_submitting_and_publishing(number: int) -> None:
    client, told = signed_in(User.objects.get(username="writer")), posted(number)
    assert [client.post(address(number, "submit/"), told).status_code for _click in range(2)] == [302, 403]
    publisher, case = signed_in(make_publisher()), f"/desk/cases/{Manuscript.objects.get().id_text}/publish/"
    shown = {"revision": 1, "head": 1}
    assert [publisher.post(case, shown).status_code for _click in range(2)] == [302, 409]
    assert (Submission.objects.count(), Edition.objects.count()) == (1, 1)


@pytest.mark.parametrize("loss", ["role", "account"])
def test_role_or_account_lost_between_page_and_click(number: int, loss: str) -> None:
    """The page was open; whoever lost the role reads why, and whoever lost the account signs in first."""
    user, publisher = make_user("somebody", translates="ko"), make_publisher()
    clients = signed_in(user), signed_in(publisher)
    told, case = posted(number), f"/desk/cases/{Manuscript.objects.get().id_text}/publish/"
    assert [client.get(case.removesuffix("publish/")).status_code for client in clients] == [200, 200]
    if loss == "role":
        user.language_roles.all().delete()
        publisher.groups.clear()
    else:
        User.objects.filter(pk__in=[user.pk, publisher.pk]).update(is_active=False)
    status = 403 if loss == "role" else 302
    shown = is_refused(clients[0], address(number, "submit/"), told, status)
    is_refused(clients[1], case, {"revision": 1, "head": 1}, status)
    assert NOBODYS in shown if loss == "role" else not shown
    assert seen(number).revision == 1
