"""The editor in a real browser: writing a case, two people at once, what survives a closed tab, Korean input."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect
from pytest_django.live_server_helper import LiveServer

from cases import labels
from cases.document import CaseDocument, case_id
from cases.vocabulary import load_vocabulary
from review.models import Manuscript, Revision, WorkingCopy
from tests.review.making import make_draft, make_user, make_writer

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a long enough password"
Open = Callable[..., Page]


@pytest.fixture(autouse=True)
def desk(transactional_db: None) -> None:  # noqa: ARG001  (the words go into the database)
    """Load the words that the pages offer."""
    load_vocabulary()
    labels._kept.cache_clear()  # noqa: SLF001  (each test's database is new)


@pytest.fixture
def open_as(browser: Browser, live_server: LiveServer) -> Open:
    """Open a page of the desk in a browser of its own, signed in."""

    def opened(user: User, path: str, **options: object) -> Page:
        context = browser.new_context(**({"locale": "en-GB", "viewport": {"width": 1280, "height": 900}} | options))  # type: ignore[arg-type]  # what the test asks for
        sign_in(context, live_server.url, user)
        page = context.new_page()
        page.goto(live_server.url + path)
        return page

    return opened


def sign_in(context: BrowserContext, url: str, user: User) -> None:
    client = Client()
    client.force_login(user)
    cookie = client.cookies["incidentlib_session"]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": url}])


def errors(page: Page) -> list[str]:
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


def box(name: str) -> str:
    return f'#editor [name="{name}"]'


def uids(page: Page, path: str) -> list[str]:
    found: list[str] = page.eval_on_selector_all(f'[name="{path}"]', "boxes => boxes.map(box => box.value)")
    return found


def draft() -> int:
    return make_draft().manuscript.number


def edit(number: int) -> str:
    return f"/desk/cases/{case_id(number)}/edit/"


def head(number: int) -> CaseDocument:
    manuscript = Manuscript.objects.get(number=number)
    assert manuscript.head is not None
    return manuscript.head.document()


def state(page: Page) -> str:
    return page.inner_text("[data-state]")


def wait_until_kept(page: Page) -> None:
    expect(page.locator("[data-state]")).to_contain_text("kept at")


def save(page: Page) -> None:
    with page.expect_navigation():
        page.keyboard.press("Control+s")


# One person


def test_case_is_written_from_nothing_in_both_languages(open_as: Open) -> None:
    page = open_as(make_writer(), "/desk/new/")
    found = errors(page)
    page.fill(box("org"), "PubNub")
    page.fill(box("date"), "2026-08-25")
    page.fill(box("title.en"), "Messages went astray")
    page.fill(box("title.ko"), "메시지가 길을 잃었다")
    page.fill(box("summary.en"), "One.\n\nTwo.")
    page.fill(box("summary.ko"), "하나.\n\n둘.")
    page.click('[data-name="components"] .picker-input')
    page.keyboard.type("서비스 디")
    page.keyboard.press("Enter")
    page.click("#field-root_cause")
    page.keyboard.type("expired")
    page.keyboard.press("Enter")
    for text in ("First step", "Second step"):
        page.click('[data-list="remediation"] [data-add]')
        page.keyboard.type(text)
    (source,) = uids(page, "sources")
    page.fill(box(f"sources[{source}].url"), "https://status.pubnub.com/incidents/new")
    page.keyboard.press("Tab")
    expect(page.locator("[data-source-links] a")).to_have_attribute("href", "https://status.pubnub.com/incidents/new")
    save(page)
    manuscript = Manuscript.objects.get()
    document = head(manuscript.number)
    assert (document.components, document.root_cause) == (["service-discovery"], "expired-credential")
    assert document.title.ko == "메시지가 길을 잃었다"
    assert document.summary.en == "One.\n\nTwo."
    assert [item.text.en for item in document.remediation] == ["First step", "Second step"]
    assert document.sources[0].uid == source
    page.reload()
    assert page.input_value(box("summary.ko")) == "하나.\n\n둘."
    assert "Saved as r1" not in page.content()
    save(page)
    assert Revision.objects.count() == 1
    assert found == []


def test_items_are_moved_and_removed_by_keyboard(open_as: Open) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number))
    first, second, *rest = uids(page, "remediation")
    page.focus(box(f"remediation[{first}].text.en"))
    page.keyboard.press("Alt+ArrowDown")
    assert uids(page, "remediation")[:2] == [second, first]
    assert page.evaluate("document.activeElement.name") == f"remediation[{first}].text.en"
    page.focus(f'[data-item]:has([value="{rest[0]}"]) [data-move="-1"]')
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert uids(page, "remediation")[:3] == [rest[0], second, first]
    page.focus(f'[name="remediation[{second}].removed"]')
    page.keyboard.press("Space")
    save(page)
    assert [item.uid for item in head(number).remediation] == [rest[0], first, *rest[1:]]


def test_mistake_is_shown_where_it_is(open_as: Open) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number))
    page.fill(box("title.ko"), "가" * 301)
    assert "301 of 300: too long" in page.inner_text('[data-count-of="field-title.ko"]')
    save(page)
    page.click("#complaints a")
    assert page.evaluate("document.activeElement.id") == "field-title.ko"
    page.fill(box("title.ko"), "짧은 제목")
    save(page)
    assert head(number).title.ko == "짧은 제목"


def test_leaving_with_unsaved_text_is_asked_about(open_as: Open) -> None:
    page = open_as(make_writer("minji"), edit(draft()))
    page.type(box("title.en"), "!")
    questions: list[str] = []

    def answer(dialog: Dialog) -> None:
        questions.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.reload()
    assert questions == ["beforeunload"]


# Two people


def test_disjoint_changes_are_merged(open_as: Open) -> None:
    number = draft()
    one, other = open_as(make_writer("minji"), edit(number)), open_as(make_writer("sora"), edit(number))
    one.fill(box("title.en"), "Hers")
    save(one)
    other.fill(box("title.ko"), "그의 것")
    save(other)
    expect(other.locator(".messages")).to_contain_text("English title (minji)")
    assert (head(number).title.en, head(number).title.ko) == ("Hers", "그의 것")


def test_conflict_is_settled_on_its_page(open_as: Open) -> None:
    number = draft()
    one, other = open_as(make_writer("minji"), edit(number)), open_as(make_writer("sora"), edit(number))
    one.fill(box("title.en"), "Hers")
    save(one)
    other.fill(box("title.en"), "His")
    other.fill(box("trigger.en"), "Only his")
    save(other)
    expect(other.locator("h1")).to_have_text("Two changes of the same text")
    assert other.input_value(box("title.en")) == "His"
    other.click("text=Take theirs")
    assert other.input_value(box("title.en")) == "Hers"
    other.fill(box("title.en"), "Hers and his")
    save(other)
    document = head(number)
    assert (document.title.en, document.trigger and document.trigger.en) == ("Hers and his", "Only his")
    assert not WorkingCopy.objects.exists()


def test_who_else_is_typing_is_said(open_as: Open) -> None:
    number = draft()
    one = open_as(make_writer("minji"), edit(number))
    one.type(box("title.en"), "!")
    wait_until_kept(one)
    other = open_as(make_writer("sora"), edit(number))
    expect(other.locator(".notice").first).to_contain_text("minji has unsaved work here since")


# Nothing typed is lost


def test_closed_tab_loses_nothing_that_rested_two_seconds(open_as: Open, live_server: LiveServer) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number))
    page.fill(box("title.ko"), "닫기 전에 쓴 제목")
    wait_until_kept(page)
    context = page.context
    page.close()
    again = context.new_page()
    again.goto(live_server.url + edit(number))
    again.click("text=Take it up again")
    assert again.input_value(box("title.ko")) == "닫기 전에 쓴 제목"
    save(again)
    assert head(number).title.ko == "닫기 전에 쓴 제목"
    assert (Revision.objects.count(), WorkingCopy.objects.count()) == (2, 0)
    assert again.evaluate("Object.keys(localStorage).length") == 0


def test_what_was_never_sent_is_kept_in_the_browser(open_as: Open, live_server: LiveServer) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number))
    page.context.set_offline(True)
    page.fill(box("title.ko"), "보내지 못한 제목")
    page.click('[data-list="remediation"] [data-add]')
    page.keyboard.type("New step")
    expect(page.locator("[data-state]")).to_contain_text("kept in this browser")
    context = page.context
    page.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(live_server.url + edit(number))
    assert not WorkingCopy.objects.exists()
    with again.expect_navigation():
        again.click(".notice-unsaved >> text=Restore")
    assert again.input_value(box("title.ko")) == "보내지 못한 제목"
    save(again)
    assert head(number).title.ko == "보내지 못한 제목"
    assert head(number).remediation[-1].text.en == "New step"


def test_twenty_autosaves_and_one_save_make_one_revision(open_as: Open) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number))
    page.click('[data-list="action_items"] [data-add]')
    for word in ("one ", "two ", "three"):
        page.keyboard.type(word)
        wait_until_kept(page)
        page.evaluate("document.querySelector('[data-state]').textContent = ''")
    assert WorkingCopy.objects.count() == 1
    save(page)
    assert Revision.objects.count() == 2
    assert [item.text.en for item in head(number).action_items].count("one two three") == 1


def test_ended_session_asks_to_sign_in_and_goes_on(open_as: Open, live_server: LiveServer) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number))
    Session.objects.all().delete()
    page.fill(box("title.ko"), "로그아웃된 뒤의 제목")
    page.keyboard.press("Control+s")
    expect(page.locator("[data-sign-in]")).to_be_visible()
    page.click("[data-sign-in-retry]")
    expect(page.locator("[data-sign-in-problem]")).to_have_text("You are not signed in yet.")
    with page.context.expect_page() as opened:
        page.click("[data-sign-in] a")
    login = opened.value
    login.fill("[name=username]", "minji")
    login.fill("[name=password]", PASSWORD)
    with login.expect_navigation():
        login.click("main [type=submit]")
    with page.expect_navigation():
        page.click("[data-sign-in-retry]")
    assert head(number).title.ko == "로그아웃된 뒤의 제목"
    assert live_server.url in page.url


def test_somebody_else_signed_in_does_not_save_my_text(open_as: Open, live_server: LiveServer) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number))
    other = make_writer("sora")
    Session.objects.all().delete()
    page.fill(box("title.ko"), "내 제목")
    expect(page.locator("[data-sign-in]")).to_be_visible()
    sign_in(page.context, live_server.url, other)
    page.click("[data-sign-in-retry]")
    expect(page.locator("[data-sign-in-problem]")).to_contain_text("Somebody else is signed in")
    assert not WorkingCopy.objects.exists()


# Korean input


def test_keys_are_left_alone_while_a_syllable_is_composed(open_as: Open) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number))
    keyboard = page.context.new_cdp_session(page)
    first, second, *_rest = uids(page, "remediation")
    page.focus(box(f"remediation[{first}].text.ko"))
    page.keyboard.press("End")
    for part in ("ㅎ", "하", "한"):
        keyboard.send("Input.imeSetComposition", {"text": part, "selectionStart": 1, "selectionEnd": 1})
    page.keyboard.press("Control+s")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Alt+ArrowDown")
    page.wait_for_timeout(2600)
    assert uids(page, "remediation")[:2] == [first, second]
    assert not WorkingCopy.objects.exists()
    assert Revision.objects.count() == 1
    keyboard.send("Input.insertText", {"text": "한"})
    wait_until_kept(page)
    save(page)
    written = head(number).remediation[0].text.ko
    assert written is not None
    assert written.endswith("한")


def test_word_is_found_by_composed_korean(open_as: Open) -> None:
    page = open_as(make_writer("minji"), edit(draft()), locale="ko-KR")
    keyboard = page.context.new_cdp_session(page)
    page.click("#field-root_cause")
    keyboard.send("Input.imeSetComposition", {"text": "만료", "selectionStart": 2, "selectionEnd": 2})
    page.keyboard.press("Enter")
    assert page.input_value("[name=root_cause]") != "expired-credential"
    keyboard.send("Input.insertText", {"text": "만료"})
    page.keyboard.press("Enter")
    assert page.input_value("[name=root_cause]") == "expired-credential"


# Without a script, narrow, and for those who read only


def test_essentials_work_without_a_script(open_as: Open) -> None:
    number = draft()
    page = open_as(make_writer("minji"), edit(number), java_script_enabled=False)
    page.fill(box("title.ko"), "스크립트 없이")
    page.click('[value="add:remediation"]')
    new = page.locator('[name="remediation"]').last.get_attribute("value")
    page.fill(box(f"remediation[{new}].text.en"), "One more step")
    page.click(f'[value="up:remediation:{new}"]')
    page.check('[name="domain"][value="dns"]')
    page.select_option("[name=root_cause]", "overload")
    page.click(".save-button")
    document = head(number)
    assert (document.title.ko, document.root_cause) == ("스크립트 없이", "overload")
    assert document.domain[-1] == "dns"
    assert document.remediation[-2].text.en == "One more step"


def test_translator_types_in_one_language_only(open_as: Open) -> None:
    number = draft()
    page = open_as(make_user("translator", translates="ko"), edit(number))
    found = errors(page)
    expect(page.locator(box("title.en"))).not_to_be_editable()
    expect(page.locator("[name=severity]")).to_be_disabled()
    assert page.locator("[data-add]").count() == 0
    page.fill(box("title.ko"), "번역한 제목")
    save(page)
    assert head(number).title.ko == "번역한 제목"
    assert found == []


@pytest.mark.parametrize("locale", ["en-GB", "ko-KR"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_fits_a_phone_and_is_accessible(open_as: Open, locale: str, scheme: str) -> None:
    small = {"width": 390, "height": 844}
    page = open_as(make_writer("minji"), edit(draft()), locale=locale, color_scheme=scheme, viewport=small)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert re.match("en|ko", page.get_attribute("html", "lang") or "")
    page.wait_for_selector(".picker")
    answer = Axe().run(page).response
    assert [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in answer["violations"]] == []
