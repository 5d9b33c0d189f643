"""What waits for whom, acts on many rows of it, and the table of all cases and languages."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from cases.document import LANGUAGES
from cases.models import LanguageVersion
from review import matrix
from review.act_forms import BulkForm
from review.assignments import people, today
from review.bulk import Order, count_done, do_to_all
from review.four_eyes import selves
from review.permissions import Act, Standing, can
from review.queue import MINE, NOBODY, Wanted, lines
from review.workflow import require

from .opened import actor, standing_of

PAGE = 50
BAD_REQUEST = 400
AGES = {1: _("a day"), 3: _("three days"), 7: _("a week"), 30: _("a month")}


@login_required
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Show the lists of work, each with its count and how long the oldest has waited."""
    wanted = replace(_wanted(request), own=selves(actor(request)))
    require(can(actor(request), Act.SEE, standing=standing_of(request)))
    found = lines(wanted)
    empty = [line.name for line in found if not line.count]
    mine = _acts_of(actor(request), standing_of(request))
    context = {"lines": found, "empty": empty, "mine": mine, "people": people(), "today": today(), **_filters(wanted)}
    return render(request, "review/queue.html", context)


def _acts_of(user: User, standing: Standing) -> set[Act]:
    """Return which acts on many rows a person has a part in: the others would only be refused row by row."""
    spoken = {
        act
        for act in (Act.SUBMIT, Act.APPROVE, Act.TAKE)
        if any(can(user, act, language=language, standing=standing) for language in LANGUAGES)
    }
    return spoken | ({Act.PUBLISH} if can(user, Act.PUBLISH, standing=standing) else set())


@login_required
@require_POST
def bulk(request: HttpRequest) -> HttpResponse:
    """Do one act to every row that was ticked, and say what became of each."""
    user = actor(request)
    require(can(user, Act.SEE))
    form, rows = BulkForm(request.POST), request.POST.getlist("row")
    context = {"form": form, "picked": len(rows), "section": "queue"}
    if not form.is_valid():
        return render(request, "review/bulk.html", context, status=BAD_REQUEST)
    told = form.cleaned_data
    order = Order(Act(told["act"]), told["note"], told["assignee"], told["until"])
    outcomes = do_to_all(user, rows, order)
    return render(request, "review/bulk.html", {**context, "outcomes": outcomes, "done": count_done(outcomes)})


@login_required
@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """Show cases by languages: state and age of each, and whose work it is."""
    wanted = _wanted(request)
    require(can(actor(request), Act.SEE, standing=standing_of(request)))
    state = request.GET.get("state", "")
    state = state if state in LanguageVersion.State.values else ""
    page = Paginator(matrix.numbers(wanted, state), PAGE).get_page(request.GET.get("page"))
    asked = {key: value for key, value in request.GET.items() if key != "page"}
    context = {
        "page": page,
        "rows": matrix.rows(list(page)),
        "state": state,
        "state_names": LanguageVersion.State.choices,
        "asked": f"&{urlencode(asked)}" if asked else "",
        **_filters(wanted),
    }
    return render(request, "review/matrix.html", context)


def _wanted(request: HttpRequest) -> Wanted:
    """Read the filters; what makes no sense asks for everything."""
    language, days = request.GET.get("language", ""), request.GET.get("days", "")
    assigned = request.GET.get("assigned", "")
    return Wanted(
        languages=tuple(one for one in LANGUAGES if one == language) or tuple(LANGUAGES),
        org=request.GET.get("org", "").replace("\x00", "").strip()[:300],
        days=next((number for number in AGES if str(number) == days), 0),
        assigned=assigned if assigned in {MINE, NOBODY} else "",
        own=selves(actor(request)) if assigned == MINE else frozenset(),
    )


def _filters(wanted: Wanted) -> dict[str, object]:
    return {
        "org": wanted.org,
        "orgs": matrix.orgs(),
        "language": wanted.languages[0] if len(wanted.languages) == 1 else "",
        "days": wanted.days,
        "ages": AGES.items(),
        "assigned": wanted.assigned,
        "section": "queue",
    }
