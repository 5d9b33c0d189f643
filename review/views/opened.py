"""What every page of one case begins with: who asks, and what is in work under the number."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.http import Http404, HttpRequest

from cases.document import case_number
from review.permissions import Act, Standing, can
from review.workflow import Current, current, require

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def actor(request: HttpRequest) -> User:
    """Return who is signed in; the desk's views are closed to everybody else."""
    return cast("User", request.user)


def standing_of(request: HttpRequest) -> Standing:
    """Return what the person holds, as the door of the desk read it (access.py)."""
    return cast("Standing", vars(request)["standing"])


def opened(user: User, id: str) -> Current:  # noqa: A002  (the word of the address)
    """Find what is in work under a number, for somebody who may see the desk; else refuse or say not found."""
    require(can(user, Act.SEE))
    try:
        found = current(case_number(id))
    except ValueError:
        raise Http404(id) from None
    if found is None:
        raise Http404(id)
    return found
