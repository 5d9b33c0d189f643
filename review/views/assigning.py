"""Saying whose work a language of a case is, from the page of the case or of its review."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from cases.document import Language
from review import workflow
from review.act_forms import AssignmentForm, UnassignmentForm
from review.workflow import Refused, Seen

from .acts import answer_refusal
from .opened import actor, opened
from .reviewing import require_language, unreadable


@login_required
@require_POST
def assign(request: HttpRequest, id: str, language: Language) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Give the work on a language to the person who was chosen."""
    user, found = actor(request), opened(actor(request), id)
    require_language(language)
    form = AssignmentForm(request.POST, language=language)
    if not form.is_valid():
        return unreadable(request, found, form)
    told = form.cleaned_data
    try:
        assignment = workflow.assign(user, found.number, language, _seen(told), told["assignee"], told["until"])
    except Refused as refusal:
        return answer_refusal(request, refusal, found)
    messages.success(request, _("Assigned to: %(name)s.") % {"name": assignment.person.name})
    return _back(request, id)


@login_required
@require_POST
def unassign(request: HttpRequest, id: str, language: Language) -> HttpResponse:  # noqa: A002
    """End an assignment."""
    user, found = actor(request), opened(actor(request), id)
    require_language(language)
    form = UnassignmentForm(request.POST)
    if not form.is_valid():
        return unreadable(request, found, form)
    try:
        workflow.unassign(user, found.number, language, _seen(form.cleaned_data))
    except Refused as refusal:
        return answer_refusal(request, refusal, found)
    messages.success(request, _("The assignment has ended."))
    return _back(request, id)


def _seen(told: dict[str, Any]) -> Seen:
    decisions: dict[Language, int | None] = {"en": told["decision_en"], "ko": told["decision_ko"]}
    return Seen(told["revision"], decisions, {"en": told["assignee_en"], "ko": told["assignee_ko"]})


def _back(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Lead back to the page that the form stood on, if it is one of this site, else to that of the case."""
    page = request.POST.get("next", "")
    is_own = page.startswith("/desk/") and url_has_allowed_host_and_scheme(page, allowed_hosts=None)
    return redirect(page) if is_own else redirect("review:manuscript", id=id)
