"""Rules of a case document that concern several keys at once. No Django here."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from pydantic import BaseModel
from pydantic_core import PydanticCustomError

from .problems import gettext_noop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .shape import CaseDocument, Claim, Event

STEP = re.compile(r"([a-z_]+)(?:\[([a-z0-9-]+)\])?")
# What a claim may not speak of: what we computed or merely labelled.
NOT_STORED = {"id", "impact", "claims", "schema_version", "example"}


def check(document: CaseDocument) -> None:
    """Raise ``PydanticCustomError`` for the first rule that the document breaks."""
    for rule in (_date_starts_its_period, _uids_are_unique, _names_known_sources, _is_not_its_own_relation, _claims):
        rule(document)


def items(document: CaseDocument) -> Iterator[tuple[str, str]]:
    """Give (name of the list, uid) of every item."""
    for name in ("sources", "remediation", "action_items", "claims", "checks"):
        yield from ((name, item.uid) for item in getattr(document, name))
    yield from (("timeline.events", event.uid) for event in document.timeline.events)
    yield from (("timeline.windows", window.uid) for window in document.timeline.windows)


def _date_starts_its_period(document: CaseDocument) -> None:
    if not document.starts_its_period():
        message = gettext_noop("date must be the first day of its {precision}")
        raise PydanticCustomError("not_first_day", message, {"precision": document.date_precision})


def _uids_are_unique(document: CaseDocument) -> None:
    found = list(items(document))
    counted = Counter([uid for _, uid in found])
    for name, uid in found:
        if counted[uid] > 1:
            message = gettext_noop("{name} uses the uid {uid}, which another item has too")
            raise PydanticCustomError("uid_twice", message, {"name": name, "uid": uid})


def _names_known_sources(document: CaseDocument) -> None:
    known = {source.uid for source in document.sources}
    citing: list[tuple[str, Claim | Event]] = [("claims", claim) for claim in document.claims]
    citing += [("timeline.events", event) for event in document.timeline.events]
    for name, item in citing:
        if item.source is not None and item.source not in known:
            message = gettext_noop("{name}: {uid} names the source {source}, which is not among the sources")
            values = {"name": name, "uid": item.uid, "source": item.source}
            raise PydanticCustomError("no_such_source", message, values)


def _is_not_its_own_relation(document: CaseDocument) -> None:
    if document.id in document.related or document.id == document.recurrence_of:
        raise PydanticCustomError("own_relation", gettext_noop("a case cannot be related to itself"))


def _claims(document: CaseDocument) -> None:
    by_statement: dict[tuple[str, str | None], list[Claim]] = defaultdict(list)
    for claim in document.claims:
        if not path_exists(document, claim.path):
            message = gettext_noop("claim {uid} speaks of {path}, which this case does not have")
            raise PydanticCustomError("no_such_path", message, {"uid": claim.uid, "path": claim.path})
        by_statement[claim.path, claim.language].append(claim)
    for (path, _), claims in by_statement.items():
        if len({claim.value for claim in claims}) > 1:
            _one_is_chosen(path, claims)


def _one_is_chosen(path: str, claims: list[Claim]) -> None:
    chosen = [claim for claim in claims if claim.chosen]
    if len({claim.value for claim in chosen}) != 1:
        message = gettext_noop("the claims on {path} disagree: exactly one value must be chosen")
        raise PydanticCustomError("conflict_open", message, {"path": path})
    if not any(claim.note for claim in chosen):
        message = gettext_noop("the claims on {path} disagree: the chosen one needs a note that says why")
        raise PydanticCustomError("conflict_without_note", message, {"path": path})


def path_exists(document: CaseDocument, path: str) -> bool:
    """Tell whether a claim's path leads to a stored part of the document."""
    here: object = document
    if path.partition(".")[0].partition("[")[0] in NOT_STORED:
        return False
    for step in path.split("."):
        found = STEP.fullmatch(step)
        if found is None or not isinstance(here, BaseModel) or found[1] not in type(here).model_fields:
            return False
        here = getattr(here, found[1])
        if found[2] is not None:
            here = next((item for item in here if item.uid == found[2]), None) if isinstance(here, list) else None
            if here is None:
                return False
    return True
