"""The editor: opening a case, saving it, keeping what is typed, and the small answers that its page asks for."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cases.fields import fields, label_parts
from cases.labels import current_labels
from cases.models import Org
from review import workflow
from review.duplicates import Sought, advice_on, duplicates
from review.forms import CaseForm
from review.forms.fields import PeriodField
from review.merge import merge
from review.models import WorkingCopy
from review.permissions import Act, can
from review.workflow import Conflict, Current, Refused, Saved, noted, require
from review.working_copies import data_of, forget

from .conflicts import authors_since, conflict_page
from .editing import Post, base_of, duration_rows, edit_page, editable_scopes, here, new_tab
from .opened import actor, opened

if TYPE_CHECKING:
    from django.contrib.auth.models import User

INVALID, NO_BASE, CONFLICT, FORBIDDEN = 422, 428, 409, 403


# Opening


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show an empty form, or start the case that was typed into it."""
    user = actor(request)
    if request.method == "POST":
        return _create(Post.read(request, user, None))
    with noted(user, Act.CREATE):
        require(can(user, Act.CREATE))
    copy = _restored(request, user, None)
    form = CaseForm(None, current_labels(), data_of(copy) if copy else None, editable=editable_scopes(user, None))
    if copy is None:
        form.lists["sources"].add()
    else:
        form.is_valid()
    return edit_page(request, user, form, restored=copy.pk if copy is not None else None)


@login_required
@require_safe
def edit(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Show the form over the newest text of a case, or over unsaved work that the person takes up again."""
    user = actor(request)
    found = opened(user, id)
    copy = _restored(request, user, found)
    if copy is not None:
        return _take_up(request, user, found, copy)
    form = CaseForm(found.document, current_labels(), editable=editable_scopes(user, found))
    return edit_page(request, user, form, found)


def _restored(request: HttpRequest, user: User, found: Current | None) -> WorkingCopy | None:
    wanted = request.GET.get("restore", "")
    if not wanted:
        return None
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 16):  # noqa: PLR2004
        raise Http404(wanted)
    number = found.number if found is not None else None
    return get_object_or_404(WorkingCopy, pk=int(wanted), user=user, number=number)


def _take_up(request: HttpRequest, user: User, found: Current, copy: WorkingCopy) -> HttpResponse:
    """Show unsaved work again, with what others saved since then merged into it."""
    base = base_of(found, copy.base_number) or found.document
    editable = editable_scopes(user, found)
    form = CaseForm(base, current_labels(), data_of(copy), editable=editable)
    if not form.is_valid() or form.document is None or copy.base_number == found.revision_number:
        return edit_page(request, user, form, found, base_number=copy.base_number, restored=copy.pk)
    merged = merge(base, found.document, form.document)
    if merged.document is None:
        post = Post(request, user, found, copy.base_number, form, new_tab(), copy.pk)
        return conflict_page(post, found, merged, found.document, found.revision_number, status=200)
    form = CaseForm(found.document, current_labels(), told=fields(merged.document), editable=editable)
    return edit_page(request, user, form, found, restored=copy.pk, is_merged=bool(merged.taken_from_theirs))


# Saving


def _create(post: Post) -> HttpResponse:
    if post.step():
        return edit_page(post.request, post.user, post.form)
    if not post.form.is_valid() or post.form.document is None:
        post.keep()
        return edit_page(post.request, post.user, post.form, status=INVALID)
    found = duplicates(Sought.of(post.form.document, None))
    if found and post.request.POST.get("seen") != "duplicates":
        post.keep()
        return edit_page(post.request, post.user, post.form, duplicates=found, is_asking=True)
    try:
        saved = workflow.create(post.user, post.form.document, post.note)
    except Refused as refusal:
        post.keep()
        messages.error(post.request, refusal.reason)
        return edit_page(post.request, post.user, post.form, status=CONFLICT)
    except PermissionDenied as refusal:
        return _forbidden(post, str(refusal))
    return _done(post, saved)


@login_required
@require_POST
def save(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Save what was typed, merged with what others saved meanwhile. Whatever is refused stays in the working copy."""
    user = actor(request)
    found = opened(user, id)
    post = Post.read(request, user, found)
    if post.step():
        return edit_page(request, user, post.form, found, base_number=post.base_number)
    if post.base_number is None:
        post.keep()
        return _refused(post, found, _("This page does not say which revision it was made from."), NO_BASE)
    if not post.form.is_valid():
        post.keep()
        return edit_page(request, user, post.form, found, base_number=post.base_number, status=INVALID)
    return _save(post, found)


def _save(post: Post, found: Current) -> HttpResponse:
    assert post.form.document is not None  # noqa: S101  (it was found valid)
    try:
        saved = workflow.save(post.user, found.number, post.form.document, post.base_number, post.note)
    except Conflict as conflict:
        post.keep()
        if conflict.merge is None or conflict.head is None:
            return _refused(post, found, conflict.reason, CONFLICT)
        head = conflict.head
        return conflict_page(post, found, conflict.merge, head.document(), head.number)
    except PermissionDenied as refusal:
        return _forbidden(post, str(refusal))
    return _done(post, saved)


def _done(post: Post, saved: Saved) -> HttpResponseRedirect:
    """Say what the save did and open the case again; the address lets the browser drop what it kept of this tab."""
    post.forget()
    if not saved.merged_fields:
        post.note_saved(saved.revision.number)
    if saved.is_new:
        messages.success(post.request, _("Saved as r%(number)s.") % {"number": saved.revision.number})
    else:
        messages.info(
            post.request, _("Nothing to save: r%(number)s says the same.") % {"number": saved.revision.number}
        )
    if saved.merged_fields:
        messages.info(post.request, _merged_words(post, saved))
    return HttpResponseRedirect(f"{here(workflow.current(saved.manuscript.number))}?saved={post.tab}")


def _merged_words(post: Post, saved: Saved) -> str:
    document = saved.revision.document()
    labels = [label_parts(path, document).text(_) for path in saved.merged_fields]
    names = [
        name
        for name in authors_since(saved.manuscript.number, post.base_number, saved.revision.number)
        if name != _own_name(saved)
    ]
    told = {"fields": "; ".join(dict.fromkeys(labels)), "names": ", ".join(names)}
    return _("What others saved meanwhile is kept: %(fields)s (%(names)s).") % told


def _own_name(saved: Saved) -> str:
    return saved.revision.author.name if saved.revision.author is not None else ""


def _refused(post: Post, found: Current | None, reason: str, status: int) -> HttpResponse:
    """Say why nothing was saved, and that everything typed is kept."""
    context = {"found": found, "reason": reason, "here": here(found), "section": "desk"}
    return render(post.request, "review/not_saved.html", context, status=status)


def _forbidden(post: Post, reason: str) -> HttpResponse:
    post.keep()
    return _refused(post, post.found, reason, FORBIDDEN)


# Keeping


@login_required
@require_POST
def autosave(request: HttpRequest) -> HttpResponse:
    """Keep what is being typed in the person's working copy. It makes no revision and tells nobody."""
    user = actor(request)
    require(can(user, Act.SEE))
    case = request.POST.get("case", "")
    post = Post.read(request, user, opened(user, case) if case else None)
    if post.is_late():
        return JsonResponse({"kept": False})
    if post.form.changed_paths():
        copy = post.keep()
    else:
        forget(user, post.tab)
        copy = None
    post.form.is_valid()
    rows = [{"name": row.name, "words": row.when.words, "sum": row.sum} for row in duration_rows(post.form.document)]
    return JsonResponse({"kept": copy is not None, "copy": copy and copy.pk, "durations": rows})


@login_required
@require_POST
def discard(request: HttpRequest, pk: int) -> HttpResponse:
    """Throw away a person's own unsaved work."""
    user = actor(request)
    copy = get_object_or_404(WorkingCopy, pk=pk, user=user)
    found = workflow.current(copy.number) if copy.number is not None else None
    copy.delete()
    messages.info(request, _("The unsaved work was thrown away."))
    return redirect(f"{here(found)}?saved={copy.tab}")


# What the page asks for


@login_required
@require_safe
def token(request: HttpRequest) -> HttpResponse:
    """Give a fresh token after signing in again elsewhere, and say who is signed in."""
    return JsonResponse({"token": get_token(request), "user": request.user.pk})


@login_required
@require_safe
def vocabulary(request: HttpRequest) -> HttpResponse:
    """Give the words in force with their meaning, in both languages, and the organisations."""
    require(can(actor(request), Act.SEE))
    labels = current_labels()
    lists: dict[str, list[dict[str, str | None]]] = {}
    for (list_name, slug), label in labels.terms.items():
        if label.known and not label.replaced_by:
            told = {"en": label.names.en, "ko": label.names.ko}
            meaning = {"meaning_en": label.definition.en, "meaning_ko": label.definition.ko}
            lists.setdefault(list_name, []).append({"slug": slug, **told, **meaning})
    return JsonResponse({"lists": lists, "orgs": list(Org.objects.values_list("name", flat=True))})


@login_required
@require_safe
def warnings(request: HttpRequest) -> HttpResponse:
    """Warn of what may be here already, and of an organisation that is written otherwise."""
    require(can(actor(request), Act.SEE))
    org = _plain(request.GET.get("org", ""))
    number = request.GET.get("number", "")
    addresses = tuple(_plain(url) for url in request.GET.getlist("url") if url)
    own = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None  # noqa: PLR2004
    sought = Sought(org, _date(request.GET.get("date", "")), addresses, own)
    context = {"duplicates": duplicates(sought), "advice": advice_on(org)}
    return render(request, "review/_warnings.html", context)


def _plain(text: str) -> str:
    return text.replace("\x00", "").strip()[:2000]


def _date(text: str) -> dt.date | None:
    """Read a date as the form does; None for what is none yet."""
    try:
        told = PeriodField(label="").clean(text)
        return dt.date.fromisoformat(told[0]) if told else None
    except (ValueError, ValidationError):
        return None
