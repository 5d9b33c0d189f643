"""From documents to rows: one batch at a time, in a fixed number of queries however many items there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from cases.document import CaseDocument, Pair, case_number, durations, last_of_period
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
from cases.words import TERM_KEYS, TERM_LISTS, Words

PAIRS = ("title", "summary", "trigger", "detection", "lessons", "symptoms_text")
IMPACTS = ("scope", "users", "region")
# Replaced whole with each edition; sources last, since events and claims point at them.
ITEM_TABLES: tuple[type[Model], ...] = (
    CaseTerm,
    RelatedNumber,
    Claim,
    Event,
    Window,
    Remediation,
    ActionItem,
    CaseCheck,
    Source,
)
# Which number a row has never changes, and whether the desk has a draft is the desk's to say.
NOT_REPLACED = {"id", "number", "has_draft"}


def load(documents: Sequence[CaseDocument], words: Words, records: Sequence[Mapping[str, Any]]) -> list[Case]:
    """Write documents to the tables, replacing what stood under the same numbers.

    ``records`` gives the record columns of each case (status, edition_number, updated_at, …). The words must be
    known (``Words.learn``); the caller holds the transaction.
    """
    rows = [_case(document, words, record) for document, record in zip(documents, records, strict=True)]
    columns = [field.name for field in Case._meta.concrete_fields if field.name not in NOT_REPLACED]  # noqa: SLF001  (Django's public API for fields)
    cases = Case.objects.bulk_create(rows, update_conflicts=True, unique_fields=["number"], update_fields=columns)
    for table in ITEM_TABLES:
        table.objects.filter(case__in=cases).delete()  # type: ignore[attr-defined]  # every concrete model has it
    pairs = list(zip(cases, documents, strict=True))
    sources = Source.objects.bulk_create([row for case, document in pairs for row in _sources(case, document, words)])
    source_ids = {(source.case_id, source.uid): source.pk for source in sources}
    built: dict[type[Model], list[Model]] = defaultdict(list)
    for case, document in pairs:
        for row in _Items(case, document, words, source_ids).rows():
            built[type(row)].append(row)
    for table, rows_of_table in built.items():
        table.objects.bulk_create(rows_of_table)  # type: ignore[attr-defined]  # every concrete model has it
    return cases


def _pair(name: str, pair: Pair | None) -> dict[str, str | None]:
    return {f"{name}_en": pair.en if pair else None, f"{name}_ko": pair.ko if pair else None}


def _case(document: CaseDocument, words: Words, record: Mapping[str, Any]) -> Case:
    columns: dict[str, Any] = {name: getattr(document, name) for name in ("date_precision", "docs", "example")}
    for name in PAIRS:
        columns |= _pair(name, getattr(document, name))
    for name in IMPACTS:
        columns |= _pair(f"impact_{name}", getattr(document.impact_text, name))
    for key, list_name in TERM_KEYS.items():
        slug = getattr(document, key)
        columns[f"{key}_id"] = words.term_id(list_name, slug) if slug else None
    measured = durations(document)
    return Case(
        number=document.number,
        org=words.org(document.org),
        date_first=document.date,
        date_last=last_of_period(document.date, document.date_precision),
        detected_after=document.timeline.detected_after,
        resolved_after=document.timeline.resolved_after,
        detect_seconds=measured["detect"].seconds if measured["detect"] else None,
        resolve_seconds=measured["resolve"].seconds if measured["resolve"] else None,
        recurrence_of=case_number(document.recurrence_of) if document.recurrence_of else None,
        **columns,
        **record,
    )


def _sources(case: Case, document: CaseDocument, words: Words) -> Iterator[Source]:
    for position, source in enumerate(document.sources):
        kind = words.term_id(Term.List.SOURCE_KIND, source.kind)
        yield Source(case=case, position=position, kind_id=kind, **source.model_dump(exclude={"kind"}))


@dataclass(frozen=True)
class _Items:
    """Builds the rows of all lists of one case but its sources."""

    case: Case
    document: CaseDocument
    words: Words
    source_ids: Mapping[tuple[int, str], int]

    def rows(self) -> Iterator[Model]:
        yield from self.terms()
        for position, related in enumerate(self.document.related):
            yield RelatedNumber(case=self.case, number=case_number(related), position=position)
        yield from self.remediation()
        for position, item in enumerate(self.document.action_items):
            pair = _pair("text", item.text)
            yield ActionItem(case=self.case, position=position, uid=item.uid, status=item.status, **pair)
        yield from self.events()
        for position, window in enumerate(self.document.timeline.windows):
            plain = window.model_dump(exclude={"region"})
            yield Window(case=self.case, position=position, **plain, **_pair("region", window.region))
        yield from self.claims()
        for position, check in enumerate(self.document.checks):
            plain = check.model_dump(exclude={"question", "how"})
            texts = _pair("question", check.question) | _pair("how", check.how)
            yield CaseCheck(case=self.case, position=position, **plain, **texts)

    def terms(self) -> Iterator[CaseTerm]:
        for key, list_name in TERM_LISTS.items():
            for position, slug in enumerate(getattr(self.document, key)):
                yield CaseTerm(case=self.case, term_id=self.words.term_id(list_name, slug), position=position)

    def remediation(self) -> Iterator[Remediation]:
        for position, item in enumerate(self.document.remediation):
            kind = self.words.term_id(Term.List.REMEDIATION_KIND, item.kind) if item.kind else None
            pair = _pair("text", item.text)
            yield Remediation(case=self.case, position=position, uid=item.uid, kind_id=kind, **pair)

    def events(self) -> Iterator[Event]:
        for position, event in enumerate(self.document.timeline.events):
            yield Event(
                case=self.case,
                position=position,
                kind_id=self.words.term_id(Term.List.TIMELINE_EVENT, event.kind),
                source_id=self.source_ids[self.case.pk, event.source] if event.source else None,
                **event.model_dump(include={"uid", "at", "precision"}),
                **_pair("text", event.text),
            )

    def claims(self) -> Iterator[Claim]:
        for position, claim in enumerate(self.document.claims):
            yield Claim(
                case=self.case,
                position=position,
                source_id=self.source_ids[self.case.pk, claim.source],
                **claim.model_dump(exclude={"source", "note"}),
                **_pair("note", claim.note),
            )
