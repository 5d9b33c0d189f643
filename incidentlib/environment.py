"""Reads the environment for settings.py. Every value is checked here, so a wrong one stops the start with its name."""

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

MINIMUM_SECRET_LENGTH = 50

# WAL lets readers go on beside a writer, FULL keeps what was acknowledged through a power cut, and
# recursive triggers make INSERT OR REPLACE meet the triggers that guard append-only rows.
SQLITE_PRAGMAS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA recursive_triggers=ON;"
POSTGRESQL_LIMITS = {
    "statement_timeout": "5s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
    # Our queries are many and short: compiling one costs more than it ever saves.
    "jit": "off",
}


def words(name: str) -> list[str]:
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def flag(name: str) -> bool:
    return choice(name, ("0", "1")) == "1"


def choice(name: str, choices: Sequence[str]) -> str:
    """Return one of the choices; the first is the default."""
    value = os.environ.get(name) or choices[0]
    if value not in choices:
        message = f"{name} must be one of {', '.join(choices)}, not {value!r}."
        raise ImproperlyConfigured(message)
    return value


def integer(name: str, default: int) -> int:
    value = os.environ.get(name) or str(default)
    if not (value.isascii() and value.isdigit()):
        message = f"{name} must be a whole number, not {value!r}."
        raise ImproperlyConfigured(message)
    return int(value)


def folder(name: str, default: Path) -> Path:
    path = Path(os.environ.get(name) or default).resolve()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def site_url(name: str, default: str) -> tuple[str, str]:
    """Return the address of the site without a trailing slash, and its host as ALLOWED_HOSTS writes it."""
    value = (os.environ.get(name) or default).rstrip("/")
    url = urlsplit(value)
    if url.scheme not in {"http", "https"} or not url.hostname or url.path or url.query or url.fragment or "@" in value:
        message = f"{name} must be like https://incidents.example.org, without a path, not {value!r}."
        raise ImproperlyConfigured(message)
    return value, f"[{url.hostname}]" if ":" in url.hostname else url.hostname


def secret_key(name: str, path: Path, *, required: bool) -> str:
    """Return the key from the environment; else one that was made at random and kept in a file."""
    value = os.environ.get(name, "")
    if value and len(value) < MINIMUM_SECRET_LENGTH:
        message = f"{name} must have at least {MINIMUM_SECRET_LENGTH} characters."
        raise ImproperlyConfigured(message)
    if required and not value:
        message = f"{name} must be set: with an https SITE_URL no key is made up."
        raise ImproperlyConfigured(message)
    return value or _kept_secret(path)


def _kept_secret(path: Path) -> str:
    """Read the kept key, making it first; two processes that start together end with the same one."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(MINIMUM_SECRET_LENGTH))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


def database(name: str, sqlite_file: Path) -> dict[str, Any]:
    """Return Django's settings of the PostgreSQL database named by the address, else of the SQLite file."""
    value = os.environ.get(name)
    return _postgresql(name, value) if value else _sqlite(sqlite_file)


def _sqlite(path: Path) -> dict[str, Any]:
    # Without IMMEDIATE a transaction that reads first is refused at its first write whenever another one wrote.
    options = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_PRAGMAS}
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": options}


def _postgresql(name: str, value: str) -> dict[str, Any]:
    """Read postgresql://user:password@host:port/name?option=value; a socket folder may be given as ?host=."""
    url = urlsplit(value)
    if url.scheme not in {"postgres", "postgresql"} or not url.path.strip("/"):
        message = f"{name} must be like postgresql://user:password@host:5432/name."
        raise ImproperlyConfigured(message)
    options = dict(parse_qsl(url.query))
    limits = " ".join(f"-c {setting}={limit}" for setting, limit in POSTGRESQL_LIMITS.items())
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.strip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": options.pop("host", unquote(url.hostname or "")),
        "PORT": options.pop("port", str(url.port or "")),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options | {"options": f"{limits} {options.get('options', '')}".strip()},
    }
