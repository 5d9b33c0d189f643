"""Reviewing by keyboard in a real browser, and what a key must not do while somebody types."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from review import workflow
from review.models import Decision, Manuscript
from tests.review.making import make_draft, make_user, make_writer
from tests.review.test_review import edit_text, submit

pytestmark = pytest.mark.django_db(transaction=True)


def sign_in(page: Page, server: LiveServer, user: User) -> None:
    client = Client()
    client.force_login(user)
    [(name, cookie)] = client.cookies.items()
    page.context.add_cookies([{"name": name, "value": cookie.value, "url": server.url}])


def state() -> str:
    return str(Manuscript.objects.get().state_ko)


def test_a_review_by_keyboard(page: Page, live_server: LiveServer, console: list[str]) -> None:
    writer = make_writer()
    number = make_draft(writer).manuscript.number
    submit(number, writer)
    sign_in(page, live_server, make_user("reviewer", reviews="en ko"))
    here = f"{live_server.url}/desk/cases/{Manuscript.objects.get().id_text}/review/ko/"

    page.goto(here)
    page.keyboard.press("r")
    expect(page.get_by_label("Note")).to_be_focused()
    page.keyboard.type("afrjk: 제목이 어색하다")
    assert not Decision.objects.exists(), "a letter of the note is no key"
    page.get_by_label("Note").blur()
    page.keyboard.press("Control+a")
    with page.expect_navigation():
        page.keyboard.press("r")
    assert state() == "changes-requested"

    edit_text(number, writer, "고친 제목")
    submit(number, writer)
    page.goto(here)
    with page.expect_navigation():
        page.keyboard.press("a")
    assert state() == "approved"

    edit_text(number, make_writer("second"), "Another title", "en")
    page.goto(here)
    expect(page.locator(".review-row")).to_have_count(1)
    expect(page.locator(".review-row ins")).to_contain_text("Another")
    with page.expect_navigation():
        page.keyboard.press("f")
    assert state() == "approved"
    assert workflow.current(number) is not None
    assert console == []
