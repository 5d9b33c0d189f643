"""What the tools take, as types whose JSON Schema agents read, and how their arguments are read. No SDK here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from django.http import QueryDict
from pydantic import Field, ValidationError, WithJsonSchema

from cases.document import Language
from cases.document.problems import printable
from cases.facets import TOPICS
from cases.models import Term
from cases.queries import ALL_NAMES, Query, Refused, Wrong, query_model, refuse_unknown
from cases.search.finding import LONGEST_QUERY

MOST, USUAL = 50, 10
LONGEST_WORD = 200
ORG = "org"

AnyArguments = TypeVar("AnyArguments", bound=Query)
WORDS_OF_TOPICS = (*(name.value for name in TOPICS), ORG)
ALL_LISTS = (*Term.List.values, ORG)


class Arguments(Query):
    language: Annotated[
        Language,
        Field(
            description="Language of the texts. One that is told only in the other language is given in that one and "
            "begins with [English only] or [Korean only]."
        ),
    ] = "en"


class Paged(Arguments):
    limit: Annotated[int, Field(ge=1, le=MOST, description="How many incidents to give at most.")] = USUAL
    cursor: Annotated[
        str | None,
        WithJsonSchema({"type": "string", "maxLength": LONGEST_WORD}),
        Field(description="next_cursor of the page before, to go on after it. Repeat all other arguments unchanged."),
    ] = None


Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_QUERY,
        description="Words in English or Korean, such as “DNS outage after deploy” or “인증서 만료”; quotation marks "
        "take them exactly.",
    ),
]

if TYPE_CHECKING:  # what is made while running has no fields that mypy could know

    class SearchArguments(Paged):
        q: Words

    class ListArguments(Paged): ...

else:

    class SearchArguments(query_model("SearchArguments", Paged)):
        q: Words

    ListArguments = query_model("ListArguments", Paged, names=ALL_NAMES - {"q"})


class IncidentArguments(Arguments):
    id: Annotated[str, Field(max_length=LONGEST_WORD, description="The number of an incident, such as IL-0560.")]
    detail: Annotated[
        Literal["brief", "full"],
        Field(
            description="brief: everything that is told, in one language. full: also the whole record as JSON, in both "
            "languages, with quotations from the sources; several times as long."
        ),
    ] = "brief"


# Outside the classes: there, "list" is a field.
TopicList = Annotated[Literal[WORDS_OF_TOPICS], Field(description="The kind of topic.")]  # type: ignore[valid-type]  # lists of the vocabulary
VocabList = Annotated[
    Literal[ALL_LISTS] | None,  # type: ignore[valid-type]  # lists of the vocabulary
    WithJsonSchema({"type": "string", "enum": [*ALL_LISTS]}),
    Field(description="Give the words of this list. Left out: only the names of the lists and their sizes."),
]


class TopicArguments(Arguments):
    list: TopicList
    slug: Annotated[
        str, Field(max_length=LONGEST_WORD, description="The word in that list, such as dns; vocab gives them all.")
    ]


class VocabArguments(Arguments):
    list: VocabList = None


def read_arguments(kind: type[AnyArguments], given: Mapping[str, Any]) -> AnyArguments:
    """Read the arguments of a tool as agents send them: a word for a list of one, null for nothing. Raises Refused."""
    names = QueryDict(mutable=True)
    for name in given:
        names[str(name)] = ""
    refuse_unknown(names, {name: isinstance(field.default, list) for name, field in kind.model_fields.items()})
    told = {name: _lenient(kind, name, value) for name, value in given.items() if value is not None}
    try:
        return kind.model_validate(told)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        raise Refused(Wrong(printable(str(one["loc"][0])), f"{one['msg']}.") for one in wrong) from None


def _lenient(kind: type[Query], name: str, value: Any) -> Any:
    """Take a single word, and a list that some clients write as text, for the list that was meant."""
    if not isinstance(kind.model_fields[name].default, list) or not isinstance(value, str):
        return value
    try:
        listed = json.loads(value)
    except (ValueError, RecursionError):
        listed = None
    return listed if isinstance(listed, list) else [value]
