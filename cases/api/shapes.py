"""What the answers of the API look like, for its description. The answers are written by others; tests compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from cases.checking import STACK
from cases.document import public_model
from cases.document.problems import gettext_noop
from cases.document.public import Durations, SimilarCase
from cases.document.record import State, Withdrawal
from cases.document.shape import Pair
from cases.document.values import CaseId, Instant
from cases.lists import MOST, SUMMARY, SUMMARY_KEYS, USUAL, View
from cases.models import Change
from cases.queries import FILTERS, Query, query_model

PublicCase = public_model()


class Answer(BaseModel):
    """Base of all answers: keys are always there, and there are no others."""

    model_config = ConfigDict(extra="forbid")


# What is asked


class Paged(Query):
    """How much of a list is wanted, and from where on."""

    limit: Annotated[int, Field(ge=1, le=MOST, description=gettext_noop("How many cases to give at most."))] = USUAL
    cursor: Annotated[
        str | None,
        WithJsonSchema({"type": "string", "maxLength": 200}),
        Field(
            description=gettext_noop(
                "Where to go on: the value of next in the answer before. The other parameters stay the same."
            )
        ),
    ] = None
    view: Annotated[
        View,
        Field(
            description=gettext_noop("summary: what a list shows. full: whole cases, as their own addresses give them.")
        ),
    ] = SUMMARY


class ChangesQuery(Query):
    since: Annotated[
        str | None,
        WithJsonSchema({"type": "string", "maxLength": 200}),
        Field(
            description=gettext_noop(
                "The value of next in the answer before, or a time. Without it the log begins at its start."
            )
        ),
    ] = None
    limit: Annotated[int, Field(ge=1, le=MOST, description=gettext_noop("How many changes to give at most."))] = MOST
    view: Annotated[
        View,
        Field(
            description=gettext_noop("full: each change has its whole case as it is now. summary: without the cases.")
        ),
    ] = SUMMARY


if TYPE_CHECKING:  # what is made while running has no fields that mypy could know

    class ListQuery(Paged): ...

    class ExportQuery(Query): ...

    class StackQuery(Query): ...

    class Summary(Answer): ...

else:
    ListQuery = query_model("ListQuery", Paged)
    ExportQuery = query_model("ExportQuery", names=FILTERS)
    StackQuery = query_model("StackQuery", names=STACK)


# What is answered


class Wrong(BaseModel):
    parameter: str
    detail: str


class Problem(BaseModel):
    """An error in the form of RFC 9457. ``parameter`` and ``errors`` are there when parameters are wrong."""

    type: str
    title: str
    status: int
    detail: str
    parameter: str | None = None
    errors: list[Wrong] = []


class SummaryTimeline(Answer):
    detected_after: str | None
    resolved_after: str | None
    durations: Durations


def _summary() -> type[BaseModel]:
    fields = {key: (PublicCase.model_fields[key].annotation, PublicCase.model_fields[key]) for key in SUMMARY_KEYS}
    return create_model("Summary", __base__=Answer, **{**fields, "timeline": (SummaryTimeline, ...)})  # type: ignore[call-overload,no-any-return]  # fields are made


if not TYPE_CHECKING:
    Summary = _summary()


class CaseListAnswer(Answer):
    """``corrected`` is the search that was answered instead, where a word of the one asked for is nowhere."""

    total: int
    next: str | None
    corrected: str | None
    cases: list[Summary | PublicCase]  # type: ignore[valid-type]  # made from the document


class SimilarAnswer(Answer):
    id: CaseId
    similar: list[SimilarCase]


class Withdrawn(Answer):
    """What is left of a withdrawn case."""

    id: CaseId
    status: Literal["withdrawn"]
    withdrawn: Withdrawal


class LanguageStates(Answer):
    en: State
    ko: State


class EditionEntry(Answer):
    edition: int
    published_at: Instant | None
    note: str | None
    languages: LanguageStates


class EditionsAnswer(Answer):
    id: CaseId
    editions: list[EditionEntry]


class TermEntry(Answer):
    """``known`` is false for a word that only an import has used; ``cases`` counts those of the words it replaced."""

    slug: str
    label: Pair
    definition: Pair
    known: bool
    replaced_by: str | None
    cases: int


class TermList(Answer):
    name: str
    label: Pair
    parameter: str | None
    terms: list[TermEntry]


class OrgEntry(Answer):
    slug: str
    name: str
    label: Pair
    homepage: str | None
    cases: int


class VocabAnswer(Answer):
    lists: list[TermList]
    orgs: list[OrgEntry]


class ChangeEntry(Answer):
    """``kind`` is what happened, the rest is how the case stands now; ``case`` is null unless ``view`` is full."""

    sequence: int
    id: CaseId
    kind: Literal[tuple(Change.Kind.values)]  # type: ignore[valid-type]  # the choices of the table
    at: Instant
    status: Literal["published", "withdrawn", "merged", "removed"]
    edition: int | None
    merged_into: CaseId | None
    case: PublicCase | None  # type: ignore[valid-type]  # made from the document


class ChangesAnswer(Answer):
    next: str
    more: bool
    changes: list[ChangeEntry]


# Figures


class Figures(Answer):
    """Base of what is worked out from the catalog: read from it as it is."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class CountedWord(Figures):
    word: str
    cases: int


class Bucket(Figures):
    """The cases with this many seconds or more, and less than ``below`` (null: without an end)."""

    least: int
    below: int | None
    cases: int


class Times(Figures):
    """Seconds, of the ``known`` cases that tell them; quartiles and buckets only where five or more do."""

    known: int
    total: int
    lower: int | None
    median: int | None
    upper: int | None
    buckets: list[Bucket]


class Table(Figures):
    """Cases by two things: ``counts`` has a row for each of ``rows`` with a number for each of ``columns``."""

    rows: list[str]
    columns: list[str]
    counts: list[list[int]]
    totals: list[int]
    left_out: int


class StatsAnswer(Figures):
    """``untold`` counts the cases without any word of a list, ``uncertain`` those dated to the month or year only."""

    total: int
    examples: int
    years: list[CountedWord]
    uncertain: int
    untold: dict[str, int]
    root_causes: Annotated[list[CountedWord], Field(validation_alias="causes")]
    root_causes_by_year: Annotated[Table, Field(validation_alias="causes_by_year")]
    components_by_root_cause: Annotated[Table, Field(validation_alias="components_by_cause")]
    symptoms_by_year: Table
    detection: Times
    repair: Times


class TopicEntry(Answer):
    list: str
    slug: str
    label: Pair
    definition: Pair
    url: str
    cases: int


class TopicsAnswer(Answer):
    topics: list[TopicEntry]


class TopicFigures(Figures):
    """What the cases of a topic have in common. ``unfinished`` are promises that nobody has seen done or dropped."""

    years: list[CountedWord]
    companions: dict[str, list[CountedWord]]
    detection: Times
    repair: Times
    action_items: dict[str, int]
    unfinished: int


class TopicAnswer(Answer):
    topic: TopicEntry
    figures: TopicFigures
    newest: list[Summary]


# Checks


class LibraryCheckEntry(Answer):
    """``shared`` are the words asked for that the check is tied to; ``cases`` the newest that show why to ask."""

    slug: str
    question: Pair
    why: Pair
    how: Pair
    command: str | None
    bad_answer: Pair
    risk: str
    terms: list[str]
    shared: list[str]
    total: int
    cases: list[CaseId]


class OwnCheckEntry(Answer):
    id: CaseId
    uid: str
    question: Pair
    how: Pair
    command: str | None
    risk: str
    applies_to: list[str]


class ChecksAnswer(Answer):
    """Checks of the library, and those that single cases brought along, of the newest cases first."""

    library: list[LibraryCheckEntry]
    own: list[OwnCheckEntry]
