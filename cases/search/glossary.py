"""Which words mean the same: the glossary, readings of names, and all spellings of an organisation.

Read once for each version of the vocabulary. The language checks read the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cases.labels import VOCABULARY, counted
from cases.models import GlossaryName, GlossaryTerm, Org

from .terms import Glossary

Concept = tuple[list[str], list[str]]


def current_glossary() -> Glossary:
    return _kept(counted(VOCABULARY))


@lru_cache(maxsize=1)
def _kept(_version: int) -> Glossary:
    return Glossary.of([*_terms(), *_names(), *_orgs()])


def _terms() -> Iterator[Concept]:
    """A form that texts must not use is what a reader may well type."""
    for term in GlossaryTerm.objects.all():
        yield [*term.en, term.ko, *term.ko_allowed], term.ko_forbidden


def _names() -> Iterator[Concept]:
    for name in GlossaryName.objects.exclude(reading_ko=""):
        yield [name.name, name.reading_ko], []


def _orgs() -> Iterator[Concept]:
    for org in Org.objects.prefetch_related("aliases"):
        names = {org.name, org.label_en, org.label_ko, *(alias.alias for alias in org.aliases.all())}
        yield sorted(name for name in names if name), []
