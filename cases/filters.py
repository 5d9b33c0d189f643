"""The one query language: what a list of cases can be asked for, on pages and by programs.

A wrong value is said at its field and left out; what is right still applies. Lists are answered from the catalog
(``select``); ``qs`` says the same in SQL, and tests compare the two. Texts are asked for by their own columns
(``title_en``), never by the bare name, which means another column in each language.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Self

import django_filters
from django import forms
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cases.catalog import (
    LONGEST,
    NEWEST,
    NO,
    OLDEST,
    RELEVANCE,
    SHORTEST,
    YES,
    Catalog,
    Index,
    Matches,
    Selection,
    current,
)
from cases.document import LANGUAGES
from cases.filter_values import MinutesField, Period, PeriodField, QueryField, WordsField
from cases.labels import Labels, current_labels
from cases.models import Case, CaseTerm, LanguageVersion, Source, Term
from cases.search import Found, find
from cases.search.in_sql import keys, relevance

NEWEST_FIRST = ("-date_first", "-number")
ORDERS: dict[str, tuple[Any, ...]] = {
    NEWEST: NEWEST_FIRST,
    OLDEST: ("date_first", "number"),
    LONGEST: (F("resolve_seconds").desc(nulls_last=True), *NEWEST_FIRST),
    SHORTEST: (F("resolve_seconds").asc(nulls_last=True), *NEWEST_FIRST),
}


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


def approved(answers: Collection[str]) -> Q:
    """Find cases in which every present language is approved (yes), or one at least is not (no)."""
    present = LanguageVersion.objects.filter(
        edition__case=OuterRef("pk"), edition__number=OuterRef("edition_number")
    ).exclude(state=LanguageVersion.State.MISSING)
    yes = Q(Exists(present)) & ~Q(Exists(present.exclude(state=LanguageVersion.State.APPROVED)))
    conditions = {YES: yes, NO: ~yes}
    return reduce(or_, (conditions[answer] for answer in answers))


def told_in(languages: Collection[str]) -> Q:
    """Find cases present in one of the languages: with a title and a summary."""
    condition = Q()
    for language in languages:
        condition |= Q(**{f"title_{language}__isnull": False, f"summary_{language}__isnull": False})
    return condition


def made_up(answers: Collection[str]) -> Q:
    """Find the examples (yes), or the incidents that happened (no)."""
    return Q(example__in=[answer == YES for answer in answers])


class Asked(django_filters.Filter):  # type: ignore[misc]  # django-filter has no types
    """Base of all filters: what a case is asked for, in SQL (``filter``) and in the catalog (``cases``)."""

    parent: CaseFilter

    def __deepcopy__(self, _memo: object) -> Self:
        """Copy what each query has of its own; a whole copy of every filter took longer than answering the query."""
        copied = copy.copy(self)
        copied.extra = dict(self.extra)
        return copied


class WordsFilter(Asked):
    """Cases with any of the words. ``list_name`` is the list of the vocabulary that the words are of, if any."""

    field_class = WordsField

    def __init__(self, label: Any, condition: Condition, list_name: str | None = None, **options: Any) -> None:
        options.setdefault("help_text", gettext_lazy("Words of the vocabulary; a case with any of them is found."))
        super().__init__(label=label, **options)
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

    def cases(self, catalog: Catalog, words: list[str]) -> int | None:
        """Return the cases that the catalog has under any of the words; None when none is asked for."""
        known = catalog.words.get(self.field_name, {})
        return reduce(or_, (known.get(word, 0) for word in words)) if words else None


class OrgFilter(WordsFilter):
    def word(self, text: str) -> str | None:
        slug = text.lower()
        return slug if slug in self.parent.labels.orgs_by_slug else None

    def spellings(self, words: Collection[str]) -> Collection[str]:
        return words


class ClosedFilter(WordsFilter):
    """Words that are the same for all time, such as the languages."""

    def __init__(self, label: Any, condition: Condition, known: Collection[str], **options: Any) -> None:
        super().__init__(label, condition, **options)
        self.known = known

    def word(self, text: str) -> str | None:
        return text if text in self.known else None

    def spellings(self, words: Collection[str]) -> Collection[str]:
        return words


class BoundFilter(Asked):
    """Cases on one side of a value, in SQL (``condition``) and in the catalog (``within``)."""

    def __init__(
        self, label: Any, condition: Callable[[Any], Q], within: Callable[[Index, Any], int], **options: Any
    ) -> None:
        super().__init__(label=label, **options)
        self.condition = condition
        self.within = within

    def filter(self, queryset: QuerySet[Case], value: Any) -> QuerySet[Case]:
        return queryset if value is None else queryset.filter(self.condition(value))

    def cases(self, catalog: Catalog, value: Any) -> int | None:
        return None if value is None else self.within(catalog.index, value)


class PeriodFilter(BoundFilter):
    """Cases whose period reaches past the one given, which they may overlap."""

    field_class = PeriodField


class MinutesFilter(BoundFilter):
    """Cases that took so many whole minutes, or more, or less. Those that do not tell it are never found."""

    field_class = MinutesField

    def __init__(self, label: Any, condition: Callable[[Any], Q], within: Callable[[Index, Any], int]) -> None:
        told = gettext_lazy("Whole minutes; a case that does not tell this time is never found.")
        super().__init__(label, condition, within, help_text=told)


class SearchFilter(Asked):
    field_class = QueryField

    def filter(self, queryset: QuerySet[Case], _query: str) -> QuerySet[Case]:
        found = self.parent.found
        return queryset if found is None else queryset.filter(pk__in=keys(found.cases, self.parent.index))

    def cases(self, _catalog: Catalog, _query: str) -> None:
        """What a search finds comes into a selection as its matches, with their scores."""


class SortFilter(Asked):
    field_class = forms.ChoiceField

    def filter(self, queryset: QuerySet[Case], order: str) -> QuerySet[Case]:
        found = self.parent.found
        if found is None or order in ORDERS:
            return queryset.order_by(*ORDERS.get(order, ORDERS[NEWEST]))
        return queryset.order_by(relevance(found, self.parent.index), *NEWEST_FIRST)

    def cases(self, _catalog: Catalog, _order: str) -> None:
        """An order leaves every case."""


class FilterForm(forms.Form):
    def clean(self) -> None:
        after, before = self.cleaned_data.get("date_after"), self.cleaned_data.get("date_before")
        if after and before and before.last < after.first:
            self.add_error("date_before", forms.ValidationError(_("The end lies before the start."), "end_first"))
        for name in ("detect", "repair"):
            least, most = self.cleaned_data.get(f"{name}_min"), self.cleaned_data.get(f"{name}_max")
            if least is not None and most is not None and most < least:
                message = _("The longest is shorter than the shortest.")
                self.add_error(f"{name}_max", forms.ValidationError(message, "less"))


class CaseFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    q = SearchFilter(
        label=gettext_lazy("Search"),
        help_text=gettext_lazy(
            "Words to look for in either language, or a case number. In quotation marks: exactly so."
        ),
    )
    org = OrgFilter(
        gettext_lazy("Organisation"),
        of_case("org__slug"),
        help_text=gettext_lazy("Names of organisations as their addresses write them, such as github."),
    )
    domain = WordsFilter(gettext_lazy("Domain"), among_terms("domain"), Term.List.DOMAIN)
    root_cause = WordsFilter(gettext_lazy("Root cause"), of_case("root_cause__slug"), Term.List.ROOT_CAUSE)
    component = WordsFilter(gettext_lazy("Component"), among_terms("component"), Term.List.COMPONENT)
    symptom = WordsFilter(gettext_lazy("Symptom"), among_terms("symptom"), Term.List.SYMPTOM)
    contributing = WordsFilter(gettext_lazy("Contributing factor"), among_terms("contributing"), Term.List.CONTRIBUTING)
    severity = WordsFilter(gettext_lazy("Severity"), of_case("severity__slug"), Term.List.SEVERITY)
    source_kind = WordsFilter(gettext_lazy("Kind of source"), among_sources, Term.List.SOURCE_KIND)
    available_in = ClosedFilter(
        gettext_lazy("Available in"),
        told_in,
        LANGUAGES,
        help_text=gettext_lazy("Languages; a case with a title and a summary in any of them is found."),
    )
    reviewed = ClosedFilter(
        gettext_lazy("Reviewed"),
        approved,
        (YES, NO),
        help_text=gettext_lazy("yes: every language of the case that is there was approved by a reviewer."),
    )
    examples = ClosedFilter(
        gettext_lazy("Examples"),
        made_up,
        (YES, NO),
        help_text=gettext_lazy("no: invented cases, which show how the library works, are left out."),
    )
    date_after = PeriodFilter(
        gettext_lazy("From"),
        lambda period: Q(date_last__gte=period.first),
        lambda index, period: index.last_day.at_least(period.first.toordinal()),
        help_text=gettext_lazy("A day, a month or a year; a case whose period ends before it is left out."),
    )
    date_before = PeriodFilter(
        gettext_lazy("Until"),
        lambda period: Q(date_first__lte=period.last),
        lambda index, period: index.until(period.last.toordinal()),
        help_text=gettext_lazy("A day, a month or a year; a case whose period begins after it is left out."),
    )
    detect_min = MinutesFilter(
        gettext_lazy("Noticed after at least"),
        lambda minutes: Q(detect_seconds__gte=60 * minutes),
        lambda index, minutes: index.detect_seconds.at_least(60 * minutes),
    )
    detect_max = MinutesFilter(
        gettext_lazy("Noticed after at most"),
        lambda minutes: Q(detect_seconds__lt=60 * (minutes + 1)),
        lambda index, minutes: index.detect_seconds.at_most(60 * minutes + 59),
    )
    repair_min = MinutesFilter(
        gettext_lazy("Repair took at least"),
        lambda minutes: Q(resolve_seconds__gte=60 * minutes),
        lambda index, minutes: index.repair_seconds.at_least(60 * minutes),
    )
    repair_max = MinutesFilter(
        gettext_lazy("Repair took at most"),
        lambda minutes: Q(resolve_seconds__lt=60 * (minutes + 1)),
        lambda index, minutes: index.repair_seconds.at_most(60 * minutes + 59),
    )
    sort = SortFilter(
        label=gettext_lazy("Order"),
        help_text=gettext_lazy("The order of the list: best match first for a search, else newest first."),
        choices=[
            (NEWEST, gettext_lazy("Newest first")),
            (OLDEST, gettext_lazy("Oldest first")),
            (LONGEST, gettext_lazy("Longest repair first")),
            (SHORTEST, gettext_lazy("Shortest repair first")),
            (RELEVANCE, gettext_lazy("Best match first")),
        ],
        error_messages={"invalid_choice": gettext_lazy("There is no such order.")},
    )

    class Meta:
        model = Case
        fields: ClassVar[list[str]] = []

    def __init__(self, data: QueryDict, labels: Labels | None = None, names: Collection[str] | None = None) -> None:
        """Read a query, or only these names of it: a form without the other fields is made much faster."""
        super().__init__(data, Case.objects.all())
        self.labels = labels or current_labels()
        # What was found, and in which state of the library: places of one mean nothing in another.
        self._found: tuple[Index, Found | None] | None = None
        for name in self.base_filters.keys() - (self.base_filters.keys() if names is None else names):
            del self.filters[name]

    @cached_property
    def form(self) -> Any:
        """The form that reads the query. Its fields are made for it; django-filter copies them once more."""
        form = FilterForm(self.data)
        form.fields = {name: one.field for name, one in self.filters.items()}
        return form

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

    @cached_property
    def index(self) -> Index:
        """The state of the library in which words are looked for: that of the selection, if there is one."""
        return current().index

    @property
    def found(self) -> Found | None:
        """What the words find; None when none were asked for."""
        if self._found is None or self._found[0] is not self.index:
            query = self.applied.get("q")
            ranked = self.applied.get("sort") not in ORDERS
            self._found = self.index, find(query, self.index, ranked=ranked) if query else None
        return self._found[1]

    @property
    def problems(self) -> list[str]:
        """Say what was wrong, each with the name of its field."""
        return [f"{self.filters[name].label}: {error}" for name, errors in self.form.errors.items() for error in errors]

    @cached_property
    def chosen(self) -> dict[str, list[str]]:
        """The values that apply, as an address writes them, in one order whatever the order they came in."""
        written = {name: _written(self.applied.get(name)) for name in self.filters}
        usual = RELEVANCE if written.get("q") else NEWEST
        return {name: values for name, values in written.items() if values and (name, values) != ("sort", [usual])}

    def select(self, catalog: Catalog) -> Selection:
        """Return the cases that the catalog has for this, among those that a search found where there was one."""
        self.index = catalog.index
        matches = None if self.found is None else Matches(self.found.worths(catalog.index))
        asked = {name: self.filters[name].cases(catalog, value) for name, value in self.applied.items()}
        order = self.applied.get("sort") or (NEWEST if matches is None else RELEVANCE)
        return Selection(catalog, {name: cases for name, cases in asked.items() if cases is not None}, order, matches)

    def filter_queryset(self, queryset: QuerySet[Case]) -> QuerySet[Case]:
        queryset = queryset.filter(status=Case.Status.PUBLISHED).order_by(*ORDERS[NEWEST])
        for name, value in self.applied.items():
            queryset = self.filters[name].filter(queryset, value)
        return queryset


def _written(value: Any) -> list[str]:
    if isinstance(value, list):
        return value
    if isinstance(value, Period):
        return [value.text]
    return [] if value is None or value == "" else [str(value)]
