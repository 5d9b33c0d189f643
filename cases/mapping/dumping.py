"""From rows back to the document. Many queries a case: readers are served from stored rows, never from here."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import Model, QuerySet

from cases.document import CaseDocument, case_id, write_instant
from cases.models import Case
from cases.words import TERM_KEYS, TERM_LISTS

from .loading import IMPACTS, PAIRS


def dump(case: Case) -> CaseDocument:
    """Read a case from its tables as the document that was loaded, whichever language is active."""
    raw: dict[str, Any] = {name: getattr(case, name) for name in ("date_precision", "docs", "example")}
    raw |= {name: _told(case, name) for name in PAIRS}
    raw |= {key: _slug(getattr(case, key)) for key in TERM_KEYS}
    raw |= _term_lists(case)
    raw |= {
        "id": case_id(case.number),
        "org": case.org.name,
        "date": case.date_first,
        "impact_text": {name: _told(case, f"impact_{name}") for name in IMPACTS},
        "related": [case_id(row.number) for row in case.related_numbers.all()],
        "recurrence_of": case_id(case.recurrence_of) if case.recurrence_of else None,
        "sources": _sources(case),
        "timeline": _timeline(case),
        "claims": _claims(case),
        "remediation": [
            {"text": _told(item, "text"), "uid": item.uid, "kind": _slug(item.kind)}
            for item in case.remediations.select_related("kind")
        ],
        "action_items": _items(case.actionitems.all(), ("uid", "status"), ("text",)),
        "checks": _items(case.casechecks.all(), ("uid", "command", "applies_to", "risk"), ("question", "how")),
    }
    return CaseDocument.model_validate(raw)


def _told(row: Model, name: str) -> dict[str, str | None]:
    return {"en": getattr(row, f"{name}_en"), "ko": getattr(row, f"{name}_ko")}


def _plain(row: Model, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _slug(term: Any) -> str | None:
    return term.slug if term is not None else None


def _items(rows: QuerySet[Any], names: tuple[str, ...], pairs: tuple[str, ...]) -> list[dict[str, Any]]:
    return [_plain(row, names) | {name: _told(row, name) for name in pairs} for row in rows]


def _term_lists(case: Case) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for list_name, slug in case.case_terms.values_list("term__list", "term__slug"):
        found[list_name].append(slug)
    return {key: found[list_name] for key, list_name in TERM_LISTS.items()}


def _sources(case: Case) -> list[dict[str, Any]]:
    names = ("uid", "url", "archived", "title", "publisher", "language", "machine_translated", "state")
    return [
        _plain(source, names)
        | {
            "kind": source.kind.slug,
            "published_at": source.published_at and write_instant(source.published_at),
            "fetched_at": source.fetched_at and write_instant(source.fetched_at),
        }
        for source in case.sources.select_related("kind")
    ]


def _timeline(case: Case) -> dict[str, Any]:
    return {
        "detected_after": case.detected_after,
        "resolved_after": case.resolved_after,
        "events": [
            _plain(event, ("uid", "at", "precision"))
            | {"kind": event.kind.slug, "text": _told(event, "text"), "source": event.source and event.source.uid}
            for event in case.events.select_related("kind", "source")
        ],
        "windows": _items(case.windows.all(), ("uid", "start", "end"), ("region",)),
    }


def _claims(case: Case) -> list[dict[str, Any]]:
    names = ("uid", "path", "language", "anchor", "quote", "prefix", "suffix", "basis", "value", "chosen")
    return [
        _plain(claim, names) | {"source": claim.source.uid, "note": _told(claim, "note")}
        for claim in case.claims.select_related("source")
    ]
