"""Reviewing in a real browser: the whole way of a text by keyboard, and what a key must not do while somebody types."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from review import workflow
from review.models import Comment, Decision, Manuscript
from tests.review.making import make_draft, make_publisher, make_user, make_writer
from tests.review.test_review import edit_text, submit

pytestmark = pytest.mark.django_db(transaction=True)


def sign_in(page: Page, server: LiveServer, user: User) -> None:
    client = Client()
    client.force_login(user)
    [(name, cookie)] = client.cookies.items()
    page.context.clear_cookies()
    page.context.add_cookies([{"name": name, "value": cookie.value, "url": server.url}])


def state() -> str:
    return str(Manuscript.objects.get().state_ko)


def press(page: Page, key: str) -> None:
    """Press a key that leads to another page."""
    with page.expect_navigation():
        page.keyboard.press(key)


@dataclass
class Story:
    """A case that is public, with the people who work on its Korean text."""

    page: Page
    server: LiveServer
    number: int
    id_text: str
    own: User
    reviewer: User
    publisher: User

    def readers_are_told(self, words: str) -> None:
        """Look at the public page: what it says of the review of the Korean text."""
        self.page.goto(f"{self.server.url}/en/cases/{self.id_text}/")
        expect(self.page.locator(".trust li", has_text="Korean")).to_contain_text(words)

    def open_review(self, user: User) -> None:
        sign_in(self.page, self.server, user)
        self.page.goto(f"{self.server.url}/desk/cases/{self.id_text}/review/ko/")

    def publish(self, revision: int) -> None:
        workflow.publish(self.publisher, self.number, revision, revision)


@pytest.fixture
def story(page: Page, live_server: LiveServer) -> Story:
    number = make_draft(make_writer()).manuscript.number
    people = {
        "own": make_user("own", "writer", writes="en ko", reviews="en ko"),
        "reviewer": make_user("reviewer", reviews="en ko"),
        "publisher": make_publisher(),
    }
    story = Story(page, live_server, number, Manuscript.objects.get().id_text, **people)
    story.publish(1)
    return story


def test_the_way_of_a_korean_text(story: Story, console: list[str]) -> None:
    """Each chapter ends with what the public page tells."""
    story.readers_are_told("Not reviewed yet")
    approve_for_the_first_time(story)
    story.readers_are_told("Reviewed by reviewer")
    writer_submits_and_may_not_approve(story)
    story.readers_are_told("Changed since the review")
    reviewer_sees_the_change_and_asks_for_another(story)
    story.readers_are_told("A reviewer asked for changes")
    writer_answers(story)
    story.readers_are_told("In review, not approved yet")
    reviewer_approves_by_keyboard(story)
    story.readers_are_told("Reviewed by reviewer")
    edit_text(story.number, User.objects.get(username="writer"), "Another title", "en")
    story.publish(4)
    story.readers_are_told("1 passage is newer than the review")
    reviewer_reaffirms_with_one_key(story)
    story.readers_are_told("Reviewed by reviewer")
    assert console == []


def approve_for_the_first_time(story: Story) -> None:
    """So that later only what changed has to be read."""
    story.open_review(story.reviewer)
    expect(story.page.locator(".review-row").nth(10)).to_be_visible()
    press(story.page, "a")
    assert state() == "approved"


def writer_submits_and_may_not_approve(story: Story) -> None:
    page = story.page
    edit_text(story.number, story.own, "고친 제목")
    story.publish(2)
    sign_in(page, story.server, story.own)
    page.goto(f"{story.server.url}/desk/cases/{story.id_text}/")
    page.get_by_role("button", name="Submit for review").last.click()
    expect(page.get_by_text("Submitted for review.")).to_be_visible()
    assert state() == "in-review"
    story.open_review(story.own)
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    expect(page.get_by_text("You wrote in the Korean text since it was last approved.").first).to_be_visible()
    page.keyboard.press("a")
    assert Decision.objects.count() == 1


def reviewer_sees_the_change_and_asks_for_another(story: Story) -> None:
    """Exactly the passage that changed is shown; a comment is put on words of it."""
    page = story.page
    story.open_review(story.reviewer)
    rows = page.locator(".review-row")
    expect(rows).to_have_count(1)
    expect(rows.locator("dt")).to_contain_text("Title")
    expect(rows.locator("ins").first).to_contain_text("고친")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.review-row ins'))")
    page.keyboard.press("c")
    expect(page.get_by_label("Comment", exact=True)).to_be_focused()
    page.keyboard.type("afrjk: 무엇을 고쳤습니까?")
    assert page.get_by_label("Words it is about").input_value() in "고친 제목"
    press(page, "Control+Enter")
    expect(page.locator(".review-row .thread")).to_contain_text("무엇을 고쳤습니까?")
    assert Decision.objects.count() == 1, "a letter of a comment is no key"
    page.keyboard.press("r")
    expect(page.get_by_label("Note", exact=True)).to_be_focused()
    page.keyboard.press("Control+Enter")
    assert state() == "in-review", "without a note nothing is sent"
    page.keyboard.type("원래 제목이 낫다")
    press(page, "Control+Enter")
    assert state() == "changes-requested"


def writer_answers(story: Story) -> None:
    """The writer is told, reads the note at the text, answers the comment, corrects and submits."""
    page = story.page
    sign_in(page, story.server, story.own)
    page.goto(f"{story.server.url}/desk/inbox/")
    page.get_by_role("button", name="reviewer asks for changes to").first.click()
    expect(page.get_by_text("원래 제목이 낫다")).to_be_visible()
    thread = page.locator(".thread").first
    thread.get_by_text("Answer").click()
    thread.locator("textarea").fill("되돌렸습니다")
    thread.get_by_role("button", name="Send").click()
    expect(page.get_by_text("되돌렸습니다")).to_be_visible()
    assert Comment.objects.count() == 2
    edit_text(story.number, story.own, "더 나은 제목")
    submit(story.number, story.own)
    story.publish(3)


def reviewer_approves_by_keyboard(story: Story) -> None:
    page = story.page
    sign_in(page, story.server, story.reviewer)
    page.goto(f"{story.server.url}/desk/queue/")
    page.locator("#review").locator("xpath=..").get_by_role("link", name=story.id_text).click()
    expect(page.locator(".review-row ins").first).to_contain_text("나은")
    press(page, "a")
    assert state() == "approved"


def reviewer_reaffirms_with_one_key(story: Story) -> None:
    """Korean is stale at once, for the one field named; only that is shown."""
    page = story.page
    assert state() == "stale"
    story.open_review(story.reviewer)
    expect(page.get_by_text("Changed beside it since the approval:")).to_contain_text("English title")
    expect(page.locator(".review-row")).to_have_count(1)
    expect(page.locator(".review-row ins").first).to_contain_text("Another")
    press(page, "f")
    assert state() == "approved"


def test_no_key_decides_while_somebody_types(page: Page, live_server: LiveServer, console: list[str]) -> None:
    writer = make_writer()
    number = make_draft(writer).manuscript.number
    submit(number, writer)
    sign_in(page, live_server, make_user("reviewer", reviews="en ko"))
    page.goto(f"{live_server.url}/desk/cases/{Manuscript.objects.get().id_text}/review/ko/")
    for label in ("Note", "Comment", "Words it is about", "What it is about"):
        page.get_by_label(label, exact=True).focus()
        for key in ("a", "f", "j", "k", "c"):
            page.keyboard.press(key)
    page.get_by_label("Note", exact=True).blur()
    for modified in ("Control+a", "Alt+a", "Shift+a", "Meta+a"):
        page.keyboard.press(modified)
    composing = (
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true, isComposing: true}))"
    )
    page.evaluate(composing)
    assert not Decision.objects.exists()
    assert page.url.endswith("/review/ko/")
    assert console == []


def test_many_rows_of_the_queue_with_one_click(page: Page, live_server: LiveServer, console: list[str]) -> None:
    writer = make_writer()
    numbers = [make_draft(writer).manuscript.number for _ in range(2)]
    for number in numbers:
        submit(number, writer)
    sign_in(page, live_server, make_user("reviewer", reviews="en ko"))
    page.goto(f"{live_server.url}/desk/queue/")
    for box in page.locator("#review").locator("xpath=..").get_by_role("checkbox").all():
        box.check()
    edit_text(numbers[0], writer, "나중에 고친 제목")
    bar = page.locator(".bulk:has(#review-1) .bulk-bar")
    bar.get_by_text("Add a note").click()
    bar.get_by_label("Note").press("Enter")
    assert page.url.endswith("/desk/queue/")
    assert not Decision.objects.exists()
    bar.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("1 of 2 done")).to_be_visible()
    expect(page.get_by_text("Revision 2 (writer) is newer")).to_be_visible()
    assert console == []
