"""The values of fields in words, for people who compare or review documents: no slug, no uid, no bare time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language, path_words
from cases.fields import ITEM_LISTS, FieldValue, fields, item_of, label_parts, language_of
from cases.formatting import date_words, instant_words
from cases.labels import Labels
from cases.models import Term
from cases.rendering.article import source_language, status_words
from cases.rendering.exposure import risk_words
from cases.rendering.quotes import INSTANT, value_words
from cases.rendering.trust import language_names
from cases.words import TERM_KEYS, TERM_LISTS

LONGEST_NAME = 60
# field, without the item it is in: the list of the vocabulary that its words are of
TERMS: Mapping[str, str] = {
    **TERM_KEYS,
    **TERM_LISTS,
    "date_precision": Term.List.DATE_PRECISION,
    "timeline.events.precision": Term.List.DATE_PRECISION,
    "timeline.events.kind": Term.List.TIMELINE_EVENT,
    "remediation.kind": Term.List.REMEDIATION_KIND,
    "sources.kind": Term.List.SOURCE_KIND,
    "claims.basis": Term.List.CLAIM_BASIS,
}
DURATIONS = {"timeline.detected_after", "timeline.resolved_after", "claims.value"}


def state_words(state: str) -> str:
    return {"live": _("Online"), "changed": _("Changed since it was read"), "gone": _("No longer online")}[state]


# field, without the item it is in: what says its few fixed words
FIXED: Mapping[str, Callable[[str], str]] = {
    "action_items.status": status_words,
    "checks.risk": risk_words,
    "sources.state": state_words,
    "sources.language": source_language,
    "claims.language": lambda code: language_names()[cast("Language", code)],
}


def written(value: FieldValue) -> str | None:
    """Write a value that is no word of a list for a person; None when there is none."""
    if value is None or value == []:
        return None
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return ", ".join(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class FieldWords:
    """Tells the values of one document in one language of the interface."""

    document: CaseDocument
    labels: Labels
    language: Language

    @classmethod
    def here(cls, document: CaseDocument, labels: Labels) -> FieldWords:
        """Tell a document in the language that is active."""
        return cls(document, labels, "ko" if get_language() == "ko" else "en")

    def of(self, path: str, value: FieldValue) -> str | None:
        """Tell the value that a field has; None when there is none."""
        if path in ITEM_LISTS:
            return self._items(path, cast("list[str]", value or []))
        words = [self._word(path, one) for one in value] if isinstance(value, list) else value
        return self._word(path, words) if isinstance(words, str) else written(words)

    def label(self, path: str) -> str:
        """Name a field inside its item, ``Korean text``; one of no item as everywhere."""
        label = label_parts(path, self.document)
        inside = len(label_parts(item_of(path), self.document).steps) if item_of(path) else 0
        return path_words(label.steps[inside:], gettext)

    def _word(self, path: str, word: str) -> str:
        field = in_any_item(path)
        if field in TERMS:
            return self.labels.term(TERMS[field], word).name(self.language).text
        if field in FIXED:
            return FIXED[field](word)
        if field in DURATIONS:
            return value_words(word, self.language)
        return self._pointer(field, path, word)

    def _pointer(self, field: str, path: str, word: str) -> str:
        """Tell a word that leads somewhere, or a time; anything else is told as it is."""
        if field == "checks.applies_to":
            return self._term(word)
        if field == "claims.path":
            return label_parts(word, self.document).text(gettext)
        if field.endswith(".source"):
            return self.source(word)
        if field == "date":
            return date_words(dt.date.fromisoformat(word), self.document.date_precision, self.language)
        return self._moment(path, word) if INSTANT.fullmatch(word) else word

    def _term(self, word: str) -> str:
        """Tell a term that is written with its list, ``component:load-balancer``; other words stay."""
        list_name, _colon, slug = word.partition(":")
        if list_name not in Term.List:
            return word
        told = {"term": self.labels.term(list_name, slug).name(self.language).text, "list": Term.List(list_name).label}
        return _("%(term)s (%(list)s)") % told

    def _moment(self, path: str, word: str) -> str:
        """Tell an instant as precisely as its item says that it is known."""
        precision = self._told.get(f"{item_of(path)}.precision")
        return instant_words(dt.datetime.fromisoformat(word), str(precision or "minute"), self.language)

    def source(self, uid: str) -> str:
        """Name a source by its place in the list and who published it; one of another document by its uid."""
        sources = enumerate(self.document.sources, 1)
        position, source = next(((at, source) for at, source in sources if source.uid == uid), (0, None))
        if source is None:
            return uid
        host = source.publisher or str(source.url).partition("//")[2].partition("/")[0]
        return _("Source %(position)s (%(name)s)") % {"position": position, "name": host}

    def _items(self, path: str, uids: list[str]) -> str | None:
        """Name the items of a list in their order."""
        return " → ".join(self._item(f"{path}[{uid}]") for uid in uids) or None

    def _item(self, path: str) -> str:
        """Name an item by the first text that it tells, in this language or the other, else by its first word."""
        told = [key for key in self._told if item_of(key) == path and self._told[key]]
        told.sort(key=lambda key: (language_of(key) != self.language, language_of(key) is None))
        name = next((self.of(key, self._told[key]) for key in told), None) or "…"
        return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"

    @cached_property
    def _told(self) -> Mapping[str, FieldValue]:
        return fields(self.document)


def in_any_item(path: str) -> str:
    """Leave out which item a path is in: ``remediation[r-abc123].kind`` becomes ``remediation.kind``."""
    item = item_of(path)
    return item.partition("[")[0] + path.removeprefix(item) if item else path
