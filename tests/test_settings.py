"""How settings follow the environment. Each test starts Django anew, as a server would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from incidentlib import environment

ROOT = Path(__file__).resolve().parent.parent
SECRET = "0123456789" * 5
PRODUCTION = {"SITE_URL": "https://incidents.example.org", "SECRET_KEY": SECRET}


def read(expression: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Evaluate an expression on the settings in a fresh process that has only these variables."""
    code = f"import django; from django.conf import settings; django.setup(); print({expression})"
    environment = {"DJANGO_SETTINGS_MODULE": "incidentlib.settings", "INCIDENTLIB_DATA": str(folder), **variables}
    # Coverage of the child processes is measured when the parent's is.
    environment |= {name: value for name, value in os.environ.items() if name.startswith("COV")}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, env=environment)


def value(expression: str, folder: Path, **variables: str) -> str:
    result = read(expression, folder, **variables)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_a_clone_serves_this_machine_only_and_without_debug(tmp_path: Path) -> None:
    assert value("settings.ALLOWED_HOSTS, settings.DEBUG", tmp_path) == "['127.0.0.1', 'localhost', '[::1]'] False"


def test_the_made_up_key_is_kept_and_readable_by_nobody_else(tmp_path: Path) -> None:
    first = value("settings.SECRET_KEY", tmp_path)
    assert len(first) >= 50
    assert value("settings.SECRET_KEY", tmp_path) == first
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret-key"]


def test_two_processes_that_start_together_use_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    path = tmp_path / "secret-key"
    first = environment.secret_key("SECRET_KEY", path, required=False)
    monkeypatch.setattr(Path, "exists", lambda _path: False)  # as if the other had not been there a moment ago
    assert environment.secret_key("SECRET_KEY", path, required=False) == first
    assert list(tmp_path.iterdir()) == [path]


def test_production_uses_secure_cookies_and_exact_hosts(tmp_path: Path) -> None:
    names = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "ALLOWED_HOSTS")
    expression = ", ".join(f"settings.{name}" for name in (*names, "SECURE_HSTS_SECONDS", "SECURE_SSL_REDIRECT"))
    expected = "__Host-session __Host-csrf True True ['incidents.example.org'] 31536000 True"
    assert value(expression, tmp_path, **PRODUCTION) == expected
    assert not (tmp_path / "secret-key").exists()


def test_production_passes_the_deployment_checks(tmp_path: Path) -> None:
    call = "__import__('django.core.management').core.management.call_command"
    check = f"{call}('check', '--deploy', '--fail-level=WARNING')"
    assert "no issues" in value(check, tmp_path, **PRODUCTION)


@pytest.mark.parametrize(
    ("variables", "word"),
    [
        ({"SITE_URL": "https://incidents.example.org"}, "SECRET_KEY must be set"),
        (PRODUCTION | {"SECRET_KEY": "short"}, "SECRET_KEY must have at least 50"),
        (PRODUCTION | {"DEBUG": "1"}, "DEBUG"),
        ({"SITE_URL": "http://incidents.example.org"}, "needs https"),
        ({"SITE_URL": "https://incidents.example.org/library"}, "SITE_URL must be like"),
        ({"SITE_URL": "incidents.example.org"}, "SITE_URL must be like"),
        ({"PUBLISH_POLICY": "some"}, "PUBLISH_POLICY must be one of complete, any, approved"),
        ({"PORT": "80a"}, "PORT must be a whole number"),
        ({"DATABASE_URL": "mysql://host/name"}, "DATABASE_URL must be like"),
    ],
)
def test_a_wrong_value_stops_the_start_by_its_name(tmp_path: Path, variables: dict[str, str], word: str) -> None:
    result = read("settings.SITE_URL", tmp_path, **variables)
    assert result.returncode != 0
    assert word in result.stderr


def test_address_of_the_database_is_read(tmp_path: Path) -> None:
    names = ("NAME", "USER", "PASSWORD", "HOST", "PORT")
    expression = f"[settings.DATABASES['default'][name] for name in {names}], settings.DATABASES['default']['OPTIONS']"
    address = "postgresql://lib:p%40ss@db.example.org:6432/cases?sslmode=require"
    limits = "-c statement_timeout=5s -c lock_timeout=2s -c idle_in_transaction_session_timeout=10s -c jit=off"
    expected = f"['cases', 'lib', 'p@ss', 'db.example.org', '6432'] {{'sslmode': 'require', 'options': '{limits}'}}"
    assert value(expression, tmp_path, DATABASE_URL=address) == expected


def test_sqlite_is_durable_and_takes_the_write_lock_first(tmp_path: Path) -> None:
    pragmas = ("journal_mode", "synchronous", "recursive_triggers", "foreign_keys")
    cursor = "__import__('django.db').db.connection.cursor()"
    expression = f"[{cursor}.execute('PRAGMA ' + name).fetchone()[0] for name in {pragmas}]"
    assert value(expression, tmp_path) == "['wal', 2, 1, 1]"
    assert value("settings.DATABASES['default']['OPTIONS']['transaction_mode']", tmp_path) == "IMMEDIATE"
