"""How public answers are given: cache headers, ETags and 304, redirects, and each page's address in both languages.

A public answer depends on its address alone: no cookie, no Vary. Only addresses without a language look at the reader.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
)
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from cases.catalog import Versions
from cases.document import LANGUAGES, Language, case_id, write_json
from cases.rendering import stamp
from cases.rendering.addresses import address, full_address

Response = TypeVar("Response", bound=HttpResponseBase)

PUBLIC = "public, max-age=0, s-maxage=60, stale-if-error=86400"
# What is gone must not come back from a cache when we fail.
GONE = "public, max-age=0, s-maxage=60"
IF_NONE_MATCH = "HTTP_IF_NONE_MATCH"
CONDITIONS = (IF_NONE_MATCH, "HTTP_IF_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE")
LONGEST_NEXT = 4000
FILE = re.compile(r"\.(?:md|atom|bib|ris|json)$")
FORGIVEN = re.compile(r"(?:IL)?[-_ ]?0*([1-9][0-9]{0,8})", re.IGNORECASE)

# Headers


class Tag(str):
    """A strong ETag, and where the library stood when it was made."""

    __slots__ = ("versions",)
    versions: Versions


def etag(versions: Versions, *parts: object) -> Tag:
    """Return a strong ETag for one address: it changes with the cases, the words, the templates and the program."""
    made_from = (_program(), stamp(versions.vocabulary), *versions.last, *parts)
    tag = Tag(f'"{hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]}"')
    tag.versions = versions
    return tag


def _program() -> str:
    return _fingerprint() if settings.DEBUG else _kept_fingerprint()


@cache
def _kept_fingerprint() -> str:
    return _fingerprint()


def _fingerprint() -> str:
    """Read everything that pages are made with besides the database, once in a process."""
    digest = hashlib.sha256()
    project = Path(settings.BASE_DIR)
    for folder in ("templates", "cases", "incidentlib"):
        for path in sorted((project / folder).rglob("*.*")):
            if path.suffix in {".html", ".txt", ".css", ".js", ".po", ".py"}:
                digest.update(path.read_bytes())
    return digest.hexdigest()


def unchanged(request: HttpRequest, tag: str) -> HttpResponse | None:
    """Return the 304 for a reader who has this already, else None.

    What most send, nothing or the tag as it is, is not worth Django's reading of all that could be sent.
    """
    meta = request.META
    sent = [name for name in CONDITIONS if name in meta]
    if not sent:
        return None
    if sent == [IF_NONE_MATCH] and meta[IF_NONE_MATCH] == tag:
        return public(HttpResponseNotModified(), tag)
    answer = get_conditional_response(request, etag=tag)
    return public(answer, tag) if isinstance(answer, HttpResponse) else None


def answered(request: HttpRequest, tag: Tag, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Give 304 to a reader who has this already, else the page made now, which may be kept (``cases.finished``).

    The tag changes with whatever a page is made from, so a page kept under it is never out of date.
    """
    if same := unchanged(request, tag):
        return same
    response = public(make(), tag)
    response.finished = tag  # type: ignore[attr-defined]  # read by cases.finished
    return response


def public(response: Response, tag: str = "", control: str = PUBLIC) -> Response:
    response.headers["Cache-Control"] = control
    if tag:
        response.headers["ETag"] = str(tag)  # a server takes nothing but plain text in a header
    return response


# Languages


class Alternate(NamedTuple):
    """The address of a page in one language, or (``x-default``) in the reader's."""

    language: str
    url: str


def language_of(request: HttpRequest) -> Language:
    """Return the language of the address, English where it has none."""
    first = request.path_info[1:].partition("/")[0]
    return "ko" if first == "ko" else "en"


def other(language: Language) -> Language:
    return "ko" if language == "en" else "en"


def switch_url(language: Language, path: str) -> str:
    """Return the link that shows ``path`` and remembers that this reader wants this language."""
    return f"{reverse('cases:language', kwargs={'language': language})}?next={quote(path, safe='/')}"


class FeedLink(NamedTuple):
    """A feed that can be followed; ``page`` is the list that shows the same cases."""

    kind: str
    title: str
    url: str
    page: str


def feed_links(language: Language, chosen: Mapping[str, Iterable[str]] | None = None) -> list[FeedLink]:
    """Return the feeds of the whole library, or of what a list was asked for. The language must be the active one."""
    asked = {name: list(values) for name, values in (chosen or {}).items() if name != "sort"}
    query = f"?{urlencode(asked, doseq=True)}" if asked else ""
    titles = {"new": _("IncidentLib: new cases"), "changed": _("IncidentLib: changed cases")}
    page = full_address("list", language) + query
    return [
        FeedLink(kind, title, full_address(f"feed-{kind}", language) + query, page) for kind, title in titles.items()
    ]


def in_both_languages(
    language: Language, name: str, query: str = "", present: Sequence[Language] = LANGUAGES, **arguments: str
) -> dict[str, Any]:
    """Return what a page says of its own addresses. ``present`` are the languages in which its text exists."""
    alternates = [Alternate(one, full_address(name, one, **arguments) + query) for one in present]
    without_language = address(name, "en", **arguments).removeprefix("/en") + query
    # A page that shows the text of the other language, for lack of its own, is a copy of that one's.
    original = language if language in present else present[0]
    alternates.append(Alternate("x-default", f"{settings.SITE_URL}{without_language}"))
    return {
        "license_name": settings.CONTENT_LICENSE_NAME,
        "license_url": settings.CONTENT_LICENSE_URL,
        "alternates": alternates,
        "feeds": feed_links(language),
        "canonical": full_address(name, original, **arguments) + query,
        "other_url": switch_url(other(language), address(name, other(language), **arguments) + query),
    }


def by_reader(request: HttpRequest, path: str) -> HttpResponse:
    """Send to ``path`` in the language of the reader: the one they chose, else that of their browser."""
    language = translation.get_language_from_request(request)
    response = HttpResponseRedirect(with_its_query(request, f"/{language if language in LANGUAGES else 'en'}/{path}"))
    response.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


# Addresses


def is_local(url: str) -> bool:
    """Tell whether a redirect to this stays on the site: a path, not ``//elsewhere`` and the like."""
    return len(url) <= LONGEST_NEXT and url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)


def with_its_query(request: HttpRequest, path: str) -> str:
    query = request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


def moved(request: HttpRequest, path: str) -> HttpResponse:
    """Send to the one address of a page; asked for again each time, since a merge can be undone."""
    return public(HttpResponsePermanentRedirect(with_its_query(request, path)), control=GONE)


def moved_for_good(path: str) -> HttpResponse:
    """Send a program to the one address of what it asked for, with 308: no program may change its method."""
    response = HttpResponsePermanentRedirect(path)
    response.status_code = 308
    return open_to_all(public(response, control=GONE))


def open_to_all(response: HttpResponse) -> HttpResponse:
    """Let pages of other sites read what is made for programs."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def forgiven_number(text: str) -> int:
    """Read a case number however it is written: IL-0560, il-560, IL560, 560. Raises Http404 for anything else."""
    found = FORGIVEN.fullmatch(text)
    if found is None:
        raise Http404
    return int(found[1])


def forgiven_path(path: str) -> str:
    """Return the right form of a path below the language: a case number in full, a slash behind what is no file."""
    folder, _, rest = path.strip("/").partition("/")
    first, slash, below = rest.partition("/")
    if folder == "cases" and (found := FORGIVEN.fullmatch(first)):
        rest = case_id(int(found[1])) + slash + below
    right = quote("/".join(part for part in (folder, rest) if part))
    return right if FILE.search(right) else f"{right}/"


# JSON


def json_answer(text: str, tag: str = "", control: str = PUBLIC, status: int = 200) -> HttpResponse:
    return public(HttpResponse(text, content_type="application/json", status=status), tag, control)


def problem(status: int, title: str, detail: str, **told: object) -> HttpResponse:
    """Say what went wrong in the form of RFC 9457; ``told`` is what else there is to say of it."""
    text = write_json({"type": "about:blank", "title": title, "status": status, "detail": detail, **told})
    response = HttpResponse(text, content_type="application/problem+json", status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
