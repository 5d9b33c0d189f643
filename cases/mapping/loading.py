"""From documents to rows: one batch at a time, in a fixed number of queries however many items there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model

from cases.document import CaseDocument, Pair, case_number, durations, last_of_period, shape
from cases.document.shape import Shape
from cases.models import (
    ActionItem,
    Case,
    CaseCheck,
    CaseTerm,
    Claim,
    Event,
    RelatedNumber,
    Remediation,
    Source,
    Term,
    Window,
)
from cases.models.bulk import insert, put
from cases.words import TERM_KEYS, TERM_LISTS, Words

PAIRS = ("title", "summary", "trigger", "detection", "lessons", "symptoms_text")
IMPACTS = ("scope", "users", "region")
SOURCE = (
    "url",
    "archived",
    "title",
    "publisher",
    "language",
    "published_at",
    "fetched_at",
    "machine_translated",
    "state",
)
CLAIM = ("path", "language", "anchor", "quote", "prefix", "suffix", "basis", "value", "chosen")
ITEM = ("case_id", "position", "uid")
# The tables that are replaced whole with each edition, and what is written to them; sources last when they are emptied
# and first when they are filled, since events and claims point at them.
COLUMNS: dict[type[Model], tuple[str, ...]] = {
    CaseTerm: ("case_id", "position", "term_id"),
    RelatedNumber: ("case_id", "position", "number"),
    Claim: (*ITEM, "source_id", *CLAIM, "note_en", "note_ko"),
    Event: (*ITEM, "at", "precision", "kind_id", "source_id", "text_en", "text_ko"),
    Window: (*ITEM, "start", "end", "region_en", "region_ko"),
    Remediation: (*ITEM, "kind_id", "text_en", "text_ko"),
    ActionItem: (*ITEM, "status", "text_en", "text_ko"),
    CaseCheck: (*ITEM, "command", "applies_to", "risk", "question_en", "question_ko", "how_en", "how_ko"),
    Source: (*ITEM, "kind_id", *SOURCE),
}
type_of_row = tuple[Any, ...]
Item = TypeVar(
    "Item",
    bound=shape.Remediation | shape.ActionItem | shape.Event | shape.Window | shape.Claim | shape.Check,
)
# Whether the desk has a draft is the desk's to say.
NOT_REPLACED = {"has_draft"}


def load(documents: Sequence[CaseDocument], words: Words, records: Sequence[Mapping[str, Any]]) -> list[Case]:
    """Write documents to the tables, replacing what stood under the same numbers.

    ``records`` gives the record columns of each case (status, edition_number, updated_at, …). The words must be
    known (``Words.learn``); the caller holds the transaction.
    """
    numbers = [document.number for document in documents]
    replaced = dict(Case.objects.filter(number__in=numbers).values_list("number", "pk"))
    columns = [field.attname for field in Case._meta.concrete_fields if not field.primary_key]  # noqa: SLF001  (Django's public API for fields)
    rows = [_case(document, words, record) for document, record in zip(documents, records, strict=True)]
    old, new = ([row for row in rows if (row["number"] in replaced) is is_old] for is_old in (True, False))
    put(Case, columns, _in_order(columns, old), "number", kept=NOT_REPLACED)
    insert(Case, columns, _in_order(columns, new))
    written = {case.number: case for case in Case.objects.filter(number__in=numbers)}
    cases = [written[number] for number in numbers]
    for table in COLUMNS if replaced else ():
        table.objects.filter(case__in=replaced.values()).delete()  # type: ignore[attr-defined]  # every concrete model has it
    pairs = list(zip(cases, documents, strict=True))
    insert(Source, COLUMNS[Source], [row for case, document in pairs for row in _sources(case.pk, document, words)])
    known = Source.objects.filter(case__in=cases).values_list("case_id", "uid", "id")
    source_ids = {(case_id, uid): pk for case_id, uid, pk in known}
    built: dict[type[Model], list[type_of_row]] = defaultdict(list)
    for case, document in pairs:
        for table, row in _Items(case.pk, document, words, source_ids).rows():
            built[table].append(row)
    for table, rows_of_table in built.items():
        insert(table, COLUMNS[table], rows_of_table)
    return cases


def _in_order(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Iterator[list[Any]]:
    return ([row.get(column) for column in columns] for row in rows)


def _both(pair: Pair | None) -> tuple[str | None, str | None]:
    return (pair.en, pair.ko) if pair else (None, None)


def _pair(name: str, pair: Pair | None) -> dict[str, str | None]:
    return {f"{name}_en": pair.en if pair else None, f"{name}_ko": pair.ko if pair else None}


def _case(document: CaseDocument, words: Words, record: Mapping[str, Any]) -> dict[str, Any]:
    """Give the columns of a case by name; those left out are null."""
    columns: dict[str, Any] = {name: getattr(document, name) for name in ("date_precision", "docs", "example")}
    for name in PAIRS:
        columns |= _pair(name, getattr(document, name))
    for name in IMPACTS:
        columns |= _pair(f"impact_{name}", getattr(document.impact_text, name))
    for key, list_name in TERM_KEYS.items():
        slug = getattr(document, key)
        columns[f"{key}_id"] = words.term_id(list_name, slug) if slug else None
    measured = durations(document)
    return {
        "number": document.number,
        "org_id": words.org(document.org).pk,
        "date_first": document.date,
        "date_last": last_of_period(document.date, document.date_precision),
        "detected_after": document.timeline.detected_after,
        "resolved_after": document.timeline.resolved_after,
        "detect_seconds": measured["detect"].seconds if measured["detect"] else None,
        "resolve_seconds": measured["resolve"].seconds if measured["resolve"] else None,
        "recurrence_of": case_number(document.recurrence_of) if document.recurrence_of else None,
        "status": Case.Status.PUBLISHED.value,
        "has_draft": False,
        **columns,
        **record,
    }


def _sources(case_id: int, document: CaseDocument, words: Words) -> Iterator[type_of_row]:
    for position, source in enumerate(document.sources):
        kind = words.term_id(Term.List.SOURCE_KIND, source.kind)
        yield case_id, position, source.uid, kind, *_values(source, SOURCE)


def _values(part: Shape, names: tuple[str, ...]) -> Iterator[Any]:
    return (getattr(part, name) for name in names)


@dataclass(frozen=True)
class _Items:
    """Builds the rows of all lists of one case but its sources."""

    case_id: int
    document: CaseDocument
    words: Words
    source_ids: Mapping[tuple[int, str], int]

    def rows(self) -> Iterator[tuple[type[Model], type_of_row]]:
        """Give every row with its table; its values stand in the order of ``COLUMNS``."""
        document, timeline = self.document, self.document.timeline
        for key, list_name in TERM_LISTS.items():
            for position, slug in enumerate(getattr(document, key)):
                yield CaseTerm, (self.case_id, position, self.words.term_id(list_name, slug))
        for position, related in enumerate(document.related):
            yield RelatedNumber, (self.case_id, position, case_number(related))
        yield from self.items(Remediation, document.remediation, self.remediation)
        yield from self.items(ActionItem, document.action_items, self.action_item)
        yield from self.items(Event, timeline.events, self.event)
        yield from self.items(Window, timeline.windows, self.window)
        yield from self.items(Claim, document.claims, self.claim)
        yield from self.items(CaseCheck, document.checks, self.check)

    def items(
        self, table: type[Model], items: Sequence[Item], values: Callable[[Item], type_of_row]
    ) -> Iterator[tuple[type[Model], type_of_row]]:
        for position, item in enumerate(items):
            yield table, (self.case_id, position, item.uid, *values(item))

    def remediation(self, item: shape.Remediation) -> type_of_row:
        kind = self.words.term_id(Term.List.REMEDIATION_KIND, item.kind) if item.kind else None
        return kind, *_both(item.text)

    def action_item(self, item: shape.ActionItem) -> type_of_row:
        return item.status, *_both(item.text)

    def event(self, event: shape.Event) -> type_of_row:
        kind = self.words.term_id(Term.List.TIMELINE_EVENT, event.kind)
        source = self.source_ids[self.case_id, event.source] if event.source else None
        return event.at, event.precision, kind, source, *_both(event.text)

    def window(self, window: shape.Window) -> type_of_row:
        return window.start, window.end, *_both(window.region)

    def claim(self, claim: shape.Claim) -> type_of_row:
        source = self.source_ids[self.case_id, claim.source]
        return source, *_values(claim, CLAIM), *_both(claim.note)

    def check(self, check: shape.Check) -> type_of_row:
        return check.command, check.applies_to, check.risk, *_both(check.question), *_both(check.how)
