"""Figures in a real browser: a mark leads to its cases, so does the table beneath, and nothing needs a script."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page

from cases.vocabulary import load_vocabulary
from tests.cases.making import SAMPLES

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def library() -> None:
    load_vocabulary()
    call_command("import_cases", str(SAMPLES), verbosity=0)
    call_command("render", verbosity=0)


@pytest.mark.usefixtures("library")
def test_a_mark_and_the_table_lead_to_the_same_cases(page: Page, live_server: Any, console: list[str]) -> None:
    page.goto(f"{live_server.url}/en/trends/?component=database")
    drawn = page.locator("#components-by-cause svg.heat a").first
    name = drawn.locator("title").inner_html()
    number = int(drawn.locator("text").inner_html())
    target = drawn.get_attribute("href")
    drawn.click()
    assert page.url == f"{live_server.url}{target}"
    assert "component=database" in page.url
    assert page.locator(".found .total").inner_text().startswith(f"{number} case")
    page.go_back()
    page.locator("#components-by-cause .data > summary").click()
    links = page.locator("#components-by-cause td a")
    assert target in [link.get_attribute("href") for link in links.all()]
    assert name.startswith("Database, ")
    assert console == []


@pytest.mark.usefixtures("library")
def test_a_stack_is_chosen_without_a_script_and_shared_by_its_address(browser: Browser, live_server: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/ko/checks/")
    page.get_by_label("데이터베이스").first.check()
    page.get_by_label("쿠버네티스").check()
    page.get_by_role("button", name="점검 질문 보기").click()
    assert page.url == f"{live_server.url}/ko/checks/?component=database&domain=kubernetes"
    assert "해당하는 점검 질문" in page.locator("#answers-title").inner_text()
    assert page.locator("#answers .check").count() > 3
    page.emulate_media(media="print")
    assert page.locator("form.stack").is_hidden()
    assert page.locator("#answers .check pre").first.is_visible()
    context.close()
