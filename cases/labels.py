"""What terms and organisations are called in each language, and the library's checks: read once for each version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from cases.document import Language, Pair
from cases.models import Check, Counter, Org, Term
from cases.telling import Told, tell

# Grows with every new or changed word, so that each process reads them again.
VOCABULARY = "vocabulary"
# Grows when a word that pages may print already is changed, so that those pages are made again.
WORDING = "wording"


@dataclass(frozen=True)
class Label:
    """What a term is called and what it means. A term that nobody explained is called by its slug."""

    list: str
    slug: str
    names: Pair = field(default_factory=Pair)
    definition: Pair = field(default_factory=Pair)
    known: bool = True
    replaced_by: str | None = None
    id: int = 0

    def name(self, language: Language) -> Told:
        return tell(self.names, language) or Told(self.slug)

    def meaning(self, language: Language) -> Told | None:
        return tell(self.definition, language)


@dataclass(frozen=True)
class OrgLabel:
    """What an organisation is called; ``slug`` is None for one that is only named in a draft."""

    slug: str | None
    written: str
    names: Pair = field(default_factory=Pair)
    homepage: str = ""
    id: int = 0

    def name(self, language: Language) -> Told:
        own = self.names.told(language)
        return Told(own, language) if own else Told(self.written)


@dataclass(frozen=True)
class LibraryCheck:
    """A check of the library and the terms, as ``list:slug``, whose cases it belongs to."""

    slug: str
    question: Pair
    why: Pair
    how: Pair
    bad_answer: Pair
    command: str
    risk: str
    terms: frozenset[str]


@dataclass(frozen=True, eq=False)
class Labels:
    """The vocabulary of one version. It is never changed in place, and no two readings are equal.

    ``version`` is that of all words, ``wording`` that of what stored pages print.
    """

    version: int
    wording: int
    terms: Mapping[tuple[str, str], Label]
    orgs: Mapping[str, OrgLabel]
    checks: tuple[LibraryCheck, ...] = ()
    # What was put together of these words already; it ends with them.
    phrases: dict[tuple[str, tuple[str, ...], Language], str] = field(default_factory=dict)
    written_checks: dict[tuple[str, Language], Any] = field(default_factory=dict)

    @classmethod
    def read(cls, version: int) -> Labels:
        """Read everything in five queries."""
        terms = {(term.list, term.slug): _label(term) for term in Term.objects.select_related("replaced_by")}
        orgs = {
            org.name: OrgLabel(
                org.slug, org.name, Pair(en=org.label_en or None, ko=org.label_ko or None), org.homepage, org.pk
            )
            for org in Org.objects.all()
        }
        return cls(version, counted(WORDING), terms, orgs, tuple(map(_check, Check.objects.prefetch_related("terms"))))

    def term(self, list_name: str, slug: str) -> Label:
        """Return the term in force for a slug: its successor where it was replaced, its slug where it is unknown."""
        found, seen = self.terms.get((list_name, slug)), {slug}
        while found is not None and found.replaced_by and found.replaced_by not in seen:
            seen.add(found.replaced_by)
            found = self.terms.get((list_name, found.replaced_by))
        return found or Label(list_name, slug, known=False)

    def org(self, name: str) -> OrgLabel:
        return self.orgs.get(name) or OrgLabel(None, name)

    @cached_property
    def orgs_by_slug(self) -> Mapping[str, OrgLabel]:
        return {org.slug: org for org in self.orgs.values() if org.slug}

    def checks_for(self, terms: Iterable[str]) -> list[tuple[LibraryCheck, list[str]]]:
        """Give the checks that share a term (``list:slug``) with a case, with these terms; most shared first."""
        shared: dict[int, list[str]] = defaultdict(list)
        for term in dict.fromkeys(terms):
            for position in self.checks_of_term.get(term, ()):
                shared[position].append(term)
        ranked = sorted(shared, key=lambda position: (-len(shared[position]), position))
        return [(self.checks[position], shared[position]) for position in ranked]

    @cached_property
    def checks_of_term(self) -> Mapping[str, list[int]]:
        """The positions of the checks of each term, replaced terms resolved."""
        found: dict[str, list[int]] = defaultdict(list)
        for position, check in enumerate(self.checks):
            for term in sorted({self.resolved(term) for term in check.terms}):
                found[term].append(position)
        return found

    def resolved(self, term: str) -> str:
        """Replace a ``list:slug`` by that of the term in force."""
        list_name, _, slug = term.partition(":")
        return f"{list_name}:{self.term(list_name, slug).slug}"


def current_labels(version: int | None = None) -> Labels:
    """Return the labels of the present version, from the memory of this process where they are there.

    Costs one query for the version, none when the caller has read it already.
    """
    return _kept(counted(VOCABULARY) if version is None else version)


def counted(name: str) -> int:
    return Counter.objects.filter(name=name).values_list("value", flat=True).first() or 0


@lru_cache(maxsize=2)
def _kept(version: int) -> Labels:
    return Labels.read(version)


def _label(term: Term) -> Label:
    return Label(
        list=term.list,
        slug=term.slug,
        names=Pair(en=term.label_en or None, ko=term.label_ko or None),
        definition=Pair(en=term.definition_en or None, ko=term.definition_ko or None),
        known=term.known,
        replaced_by=term.replaced_by.slug if term.replaced_by else None,
        id=term.pk,
    )


def _check(check: Check) -> LibraryCheck:
    return LibraryCheck(
        slug=check.slug,
        question=Pair(en=check.question_en or None, ko=check.question_ko or None),
        why=Pair(en=check.why_en or None, ko=check.why_ko or None),
        how=Pair(en=check.how_en or None, ko=check.how_ko or None),
        bad_answer=Pair(en=check.bad_answer_en or None, ko=check.bad_answer_ko or None),
        command=check.command,
        risk=check.risk,
        terms=frozenset(f"{term.list}:{term.slug}" for term in check.terms.all()),
    )
