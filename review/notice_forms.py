"""The form of how somebody wants notices mailed."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from .models import Notice, NoticePreference


class PreferencesForm(forms.Form):
    mail = forms.ChoiceField(label=_("Mail"), choices=NoticePreference.Mail.choices, widget=forms.RadioSelect)
    language = forms.ChoiceField(
        label=_("Language of the mails"),
        choices=NoticePreference.Language.choices,
        required=False,
        widget=forms.RadioSelect,
    )
    mailed = forms.MultipleChoiceField(
        label=_("What is mailed"),
        help_text=_("The rest is in the inbox only."),
        choices=Notice.Kind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    @classmethod
    def told_by(cls, preference: NoticePreference) -> dict[str, object]:
        mailed = [kind for kind in Notice.Kind.values if kind not in preference.not_mailed]
        return {"mail": preference.mail, "language": preference.language, "mailed": mailed}

    def not_mailed(self) -> list[str]:
        return [kind for kind in Notice.Kind.values if kind not in self.cleaned_data["mailed"]]
