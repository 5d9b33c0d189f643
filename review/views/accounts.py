"""Signing in and passwords: Django's own views, where they ask and answer as this site does."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from cases.answers import is_local
from review import mail


class SignInForm(AuthenticationForm):
    """One answer for an unknown name, a wrong password and a deactivated account."""

    error_messages = {
        "invalid_login": gettext_lazy("The username or the password is wrong. Capital and small letters count."),
        "inactive": gettext_lazy("The username or the password is wrong. Capital and small letters count."),
    }


class Unpunctuated:
    """A form view whose labels end without a colon, as everywhere on this site."""

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "label_suffix": ""}  # type: ignore[misc]  # of the view beside it


class SignIn(Unpunctuated, auth_views.LoginView):
    """Starts a new session; ``next`` may only be a path of this site."""

    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:  # noqa: ARG002  (of a later Django)
        url = super().get_redirect_url()
        return url if is_local(url) else ""


class ChangePassword(Unpunctuated, auth_views.PasswordChangeView):
    """Ends all other sessions of this person."""

    success_url = reverse_lazy("password_change")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password is changed. You are signed out everywhere else."))
        return super().form_valid(form)


class ChoosePassword(Unpunctuated, auth_views.PasswordResetConfirmView):
    """What a mailed link opens: once, within three days, and not for a deactivated account."""

    success_url = reverse_lazy("login")

    def get_user(self, uidb64: str) -> Any:
        user = super().get_user(uidb64)
        return user if isinstance(user, User) and user.is_active else None

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password is set. Sign in with it now."))
        return super().form_valid(form)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def reset_password(request: HttpRequest) -> HttpResponse:
    """Mail a link to an address that belongs to an account; the answer is the same for every other address."""
    form = PasswordResetForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        mail.send_reset(form.cleaned_data["email"])
        return redirect("password_reset_done")
    return render(request, "registration/password_reset_form.html", {"form": form})


@login_not_required
@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "registration/password_reset_done.html")
