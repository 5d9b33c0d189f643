"""The forms of comments: begin a thread, answer in one."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic_core import PydanticCustomError

from cases.document import CaseDocument
from cases.document.text import normal
from cases.fields import ITEM_LISTS, fields, item_of, label_parts, language_of

from .comments import Place, is_place
from .models import Thread
from .models.comments import LONGEST_QUOTE

LONGEST_COMMENT = 10_000


def place_name(path: str, document: CaseDocument) -> str:
    """Name a place for a person: ``Remediation, item 2, Korean text``."""
    if not path:
        return _("The case as a whole")
    said = label_parts(path, document).text(_)
    return said[:1].upper() + said[1:]


def places(document: CaseDocument, asked: str = "") -> list[tuple[str, str]]:
    """Offer what can be commented on: the case, all that is told, its items, and the place that was asked for."""
    told = [path for path, value in fields(document).items() if value is not None and path not in ITEM_LISTS]
    paths = dict.fromkeys([""])
    for path in told:
        if item_of(path):
            paths[item_of(path)] = None
        paths[path] = None
    if is_place(document, asked):
        paths[asked] = None
    return [(path, place_name(path, document)) for path in paths]


class CommentForm(forms.Form):
    """What somebody says: an answer, or the first words of a thread."""

    text = forms.CharField(
        label=gettext_lazy("Comment"),
        help_text=gettext_lazy("Call somebody with @ and the username, and they are told."),
        max_length=LONGEST_COMMENT,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def clean_text(self) -> str:
        return normal_text(self.cleaned_data["text"])


class ThreadForm(CommentForm):
    """Where a thread begins. It is bound to the revision that was looked at, so that its places are those of the page.

    The places offered are a fixed list, so a path that the revision does not have is refused at its field.
    """

    path = forms.ChoiceField(label=gettext_lazy("What it is about"), required=False)
    quote = forms.CharField(
        label=gettext_lazy("Words it is about"),
        help_text=gettext_lazy("Copied from the text, if it is about some of them only."),
        max_length=LONGEST_QUOTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Text that has to change"),
        help_text=gettext_lazy("People of both languages see the comment in any case."),
        choices=[("", gettext_lazy("The language of the field")), *Thread.Concerned.choices],
        required=False,
    )
    blocking = forms.BooleanField(label=gettext_lazy("Must be resolved before the text is approved"), required=False)
    revision = forms.IntegerField(min_value=1, max_value=2_000_000_000, required=False, widget=forms.HiddenInput)

    field_order = ("path", "quote", "text", "language", "blocking", "revision")

    def __init__(self, document: CaseDocument, *args: Any, asked: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        field = cast("forms.ChoiceField", self.fields["path"])
        field.choices = places(document, asked)
        field.error_messages["invalid_choice"] = _("This revision has no such place.")

    def clean_quote(self) -> str:
        return normal_text(self.cleaned_data["quote"])

    def place(self) -> Place:
        told = self.cleaned_data
        language = told["language"] or language_of(told["path"]) or Thread.Concerned.BOTH
        return Place(told["path"], language, told["quote"], told["blocking"])


def normal_text(text: str) -> str:
    """Normalise what was typed as the texts of cases are. Raises Django's ValidationError."""
    try:
        return normal(text, tabs=True)
    except PydanticCustomError as error:
        said = _(error.message_template).format(**(error.context or {}))
        raise forms.ValidationError(said[:1].upper() + said[1:]) from None
