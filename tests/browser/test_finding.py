"""Finding a case in a real browser: what changes in place, what the address says, where the focus is, Korean input."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from cases.vocabulary import load_vocabulary
from tests.cases.making import SAMPLES

pytestmark = pytest.mark.django_db(transaction=True)

Open = Callable[..., Page]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(autouse=True)
def library(transactional_db: None) -> None:  # noqa: ARG001  (the cases go into the database)
    load_vocabulary()
    call_command("import_cases", str(SAMPLES), verbosity=0)
    call_command("render", verbosity=0)


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer) -> Iterator[Open]:
    """Open a public page in a browser of its own; no script may fail there, and the CSP may refuse nothing."""
    wrong: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "Content Security" in message.text:
            wrong.append(message.text)

    def go(path: str, **options: Any) -> Page:
        page = browser.new_context(**{"viewport": WIDE, **options}).new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(live_server.url + path)
        return page

    yield go
    assert wrong == []


def mark(page: Page) -> None:
    """Leave something in the page that only a new page would lose."""
    page.evaluate("window.stayed = true")


def stayed(page: Page) -> bool:
    return bool(page.evaluate("window.stayed === true"))


def total(page: Page) -> Locator:
    return page.locator("#total")


def titles(page: Page) -> list[str]:
    return page.locator(".card h2").all_inner_texts()


def chips(page: Page) -> Locator:
    return page.locator("#found > .chips a[rel]")


def unfold(page: Page, viewport: dict[str, int]) -> None:
    if viewport == PHONE:
        page.locator("#filters > summary").click()


def choose(page: Page, facet: str, position: int = 0) -> str:
    """Choose a value of a facet by its link; give what it is called."""
    fold = page.locator(f"#facet-{facet}")
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    choice = fold.locator("li a").nth(position)
    name = choice.locator("span").first.inner_text()
    choice.click()
    expect(fold.locator("a[aria-current]")).to_have_text(re.compile(re.escape(name)))
    return name


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["1280", "390"])
def test_case_is_found_in_korean_narrowed_shared_and_read_in_the_other_language(
    opened: Open, browser: Browser, viewport: dict[str, int], live_server: LiveServer
) -> None:
    page = opened("/ko/cases/", viewport=viewport)
    mark(page)
    page.fill("#q", "연결이")
    page.keyboard.press("Enter")
    expect(chips(page)).to_have_count(1)
    found, first = total(page).inner_text(), titles(page)
    assert 0 < len(first) < 60
    assert page.locator(".snippet mark").first.inner_text().startswith("연결")
    unfold(page, viewport)
    choose(page, "symptom")
    expect(chips(page)).to_have_count(2)
    once = page.url
    choose(page, "severity")
    expect(chips(page)).to_have_count(3)
    assert stayed(page)
    page.wait_for_url(lambda url: re.search(r"\?q=연결이&symptom=[a-z-]+&severity=[a-z]+$", unquote(url)) is not None)
    shared, narrowed = page.url, titles(page)
    assert 0 < len(narrowed) <= len(first)
    assert page.locator("#filters > summary").inner_text() == "거르기 (2)"

    page.go_back()
    expect(chips(page)).to_have_count(2)
    expect(page).to_have_url(once)
    page.go_back()
    expect(chips(page)).to_have_count(1)
    assert (total(page).inner_text(), titles(page)) == (found, first)
    assert page.input_value("#q") == "연결이"
    page.go_forward()
    expect(chips(page)).to_have_count(2)

    other = browser.new_context(viewport=viewport, java_script_enabled=False).new_page()  # type: ignore[arg-type]
    other.goto(shared)
    assert titles(other) == narrowed
    other.click("#switch")
    assert other.url == shared.replace("/ko/", "/en/")
    assert len(titles(other)) == len(narrowed)
    other.locator(".card h2 a").first.click()
    assert re.fullmatch(rf"{live_server.url}/en/cases/IL-[0-9]{{4}}/", other.url)


def test_language_switch_follows_the_address(opened: Open) -> None:
    page = opened("/en/cases/?q=cache")
    choose(page, "component")
    page.click("#switch")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page).to_have_url(re.compile(r"/ko/cases/\?q=cache&component="))


def test_focus_stays_and_the_count_is_said(opened: Open) -> None:
    page = opened("/en/cases/")
    mark(page)
    first = page.locator("#facet-symptom li a").first
    name = first.get_attribute("id")
    first.focus()
    page.keyboard.press("Enter")
    expect(chips(page)).to_have_count(1)
    expect(page.locator(f"#{name}")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text(total(page).inner_text())
    chips(page).first.focus()
    page.keyboard.press("Enter")
    expect(chips(page)).to_have_count(0)
    expect(total(page)).to_be_focused()
    expect(page.locator("#announcer")).to_have_text("60 cases")
    assert stayed(page)


def test_order_boxes_and_pages_change_in_place(opened: Open) -> None:
    page = opened("/en/cases/?available_in=en")
    mark(page)
    page.focus("#sort")
    page.select_option("#sort", "oldest")
    expect(page.locator("#sort")).to_have_value("oldest")
    expect.soft(page).to_have_url(re.compile(r"\?available_in=en&sort=oldest$"))
    expect(page.locator("#sort")).to_be_focused()
    page.get_by_role("link", name="Next page").click()
    expect(page.locator(".pages")).to_contain_text("Page 2")
    expect(total(page)).to_be_focused()
    expect(total(page)).to_be_in_viewport()
    expect(page).to_have_url(re.compile("page=2"))
    page.click("#facet-when > summary")
    page.fill("#repair_min", "2 hours")
    page.keyboard.press("Enter")
    expect(chips(page)).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?available_in=en&sort=oldest&repair_min=2%20hours$"))
    assert page.input_value("#repair_min") == "2h"
    page.fill("#repair_min", "soon")
    page.click("#apply")
    expect(page.locator(".problems")).to_contain_text("Write a time as 90")
    expect(page.locator("#repair_min")).to_have_attribute("aria-invalid", "true")
    assert page.locator("#facet-when").get_attribute("open") is not None
    assert stayed(page)


def test_search_box_follows_what_is_asked_for(opened: Open) -> None:
    page = opened("/en/cases/?q=cache&severity=major")
    page.get_by_role("link", name="Remove the filter Search: cache").click()
    expect(chips(page)).to_have_count(1)
    assert page.input_value("#q") == ""
    page.fill("#q", "timeout")
    page.click(".search button")
    expect(chips(page)).to_have_count(2)
    expect(page).to_have_url(re.compile("severity=major"))


def test_back_from_a_case_leads_to_the_page_of_the_list_it_stood_on(opened: Open) -> None:
    page = opened("/en/cases/")
    page.get_by_role("link", name="Next page").click()
    expect(page.locator(".pages")).to_contain_text("Page 2")
    second = titles(page)
    page.locator(".card h2 a").nth(3).click()
    expect(page.locator("article.case")).to_be_visible()
    page.go_back()
    expect(page.locator(".pages")).to_contain_text("Page 2")
    assert titles(page) == second
    page.go_back()
    expect(page.locator(".pages")).to_contain_text("Page 1")


def test_examples_are_left_out_by_one_switch(opened: Open) -> None:
    page = opened("/en/cases/")
    assert page.locator(".card .mark", has_text="Example").count() > 0
    page.locator("#examples-no").click()
    expect(total(page)).to_have_text("17 cases")
    assert page.locator(".card .mark", has_text="Example").count() == 0
    page.locator("#examples-no").click()
    expect(total(page)).to_have_text("60 cases")


def test_filters_fold_away_on_a_phone_and_stay_open_while_choosing(opened: Open) -> None:
    page = opened("/en/cases/", viewport=PHONE)
    expect(page.locator("#facet-symptom")).not_to_be_visible()
    unfold(page, PHONE)
    choose(page, "symptom")
    choose(page, "root_cause")
    expect(page.locator("#filters")).to_have_attribute("open", "")
    page.locator("[data-shows-found]").click()
    expect(page.locator("#facet-symptom")).not_to_be_visible()
    expect(total(page)).to_be_in_viewport()


def test_failing_server_is_shown_and_a_lost_connection_said(opened: Open) -> None:
    page = opened("/en/cases/")
    page.context.set_offline(True)
    page.locator("#facet-symptom li a").first.click()
    expect(page.locator("#announcer")).to_be_visible()
    expect(page.locator("#announcer")).to_contain_text("could not be loaded")
    assert len(titles(page)) == 25
    page.context.set_offline(False)

    def refuse(route: Route) -> None:
        route.fulfill(
            status=503, body="<title>Closed</title>"
        ) if "symptom=" in route.request.url else route.continue_()

    page.route("**/*", refuse)
    page.locator("#facet-symptom li a").first.click()
    expect(page).to_have_title("Closed")


def test_everything_works_without_a_script(opened: Open) -> None:
    page = opened("/en/cases/", java_script_enabled=False)
    page.fill("#q", "cache")
    page.click(".search button")
    found = total(page).inner_text()
    page.locator("#facet-symptom li a").first.click()
    page.select_option("#sort", "oldest")
    page.click(".sort button")
    assert re.search(r"q=cache&symptom=[a-z-]+&sort=oldest", page.url)
    page.click("#facet-when > summary")
    page.fill("#date_after", "2020")
    page.click("#apply")
    assert page.locator(".chips a[rel]").count() == 3
    page.get_by_role("link", name="Remove the filter From: 2020").click()
    page.get_by_role("link", name="Remove the filter Symptom").click()
    assert total(page).inner_text() == found


# Suggestions


def suggestions(page: Page) -> Locator:
    return page.get_by_role("option")


def test_suggestion_is_chosen_with_the_keyboard(opened: Open, live_server: LiveServer) -> None:
    page = opened("/en/topics/")
    box = page.get_by_role("combobox", name="Search")
    box.press_sequentially("certif")
    expect(suggestions(page).first).to_be_visible()
    assert box.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    assert box.get_attribute("aria-activedescendant") == suggestions(page).first.get_attribute("id")
    page.keyboard.press("ArrowUp")
    assert box.get_attribute("aria-activedescendant") is None
    page.keyboard.press("ArrowUp")
    assert suggestions(page).last.get_attribute("aria-selected") == "true"
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    assert box.input_value() == "certif"
    assert box.get_attribute("aria-expanded") == "false"
    page.keyboard.press("ArrowDown")
    expect(suggestions(page).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    wanted = suggestions(page).first.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{live_server.url}{wanted}")


def test_enter_without_a_choice_searches(opened: Open) -> None:
    page = opened("/en/topics/")
    page.locator("#q").press_sequentially("cache")
    expect(suggestions(page).first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/en/cases/?q=cache")
    page.locator("#q").fill("timeout")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?q=timeout$"))
    expect(page.get_by_role("listbox")).to_have_count(0)


def test_nothing_happens_while_a_syllable_is_composed(opened: Open) -> None:
    page = opened("/ko/cases/")
    keyboard = page.context.new_cdp_session(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(unquote(request.url)) if "/suggest/" in request.url else None)
    page.focus("#q")
    for part in ("ㅇ", "이", "인", "인ㅈ", "인즈", "인증"):
        keyboard.send("Input.imeSetComposition", {"text": part, "selectionStart": len(part), "selectionEnd": len(part)})
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(600)
    assert asked == []
    expect(page.get_by_role("listbox")).to_have_count(0)
    keyboard.send("Input.insertText", {"text": "인증"})
    expect(suggestions(page).first).to_be_visible()
    assert [url.partition("?q=")[2] for url in asked] == ["인증"]
    page.keyboard.press("ArrowDown")
    expect(suggestions(page).first).to_have_attribute("aria-selected", "true")


def test_answer_to_an_older_question_is_not_shown(opened: Open) -> None:
    page = opened("/en/cases/")
    held: list[Route] = []
    page.route(re.compile(r"/suggest/\?q=ca$"), lambda route: held.append(route))  # noqa: PLW0108  (it wants a function)
    page.locator("#q").press_sequentially("ca")
    page.wait_for_timeout(500)
    assert len(held) == 1
    page.locator("#q").press_sequentially("che")
    expect(suggestions(page).first).to_be_visible()
    shown = suggestions(page).all_inner_texts()
    with suppress(Error):  # the browser may have given the question up already
        held[0].fulfill(json={"groups": [{"label": "Old", "items": [{"text": "old", "url": "/"}]}]})
    assert suggestions(page).all_inner_texts() == shown


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_open_list_is_accessible_and_fits(opened: Open, viewport: dict[str, int]) -> None:
    for path in ("/ko/cases/?severity=major", "/ko/cases/IL-0560/"):
        page = opened(path, viewport=viewport, color_scheme="dark")
        page.locator("#q").press_sequentially("IL-05")
        expect(suggestions(page).first).to_be_visible()
        page.keyboard.press("ArrowDown")
        faults = Axe().run(page, options=RULES).response["violations"]
        assert [(row["id"], [node["html"][:150] for node in row["nodes"]]) for row in faults] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
