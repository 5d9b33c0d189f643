"""The forms of one's own programs and their tokens; each asks for the password first."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from .confirmation import ConfirmedForm
from .models import Token
from .people_forms import PublicName

DAYS = [("7", _("7 days")), ("30", _("30 days")), ("90", _("90 days")), ("365", _("One year"))]


class ProgramForm(ConfirmedForm):
    public_name = PublicName(
        label=_("Public name"),
        max_length=200,
        help_text=_("Readers see it as the author of what the program writes. It cannot be the name of a person."),
    )
    field_order = ("public_name", "current_password")


class TokenForm(ConfirmedForm):
    name = PublicName(
        label=_("Name"),
        max_length=100,
        help_text=_("To tell it from others: the machine or script that uses it."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do besides reading drafts"),
        choices=Token.Scope,
        widget=forms.CheckboxSelectMultiple,
        initial=Token.Scope.values,
        required=False,
    )
    days = forms.ChoiceField(label=_("Valid for"), choices=DAYS, initial="30")
    field_order = ("name", "scopes", "days", "current_password")
