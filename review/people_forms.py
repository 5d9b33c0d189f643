"""The forms of the people screen: they read and check what was typed, and save nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from pydantic_core import PydanticCustomError

from cases.document.text import normal

from .confirmation import ConfirmedForm
from .models import ADMINISTRATOR, PUBLISHER, WRITER, LanguageRole
from .permissions import Standing

GROUP_CHOICES = [
    (WRITER, _("Writer: creates cases, changes facts, writes in the languages ticked below")),
    (PUBLISHER, _("Publisher: publishes, withdraws and merges cases")),
    (ADMINISTRATOR, _("Administrator: manages people, words and organisations")),
]


class PublicName(forms.CharField):
    """A name as readers see it: one line, normalised like the texts of cases."""

    def clean(self, value: Any) -> str:
        try:
            return str(super().clean(normal(value or "")))
        except PydanticCustomError as error:
            raise ValidationError(_("This name contains a character that cannot be shown.")) from error


class RolesForm(ConfirmedForm):
    """What an account holds."""

    groups = forms.MultipleChoiceField(
        label=_("Roles"), choices=GROUP_CHOICES, required=False, widget=forms.CheckboxSelectMultiple
    )
    roles_en = forms.MultipleChoiceField(
        label=_("In English"), choices=LanguageRole.Role, required=False, widget=forms.CheckboxSelectMultiple
    )
    roles_ko = forms.MultipleChoiceField(
        label=_("In Korean"), choices=LanguageRole.Role, required=False, widget=forms.CheckboxSelectMultiple
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a writer's language without the writer's role: it would look like a right and be none."""
        cleaned = super().clean()
        languages = {*cleaned.get("roles_en", []), *cleaned.get("roles_ko", [])}
        if LanguageRole.Role.WRITER in languages and WRITER not in cleaned.get("groups", []):
            self.add_error("groups", _("Who writes in a language needs the role of a writer, too."))
        return cleaned

    def holds(self) -> Standing:
        roles = {(role, "en") for role in self.cleaned_data["roles_en"]}
        roles |= {(role, "ko") for role in self.cleaned_data["roles_ko"]}
        return Standing(frozenset(self.cleaned_data["groups"]), frozenset(roles))


class InvitationForm(RolesForm):
    username = UsernameField(
        label=_("Username"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("For signing in. It cannot be changed later."),
    )
    mail = forms.EmailField(label=_("Mail address"), max_length=254)
    public_name = PublicName(
        label=_("Public name"), max_length=200, help_text=_("Readers see it on the cases that this person works on.")
    )
    field_order = ("username", "mail", "public_name", "groups", "roles_en", "roles_ko", "current_password")


class PersonForm(RolesForm):
    public_name = PublicName(
        label=_("Public name"),
        max_length=200,
        help_text=_("A new name replaces the old one everywhere, in old cases, too."),
    )
    # What the page showed when it was opened: a form that is older than the last change is refused.
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    field_order = ("public_name", "groups", "roles_en", "roles_ko", "current_password", "seen")
