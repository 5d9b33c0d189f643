"""How often one address may ask in a minute. Counts are kept in Django's cache: by default one for each process."""

from __future__ import annotations

import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

MINUTE = 60


def address_of(request: HttpRequest) -> str:
    """Return the address of who asks; what proxies tell of it is believed only of our own ones."""
    told = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if settings.PROXY_COUNT and len(told) >= settings.PROXY_COUNT:
        return told[-settings.PROXY_COUNT]
    return str(request.META.get("REMOTE_ADDR", ""))


def seconds_to_wait(kind: str, who: str, per_minute: int | None) -> int:
    """Count one request; return 0 while there were not too many in this minute, else the seconds until the next."""
    if per_minute is None:
        return 0
    now = time.time()
    key = f"rate-{kind}-{who}-{int(now) // MINUTE}"
    cache.add(key, 0, 2 * MINUTE)
    try:
        count = cache.incr(key)
    except ValueError:  # thrown out of the cache between the two lines
        return 0
    return MINUTE - int(now) % MINUTE if count > per_minute else 0
