"""What happened: the log of one case, and that of one person."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from review.activity import events_of_account, events_of_case, lines
from review.people import shown
from review.permissions import Act, Standing, can
from review.workflow import require

from .opened import actor, opened

PAGE = 50


@login_required
@require_safe
def of_case(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the word of the address)
    """List everything that was done to a case, the newest first."""
    found = opened(actor(request), id)
    page = Paginator(events_of_case(found.number), PAGE).get_page(request.GET.get("page"))
    return render(request, "review/activity.html", {"found": found, "page": page, "lines": lines(page)})


@login_required
@require_safe
def of_person(request: HttpRequest, pk: int) -> HttpResponse:
    """List everything that a person did; acts on accounts only for administrators and for themselves."""
    user = actor(request)
    standing = Standing.of(user)
    require(can(user, Act.SEE, standing=standing))
    account = get_object_or_404(User.objects.select_related("person__owner"), pk=pk)
    all_of_it = bool(can(user, Act.MANAGE, standing=standing)) or account == user
    events = events_of_account(pk, with_administration=all_of_it)
    page = Paginator(events, PAGE).get_page(request.GET.get("page"))
    context = {"person": shown(account), "page": page, "lines": lines(page)}
    return render(request, "review/person_activity.html", context)
