"""How many requests one address may make in a minute, counted for all processes of this machine together.

The counts lie in a small file of their own, since a public read never writes to the database. Where they cannot be
kept, nobody is refused.
"""

from __future__ import annotations

import ipaddress
import logging
import sqlite3
import time
from collections.abc import Mapping, Sequence
from threading import local
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

WINDOW = 60  # seconds
# Whoever has one address of a network of version 6 has all of these.
NETWORK_BITS = 64
TABLES = """
PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
CREATE TABLE IF NOT EXISTS spent (
  window INTEGER, name TEXT, address TEXT, count INTEGER, PRIMARY KEY (window, name, address)) WITHOUT ROWID;
"""
SPEND = """
INSERT INTO spent VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count"""

_log = logging.getLogger(__name__)
_kept = local()


class Limit(NamedTuple):
    """So many requests a window, counted under a name."""

    name: str
    rate: int


class Allowance(NamedTuple):
    """What an address has left of a limit, below zero when it asked once too often; ``resets_in`` is in seconds."""

    limit: Limit
    left: int
    resets_in: int


def address_of(meta: Mapping[str, str]) -> str:
    """Return the address that a request came from, by the headers that our own proxies set, and by no others."""
    address = meta.get("REMOTE_ADDR", "")
    forwarded = [part.strip() for part in meta.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    if settings.PROXY_COUNT and forwarded:
        address = forwarded[-min(settings.PROXY_COUNT, len(forwarded))]
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    return str(ipaddress.ip_network((known, NETWORK_BITS), strict=False)) if known.version == 6 else str(known)  # noqa: PLR2004  (the version)


def spend(limits: Sequence[Limit], address: str, now: float | None = None) -> list[Allowance]:
    """Count one request against each limit, and tell what is left. ``now`` is in seconds since 1970."""
    now = time.time() if now is None else now
    window, resets_in = int(now // WINDOW), WINDOW - int(now % WINDOW)
    try:
        return [Allowance(limit, limit.rate - _count(window, limit.name, address), resets_in) for limit in limits]
    except sqlite3.Error:
        _log.exception("Requests could not be counted; none is refused.")
        return []


def spend_for(request: HttpRequest) -> list[Allowance]:
    """Count a request of the API against the limits that there are; none on a site for its own machine."""
    limits = []
    if settings.API_RATE is not None:
        limits.append(Limit("api", settings.API_RATE))
    if settings.SEARCH_RATE is not None and "q" in request.GET:
        limits.append(Limit("search", settings.SEARCH_RATE))
    return spend(limits, address_of(request.META)) if limits else []


def tell(response: HttpResponseBase, allowances: Sequence[Allowance]) -> None:
    """Tell the limits and what is left of them, as the IETF draft on RateLimit header fields writes it."""
    if allowances:
        policies = [f'"{one.limit.name}";q={one.limit.rate};w={WINDOW}' for one in allowances]
        left = [f'"{one.limit.name}";r={max(one.left, 0)};t={one.resets_in}' for one in allowances]
        response.headers["RateLimit-Policy"] = ", ".join(policies)
        response.headers["RateLimit"] = ", ".join(left)


def _count(window: int, name: str, address: str) -> int:
    (count,) = _counts().execute(SPEND, (window, name, address)).fetchone()
    if count == 1:
        _counts().execute("DELETE FROM spent WHERE window < ?", (window,))
    return int(count)


def _counts() -> sqlite3.Connection:
    """Return the connection of this thread."""
    path = settings.DATA_DIR / "requests.sqlite3"
    found: tuple[object, sqlite3.Connection] | None = getattr(_kept, "connection", None)
    if found is None or found[0] != path:
        connection = sqlite3.connect(path, timeout=0.5, isolation_level=None)
        connection.executescript(TABLES)
        _kept.connection = found = (path, connection)
    return found[1]
