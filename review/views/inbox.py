"""The inbox of who is signed in, and how they want it mailed."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from review.models import Notice, NoticePreference
from review.notice_forms import PreferencesForm
from review.notice_mail import preference_of
from review.notice_words import address, sentence
from review.notices import mark_read

from .opened import actor

PAGE = 30
SECTION = "inbox"


@login_required
@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """List what somebody was told, the newest first."""
    notices = Notice.objects.filter(user=actor(request)).select_related("actor", "event")
    page = Paginator(notices, PAGE).get_page(request.GET.get("page"))
    told = [(notice, sentence(notice)) for notice in page]
    return render(request, "review/inbox.html", {"section": SECTION, "page": page, "told": told})


@login_required
@require_POST
def open_notice(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a notice as read and go where it leads."""
    user = actor(request)
    notice = get_object_or_404(Notice.objects.select_related("event"), pk=pk, user=user)
    mark_read(user, pk)
    return redirect(address(notice))


@login_required
@require_POST
def read_all(request: HttpRequest) -> HttpResponse:
    """Mark all notices as read."""
    mark_read(actor(request))
    return redirect("review:inbox")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Choose what is mailed, when and in which language."""
    user = actor(request)
    told = PreferencesForm.told_by(preference_of(user))
    form = PreferencesForm(request.POST if request.method == "POST" else None, initial=told)
    if form.is_valid():
        chosen = {key: form.cleaned_data[key] for key in ("mail", "language")} | {"not_mailed": form.not_mailed()}
        NoticePreference.objects.update_or_create(user=user, defaults=chosen)
        messages.success(request, _("Your choice is kept."))
        return redirect("review:preferences")
    return render(request, "review/preferences.html", {"section": SECTION, "form": form})
