"""Finished answers: kept whole in each process, headers and all, and given again until the library moves on.

They are given before anything else looks at the request (incidentlib/middleware.py): one reading of where the library
stands says whether an answer still holds, and that is all it costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, ResponseHeaders

from cases import rates
from cases.answers import Tag, unchanged
from cases.catalog import Versions, versions_quickly
from cases.encodings import encoding_for

LARGEST_KEPT = 200_000
# What tells of the content, and so does not belong to an answer without one.
OF_CONTENT = ("Content-Type", "Content-Encoding", "Content-Disposition", "Link")
# What tells of one request alone.
OF_REQUEST = ("RateLimit", "RateLimit-Policy")
GIVEN = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)

# What public answers depend on besides the library: the address as it was asked for, and how a program wants it packed.
Key = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Finished:
    """One answer. Its headers are those of every answer made from it: nobody may change them."""

    versions: Versions
    tag: str
    content: bytes
    headers: ResponseHeaders
    headers_unchanged: ResponseHeaders


_finished: dict[Key, Finished] = {}
_lock = Lock()


def forget() -> None:
    """Let all answers go."""
    _finished.clear()


def finished(request: HttpRequest) -> HttpResponse | None:
    """Return the answer that was given to the same question before; None where it has to be made."""
    found = _holding(request)
    if found is None:
        return None
    response = unchanged(request, found.tag) or HttpResponse(found.content)
    if response.status_code not in GIVEN:
        return None
    allowances = rates.spend_for(request) if request.path_info.startswith("/api/") else []
    if any(one.left < 0 for one in allowances):
        return None  # the door of the API refuses it
    response.headers = found.headers if response.status_code == HTTPStatus.OK else found.headers_unchanged
    if allowances:
        response.headers = ResponseHeaders(dict(response.headers.items()))
        rates.tell(response, allowances)
    return response


def _holding(request: HttpRequest) -> Finished | None:
    """Find what was kept, if the library stands where it stood; where that cannot be read, the page will say so."""
    if not _finished or request.method != "GET":
        return None
    key = _key(request)
    found = _finished.get(key)
    if found is None:
        return None
    try:
        if versions_quickly() == found.versions:
            return found
    except Error:
        return None
    with _lock:
        _finished.pop(key, None)
    return None


def keep(request: HttpRequest, response: HttpResponseBase) -> None:
    """Keep what was made by ``answered`` for whoever asks the same; the oldest goes."""
    tag = getattr(response, "finished", None)
    if not isinstance(tag, Tag) or not isinstance(response, HttpResponse) or not _is_wanted(request, response):
        return
    headers = {name: value for name, value in response.headers.items() if name not in OF_REQUEST}
    lasting = {name: value for name, value in headers.items() if name not in OF_CONTENT} | {"Content-Length": "0"}
    one = Finished(tag.versions, tag, response.content, ResponseHeaders(headers), ResponseHeaders(lasting))
    with _lock:
        _finished[_key(request)] = one
        while len(_finished) > settings.FINISHED_PAGES:
            del _finished[next(iter(_finished))]


def _is_wanted(request: HttpRequest, response: HttpResponse) -> bool:
    is_whole = request.method == "GET" and response.status_code == HTTPStatus.OK and not response.cookies
    return is_whole and settings.FINISHED_PAGES > 0 and not settings.DEBUG and len(response.content) <= LARGEST_KEPT


def _key(request: HttpRequest) -> Key:
    meta, path = request.META, request.path_info
    encoding = encoding_for(request) if path.startswith("/api/") else ""
    return path, meta.get("QUERY_STRING", ""), meta.get("HTTP_HOST", ""), request.scheme or "", encoding
