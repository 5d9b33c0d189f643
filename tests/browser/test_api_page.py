"""The examples on the page for programs: one program at a time, run in the page, refusals shown as they come."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cases.vocabulary import load_vocabulary
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def library() -> None:
    load_vocabulary()
    make_case(id="IL-0560")


@pytest.mark.usefixtures("library")
def test_examples_are_chosen_and_run_in_the_page(page: Page, live_server: Any, console: list[str]) -> None:
    page.goto(f"{live_server.url}/ko/api/")
    entry = page.locator("section", has=page.locator("#case")).first
    programs = entry.locator(".api-program")
    expect(programs.nth(0)).to_be_visible()
    expect(programs.nth(1)).to_be_hidden()
    entry.get_by_role("button", name="Python").click()
    expect(programs.nth(1)).to_contain_text("urllib.request")
    expect(programs.nth(0)).to_be_hidden()
    entry.get_by_role("button", name="실행").click()
    expect(entry.locator(".api-answer p")).to_contain_text("200 · application/json")
    expect(entry.locator(".api-answer pre")).to_contain_text('"id": "IL-0560"')
    assert console == []


@pytest.mark.usefixtures("library")
def test_an_answer_that_is_a_refusal_is_shown(page: Page, live_server: Any) -> None:
    page.goto(f"{live_server.url}/en/api/")
    # The sample has no such edition.
    example = page.locator("section", has=page.locator("#edition")).first
    example.locator(".api-example").evaluate("one => { one.dataset.url = '/api/cases/IL-0560/editions/9'; }")
    example.get_by_role("button", name="Run").click()
    expect(example.locator(".api-answer p")).to_contain_text("404 · application/problem+json")
    expect(example.locator(".api-answer pre")).to_contain_text("no edition")
