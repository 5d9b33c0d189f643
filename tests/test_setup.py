"""What a start prepares: texts, static files, demo accounts. Done twice, it changes nothing."""

import json
import logging
import os
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from pytest_django import Settings

from incidentlib import demo, static_files, translation_files
from incidentlib.logs import JsonLines

PO_FILE = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Cause"
msgstr "원인"
"""


def test_changed_texts_are_compiled(tmp_path: Path, settings: Settings) -> None:
    settings.LOCALE_PATHS = [tmp_path / "source", tmp_path / "compiled"]
    source = tmp_path / "source" / "ko" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(PO_FILE, encoding="utf-8")
    compiled = tmp_path / "compiled" / "ko" / "LC_MESSAGES" / "django.mo"

    assert translation_files.compile_translations() == [compiled]
    assert "원인".encode() in compiled.read_bytes()
    assert translation_files.compile_translations() == []
    os.utime(source, (1, 1))
    call_command("compile_translations")
    assert compiled.stat().st_mtime == 1
    assert [path.name for path in compiled.parent.iterdir()] == ["django.mo"]


def test_static_files_are_collected_when_they_changed(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "site.css").write_text("a {}")
    settings.DATA_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.STATICFILES_DIRS = [tmp_path / "own"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]

    assert static_files.collect_changed()
    assert (tmp_path / "static" / "site.css").read_text() == "a {}"
    assert not static_files.collect_changed()
    (tmp_path / "own" / "site.css").write_text("a { color: red }")
    assert static_files.collect_changed()


@pytest.mark.django_db
def test_a_second_start_changes_nothing(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.STATICFILES_FINDERS = []
    first, second = StringIO(), StringIO()
    call_command("setup", stdout=first)
    call_command("setup", stdout=second)
    assert f"IncidentLib: {settings.SITE_URL}/" in first.getvalue()
    assert first.getvalue().splitlines()[-2] == second.getvalue().splitlines()[-2]
    assert (tmp_path / "demo-accounts.txt").read_text(encoding="utf-8") in second.getvalue()


@pytest.mark.django_db
def test_the_administrator_is_made_once(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    demo.create_accounts()
    demo.create_accounts()
    name, password = (tmp_path / "demo-accounts.txt").read_text(encoding="utf-8").split()[:2]
    user = User.objects.get(username=demo.ADMINISTRATOR)
    assert (user.username, user.is_staff, user.is_superuser) == (name, True, True)
    assert user.check_password(password)
    assert (tmp_path / "demo-accounts.txt").stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db
def test_production_gets_no_demo_accounts(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR, settings.STATIC_ROOT, settings.PRODUCTION = tmp_path, tmp_path / "static", True
    settings.STATICFILES_FINDERS = []
    output = StringIO()
    call_command("setup", stdout=output)
    assert not User.objects.exists()
    assert not (tmp_path / "demo-accounts.txt").exists()
    assert "Sign in" not in output.getvalue()


def test_a_log_record_is_one_line_whatever_it_says() -> None:
    record = logging.LogRecord("site", logging.ERROR, __file__, 1, "Not found: %s", ("/a\nERROR forged\x1b[0m",), None)
    record.status_code = 404
    line = JsonLines().format(record)
    assert line.isprintable()
    assert json.loads(line) | {"time": ""} == {
        "time": "",
        "level": "ERROR",
        "logger": "site",
        "message": "Not found: /a\nERROR forged\x1b[0m",
        "status": 404,
    }


def test_a_log_record_tells_the_exception() -> None:
    try:
        int("no number")
    except ValueError:
        record = logging.LogRecord("site", logging.ERROR, __file__, 1, "failed", (), sys.exc_info())
    assert "ValueError" in json.loads(JsonLines().format(record))["exception"]
