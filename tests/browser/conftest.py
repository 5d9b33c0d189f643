"""Browser tests: the system's Chromium against Django's live server."""

import os
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser import chromium

# Playwright's synchronous API runs an event loop in this thread, which Django takes for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# A busy machine is slow, not wrong: nothing here is a measurement.
expect.set_options(timeout=20_000)

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    executable = chromium.find()
    if executable is None:
        pytest.fail("No Chromium here: python -m tests.browser.chromium installs or explains.")
    return browser_type_launch_args | {"executable_path": executable, "args": list(ARGUMENTS)}


@pytest.fixture
def console(page: Page) -> list[str]:
    """Return the errors the browser reports while the test runs: scripts that fail, files refused by the CSP."""
    lines: list[str] = []

    def keep(message: ConsoleMessage) -> None:
        # The stock admin names no icon, so the browser asks for one that need not exist.
        if message.type == "error" and not message.location["url"].endswith("/favicon.ico"):
            lines.append(message.text)

    page.on("console", keep)
    page.on("pageerror", lambda error: lines.append(str(error)))
    return lines
