"""What is refused is noted in the log of the site: who tried what on which case, and why not. No words of anybody."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client

from review import workflow
from review.models import Decision, Event, Manuscript
from review.workflow import Refused, Seen

from .making import changed, draft_document, make_draft, make_publisher, make_user, make_writer
from .test_review import approve, edit_text, reviewer, seen, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def number() -> int:
    return make_draft().manuscript.number


@pytest.fixture
def noted(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """Return the codes that were logged so far, each with act, case and language."""
    caplog.set_level(logging.INFO, "review")
    return lambda: [message.partition(" act=")[2] for message in caplog.messages if message.startswith("refused: ")]


def refused(act: Callable[[], Any]) -> None:
    events = Event.objects.count()
    with pytest.raises((PermissionDenied, Refused)):
        act()
    assert Event.objects.count() == events, "nothing happened, so there is no event"


def test_each_kind_of_refusal_has_its_code(number: int, noted: Callable[[], list[str]]) -> None:
    writer, id_text = User.objects.get(username="writer"), Manuscript.objects.get().id_text
    own, old = make_user("own", "writer", writes="en ko", reviews="en ko"), seen(number)
    edit_text(number, own, "내 제목")
    refused(lambda: approve(number, writer))
    refused(lambda: approve(number, own))
    refused(lambda: workflow.approve(reviewer(), number, ["en", "ko"], old))
    refused(lambda: workflow.approve(reviewer(), number, ["ko"], Seen(None)))
    refused(lambda: workflow.request_changes(reviewer(), number, "ko", seen(number), " "))
    refused(lambda: workflow.withdraw_submission(writer, number, "ko", seen(number)))
    refused(lambda: workflow.publish(writer, number, 1, 1))
    refused(lambda: workflow.withdraw(make_publisher(), number, {"en": "no", "ko": None}))
    refused(lambda: workflow.save(make_user("reader", reviews="en"), number, document(number, "또 다른"), 2))
    refused(lambda: workflow.create(reviewer(), draft_document()))
    refused(lambda: workflow.restore(writer, number, 9, 2))
    assert noted() == [
        f"approve case={id_text} language=ko code=no-role",
        f"approve case={id_text} language=ko code=own-text",
        f"approve case={id_text} language=en,ko code=conflict",
        f"approve case={id_text} language=ko code=no-base",
        f"request-changes case={id_text} language=ko code=refused",
        f"withdraw-submission case={id_text} language=ko code=unfit",
        f"publish case={id_text} language=- code=no-role",
        f"withdraw case={id_text} language=- code=unfit",
        f"edit-text case={id_text} language=- code=no-role",
        "create case=- language=- code=no-role",
        f"restore case={id_text} language=- code=refused",
    ]


def document(number: int, title: str) -> Any:
    found = workflow.current(number)
    assert found is not None
    return changed(found.document, title={"en": "Another", "ko": title})


def test_role_lost_between_page_and_click_is_refused_and_noted(number: int, noted: Callable[[], list[str]]) -> None:
    user, client, shown = reviewer(), Client(), seen(number)
    client.force_login(user)
    here = f"/desk/cases/{Manuscript.objects.get().id_text}/review/ko/"
    assert client.get(here).status_code == 200
    user.language_roles.filter(language="ko").delete()
    told = {"revision": shown.revision, "decision_en": 0, "decision_ko": 0, "verdict": "approve"}
    answer = client.post(f"{here}decide/", told)
    assert answer.status_code == 403
    assert "You do not review Korean here" in answer.content.decode()
    assert noted() == [f"approve case={Manuscript.objects.get().id_text} language=ko code=no-role"]
    assert not Decision.objects.exists()


def test_a_page_that_is_not_for_somebody_is_noted_too(noted: Callable[[], list[str]]) -> None:
    client, id_text = Client(), make_draft().manuscript.id_text
    client.force_login(reviewer())
    assert client.post(f"/desk/cases/{id_text}/publish/", {"revision": 1, "head": 1}).status_code == 403
    assert client.post(f"/desk/cases/{id_text}/archive/", {"reason": "x"}).status_code == 403
    assert client.get("/desk/new/").status_code == 403
    assert [line.partition(" ")[0] for line in noted()] == ["publish", "archive", "create"]


def test_a_double_click_on_submit_is_refused_once(number: int, noted: Callable[[], list[str]]) -> None:
    submit(number)
    refused(lambda: submit(number))
    assert noted() == [f"submit case={Manuscript.objects.get().id_text} language=ko code=unfit"]


def test_what_is_done_is_not_noted(number: int, noted: Callable[[], list[str]]) -> None:
    submit(number, make_writer("second"))
    approve(number)
    assert noted() == []
