"""The whole way of a case, by the people who take it there, in a real browser and by keyboard alone where it counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from cases.models import Case
from cases.vocabulary import load_vocabulary
from review.models import Manuscript
from tests.review.making import make_draft, make_publisher, make_writer

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a long enough password"
SignIn = Callable[[str], Page]


@pytest.fixture
def signed_in(browser: Browser, live_server: LiveServer) -> SignIn:
    """Sign somebody in through the sign-in page, with the keyboard only."""
    load_vocabulary()

    def go(username: str) -> Page:
        page = browser.new_context(locale="en-GB").new_page()
        page.goto(f"{live_server.url}/desk/")
        page.get_by_label("Username").focus()
        page.keyboard.type(username)
        page.keyboard.press("Tab")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Desk", exact=True)).to_be_visible()
        return page

    return go


def save(page: Page) -> None:
    with page.expect_navigation():
        page.keyboard.press("Control+s")


def publish(page: Page, url: str, number: str, note: str) -> None:
    page.goto(f"{url}/desk/cases/{number}/publish/")
    page.get_by_label("What changed, for readers").focus()
    page.keyboard.type(note)
    page.keyboard.press("Enter")
    expect(page.get_by_text("is public now.")).to_be_visible()


def test_case_is_written_published_changed_and_withdrawn(signed_in: SignIn, live_server: LiveServer) -> None:
    make_writer("minji")
    make_publisher("hana")
    url, reader = live_server.url, Client()

    writer = signed_in("minji")
    writer.get_by_role("link", name="New case").click()
    for name, text in (
        ("org", "PubNub"),
        ("date", "2026-08-25"),
        ("title.en", "Messages went astray"),
        ("title.ko", "메시지가 길을 잃었다"),
        ("summary.en", "A stale address was used again."),
        ("summary.ko", "낡은 주소가 다시 쓰였다."),
    ):
        writer.locator(f'#editor [name="{name}"]').focus()
        writer.keyboard.type(text)
    save(writer)
    number = Manuscript.objects.get().id_text
    assert reader.get(f"/en/cases/{number}/").status_code == 404
    writer.goto(f"{url}/desk/cases/{number}/preview/ko/")
    expect(writer.get_by_role("heading", name="메시지가 길을 잃었다")).to_be_visible()

    publisher = signed_in("hana")
    publish(publisher, url, number, "First edition")
    assert "Messages went astray" in reader.get(f"/en/cases/{number}/").content.decode()

    writer.goto(f"{url}/desk/cases/{number}/edit/")
    writer.fill('#editor [name="title.en"]', "Messages were misrouted")
    save(writer)
    assert "Messages went astray" in reader.get(f"/en/cases/{number}/").content.decode()
    publish(publisher, url, number, "A better title")
    assert "Messages were misrouted" in reader.get(f"/en/cases/{number}/").content.decode()
    assert "A better title" in reader.get(f"/en/cases/{number}/history/").content.decode()

    publisher.goto(f"{url}/desk/cases/{number}/withdraw/")
    publisher.get_by_label("Reason, in Korean").fill("장애가 아니었다.")
    publisher.get_by_role("button", name="Withdraw").press("Enter")
    expect(publisher.get_by_text("The case is withdrawn.")).to_be_visible()
    gone = reader.get(f"/ko/cases/{number}/")
    assert gone.status_code == 410
    assert "장애가 아니었다." in gone.content.decode()
    assert Case.objects.get().status == "withdrawn"


def test_history_is_compared_and_restored_by_keyboard(signed_in: SignIn, live_server: LiveServer) -> None:
    user = make_writer("minji")
    number = make_draft(user).manuscript.id_text
    page = signed_in("minji")
    page.goto(f"{live_server.url}/desk/cases/{number}/edit/")
    page.fill('#editor [name="title.en"]', "Another title")
    save(page)
    page.goto(f"{live_server.url}/desk/cases/{number}/history/")
    page.get_by_role("link", name="with r1").press("Enter")
    expect(page.locator("ins").first).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Restore r1").press("Enter")
    expect(page.get_by_text("Revision 1 is the newest again")).to_be_visible()
    manuscript = Manuscript.objects.get()
    assert manuscript.head is not None
    assert manuscript.head.number == 3
