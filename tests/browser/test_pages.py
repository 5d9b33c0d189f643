"""The public pages in a real browser: nothing is refused by the CSP, axe finds no fault, no page scrolls sideways."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command
from playwright.sync_api import Page

from cases.vocabulary import load_vocabulary
from tests.cases.making import SAMPLES

pytestmark = pytest.mark.django_db(transaction=True)

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
PAGES = (
    "cases/",
    "cases/?domain=networking&severity=major",
    "cases/?org=nobody&date_after=never",
    "cases/IL-0560/",
    "cases/IL-9019/",
    "cases/IL-9020/",
    "cases/IL-0560/history/",
    "cases/IL-0560/history/1/",
    "topics/",
    "topics/component/service-discovery/",
    "topics/component/database/?component=message-bus",
    "orgs/",
    "orgs/pubnub/",
    "trends/",
    "trends/?org=pubnub&component=message-bus",
    "trends/?q=no-such-word-at-all",
    "follow-ups/?status=open",
    "checks/",
    "checks/?component=database&domain=kubernetes",
    "about/",
    "api/",
    "cases/IL-0001/",
)
LOOKS = (
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
)


@pytest.fixture
def library() -> None:
    load_vocabulary()
    call_command("import_cases", str(SAMPLES), verbosity=0)
    call_command("render", verbosity=0)


@pytest.mark.slow
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(("language", "look"), zip(["en", "ko"], LOOKS, strict=True), ids=["wide-light", "phone-dark"])
def test_pages_are_accessible(browser: Any, live_server: Any, language: str, look: dict[str, Any]) -> None:
    """Each language and each look once: the marks do not differ by look, nor the colours by language."""
    with browser.new_context(**look) as context:
        page: Page = context.new_page()
        for path in PAGES:
            page.goto(f"{live_server.url}/{language}/{path}")
            found = Axe().run(page, options=RULES)
            faults = [(row["id"], [node["target"] for node in row["nodes"]]) for row in found.response["violations"]]
            assert faults == [], (path, faults)


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("look", LOOKS, ids=["wide-light", "phone-dark"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_pages_fit_and_nothing_is_refused(browser: Any, live_server: Any, language: str, look: dict[str, Any]) -> None:
    with browser.new_context(**look) as context:
        page: Page = context.new_page()
        refused: list[str] = []
        page.on("console", lambda message: refused.append(message.text) if "Content Security" in message.text else None)
        for path in PAGES:
            page.goto(f"{live_server.url}/{language}/{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= look["viewport"]["width"], path
        assert refused == []


@pytest.mark.usefixtures("library")
def test_reader_switches_language_and_stays_on_the_page(page: Page, live_server: Any) -> None:
    page.goto(f"{live_server.url}/en/cases/IL-0560/")
    page.get_by_role("link", name="한국어").click()
    assert page.url == f"{live_server.url}/ko/cases/IL-0560/"
    assert page.locator("html").get_attribute("lang") == "ko"
    page.goto(f"{live_server.url}/")
    assert page.url == f"{live_server.url}/ko/cases/"


@pytest.mark.usefixtures("library")
def test_korean_page_marks_every_english_sentence(page: Page, live_server: Any) -> None:
    """Whatever Latin sentence stands on the Korean page of a real case is inside an element that says lang="en"."""
    page.goto(f"{live_server.url}/ko/cases/IL-9058/")
    unmarked = page.evaluate(
        """() => {
          const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
          const found = [];
          while (walker.nextNode()) {
            const node = walker.currentNode, element = node.parentElement;
            if (element.closest("code, pre, a.address, .address")) continue;
            const isSentence = /[a-z]+ [a-z]+ [a-z]+ [a-z]+/.test(node.textContent);
            if (isSentence && element.closest("[lang]").lang !== "en") found.push(node.textContent.trim());
          }
          return found;
        }"""
    )
    assert unmarked == []


@pytest.mark.usefixtures("library")
def test_filter_is_an_address_and_back_returns(page: Page, live_server: Any) -> None:
    page.goto(f"{live_server.url}/en/cases/")
    page.locator("#facet-domain > summary").click()
    page.get_by_role("link", name="Networking").first.click()
    page.wait_for_url("**/en/cases/?domain=networking")
    page.go_back()
    page.wait_for_url(f"{live_server.url}/en/cases/")
