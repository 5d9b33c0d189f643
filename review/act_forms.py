"""The short forms of the acts: publish, withdraw, merge, give a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cases.document import Language, case_number
from cases.document.text import LONGEST_LINE
from cases.models import Pairing

from .assignments import candidates
from .comment_forms import normal_text

LONGEST_REASON = 2000


def _reason(label: Any, *, required: bool = True) -> forms.CharField:
    area = forms.Textarea(attrs={"rows": 3})
    return forms.CharField(label=label, max_length=LONGEST_REASON, required=required, widget=area)


class PublishForm(forms.Form):
    """Which revision goes out, and which was the newest when the person looked."""

    revision = forms.IntegerField(label=_("Revision"), min_value=1, max_value=2_000_000_000)
    head = forms.IntegerField(min_value=1, max_value=2_000_000_000, widget=forms.HiddenInput)
    note = forms.CharField(
        label=_("What changed, for readers"),
        help_text=_("Shown in the public history of the case."),
        max_length=500,
        required=False,
    )


class ReasonForm(forms.Form):
    reason = _reason(_("Reason"))


class WithdrawForm(forms.Form):
    """The reason is shown to readers, so it is told in both languages, or at least in one."""

    reason_en = _reason(_("Reason, in English"), required=False)
    reason_ko = _reason(_("Reason, in Korean"), required=False)

    def clean(self) -> dict[str, Any]:
        told = {name: (self.cleaned_data.get(name) or "").strip() or None for name in ("reason_en", "reason_ko")}
        if not any(told.values()):
            raise forms.ValidationError(_("Say why: a reason is needed."))
        return told


class NumberField(forms.CharField):
    """The number of another case."""

    def __init__(self) -> None:
        super().__init__(label=_("Number of the other case"), help_text=_("For example IL-0560."), max_length=20)

    def clean(self, value: Any) -> int:
        try:
            return case_number(super().clean(value).strip().upper())
        except ValueError:
            raise forms.ValidationError(_("Write a case number such as IL-0560.")) from None


class MergeForm(forms.Form):
    target = NumberField()
    reason = _reason(_("Reason"))


NO_NOTE = _("Say why: a note is needed, in one language at least.")


class PairForm(forms.Form):
    """What readers are told of two cases; the note is public, so it is a text as those of a case are."""

    other = NumberField()
    verdict = forms.ChoiceField(label=_("What is decided"), choices=Pairing.Verdict.choices, widget=forms.RadioSelect)
    note_en = forms.CharField(label=_("Why, in English"), max_length=LONGEST_LINE, required=False)
    note_ko = forms.CharField(label=_("Why, in Korean"), max_length=LONGEST_LINE, required=False)
    seen = forms.CharField(max_length=4, required=False, widget=forms.HiddenInput)

    def clean_note_en(self) -> str | None:
        return _line(self.cleaned_data["note_en"])

    def clean_note_ko(self) -> str | None:
        return _line(self.cleaned_data["note_ko"])

    def clean(self) -> dict[str, Any]:
        notes = {"note_en", "note_ko"}
        if not notes & set(self.errors) and not any(self.cleaned_data.get(name) for name in notes):
            raise forms.ValidationError(NO_NOTE)
        return self.cleaned_data


class UnpairForm(forms.Form):
    other = NumberField()
    seen = forms.CharField(max_length=4)


def _line(text: str) -> str | None:
    return " ".join(normal_text(text).split()) or None


LARGEST_ID = 9_223_372_036_854_775_807


class SubmissionForm(forms.Form):
    """What the page showed of a case, and a word to whoever reads it next. What is absent is refused by the act."""

    revision = forms.IntegerField(min_value=1, max_value=2_000_000_000, required=False)
    decision_en = forms.IntegerField(min_value=0, max_value=LARGEST_ID, required=False)
    decision_ko = forms.IntegerField(min_value=0, max_value=LARGEST_ID, required=False)
    note = forms.CharField(max_length=LONGEST_REASON, required=False)


class DecisionForm(SubmissionForm):
    """The verdict is the button that was pressed."""

    VERDICTS = ("approve", "reaffirm", "request-changes", "withdraw-approval")

    verdict = forms.ChoiceField(choices=[(verdict, verdict) for verdict in VERDICTS])
    both = forms.BooleanField(required=False)
    override = forms.CharField(max_length=LONGEST_REASON, required=False)


def _until() -> forms.DateField:
    """The last day of an assignment, as a browser's date field writes it; none is for good."""
    return forms.DateField(required=False, input_formats=["%Y-%m-%d"])


class AssignmentForm(SubmissionForm):
    """Whose work a language is to be, and whose it was on the page."""

    assignee_en = forms.IntegerField(min_value=0, max_value=LARGEST_ID, required=False)
    assignee_ko = forms.IntegerField(min_value=0, max_value=LARGEST_ID, required=False)
    until = _until()

    def __init__(self, *args: Any, language: Language, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["assignee"] = forms.ModelChoiceField(candidates(language))


class UnassignmentForm(SubmissionForm):
    """The end of an assignment that the page showed."""

    assignee_en = forms.IntegerField(min_value=0, max_value=LARGEST_ID, required=False)
    assignee_ko = forms.IntegerField(min_value=0, max_value=LARGEST_ID, required=False)


class BulkForm(forms.Form):
    """What is to be done to the rows that were ticked; the act is the button that was pressed."""

    ACTS = ("submit", "approve", "assign", "publish")

    act = forms.ChoiceField(choices=[(act, act) for act in ACTS])
    note = forms.CharField(max_length=LONGEST_REASON, required=False)
    until = _until()

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["assignee"] = forms.ModelChoiceField(candidates(), required=False)
