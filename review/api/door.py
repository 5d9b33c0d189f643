"""What every request of a program passes: its rate, its token, what it sent; and how it is told what was wrong.

No cookie is looked at, so no page of another site can use somebody's session.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from cases import rates
from cases.answers import problem
from cases.document import MOST_BYTES, DocumentError, Problem, path_words, read_json, write_json
from review.log import through
from review.merge import Conflict as FieldConflict
from review.models import Event, Token
from review.programs import find_token, note_use
from review.workflow import Conflict, NoBase, Refused

BEARER = re.compile(r"Bearer +([A-Za-z0-9_-]{1,200})", re.IGNORECASE)
TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    428: "Precondition Required",
    429: "Too Many Requests",
}
NO_CACHE = "no-store, private"


class Rejected(Exception):
    """A request that is answered by a problem: its status, what is wrong, and further members and headers."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None, **members: Any) -> None:
        self.status, self.detail, self.headers, self.members = status, detail, headers or {}, members
        super().__init__(detail)

    def answer(self) -> HttpResponse:
        response = problem(self.status, TITLES[self.status], self.detail, **self.members)
        for name, value in self.headers.items():
            response.headers[name] = value
        return response


@dataclass(frozen=True)
class Caller:
    """A program that was let in, with what it sent."""

    token: Token
    user: User
    sent: dict[str, Any]
    key: str = ""  # its own name for this request

    def must(self, scope: Token.Scope) -> None:
        if scope not in self.token.scopes:
            detail = f"This token may not do that: it lacks the scope “{scope}”."
            raise Rejected(403, detail, _challenge("insufficient_scope", scope=scope), scope=scope)


View = Callable[..., HttpResponse]


def door(**views: Callable[..., HttpResponse]) -> View:
    """Make one view of one function for each method, such as ``door(get=show, post=create)``."""
    allowed = ", ".join(method.upper() for method in views)

    @wraps(next(iter(views.values())))
    def opened(request: HttpRequest, **arguments: Any) -> HttpResponse:
        view = views.get("get" if request.method == "HEAD" else str(request.method).lower())
        try:
            with through(Event.Channel.API):
                response = view(let_in(request), **arguments) if view else _not_allowed(allowed)
        except Rejected as rejected:
            response = rejected.answer()
        except (DocumentError, Refused, PermissionDenied, Http404) as refusal:
            response = rejection(refusal).answer()
        response.headers["Cache-Control"] = NO_CACHE
        patch_vary_headers(response, ["Authorization"])
        return response

    return opened


def _not_allowed(allowed: str) -> HttpResponse:
    return Rejected(405, f"This address takes {allowed}.", {"Allow": allowed}).answer()


def let_in(request: HttpRequest) -> Caller:
    """Check the rate, then the token and its owner, then what was sent. Raises ``Rejected``."""
    _count(request)
    token = _token(request)
    sent = _sent(request) if request.method == "POST" else {}
    note_use(token)
    return Caller(token, cast("User", token.program.user), sent, request.headers.get("Idempotency-Key", ""))


def _count(request: HttpRequest) -> None:
    """Count the request, also one without a token: guessing is to be slow."""
    limits = [rates.Limit("desk", settings.API_RATE)] if settings.API_RATE else []
    for one in rates.spend(limits, rates.address_of(request.META)):
        if one.left < 0:
            detail = f"At most {one.limit.rate} requests a minute; ask again in {one.resets_in} seconds."
            raise Rejected(429, detail, {"Retry-After": str(one.resets_in)})


# The token


def _token(request: HttpRequest) -> Token:
    given = BEARER.fullmatch(request.headers.get("Authorization", "").strip())
    if given is None:
        raise Rejected(401, "Send a token in the header: Authorization: Bearer ilt_…", _challenge())
    token = find_token(given[1])
    if token is None:
        raise _invalid("There is no such token.")
    if token.revoked_at is not None:
        raise _invalid(f"This token was revoked on {token.revoked_at:%Y-%m-%d}.")
    if not token.is_in_force(timezone.now()):
        raise _invalid(f"This token expired on {token.expires_at:%Y-%m-%d}.")
    return _of_active_people(token)


def _of_active_people(token: Token) -> Token:
    """Require that the program and its owner both have an account that is in use."""
    owner = token.program.owner.user if token.program.owner else None
    if owner is None or not owner.is_active:
        raise Rejected(403, "The owner of this program has no active account.")
    if token.program.user is None or not token.program.user.is_active:
        raise Rejected(403, "The account of this program is deactivated.")
    return token


def _invalid(detail: str) -> Rejected:
    return Rejected(401, detail, _challenge("invalid_token"))


def _challenge(error: str = "", **parameters: str) -> dict[str, str]:
    told = {"realm": "IncidentLib desk", **({"error": error} if error else {}), **parameters}
    return {"WWW-Authenticate": "Bearer " + ", ".join(f'{name}="{value}"' for name, value in told.items())}


# What was sent


def _sent(request: HttpRequest) -> dict[str, Any]:
    if request.content_type != "application/json":
        raise Rejected(415, "Send JSON, with the header Content-Type: application/json.")
    length = request.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) > MOST_BYTES:
        raise Rejected(413, f"At most {MOST_BYTES} bytes may be sent at once.")
    sent = read_json(request.body)
    if not isinstance(sent, dict):
        raise Rejected(400, "Send a JSON object.")
    return sent


# What is wrong


def rejection(refusal: Exception) -> Rejected:
    """Say as a problem what the desk refused."""
    if isinstance(refusal, DocumentError):
        errors = [_error(problem) for problem in refusal.problems]
        return Rejected(400, errors[0]["detail"] if len(errors) == 1 else "Several things are wrong.", errors=errors)
    if isinstance(refusal, NoBase):
        return Rejected(428, refusal.reason)
    if isinstance(refusal, Conflict):
        return Rejected(409, refusal.reason, **_met(refusal))
    if isinstance(refusal, Refused):
        return Rejected(409, refusal.reason)
    if isinstance(refusal, PermissionDenied):
        return Rejected(403, str(refusal))
    return Rejected(404, "There is no draft or case with this number.")


def _error(found: Problem) -> dict[str, str]:
    """Name the place of a problem twice: as JSON Pointer for programs, in words for people."""
    pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in found.path)
    return {"pointer": f"#{pointer}", "path": path_words(found.path), "detail": found.text()}


def _met(conflict: Conflict) -> dict[str, Any]:
    """Tell the revision that is there now, and what both changed: as it was, as it is there, as it was sent."""
    told: dict[str, Any] = {"current_revision": conflict.head.number if conflict.head else None}
    if conflict.merge is not None:
        told["conflicts"] = [_both(one) for one in conflict.merge.conflicts]
    return told


def _both(one: FieldConflict) -> dict[str, Any]:
    reason = one.reason.text() if one.reason else None
    return {"path": one.path, "base": one.base, "theirs": one.theirs, "mine": one.mine, "reason": reason}


def answer(told: dict[str, Any], status: int = 200, **headers: str) -> HttpResponse:
    return HttpResponse(write_json(told), content_type="application/json", status=status, headers=headers)
