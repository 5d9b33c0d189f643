"""Looking back: all revisions and editions of a case, one of them, and any two compared."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cases.differences import differences
from review.models import Event, Revision
from review.permissions import Act, can

from .opened import actor, opened

PAGE = 50


@login_required
@require_safe
def history(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the word of the address)
    """List every revision, newest first, with the editions that came of them."""
    user, found = actor(request), opened(actor(request), id)
    revisions = Revision.objects.filter(manuscript=found.manuscript).select_related("author", "base").defer("text")
    page = Paginator(revisions.order_by("-number"), PAGE).get_page(request.GET.get("page"))
    published = Event.objects.filter(number=found.number, verb=Event.Verb.PUBLISHED).select_related("person")
    context = {
        "found": found,
        "page": page,
        "published": {event.revision_number: event for event in published},
        "can_restore": can(user, Act.RESTORE, found.manuscript),
    }
    return render(request, "review/history.html", context)


@login_required
@require_safe
def compared(request: HttpRequest, id: str, before: int, after: int) -> HttpResponse:  # noqa: A002
    """Show what changed from one revision to another, field by field."""
    user, found = actor(request), opened(actor(request), id)
    old, new = (_revision(found.number, number) for number in (before, after))
    context = {
        "found": found,
        "old": old,
        "new": new,
        "rows": differences(old.document(), new.document()),
        "can_restore": can(user, Act.RESTORE, found.manuscript),
    }
    return render(request, "review/compare.html", context)


def _revision(number: int, revision_number: int) -> Revision:
    found = Revision.objects.filter(manuscript__number=number, number=revision_number).select_related("author").first()
    if found is None:
        raise Http404(str(revision_number))
    return found
