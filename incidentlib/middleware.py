"""What wraps every request: headers, language, and the desk's sessions, which public addresses do without."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from csp.utils import build_policy
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from cases.finished import finished, keep

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseForbidden
    from django.http.response import HttpResponseBase

    Handler = Callable[[HttpRequest], HttpResponseBase]

UNUSED_FEATURES = ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
PERMISSIONS_POLICY = ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES)


def is_desk(request: "HttpRequest") -> bool:
    return request.path_info.startswith(settings.DESK_PREFIXES)


def finished_answers(get_response: "Handler") -> "Handler":
    """Give what was given before, headers and all, where it still holds. What is public is the same for everybody."""

    def middleware(request: "HttpRequest") -> "HttpResponseBase":
        if found := finished(request):
            return found
        response = get_response(request)
        keep(request, response)
        return response

    return middleware


def security_headers(get_response: "Handler") -> "Handler":
    """Add to every answer, errors and static files included, what Django's SecurityMiddleware does not.

    The policy of django-csp is written once: its own middleware writes it anew for each answer, which took as long
    as all other middlewares together.
    """
    content_security_policy = build_policy()

    def middleware(request: "HttpRequest") -> "HttpResponseBase":
        response = get_response(request)
        is_open = request.path_info.startswith("/api/") and not request.path_info.startswith("/api/desk/")
        response.headers.setdefault("Content-Security-Policy", content_security_policy)
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Permissions-Policy"] = PERMISSIONS_POLICY
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin" if is_open else "same-origin"
        if is_open:
            response.headers["Access-Control-Allow-Origin"] = "*"
        if is_desk(request):
            response.headers["Cache-Control"] = "no-store, private"
            # Not "no-referrer": browsers then send "Origin: null" with a form, which the CSRF check refuses.
            response.headers["Referrer-Policy"] = "same-origin"
        return response

    return middleware


def language(get_response: "Handler") -> "Handler":
    """Choose the language by the address (/en/, /ko/), so that public answers depend on nothing else.

    The desk has one address for both and follows the person's cookie or browser; everything else speaks English.
    """

    def middleware(request: "HttpRequest") -> "HttpResponseBase":
        first = request.path_info[1:].partition("/")[0]
        if first not in settings.MODELTRANSLATION_LANGUAGES:
            first = translation.get_language_from_request(request) if is_desk(request) else settings.LANGUAGE_CODE
        with translation.override(first):
            request.LANGUAGE_CODE = first
            response = get_response(request)
        response.headers.setdefault("Content-Language", first)
        return response

    return middleware


class DeskOnly(MiddlewareMixin):
    """Lets a middleware of Django's act below DESK_PREFIXES only: a public answer is the same for everybody."""

    if TYPE_CHECKING:
        get_response: "Handler"

    def __call__(self, request: "HttpRequest") -> "HttpResponseBase":
        if not is_desk(request):
            return self.get_response(request)
        return super().__call__(request)  # type: ignore[return-value] # awaitable only under ASGI, which is not served


class DeskSessionMiddleware(DeskOnly, SessionMiddleware):
    pass


class DeskAuthenticationMiddleware(DeskOnly, AuthenticationMiddleware):
    pass


class DeskMessageMiddleware(DeskOnly, MessageMiddleware):
    pass


class DeskCsrfMiddleware(DeskOnly, CsrfViewMiddleware):
    def process_view(
        self, request: "HttpRequest", callback: "Handler", arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> "HttpResponseForbidden | None":
        if not is_desk(request):
            return None
        return super().process_view(request, callback, arguments, keywords)
