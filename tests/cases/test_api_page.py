"""The page on the machine interfaces, and that every command and program on it and in the README works as written."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from cases.api.application import addresses
from cases.filters import CaseFilter
from cases.publishing import merge, withdraw
from cases.vocabulary import load_vocabulary
from tests.cases.making import SAMPLES, make_case
from tests.cases.mirroring import exported, own

SITE = "http://127.0.0.1:8000"
README = Path(settings.BASE_DIR, "README.md")


def program_text(html: str) -> list[str]:
    """Return what stands in the boxes of a page as a reader would copy it."""
    return [unescape(found) for found in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", html, re.DOTALL)]


def commands(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip().startswith("curl ")]


def run(client: Client, command: str) -> Any:
    """Ask for what a curl command asks for."""
    _curl, *words = shlex.split(command, comments=True)
    headers, address = {}, ""
    while words:
        word = words.pop(0)
        if word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value
        elif word == "-o":
            words.pop(0)
        elif word == "--compressed":
            headers["Accept-Encoding"] = "gzip, br"
        else:
            assert word.startswith(SITE), word
            address = word.removeprefix(SITE)
    return client.get(address, headers=headers)


@pytest.fixture
def library(db: None) -> None:  # noqa: ARG001  (a fixture of a fixture)
    load_vocabulary()
    call_command("import_cases", str(SAMPLES), verbosity=0)


@pytest.mark.usefixtures("library")
def test_every_command_on_the_page_and_in_the_readme_gives_an_answer(client: Client) -> None:
    page = client.get("/en/api/").content.decode()
    found = [command for text in program_text(page) for command in commands(text)]
    # Those with a token are about drafts; tests/review runs them.
    in_readme = [one for one in commands(README.read_text(encoding="utf-8")) if "$TOKEN" not in one]
    assert len(found) == len(addresses)
    assert len(in_readme) >= 3
    for command in (*found, *in_readme):
        response = run(client, command)
        assert response.status_code == 200, command
        assert b"".join(response) if response.streaming else response.content


@pytest.mark.usefixtures("library")
def test_every_example_finds_something(client: Client) -> None:
    for address in addresses.values():
        response: Any = client.get(f"/api/{address.example}")
        if address.media == "application/json":
            lists = [value for value in response.json().values() if isinstance(value, list)]
            assert not lists or any(lists), address.example


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_address_and_parameter_is_told_in_the_language_of_the_page(client: Client, language: str) -> None:
    page = unescape(client.get(f"/{language}/api/").content.decode())
    for address in addresses.values():
        assert address.url in page
        with translation.override(language):
            assert translation.gettext(address.summary) in page
            assert translation.gettext(address.description) in page
    for one in CaseFilter.base_filters.values():
        with translation.override(language):
            assert str(one.extra["help_text"]) in page


@pytest.mark.django_db
def test_the_limits_of_the_site_are_told(client: Client, settings: Settings) -> None:
    assert "no limit" in client.get("/en/api/").content.decode()
    settings.API_RATE, settings.SEARCH_RATE = 600, 300
    assert "600 times a minute, of which 300 with a search" in client.get("/en/api/").content.decode()


def mirror_program(client: Client) -> str:
    (program,) = (text for text in program_text(client.get("/en/api/").content.decode()) if "write_text" in text)
    return program


@pytest.mark.django_db
def test_the_program_that_keeps_a_copy_is_short(client: Client) -> None:
    lines = [line for line in mirror_program(client).splitlines() if line.strip()]
    assert len(lines) <= 20


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_program_on_the_page_keeps_a_copy(client: Client, live_server: Any, tmp_path: Path) -> None:
    program, folder = tmp_path / "mirror.py", tmp_path / "incidents"
    program.write_text(mirror_program(client), encoding="utf-8")

    def follow() -> dict[str, dict[str, Any]]:
        subprocess.run([sys.executable, program, live_server.url, folder], check=True)
        cases = [json.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*.json")]
        return {case["id"]: case for case in cases}

    for number in range(1, 5):
        make_case(id=f"IL-{number:04d}")
    assert own(follow()) == own(exported(client))
    make_case(id="IL-0001", severity="minor")
    make_case(id="IL-0005")
    withdraw(2, {"en": "Wrong.", "ko": None})
    merge(3, 4)
    copy = follow()
    assert sorted(copy) == ["IL-0001", "IL-0004", "IL-0005"]
    assert copy["IL-0004"]["aliases"] == ["IL-0003"]
    assert own(copy) == own(exported(client))
