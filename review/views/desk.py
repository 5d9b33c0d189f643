"""The way in: the home page of the desk, and the page of one case with everything that can be done to it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cases.field_words import FieldWords
from cases.labels import current_labels
from review import assignments
from review.activity import events_of_case, lines
from review.finding import home, search, unedited
from review.permissions import Act, Standing, can
from review.policy import obstacles
from review.reading_comments import open_threads, shown_threads
from review.states import approved, states_of
from review.workflow import person_of, require

from .opened import actor, opened
from .reviewing import offered

SEARCH_PAGE = 25
LONGEST_QUERY = 200
# How many open threads and events the page of a case shows; pages of their own have all.
THREADS = EVENTS = 10
# What the page of a case offers.
ACTS = (Act.EDIT_FACTS, Act.PUBLISH, Act.RESTORE, Act.WITHDRAW, Act.MERGE, Act.PAIR, Act.ARCHIVE, Act.REOPEN)


@login_required
@require_safe
def desk_home(request: HttpRequest) -> HttpResponse:
    """Show what this person is working on, or what a search over all drafts finds."""
    user = actor(request)
    standing = Standing.of(user)
    require(can(user, Act.SEE, standing=standing))
    query = request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_QUERY]
    context = {"q": query, "may_create": can(user, Act.CREATE, standing=standing)}
    if query:
        page = Paginator(search(query), SEARCH_PAGE).get_page(request.GET.get("page"))
        return render(request, "review/search.html", {**context, "page": page, "unedited": list(unedited(query))})
    return render(request, "review/home.html", {**context, "home": home(person_of(user))})


@login_required
@require_safe
def manuscript(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Show where one case stands on the desk, with what can be done to it and why not."""
    user = actor(request)
    found = opened(user, id)
    standing = Standing.of(user)
    document = found.document
    states = states_of(found.manuscript, document)
    context = {
        "found": found,
        "document": document,
        "date": FieldWords.here(document, current_labels()).of("date", str(document.date)),
        "obstacles": obstacles(document, approved(states)),
        "states": states,
        "assigned": {key: one.person_id for key, one in assignments.of(found.manuscript).items()},
        "languages": offered(user, found, standing, states),
        "can": {act.name.lower(): can(user, act, found.manuscript, standing=standing) for act in ACTS},
        "threads": shown_threads(user, list(open_threads(found.manuscript)[:THREADS]), document, standing),
        "lines": lines(events_of_case(found.number)[:EVENTS]),
    }
    return render(request, "review/manuscript.html", context)
