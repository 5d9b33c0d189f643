"""The comments of one case: reading, beginning a thread, answering, resolving."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from cases.document import CaseDocument
from cases.fields import language_of
from review import comments as acts
from review.comment_forms import CommentForm, ThreadForm, place_name
from review.comments import is_place, text_at
from review.mentions import mentioned
from review.models import Thread
from review.permissions import Act, Standing, can
from review.reading_comments import reply_prefix, shown_threads, threads_at
from review.workflow import Current, Refused

from .acts import answer_refusal
from .editing import base_of
from .opened import actor, opened

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PAGE = 25


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def comments(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Show the threads of a case or (``?path=``) of one place, and begin a new one."""
    user, found = actor(request), opened(actor(request), id)
    path = _asked_path(request, found)
    form = _thread_form(request, found, path)
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        try:
            thread = acts.open_thread(user, found.number, form.place(), told["text"], told["revision"])
        except Refused as refusal:
            form.add_error(None, refusal.reason)
        else:
            return _said(request, id, thread, told["text"])
    return _show(request, found, path, form)


def _asked_path(request: HttpRequest, found: Current) -> str:
    """Read which place the page is about. One that is gone may still have threads; one that never was is not found."""
    path = request.GET.get("path", "")
    if is_place(found.document, path):
        return path
    # PostgreSQL takes no NUL in a text, not even to look for.
    if "\x00" not in path and Thread.objects.filter(manuscript=found.manuscript, path=path).exists():
        return path
    raise Http404(path)


def _thread_form(request: HttpRequest, found: Current, path: str) -> ThreadForm:
    if request.method == "POST":
        return ThreadForm(_document(request, found), request.POST, asked=request.POST.get("path", ""))
    language = request.GET.get("language", "")
    initial = {
        "path": path,
        "language": language if language in Thread.Concerned.values else "",
        "quote": request.GET.get("quote", ""),
        "revision": found.revision_number,
    }
    return ThreadForm(found.document, initial=initial, asked=path)


def _document(request: HttpRequest, found: Current) -> CaseDocument:
    """Return the document that the person looked at; the newest one if the post names none or no known one."""
    number = request.POST.get("revision", "")
    known = number.isascii() and number.isdecimal() and len(number) < 10  # noqa: PLR2004  (fits the column)
    return (base_of(found, int(number)) if known else None) or found.document


def _show(
    request: HttpRequest, found: Current, path: str, form: ThreadForm, refused: CommentForm | None = None
) -> HttpResponse:
    user = actor(request)
    standing = Standing.of(user)
    page = Paginator(threads_at(found.manuscript, path), PAGE).get_page(request.GET.get("page"))
    context = {
        "found": found,
        "page": page,
        "threads": shown_threads(user, list(page), found.document, standing, refused),
        "place": place_name(path, found.document) if path else "",
        "text": text_at(found.document, path) if path else None,
        "field_language": language_of(path),
        "asked": f"&{urlencode({'path': path})}" if path else "",
        "form": form,
        "can_comment": can(user, Act.COMMENT, found.manuscript, standing=standing),
    }
    return render(request, "review/comments.html", context)


def _said(request: HttpRequest, id: str, thread: Thread, text: str) -> HttpResponse:  # noqa: A002
    """Lead to the thread, saying who was called in vain."""
    for name in mentioned(text).unknown:
        messages.warning(request, _("Nobody here who may read this is called @%(name)s.") % {"name": name})
    return _to(request, id, thread)


def _to(request: HttpRequest, id: str, thread: Thread) -> HttpResponse:  # noqa: A002
    """Lead back to the thread: on the page that ``next`` names, if it is one of the desk, else on that of comments."""
    page = request.POST.get("next", "").partition("#")[0]
    own = page.startswith(reverse("review:home")) and url_has_allowed_host_and_scheme(page, allowed_hosts=None)
    return redirect(f"{page if own else reverse('review:comments', args=[id])}#thread-{thread.pk}")


def _thread(found: Current, pk: int) -> Thread:
    """Find a thread of this case; one of another case is not found."""
    threads = Thread.objects.select_related("manuscript", "opened_by", "revision")
    thread = threads.filter(manuscript=found.manuscript, manuscript__isnull=False, pk=pk).first()
    if thread is None:
        raise Http404(str(pk))
    return thread


@login_required
@require_POST
def reply(request: HttpRequest, id: str, pk: int) -> HttpResponse:  # noqa: A002
    """Answer in a thread."""
    user, found = actor(request), opened(actor(request), id)
    thread = _thread(found, pk)
    form = CommentForm(request.POST, prefix=reply_prefix(pk))
    if not form.is_valid():
        return _show(request, found, thread.path, ThreadForm(found.document, asked=thread.path), form)
    acts.reply(user, thread, form.cleaned_data["text"])
    return _said(request, id, thread, form.cleaned_data["text"])


@login_required
@require_POST
def resolve(request: HttpRequest, id: str, pk: int) -> HttpResponse:  # noqa: A002
    """Close a thread."""
    return _close(request, id, pk, acts.resolve, _("The thread is resolved."))


@login_required
@require_POST
def take_up(request: HttpRequest, id: str, pk: int) -> HttpResponse:  # noqa: A002
    """Open a resolved thread again."""
    return _close(request, id, pk, acts.reopen, _("The thread is open again."))


def _close(
    request: HttpRequest,
    id: str,  # noqa: A002
    pk: int,
    act: Callable[[User, Thread], bool],
    said: str,
) -> HttpResponse:
    user, found = actor(request), opened(actor(request), id)
    thread = _thread(found, pk)
    try:
        act(user, thread)
    except Refused as refusal:
        return answer_refusal(request, refusal, found)
    messages.success(request, said)
    return _to(request, id, thread)
