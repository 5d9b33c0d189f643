"""The parts of a case that there are once, each with its fields. Lists of items are in ``items.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from .fields import (
    ChosenField,
    LineField,
    NumberField,
    NumbersField,
    PeriodField,
    TermsField,
    TextField,
    TickField,
    WordsField,
)
from .part import PartForm

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


def texts(
    label: StrPromise | str, help_text: StrPromise | str = "", rows: int | None = None
) -> tuple[TextField, TextField]:
    """Make the two boxes of a text, English and Korean."""
    return TextField(label=label, help_text=help_text, rows=rows), TextField(
        label=label, help_text=help_text, rows=rows
    )


class TitleField(LineField):
    """A line so long that it is typed in a box of several lines."""

    rows = 2
    kind = "line"


class BasicsForm(PartForm):
    org = LineField(label=_("Organisation"), help_text=_("Whose incident it is."))
    date = PeriodField(label=_("Date"), help_text=_("2026-08-25, or 2026-08 or 2026 when no more is known."))
    date_kind = ChosenField(label=_("What the date is"), terms="date_kind", initial="incident")
    domain = TermsField(label=_("Domain"), terms="domain")
    example = TickField(label=_("An example: organisation and incident are made up"))


class SummaryForm(PartForm):
    title_en, title_ko = TitleField(label=_("Title")), TitleField(label=_("Title"))
    summary_en, summary_ko = texts(
        _("Summary"), _("Paragraphs are parted by a blank line; backticks mark `code`."), rows=8
    )


class FactsForm(PartForm):
    severity = ChosenField(label=_("Severity"), terms="severity", initial="unknown")
    impact_text__scope_en, impact_text__scope_ko = texts(_("Scope"), rows=2)
    impact_text__users_en, impact_text__users_ko = texts(_("Users"), rows=2)
    impact_text__region_en, impact_text__region_ko = texts(_("Region"), rows=2)


class SymptomsForm(PartForm):
    symptoms = TermsField(label=_("Kinds of symptom"), terms="symptom")
    symptoms_text_en, symptoms_text_ko = texts(_("What was seen"), rows=5)


class CauseForm(PartForm):
    root_cause = ChosenField(label=_("Root cause"), terms="root_cause", blank=_("Not told"))
    trigger_en, trigger_ko = texts(_("Trigger"))
    contributing = TermsField(label=_("Contributing factors"), terms="contributing")
    components = TermsField(label=_("Components"), terms="component")


class DetectionForm(PartForm):
    detection_method = ChosenField(label=_("Way of detection"), terms="detection_method", blank=_("Not told"))
    detection_en, detection_ko = texts(_("How it was noticed"))


class LessonsForm(PartForm):
    lessons_en, lessons_ko = texts(_("What was learned"), _("What the provider says it learned."))


class DurationsForm(PartForm):
    timeline__detected_after = LineField(label=_("Time to detect"))
    timeline__resolved_after = LineField(label=_("Time to repair"))


class DocsForm(PartForm):
    docs = WordsField(label=_("Documentation"), help_text=_("One address in a line."), rows=2)


class RelatedForm(PartForm):
    related = NumbersField(label=_("Related cases"), help_text=_("Case numbers, parted by commas: IL-0559, IL-0561."))
    recurrence_of = NumberField(label=_("Recurrence of"), help_text=_("The case that this one repeats."))


# The mark of a part in the post, and its form.
PARTS: dict[str, type[PartForm]] = {
    "basics": BasicsForm,
    "summary": SummaryForm,
    "facts": FactsForm,
    "symptoms": SymptomsForm,
    "cause": CauseForm,
    "detection": DetectionForm,
    "lessons": LessonsForm,
    "durations": DurationsForm,
    "docs": DocsForm,
    "related": RelatedForm,
}
