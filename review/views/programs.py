"""One's own programs and their tokens, on the account's pages. Each act asks for the password."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from cases.models import Person
from review import programs
from review.confirmation import ConfirmedForm
from review.models import Token
from review.program_forms import ProgramForm, TokenForm
from review.workflow import Refused, require

from .opened import actor
from .people import posted

CONFLICT = 409


@require_safe
def own(request: HttpRequest) -> HttpResponse:
    """List the programs of who is signed in, with their tokens."""
    user = actor(request)
    rows = programs.programs_of(user).prefetch_related(Prefetch("tokens", Token.objects.order_by("-pk")))
    shown = [
        {"person": one, "is_active": one.user is not None and one.user.is_active, "tokens": _shown(one)} for one in rows
    ]
    context = {"programs": shown, "may": programs.may_own_programs(user), "site_url": settings.SITE_URL}
    return render(request, "review/programs.html", context)


def _shown(program: Person) -> list[dict[str, Any]]:
    now, words = timezone.now(), dict(Token.Scope.choices)
    return [
        {"token": one, "in_force": one.is_in_force(now), "scopes": [words[scope] for scope in one.scopes]}
        for one in program.tokens.all()
    ]


@require_http_methods(["GET", "HEAD", "POST"])
def new_program(request: HttpRequest) -> HttpResponse:
    user = actor(request)
    require(programs.may_own_programs(user))
    form, status = ProgramForm(request, posted(request)), 200
    if form.is_valid():
        try:
            program = programs.create_program(user, form.cleaned_data["public_name"])
        except ValidationError as error:
            form.add_error(None, error)
        except Refused as refusal:
            form.add_error(None, refusal.reason)
            status = CONFLICT
        else:
            return redirect("new_token", pk=program.pk)
    return render(request, "review/program_new.html", {"form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def new_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a token and show it, once: in the answer itself, so that it is kept nowhere, not even in the session."""
    user = actor(request)
    require(programs.may_own_programs(user))
    program = get_object_or_404(programs.programs_of(user), pk=pk)
    form, status = TokenForm(request, posted(request)), 200
    if form.is_valid():
        told = form.cleaned_data
        try:
            token, secret = programs.make_token(user, program, told["name"], told["scopes"], int(told["days"]))
        except Refused as refusal:
            form.add_error(None, refusal.reason)
            status = CONFLICT
        else:
            context = {"program": program, "token": token, "secret": secret, "site_url": settings.SITE_URL}
            return render(request, "review/token_made.html", context)
    return render(request, "review/token_new.html", {"program": program, "form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """End a token, after asking. Also who may write nothing any more can do that."""
    user = actor(request)
    token = get_object_or_404(Token.objects.select_related("program"), pk=pk, program__owner__user=user)
    form = ConfirmedForm(request, posted(request))
    if form.is_valid():
        programs.revoke(user, token)
        messages.success(request, _("The token is revoked."))
        return redirect("programs")
    return render(request, "review/token_revoke.html", {"token": token, "form": form})
