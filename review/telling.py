"""The values of fields in words, for people who read a case on the desk: no slug, no uid, no bare time.

Which list of the vocabulary a field takes its words from, the forms of the editor know.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast

from django.utils.translation import gettext as _

from cases.differences import written
from cases.document import CaseDocument, Language
from cases.fields import ITEM_LISTS, FieldValue, fields, item_of, language_of
from cases.formatting import instant_words
from cases.labels import Labels
from cases.rendering.quotes import INSTANT

from .forms import LISTS
from .forms.fields import ChosenField
from .forms.part import key_of
from .forms.parts import PARTS

LONGEST_NAME = 60


@dataclass(frozen=True)
class Telling:
    """Tells the values of one document in one language of the interface."""

    document: CaseDocument
    labels: Labels
    language: Language

    def value(self, path: str, value: FieldValue) -> str | None:
        """Tell the value that a field has; None when there is none."""
        if path in ITEM_LISTS:
            return self._items(path, cast("list[str]", value or []))
        words = [self._word(path, one) for one in value] if isinstance(value, list) else value
        return self._word(path, words) if isinstance(words, str) else written(words)

    def _word(self, path: str, word: str) -> str:
        field = _choices().get(_in_any_item(path))
        if field is not None:
            fixed = dict(field.values)
            return str(fixed.get(word) or self.labels.term(field.terms, word).name(self.language).text)
        if path.endswith("precision"):
            return str(self.labels.term("date_precision", word).name(self.language).text)
        if path.endswith(".source"):
            return self.source(word)
        if INSTANT.fullmatch(word):
            return instant_words(dt.datetime.fromisoformat(word), "minute", self.language)
        return word

    def source(self, uid: str) -> str:
        """Name a source by its place in the list and who published it; a document names only its own."""
        sources = enumerate(self.document.sources, 1)
        position, source = next((position, source) for position, source in sources if source.uid == uid)
        host = source.publisher or str(source.url).partition("//")[2].partition("/")[0]
        return _("Source %(position)s (%(name)s)") % {"position": position, "name": host}

    def _items(self, path: str, uids: list[str]) -> str | None:
        """Name the items of a list in their order."""
        return " → ".join(self._item(f"{path}[{uid}]") for uid in uids) or None

    def _item(self, path: str) -> str:
        told = {key: value for key, value in fields(self.document).items() if item_of(key) == path}
        own = [value for key, value in told.items() if language_of(key) in {self.language, None}]
        texts = [value for key, value in told.items() if language_of(key) == self.language] or own
        name = next((str(value) for value in texts if value), "…")
        return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"


def _in_any_item(path: str) -> str:
    """Leave out which item a path is in: ``remediation[r-abc123].kind`` becomes ``remediation.kind``."""
    item = item_of(path)
    return item.partition("[")[0] + path.removeprefix(item) if item else path


@cache
def _choices() -> Mapping[str, ChosenField]:
    """Find the fields of a few values, by their paths without items."""
    return dict(_declared())


def _declared() -> Iterator[tuple[str, ChosenField]]:
    forms = [("", form) for form in PARTS.values()] + [(f"{path}.", one.form) for path, one in LISTS.items()]
    for prefix, form in forms:
        for name, field in form.base_fields.items():
            if isinstance(field, ChosenField):
                yield prefix + key_of(name), field
