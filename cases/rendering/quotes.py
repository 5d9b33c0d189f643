"""The quotations that stand behind the statements of a case, and where sources disagree."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language
from cases.document.shape import Claim
from cases.document.values import duration_seconds
from cases.formatting import duration_words, instant_words
from cases.labels import Labels
from cases.telling import Shown, Told, tell

INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z")


@dataclass(frozen=True)
class Quote(Shown):
    """One quotation: its words in the source's language, and what it supports."""

    text: str
    before: str
    after: str
    language: str | None
    source: int
    source_uid: str
    basis: Told | None
    value: str
    anchor: Told | None


@dataclass(frozen=True)
class Conflict(Shown):
    """Sources that give different values for one thing: the value the case follows, the others, and why."""

    chosen: list[Quote]
    others: list[Quote]
    note: Told | None

    @property
    def value(self) -> str:
        return next((quote.value for quote in self.chosen if quote.value), "") or _("No value")


@dataclass(frozen=True)
class Evidence(Shown):
    """What supports one statement. It is false when there is nothing to show."""

    quotes: list[Quote] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.quotes or self.conflicts)


class Quotes:
    """Hands out the claims of a document to the statements they speak of; ``rest`` is what no statement asked for."""

    def __init__(self, document: CaseDocument, labels: Labels, language: Language) -> None:
        self.language: Language = language
        self.labels = labels
        self.sources = {source.uid: (number, source) for number, source in enumerate(document.sources, 1)}
        self.waiting: dict[str, list[Claim]] = defaultdict(list)
        for claim in document.claims:
            self.waiting[claim.path].append(claim)

    def behind(self, *paths: str) -> Evidence:
        """Take the claims on these paths and on what lies below them."""
        if not self.waiting:
            return NOTHING
        taken = [path for path in self.waiting if any(lies_in(path, wanted) for wanted in paths)]
        claims = [self.waiting.pop(path) for path in taken]
        return self._evidence(claims)

    def around(self, path: str) -> Evidence:
        """Take the claims on a path, on what lies below it, and on what it lies in."""
        taken = [claimed for claimed in self.waiting if lies_in(claimed, path) or lies_in(path, claimed)]
        return self._evidence([self.waiting.pop(claimed) for claimed in taken])

    def rest(self) -> Evidence:
        claims = list(self.waiting.values())
        self.waiting = defaultdict(list)
        return self._evidence(claims)

    def _evidence(self, by_path: Iterable[list[Claim]]) -> Evidence:
        quotes: list[Quote] = []
        conflicts: list[Conflict] = []
        for claims in by_path:
            by_language: Mapping[str | None, list[Claim]] = _grouped(claims)
            for group in by_language.values():
                if len({claim.value for claim in group}) > 1:
                    conflicts.append(self._conflict(group))
                else:
                    quotes += map(self._quote, group)
        return Evidence(quotes, conflicts) if quotes or conflicts else NOTHING

    def _conflict(self, claims: list[Claim]) -> Conflict:
        chosen = [claim for claim in claims if claim.chosen]
        others = [claim for claim in claims if not claim.chosen]
        note = next((tell(claim.note, self.language) for claim in chosen if claim.note), None)
        return Conflict(list(map(self._quote, chosen)), list(map(self._quote, others)), note)

    def _quote(self, claim: Claim) -> Quote:
        number, source = self.sources[claim.source]
        is_other = claim.language is not None and claim.language != self.language
        return Quote(
            text=claim.quote,
            before=claim.prefix or "",
            after=claim.suffix or "",
            language=source.language,
            source=number,
            source_uid=source.uid,
            basis=self.labels.term("claim_basis", claim.basis).name(self.language) if claim.basis != "stated" else None,
            value=value_words(claim.value, self.language) if claim.value else "",
            anchor=Told(claim.anchor, claim.language, is_other) if claim.anchor else None,
        )


NOTHING = Evidence()


def lies_in(path: str, wanted: str) -> bool:
    return path == wanted or path.startswith((f"{wanted}.", f"{wanted}["))


def value_words(value: str, language: Language) -> str:
    """Write the value of a claim as the page writes such values: times and durations in the reader's language."""
    if INSTANT.fullmatch(value):
        try:
            return instant_words(dt.datetime.fromisoformat(value), "minute", language)
        except ValueError:
            return value
    seconds = duration_seconds(value)
    return value if seconds is None else duration_words(seconds, language)


def _grouped(claims: Iterable[Claim]) -> dict[str | None, list[Claim]]:
    groups: dict[str | None, list[Claim]] = defaultdict(list)
    for claim in claims:
        groups[claim.language].append(claim)
    return groups
