"""The query language as programs meet it: types derived from ``CaseFilter``, and refusals that say what was meant.

Pages leave out what is wrong and say so; a program that is told nothing would take the answer for what it asked.
No HTTP here: the JSON API and the MCP tools both ask through this.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.forms import ValidationError
from django.http import QueryDict
from django.utils import translation
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model
from rapidfuzz import fuzz, process, utils

from cases.document import LANGUAGES
from cases.document.problems import printable
from cases.filter_values import MOST_VALUES, PERIOD
from cases.filters import (
    CaseFilter,
    ClosedFilter,
    MinutesFilter,
    PeriodFilter,
    SearchFilter,
    SortFilter,
    WordsFilter,
)
from cases.labels import Labels
from cases.search.finding import LONGEST_QUERY

SLUG = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 80}
LEAST_ALIKE = 70
ALL_NAMES = CaseFilter.base_filters.keys()
# What says which cases, whatever their order.
FILTERS = ALL_NAMES - {"sort"}
# What other interfaces call our parameters.
OTHER_NAMES = {"query": "q", "search": "q", "page": "cursor", "offset": "cursor", "per_page": "limit", "size": "limit"}


@dataclass(frozen=True)
class Wrong:
    """One parameter that cannot be had as it was given, and why."""

    parameter: str
    detail: str


class Refused(ValueError):
    """A query that is not answered; ``wrong`` says all that is wrong with it."""

    def __init__(self, wrong: Iterable[Wrong]) -> None:
        self.wrong = tuple(wrong)
        super().__init__("; ".join(f"{one.parameter}: {one.detail}" for one in self.wrong))


# Types


class Query(BaseModel):
    """Base of what programs ask with. ``CaseFilter`` checks the values; the types say what it takes."""

    model_config = ConfigDict(extra="forbid")


def query_model(name: str, base: type[Query] = Query, names: Collection[str] = ALL_NAMES) -> type[Query]:
    """Return a type with a field for each filter of a list of cases. Raises TypeError for a filter of an unknown kind.

    Values stand in it as an address writes them.
    """
    with translation.override("en"):
        fields: dict[str, Any] = {
            field: _field(field, one) for field, one in CaseFilter.base_filters.items() if field in names
        }
    return create_model(name, __base__=base, **fields)


def _field(name: str, one: Any) -> tuple[Any, Any]:
    schema, many = _schema(name, one)
    description = str(one.extra["help_text"])
    if many:
        several = {"type": "array", "items": schema, "maxItems": MOST_VALUES}
        return Annotated[list[str], WithJsonSchema(several)], Field(default=[], description=description)
    kind = int if schema["type"] == "integer" else str
    return Annotated[kind | None, WithJsonSchema(schema)], Field(default=None, description=description)


def _schema(name: str, one: Any) -> tuple[dict[str, Any], bool]:
    """Return the JSON Schema of one value of a filter, and whether it takes several."""
    if isinstance(one, ClosedFilter):
        return {"type": "string", "enum": list(one.known)}, True
    if isinstance(one, WordsFilter):
        return SLUG, True
    if isinstance(one, SearchFilter):
        return {"type": "string", "minLength": 1, "maxLength": LONGEST_QUERY}, False
    if isinstance(one, PeriodFilter):
        return {"type": "string", "pattern": f"^{PERIOD.pattern}$"}, False
    if isinstance(one, MinutesFilter):
        return {"type": "integer", "minimum": 0, "maximum": 10**8 - 1}, False
    if isinstance(one, SortFilter):
        return {"type": "string", "enum": [value for value, _ in one.extra["choices"]]}, False
    raise TypeError(f"{name}: no type is known for {type(one).__name__}")


CaseQuery = query_model("CaseQuery")


# Reading


def asked(values: Mapping[str, Any], labels: Labels) -> CaseFilter:
    """Return the filter for the values of a query, by name: texts, numbers or lists of them. Raises Refused."""
    query = QueryDict(mutable=True)
    for name in CaseFilter.base_filters:
        given = values.get(name)
        several = given if isinstance(given, list) else [] if given is None else [given]
        if several:
            query.setlist(name, [str(one) for one in several])
    with translation.override("en"):
        case_filter = CaseFilter(query, labels, query.keys())
        if wrong := [*_empty(query), *_wrong(case_filter)]:
            raise Refused(wrong)
    return case_filter


def _empty(query: QueryDict) -> Iterator[Wrong]:
    for name, values in query.lists():
        if not all(str(value).strip() for value in values):
            yield Wrong(name, "Is empty; leave it out instead.")


def _wrong(case_filter: CaseFilter) -> Iterator[Wrong]:
    for name, errors in case_filter.form.errors.as_data().items():
        for error in errors:
            yield from _refusals(case_filter, name, error)
    if case_filter.data.get("q", "").strip() and not case_filter.applied.get("q"):
        yield Wrong("q", "Has no word in it.")


def _refusals(case_filter: CaseFilter, name: str, error: ValidationError) -> Iterator[Wrong]:
    unknown = (error.params or {}).get("wrong")
    if unknown is None:
        yield from (Wrong(name, str(message)) for message in error.messages)
        return
    for text in unknown:
        yield Wrong(name, f"Unknown {name} {printable(text)!r}.{_hint(case_filter, name, text)}")


def _hint(case_filter: CaseFilter, name: str, text: str) -> str:
    if word := meant(text, _names(case_filter, name)):
        return f" Did you mean {word!r}?"
    if isinstance(case_filter.filters[name], ClosedFilter):
        return f" It is one of: {', '.join(case_filter.filters[name].known)}."
    elsewhere = [other for other, found in case_filter.labels.terms if found == text]
    asked_by = [other for other in elsewhere if other in CaseFilter.base_filters]
    return f" It is a {asked_by[0]}." if asked_by else " /api/vocab lists what there is."


def _names(case_filter: CaseFilter, name: str) -> dict[str, str]:
    """Return the words that a parameter takes, by all that they are called: their slugs and labels."""
    one, labels = case_filter.filters[name], case_filter.labels
    if isinstance(one, ClosedFilter):
        return {word: word for word in one.known}
    if one.list_name is None:
        pairs = [(slug, org.names) for slug, org in labels.orgs_by_slug.items()]
        names = {org.written: slug for slug, org in labels.orgs_by_slug.items()}
    else:
        in_force = [labels.term(*key) for key in labels.terms if key[0] == one.list_name]
        pairs, names = [(term.slug, term.names) for term in in_force], {}
    for slug, told in pairs:
        names |= {label: slug for label in (slug, *map(told.told, LANGUAGES)) if label}
    return names


def meant(text: str, names: Mapping[str, str]) -> str | None:
    """Return what somebody who wrote this most likely meant, by the names it has; None where nothing is like it."""
    found = process.extractOne(
        text[:80], names.keys(), scorer=_alikeness, processor=utils.default_process, score_cutoff=LEAST_ALIKE
    )
    return names[found[0]] if found else None


def _alikeness(one: str, other: str, **options: Any) -> float:
    """Tell how alike two names are, of 100: letter by letter, or word by word where one says more than the other."""
    words = fuzz.token_set_ratio(one, other, **options)
    return max(fuzz.ratio(one, other, **options), words - 5)


def refuse_unknown(given: QueryDict, known: Mapping[str, bool]) -> None:
    """Refuse parameters that there are not, and single ones that are given twice. ``known``: takes several values."""
    wrong = [
        Wrong(printable(name), f"There is no such parameter.{_other_parameter(name, known)}")
        for name in given
        if name not in known
    ]
    twice = [name for name, several in known.items() if not several and len(given.getlist(name)) > 1]
    wrong += [Wrong(name, "Is given more than once.") for name in twice]
    if wrong:
        raise Refused(wrong)


def _other_parameter(name: str, known: Mapping[str, bool]) -> str:
    other = OTHER_NAMES.get(name.lower())
    word = other if other in known else meant(name, {one: one for one in known})
    if word:
        return f" Did you mean {word!r}?"
    return f" There are: {', '.join(known)}." if known else " This address takes none."
