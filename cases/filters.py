"""The one query language: what a list of cases can be asked for, on pages and by programs.

A wrong value is said at its field and left out; what is right still applies. Texts are asked for by their own columns
(``title_en``), never by the bare name, which means another column in each language.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import django_filters
from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cases.document import LANGUAGES, last_of_period
from cases.document.problems import printable
from cases.labels import Labels, current_labels
from cases.models import Case, CaseTerm, Source, Term

MOST_VALUES = 100
YEARS = range(1900, 2200)
PERIOD = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
NEWEST, OLDEST = "newest", "oldest"
ORDERS = {NEWEST: ("-date_first", "-number"), OLDEST: ("date_first", "number")}


# Values


@dataclass(frozen=True)
class Period:
    """A day, a month or a year as a reader writes it."""

    text: str
    first: dt.date
    last: dt.date


def read_period(text: str) -> Period:
    """Read ``2026``, ``2026-08`` or ``2026-08-25``. Raises ValueError for anything else."""
    found = PERIOD.fullmatch(text)
    if found is None or int(found[1]) not in YEARS:
        raise ValueError(text)
    first = dt.date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    precision = "day" if found[3] else "month" if found[2] else "year"
    return Period(text, first, last_of_period(first, precision))


class PeriodField(forms.CharField):
    widget = forms.TextInput(attrs={"placeholder": "2026-08", "maxlength": 10, "autocomplete": "off"})

    def clean(self, value: Any) -> Period | None:
        text = super().clean(value)
        try:
            return read_period(text) if text else None
        except ValueError:
            message = _("Write a date as 2026, 2026-08 or 2026-08-25.")
            raise forms.ValidationError(message, code="bad_date") from None


class WordsField(forms.Field):
    """Several words of a closed list. ``word`` gives the one in force for what was written, None for a wrong one.

    The error of wrong words carries the right ones, which still apply.
    """

    widget = forms.SelectMultiple

    def __init__(self, *, word: Callable[[str], str | None], **options: Any) -> None:
        super().__init__(**options)
        self.word = word

    def clean(self, value: Any) -> list[str]:
        given = [text.strip() for text in dict.fromkeys(value or ()) if text.strip()]
        words = {text: self.word(text) for text in given[:MOST_VALUES]}
        kept = list(dict.fromkeys(word for word in words.values() if word is not None))
        wrong = [text for text, word in words.items() if word is None]
        if wrong:
            shown = ", ".join(printable(text) for text in wrong[:3])
            raise forms.ValidationError(
                _("Not known and left out: {values}").format(values=shown), "unknown", {"kept": kept}
            )
        if len(given) > MOST_VALUES:
            message = _("At most {most} values are used.").format(most=MOST_VALUES)
            raise forms.ValidationError(message, "too_many", {"kept": kept})
        return kept


# Filters

Condition = Callable[[Collection[str]], Q | Exists]


def of_case(path: str) -> Condition:
    return lambda slugs: Q(**{f"{path}__in": slugs})


def among_terms(list_name: str) -> Condition:
    return lambda slugs: Exists(
        CaseTerm.objects.filter(case=OuterRef("pk"), term__list=list_name, term__slug__in=slugs)
    )


def among_sources(slugs: Collection[str]) -> Exists:
    return Exists(Source.objects.filter(case=OuterRef("pk"), kind__slug__in=slugs))


def told_in(languages: Collection[str]) -> Q:
    """Find cases present in one of the languages: with a title and a summary."""
    condition = Q()
    for language in languages:
        condition |= Q(**{f"title_{language}__isnull": False, f"summary_{language}__isnull": False})
    return condition


class WordsFilter(django_filters.Filter):  # type: ignore[misc]  # django-filter has no types
    """Cases with any of the words. ``list_name`` is the list of the vocabulary that the words are of, if any."""

    field_class = WordsField
    parent: CaseFilter

    def __init__(self, label: Any, condition: Condition, list_name: str | None = None) -> None:
        super().__init__(label=label)
        self.condition = condition
        self.list_name = list_name

    @property
    def field(self) -> forms.Field:
        self.extra["word"] = self.word
        field: forms.Field = super().field
        return field

    def word(self, text: str) -> str | None:
        """Return the slug in force for a slug, None for one that does not exist."""
        labels = self.parent.labels
        if self.list_name is None or (self.list_name, text) not in labels.terms:
            return None
        return labels.term(self.list_name, text).slug

    def spellings(self, words: Collection[str]) -> Collection[str]:
        """Return the slugs under which cases may have these words: also those that the words replaced."""
        labels = self.parent.labels
        kin = [slug for list_name, slug in labels.terms if list_name == self.list_name]
        return [slug for slug in kin if labels.term(str(self.list_name), slug).slug in words]

    def filter(self, queryset: QuerySet[Case], words: list[str]) -> QuerySet[Case]:
        return queryset.filter(self.condition(self.spellings(words))) if words else queryset


class OrgFilter(WordsFilter):
    def word(self, text: str) -> str | None:
        slug = text.lower()
        return slug if slug in self.parent.org_slugs else None

    def spellings(self, words: Collection[str]) -> Collection[str]:
        return words


class LanguageFilter(WordsFilter):
    def word(self, text: str) -> str | None:
        return text if text in LANGUAGES else None

    def spellings(self, words: Collection[str]) -> Collection[str]:
        return words


class PeriodFilter(django_filters.Filter):  # type: ignore[misc]  # django-filter has no types
    """Cases whose period reaches past the one given, which they may overlap."""

    field_class = PeriodField

    def __init__(self, label: Any, condition: Callable[[Period], Q]) -> None:
        super().__init__(label=label)
        self.condition = condition

    def filter(self, queryset: QuerySet[Case], period: Period | None) -> QuerySet[Case]:
        return queryset.filter(self.condition(period)) if period else queryset


class SortFilter(django_filters.Filter):  # type: ignore[misc]  # django-filter has no types
    field_class = forms.ChoiceField

    def filter(self, queryset: QuerySet[Case], order: str) -> QuerySet[Case]:
        return queryset.order_by(*ORDERS[order or NEWEST])


class FilterForm(forms.Form):
    def clean(self) -> None:
        after, before = self.cleaned_data.get("date_after"), self.cleaned_data.get("date_before")
        if after and before and before.last < after.first:
            self.add_error("date_before", forms.ValidationError(_("The end lies before the start."), "end_first"))


class CaseFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    org = OrgFilter(gettext_lazy("Organisation"), of_case("org__slug"))
    domain = WordsFilter(gettext_lazy("Domain"), among_terms("domain"), Term.List.DOMAIN)
    root_cause = WordsFilter(gettext_lazy("Root cause"), of_case("root_cause__slug"), Term.List.ROOT_CAUSE)
    component = WordsFilter(gettext_lazy("Component"), among_terms("component"), Term.List.COMPONENT)
    symptom = WordsFilter(gettext_lazy("Symptom"), among_terms("symptom"), Term.List.SYMPTOM)
    contributing = WordsFilter(gettext_lazy("Contributing factor"), among_terms("contributing"), Term.List.CONTRIBUTING)
    severity = WordsFilter(gettext_lazy("Severity"), of_case("severity__slug"), Term.List.SEVERITY)
    source_kind = WordsFilter(gettext_lazy("Kind of source"), among_sources, Term.List.SOURCE_KIND)
    available_in = LanguageFilter(gettext_lazy("Available in"), told_in)
    date_after = PeriodFilter(gettext_lazy("From"), lambda period: Q(date_last__gte=period.first))
    date_before = PeriodFilter(gettext_lazy("Until"), lambda period: Q(date_first__lte=period.last))
    sort = SortFilter(
        label=gettext_lazy("Order"),
        choices=[(NEWEST, gettext_lazy("Newest first")), (OLDEST, gettext_lazy("Oldest first"))],
        error_messages={"invalid_choice": gettext_lazy("There is no such order.")},
    )

    class Meta:
        model = Case
        fields: ClassVar[list[str]] = []
        form = FilterForm

    def __init__(self, data: QueryDict, labels: Labels | None = None) -> None:
        super().__init__(data, Case.objects.filter(status=Case.Status.PUBLISHED).order_by(*ORDERS[NEWEST]))
        self.labels = labels or current_labels()

    @cached_property
    def org_slugs(self) -> frozenset[str]:
        return frozenset(org.slug for org in self.labels.orgs.values() if org.slug)

    @cached_property
    def applied(self) -> Mapping[str, Any]:
        """The values that apply, by name: all right ones, also where others at the same field are wrong."""
        errors = self.form.errors.as_data()
        kept = {
            name: error.params["kept"]
            for name, found in errors.items()
            for error in found
            if error.params and "kept" in error.params
        }
        return {**self.form.cleaned_data, **kept}

    @property
    def problems(self) -> list[str]:
        """Say what was wrong, each with the name of its field."""
        return [f"{self.filters[name].label}: {error}" for name, errors in self.form.errors.items() for error in errors]

    @cached_property
    def chosen(self) -> dict[str, list[str]]:
        """The values that apply, as an address writes them, in one order whatever the order they came in."""
        written = {name: _written(self.applied.get(name)) for name in self.filters}
        return {name: values for name, values in written.items() if values and values != [NEWEST]}

    def filter_queryset(self, queryset: QuerySet[Case], leaving_out: str = "") -> QuerySet[Case]:
        for name, value in self.applied.items():
            if name != leaving_out:
                queryset = self.filters[name].filter(queryset, value)
        return queryset

    def without(self, name: str) -> QuerySet[Case]:
        """Return the cases that everything but one name asks for."""
        return self.filter_queryset(self.queryset.all(), leaving_out=name).order_by()


def _written(value: Any) -> list[str]:
    if isinstance(value, Period):
        return [value.text]
    return value if isinstance(value, list) else [value] if value else []
