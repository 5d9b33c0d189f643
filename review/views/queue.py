"""What waits for whom, and the table of all cases and languages."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cases.document import LANGUAGES
from cases.models import LanguageVersion
from review.models import Manuscript
from review.permissions import Act, can
from review.queue import Wanted, lines, matrix
from review.workflow import require

from .opened import actor

PAGE = 50


@login_required
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Show the lists of work, each with its count and how long the oldest has waited."""
    user, wanted = actor(request), _wanted(request)
    require(can(user, Act.SEE))
    return render(request, "review/queue.html", {"lines": lines(user, wanted), **_filters(wanted)})


@login_required
@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """Show cases by languages: state and age of each."""
    require(can(actor(request), Act.SEE))
    wanted = _wanted(request)
    state = request.GET.get("state", "")
    state = state if state in LanguageVersion.State.values else ""
    page = Paginator(matrix(wanted, state), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "state": state, "state_names": LanguageVersion.State.choices, **_filters(wanted)}
    return render(request, "review/matrix.html", context)


def _wanted(request: HttpRequest) -> Wanted:
    language = request.GET.get("language", "")
    languages = tuple(one for one in LANGUAGES if one == language) or tuple(LANGUAGES)
    return Wanted(languages, request.GET.get("org", "").replace("\x00", "").strip()[:300])


def _filters(wanted: Wanted) -> dict[str, object]:
    orgs = Manuscript.objects.order_by("org").values_list("org", flat=True).distinct()
    language = wanted.languages[0] if len(wanted.languages) == 1 else ""
    return {"org": wanted.org, "orgs": list(orgs), "language": language, "section": "queue"}
