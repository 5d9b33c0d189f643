"""The reviewer's page of one language of a case, and the acts of a review: submit, take back, decide."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from cases.document import LANGUAGES, CaseDocument, Language
from review import assignments, workflow
from review.act_forms import DecisionForm, SubmissionForm
from review.permissions import Act, Standing, can
from review.policy import OTHER
from review.queue import review_order
from review.reading import Reading, labels
from review.reading_comments import open_threads, shown_threads
from review.states import LanguageState, States, states_of
from review.workflow import Current, Refused, Seen

from .acts import answer_refusal
from .opened import actor, opened
from .work import whose_work

OFFERED = (Act.APPROVE, Act.REAFFIRM, Act.REQUEST_CHANGES, Act.WITHDRAW_APPROVAL)
BAD_REQUEST = 400


@login_required
@require_safe
def review(request: HttpRequest, id: str, language: Language) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Show what must be read to decide on a language, and the decisions at its end."""
    user, found = actor(request), opened(actor(request), id)
    require_language(language)
    states, standing = states_of(found.manuscript, found.document), Standing.of(user)
    state, other = states[language], OTHER[language]
    read = state.read.revision.document() if state.read is not None else None
    everything = read is None or request.GET.get("all") == "1"
    answers = {act.name.lower(): can(user, act, found.manuscript, language, standing, states) for act in OFFERED}
    context = {
        "found": found,
        "language": language,
        "other": other,
        "states": states,
        "state": state,
        **_read(user, found, read, state, standing, everything=everything),
        "everything": everything,
        "missing": labels(found.document, state.missing_fields),
        "stale": labels(found.document, state.stale_fields),
        "can": answers,
        "may_both": can(user, Act.APPROVE, found.manuscript, other, standing, states),
        "may_override": can(user, Act.OVERRIDE, found.manuscript, standing=standing),
        "work": whose_work(user, found, standing, language),
        "assigned": {key: one.person_id for key, one in assignments.of(found.manuscript).items()},
        **_neighbours(user, found, language),
    }
    return render(request, "review/review.html", context)


def _read(
    user: Any,
    found: Current,
    read: CaseDocument | None,
    state: LanguageState,
    standing: Standing,
    *,
    everything: bool,
) -> dict[str, Any]:
    """Gather what is read, with the open comments beside it; those whose field is not shown come after it."""
    threads = shown_threads(user, list(open_threads(found.manuscript)), found.document, standing)
    rows = Reading(found.document, read, state.language).rows(threads, everything=everything)
    beside = {thread.anchor for row in rows for thread in row.threads}
    others = [thread for thread in threads if thread.anchor not in beside]
    return {"rows": rows, "other_threads": others, "sources": found.document.sources}


def _neighbours(user: Any, found: Current, language: Language) -> dict[str, str | None]:
    """Find the case before and after this one in the person's queue."""
    order, here = review_order(user, language), found.document.id
    at = order.index(here) if here in order else -1
    following = order[at + 1] if at + 1 < len(order) else None
    return {"following": following, "previous": order[at - 1] if at > 0 else None}


@login_required
@require_POST
def decide(request: HttpRequest, id: str, language: Language) -> HttpResponse:  # noqa: A002
    """Take the decision whose button was pressed, about exactly what the page showed."""
    user, found = actor(request), opened(actor(request), id)
    require_language(language)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return unreadable(request, found, form)
    told = form.cleaned_data
    languages: list[Language] = [language, OTHER[language]] if told["both"] else [language]
    try:
        _do(user, found.number, languages, told)
    except Refused as refusal:
        return answer_refusal(request, refusal, found)
    messages.success(request, _said(found.number, told["verdict"]))
    return redirect("review:review", id=id, language=language)


def _do(user: Any, number: int, languages: list[Language], told: dict[str, Any]) -> None:
    seen, note = _seen(told), told["note"]
    act = Act(told["verdict"])
    if act is Act.APPROVE:
        workflow.approve(user, number, languages, seen, note, told["override"])
    elif act is Act.REAFFIRM:
        workflow.reaffirm(user, number, languages, seen, note, told["override"])
    elif act is Act.REQUEST_CHANGES:
        workflow.request_changes(user, number, languages[0], seen, note)
    else:
        workflow.withdraw_approval(user, number, languages[0], seen, note)


def _seen(told: dict[str, Any]) -> Seen:
    return Seen(told["revision"], {"en": told["decision_en"], "ko": told["decision_ko"]})


def _said(number: int, verdict: str) -> str:
    """Say what happened, whether readers see it, and what comes next."""
    done = {
        "approve": _("Approved."),
        "reaffirm": _("Reaffirmed."),
        "request-changes": _("Changes requested. Who wrote this finds it in the queue."),
        "withdraw-approval": _("The approval is withdrawn."),
    }[verdict]
    return f"{done} {_what_readers_see(number)}"


def _what_readers_see(number: int) -> str:
    found = workflow.current(number)
    if found is None or found.manuscript is None or found.manuscript.live_edition is None:
        return _("The case is not public yet: a publisher decides on that.")
    if found.manuscript.has_draft:
        return _("Readers still see the edition before this text, until it is published.")
    return _("Readers see this on the public page now.")


@login_required
@require_POST
def submit(request: HttpRequest, id: str, language: Language) -> HttpResponse:  # noqa: A002
    """Ask for a review of a language."""
    return _ask(request, id, language, Act.SUBMIT)


@login_required
@require_POST
def withdraw_submission(request: HttpRequest, id: str, language: Language) -> HttpResponse:  # noqa: A002
    """Take a submission back."""
    return _ask(request, id, language, Act.WITHDRAW_SUBMISSION)


def _ask(request: HttpRequest, id: str, language: Language, act: Act) -> HttpResponse:  # noqa: A002
    user, found = actor(request), opened(actor(request), id)
    require_language(language)
    form = SubmissionForm(request.POST)
    if not form.is_valid():
        return unreadable(request, found, form)
    do = workflow.submit if act is Act.SUBMIT else workflow.withdraw_submission
    try:
        do(user, found.number, language, _seen(form.cleaned_data), form.cleaned_data["note"])
    except Refused as refusal:
        return answer_refusal(request, refusal, found)
    said = _("Submitted for review.") if act is Act.SUBMIT else _("The submission is taken back.")
    messages.success(request, said)
    return redirect("review:manuscript", id=id)


def unreadable(request: HttpRequest, found: Current, form: Any) -> HttpResponse:
    reason = " ".join(str(message) for messages_ in form.errors.values() for message in messages_)
    return render(request, "review/refused.html", {"reason": reason, "found": found}, status=BAD_REQUEST)


def require_language(language: str) -> None:
    if language not in LANGUAGES:
        raise Http404(language)


def offered(user: Any, found: Current, standing: Standing, states: States) -> list[dict[str, Any]]:
    """Say for the page of a case where each language stands, and what can be asked."""
    return [_offer(user, found, standing, states, state) for state in states.values()]


def _offer(user: Any, found: Current, standing: Standing, states: States, state: LanguageState) -> dict[str, Any]:
    language = state.language
    asked = {
        act.name.lower(): can(user, act, found.manuscript, language, standing, states)
        for act in (Act.SUBMIT, Act.WITHDRAW_SUBMISSION)
    }
    return {
        "language": language,
        "state": state,
        "missing": labels(found.document, state.missing_fields),
        "stale": labels(found.document, state.stale_fields),
        "can": asked,
        "work": whose_work(user, found, standing, language),
    }
