"""What is said when something went wrong: a page in the language of the address, or a problem for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist, loader
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from cases.answers import language_of, other, problem, switch_url
from cases.document import LANGUAGES

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Handler = Callable[[HttpRequest], HttpResponse]

TITLES = {400: "Bad Request", 403: "Forbidden", 404: "Not Found", 500: "Internal Server Error"}
DETAILS = {
    400: "The request cannot be read.",
    403: "This is not for you to see.",
    404: "There is nothing at this address.",
    500: "This site failed; the failure has been noted.",
}
TOO_MUCH: dict[type[Exception | None], StrPromise] = {
    RequestDataTooBig: _("More was sent at once than this site takes: 8 MB at most."),
    TooManyFieldsSent: _("More fields were sent at once than this site takes: 10,000 at most."),
}
# For when not even a template can be had.
PLAIN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{status}</title>
<p>{title}. <a href="/">IncidentLib</a></p>
<p lang="ko">문제가 생겼습니다. <a href="/">IncidentLib</a></p></html>"""


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say what was too much, where that is what Django refused."""
    return _answer(request, 400, str(TOO_MUCH.get(type(exception), "")))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say why, where the refusal was given a reason for the person who was refused."""
    return _answer(request, 403, str(exception or ""))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001  (Django's)
    return _answer(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that we failed; without the request, so that nothing can ask a database that may be what failed."""
    try:
        return _answer(request, 500)
    except Exception:  # noqa: BLE001  (a failing error page must not fail)
        return _without_cache(HttpResponse(_plain(500), status=500))


def _answer(request: HttpRequest, status: int, reason: str = "") -> HttpResponse:
    if request.path_info.startswith(("/api/", "/mcp")):
        return problem(status, TITLES[status], DETAILS[status])
    language = request.LANGUAGE_CODE if hasattr(request, "LANGUAGE_CODE") else language_of(request)
    with translation.override(language):
        return _without_cache(HttpResponse(_page(request, status, reason), status=status))


def _page(request: HttpRequest, status: int, reason: str) -> str:
    try:
        template = loader.select_template([f"{status}.html", "error.html"])
    except TemplateDoesNotExist:
        return _plain(status)
    return str(template.render({"status": status, "reason": reason, "other_url": _other_url(request)}))


def _other_url(request: HttpRequest) -> str | None:
    """Return the same address in the other language, for an address that has one."""
    first, _, rest = request.path_info[1:].partition("/")
    if first not in LANGUAGES:
        return None
    language = other(language_of(request))
    return switch_url(language, f"/{language}/{rest}")


def _plain(status: int) -> str:
    return PLAIN.format(status=status, title=TITLES[status])


def _without_cache(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
