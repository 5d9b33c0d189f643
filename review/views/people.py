"""The people screen: who has an account and what they hold. For administrators; each act asks for the password."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from review import accounts, mail
from review.confirmation import ConfirmedForm
from review.people import programs_without_account, shown, shown_people
from review.people_forms import InvitationForm, PersonForm
from review.permissions import Act, can
from review.workflow import Conflict, Refused, require

from .opened import actor

CONFLICT = 409
SECTION = "people"
# The session keeps a link that no mail could carry until it was shown, once.
LINK = "password_link"


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what was posted, even if that is nothing: then the form says what is missing."""
    return request.POST if request.method == "POST" else None


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List all accounts, and the programs that work for somebody."""
    require(can(actor(request), Act.MANAGE))
    context = {"section": SECTION, "people": shown_people(), "programs": programs_without_account()}
    return render(request, "review/people.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest) -> HttpResponse:
    """Create an account, and send its owner a link to choose a password."""
    require(can(actor(request), Act.MANAGE))
    form = InvitationForm(request, posted(request))
    if form.is_valid():
        told = form.cleaned_data
        try:
            user = accounts.invite(actor(request), told["username"], told["mail"], told["public_name"], form.holds())
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The account “%(username)s” was created.") % {"username": user.get_username()})
            return _hand_over_link(request, user)
    return render(request, "review/people_invite.html", {"section": SECTION, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one person, with the form to change the public name and the roles."""
    require(can(actor(request), Act.MANAGE))
    user = get_object_or_404(User, pk=pk)
    form = PersonForm(request, posted(request), initial=_initial(user))
    if form.is_valid():
        return _change(request, user, form)
    return _show(request, user, form)


def _change(request: HttpRequest, user: User, form: PersonForm) -> HttpResponse:
    """Do both changes or none."""
    told = form.cleaned_data
    try:
        with transaction.atomic():
            accounts.set_roles(actor(request), user, form.holds(), told["seen"])
            accounts.rename(actor(request), user, told["public_name"])
    except ValidationError as error:
        form.add_error(None, error)
        return _show(request, user, form)
    except Conflict as conflict:
        messages.error(request, conflict.reason)
        return _show(request, user, PersonForm(request, initial=_initial(user)), CONFLICT)
    except Refused as refusal:
        form.add_error(None, refusal.reason)
        return _show(request, user, form, CONFLICT)
    messages.success(request, _("Saved."))
    return redirect("review:people")


def _show(request: HttpRequest, user: User, form: PersonForm, status: int = 200) -> HttpResponse:
    kept = request.session.pop(LINK, None)
    link = kept["link"] if kept and kept["user"] == user.pk else None
    context = {"section": SECTION, "person": shown(User.objects.get(pk=user.pk)), "form": form, "link": link}
    return render(request, "review/people_person.html", context, status=status)


def _initial(user: User) -> dict[str, Any]:
    holds = accounts.held_by(User.objects.get(pk=user.pk))
    return {
        "public_name": shown(user).name,
        "groups": sorted(holds.groups),
        "roles_en": [role for role, language in holds.roles if language == "en"],
        "roles_ko": [role for role, language in holds.roles if language == "ko"],
        "seen": " ".join(accounts.signs(holds)),
    }


@dataclass(frozen=True)
class Step:
    """An act on one account that is asked about on a page of its own."""

    act: Callable[[User, User], None]
    title: str
    consequence: str
    button: str
    said: str


@require_http_methods(["GET", "HEAD", "POST"])
def deactivate(request: HttpRequest, pk: int) -> HttpResponse:
    """End an account, after asking."""
    step = Step(
        accounts.deactivate,
        _("Deactivate the account"),
        _("This person is signed out everywhere and cannot sign in again. What they wrote stays, with their name."),
        _("Deactivate"),
        _("The account is deactivated."),
    )
    return _ask(request, pk, step) or redirect("review:people")


@require_http_methods(["GET", "HEAD", "POST"])
def reactivate(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a deactivated account in again, after asking."""
    step = Step(
        accounts.reactivate,
        _("Reactivate the account"),
        _("This person can sign in again and has the same roles as before."),
        _("Reactivate"),
        _("The account is active again."),
    )
    return _ask(request, pk, step) or redirect("review:people")


@require_http_methods(["GET", "HEAD", "POST"])
def renew_invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a new link for an invited person, after asking."""
    step = Step(
        accounts.renew_invitation,
        _("Make a new link"),
        _("The link sent before stops working. The new one is valid for three days."),
        _("Make a new link"),
        _("There is a new link."),
    )
    return _ask(request, pk, step) or _hand_over_link(request, User.objects.get(pk=pk))


def _ask(request: HttpRequest, pk: int, step: Step) -> HttpResponse | None:
    """Ask, with the password if that is due; return None when the act is done."""
    require(can(actor(request), Act.MANAGE))
    user = get_object_or_404(User, pk=pk)
    form, status = ConfirmedForm(request, posted(request)), 200
    if form.is_valid():
        try:
            step.act(actor(request), user)
        except Refused as refusal:
            form.add_error(None, refusal.reason)
            status = CONFLICT
        else:
            messages.success(request, step.said)
            return None
    context = {"section": SECTION, "person": shown(user), "form": form, "step": step}
    return render(request, "review/people_confirm.html", context, status=status)


def _hand_over_link(request: HttpRequest, user: User) -> HttpResponse:
    """Mail the link to an invited person; without mail, show it once to who invited."""
    link = mail.password_link(user)
    if mail.send_invitation(user, link):
        messages.success(request, _("A link to choose a password was sent to %(mail)s.") % {"mail": user.email})
    else:
        request.session[LINK] = {"user": user.pk, "link": link}
    return redirect("review:person", pk=user.pk)
