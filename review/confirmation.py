"""Asks for the password again before an act on people: a browser left open must not be enough."""

from __future__ import annotations

import time
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

CONFIRMED_AT = "password_confirmed_at"
CONFIRMED_FOR = 10 * 60


def is_confirmed(request: HttpRequest) -> bool:
    """Tell whether the password was given again in this session in the last ten minutes."""
    confirmed_at: float = request.session.get(CONFIRMED_AT, 0)
    return 0 <= time.time() - confirmed_at < CONFIRMED_FOR


class ConfirmedForm(forms.Form):
    """A form with a field for the current password, unless that was confirmed a short time ago.

    The question stands in the form itself, so that nothing typed is lost over it.
    """

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.label_suffix = ""
        if not is_confirmed(request):
            self.fields["current_password"] = forms.CharField(
                label=_("Your password"),
                help_text=_("Asked again before acts on people and programs; then not for ten minutes."),
                strip=False,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            )

    def clean_current_password(self) -> str:
        """Check by the same backends as sign-in, so that guessing here is locked out, too."""
        password: str = self.cleaned_data["current_password"]
        username = self.request.user.get_username()
        if authenticate(self.request, username=username, password=password) != self.request.user:
            raise ValidationError(_("This is not your password."))
        self.request.session[CONFIRMED_AT] = time.time()
        return password

    def clean(self) -> dict[str, Any]:
        """Ask no more for a password that was right, even if another field is to be corrected."""
        if "current_password" in self.cleaned_data:
            del self.fields["current_password"]
        return self.cleaned_data
