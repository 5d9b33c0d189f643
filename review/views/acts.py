"""The acts of one case that are no typing: publish, withdraw, merge, archive, and the way back from each.

GET shows what will happen and asks; POST does it. The rules are those of ``review.workflow``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from cases.differences import differences
from review import workflow
from review.act_forms import MergeForm, PublishForm, ReasonForm, WithdrawForm
from review.permissions import Act, can
from review.policy import obstacles
from review.states import approved, states_of
from review.workflow import Current, NoBase, Refused, noted, require

from .opened import actor, opened

CONFLICT = 409
NO_BASE = 428


def answer_refusal(request: HttpRequest, refusal: Refused, found: Current) -> HttpResponse:
    """Say on a page of its own why an act was not done; nothing was changed."""
    status = NO_BASE if isinstance(refusal, NoBase) else CONFLICT
    return render(request, "review/refused.html", {"reason": refusal.reason, "found": found}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Publish one revision by its number, after showing what readers will see change."""
    user, found = actor(request), opened(actor(request), id)
    with noted(user, Act.PUBLISH, found.number):
        require(can(user, Act.PUBLISH, found.manuscript))
    form = PublishForm(request.POST or None, initial={"revision": found.revision_number, "head": found.revision_number})
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        try:
            edition = workflow.publish(user, found.number, told["revision"], told["head"], told["note"])
        except Refused as refusal:
            return answer_refusal(request, refusal, found)
        messages.success(request, _("Edition %(number)s is public now.") % {"number": edition.number})
        return redirect("review:manuscript", id=id)
    live = found.manuscript.live if found.manuscript is not None else None
    context = {
        "found": found,
        "form": form,
        "obstacles": obstacles(found.document, approved(states_of(found.manuscript, found.document))),
        "rows": differences(live.document(), found.document) if live is not None else None,
    }
    return render(request, "review/publish.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Take a published case back, with a reason that its address will show."""

    def act(user: Any, number: int, told: dict[str, Any]) -> None:
        workflow.withdraw(user, number, {"en": told["reason_en"], "ko": told["reason_ko"]})

    said = _("The case is withdrawn. Its address says so, with the reason.")
    return _act(request, id, Act.WITHDRAW, WithdrawForm, act, ("review/withdraw.html", said))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo_withdrawal(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Put a withdrawn case back."""

    def act(user: Any, number: int, told: dict[str, Any]) -> None:
        workflow.undo_withdrawal(user, number, told["reason"])

    said = _("The case is public again.")
    return _act(request, id, Act.WITHDRAW, ReasonForm, act, ("review/undo_withdrawal.html", said))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Make a case lead to another one that tells the same incident."""

    def act(user: Any, number: int, told: dict[str, Any]) -> None:
        workflow.merge_into(user, number, told["target"], told["reason"])

    said = _("The case leads to the other one now.")
    return _act(request, id, Act.MERGE, MergeForm, act, ("review/merge.html", said))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo_merge(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Let a merged case stand for itself again."""

    def act(user: Any, number: int, told: dict[str, Any]) -> None:
        workflow.undo_merge(user, number, told["reason"])

    said = _("The case stands for itself again.")
    return _act(request, id, Act.MERGE, ReasonForm, act, ("review/undo_merge.html", said))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Put a draft aside that was never published."""

    def act(user: Any, number: int, told: dict[str, Any]) -> None:
        workflow.archive(user, number, told["reason"])

    return _act(request, id, Act.ARCHIVE, ReasonForm, act, ("review/archive.html", _("The draft is archived.")))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reopen(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Take an archived draft up again."""

    def act(user: Any, number: int, told: dict[str, Any]) -> None:
        workflow.reopen(user, number, told["reason"])

    return _act(request, id, Act.REOPEN, ReasonForm, act, ("review/reopen.html", _("The draft is open again.")))


def _act(
    request: HttpRequest,
    id: str,  # noqa: A002
    act: Act,
    form_class: type[Any],
    do: Callable[[Any, int, dict[str, Any]], None],
    shown: tuple[str, str],
) -> HttpResponse:
    """Ask by the template of ``shown``; on a valid POST do it and say its second part."""
    template, said = shown
    user, found = actor(request), opened(actor(request), id)
    with noted(user, act, found.number):
        require(can(user, act, found.manuscript))
    form = form_class(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            do(user, found.number, form.cleaned_data)
        except Refused as refusal:
            return answer_refusal(request, refusal, found)
        messages.success(request, said)
        return redirect("review:manuscript", id=id)
    return render(request, template, {"found": found, "form": form})


@login_required
@require_POST
def restore(request: HttpRequest, id: str, number: int) -> HttpResponse:  # noqa: A002
    """Make an older revision the newest one."""
    user, found = actor(request), opened(actor(request), id)
    base = request.POST.get("base", "")
    try:
        if not base.isdecimal():
            raise NoBase(_("This form does not say which revision it was made from. Reload the page."))
        saved = workflow.restore(user, found.number, number, int(base))
    except Refused as refusal:
        return answer_refusal(request, refusal, found)
    told = {"old": number, "new": saved.revision.number}
    said = _("Revision %(old)s is the newest again, as revision %(new)s.") if saved.is_new else _("Nothing to restore.")
    messages.success(request, said % told)
    return redirect("review:manuscript", id=id)
