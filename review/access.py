"""Closes the desk: every page below these prefixes asks for sign-in, unless its view is ``login_not_required``.

Below /desk/ a role is needed, too. What a role may do is asked in the views and acts (permissions.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from cases.document.problems import printable
from cases.models import Person

from .notices import unread
from .permissions import Standing

CLOSED = ("/desk/", "/accounts/")
NEEDS_A_ROLE = "/desk/"
logger = logging.getLogger(__name__)


def _note(request: HttpRequest, named: dict[Any, Any]) -> None:
    """Log what somebody without any role tried, as refused acts are logged (workflow/refusals.py)."""
    act = request.resolver_match.url_name if request.resolver_match is not None else ""
    case, language = (printable(str(named.get(name) or "-")) for name in ("id", "language"))
    told = (request.user.pk, act, case, language)
    logger.warning("refused: user=%d act=%s case=%s language=%s code=no-role", *told)


class AccessMiddleware(LoginRequiredMiddleware):
    """Gives the views behind it ``request.standing`` and, for the page's header, name and unread notices."""

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[Any, Any],
    ) -> HttpResponseBase | None:
        if not request.path_info.startswith(CLOSED):
            return None
        refused = super().process_view(request, view_func, view_args, view_kwargs)
        if refused is not None or not request.user.is_authenticated:
            return refused
        standing = Standing.of(request.user)
        name = Person.objects.filter(user=request.user).values_list("name", flat=True).first()
        shown = {"person_name": name or request.user.get_username(), "unread_notices": unread(request.user)}
        vars(request).update(standing=standing, **shown)
        if request.path_info.startswith(NEEDS_A_ROLE) and not standing.has_part():
            _note(request, view_kwargs)
            return render(request, "registration/no_role.html", status=403)
        return None

    def handle_no_permission(  # type: ignore[override]  # the answer for programs is no redirect
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        """Send to the sign-in page and back; a script gets a 401, so that it can ask in place and try again."""
        if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
            return JsonResponse({"sign_in": settings.LOGIN_URL}, status=401)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseRedirect(settings.LOGIN_URL)
        return super().handle_no_permission(request, view_func)
