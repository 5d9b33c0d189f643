"""Finding cases by words: all words, else any; a word that nobody wrote is taken for the nearest one that is there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from cases.catalog import Index

from .engines import All, ask
from .glossary import current_glossary
from .index import ANYWHERE, PARTS, within
from .spelling import candidates
from .terms import Glossary, Term, terms

LONGEST_QUERY = 200
# "IL-0560", "il560", "IL 0560" and "0560".
NUMBER = re.compile(r"(?:il[-_ ]?0*|0+)([1-9][0-9]{0,8})", re.IGNORECASE)
# In quotation marks a query is taken as it is written.
QUOTED = re.compile(r'\s*["“](.*)["”]\s*', re.DOTALL)


@dataclass(frozen=True)
class Rank:
    """Cases that fit equally well, as a set of places in the catalog.

    What counts is the best part in which a term stands (0 title, 1 summary, 2 elsewhere), then how many terms
    stand there.
    """

    part: int
    terms: int
    cases: int


@dataclass(frozen=True)
class Found:
    """What a query finds, the best cases first.

    ``shown`` is the query that was answered instead, when a word was taken for a misspelling; ``number`` is set when
    the query is nothing but a case number, of a case that may not exist.
    """

    ranks: tuple[Rank, ...] = ()
    terms: tuple[Term, ...] = ()
    shown: str | None = None
    number: int | None = None

    @property
    def cases(self) -> int:
        """The set of all cases that were found."""
        return reduce(or_, (rank.cases for rank in self.ranks), 0)

    def worths(self, index: Index) -> list[tuple[tuple[int, int, int], int]]:
        """Return the sets of cases by what counts, more being better: the number asked for, the part, the terms."""
        place = index.places.get(self.number or 0)
        numbered = 0 if place is None else 1 << place
        ranks = [((0, -rank.part, rank.terms), rank.cases) for rank in self.ranks]
        first = [((1, *worth[1:]), cases & numbered) for worth, cases in ranks]
        return [*first, *((worth, cases & ~numbered) for worth, cases in ranks)]


def find(text: str, index: Index, *, ranked: bool = True) -> Found:
    """Find published cases. Any text is a query: what is no word is passed over.

    Who orders them otherwise asks for no ranks: to find out where each term stands takes most of the time.
    """
    text = text[:LONGEST_QUERY]
    quoted = QUOTED.fullmatch(text)
    if quoted is not None:
        text = quoted[1]
    number = NUMBER.fullmatch(unicodedata.normalize("NFKC", text).strip())
    return replace(_answered(text, index, corrects=quoted is None, ranked=ranked), number=number and int(number[1]))


def _answered(text: str, index: Index, *, corrects: bool, ranked: bool) -> Found:
    glossary = current_glossary()
    asked = terms(text, glossary)
    if not ranked and (cases := _with_all(asked, index)):
        return Found((Rank(0, len(asked), cases),), asked)
    hits = _hits(asked, index)
    wrong = [term for term, cases in zip(asked, hits[-1], strict=True) if term.spelled and not cases]
    corrected = _corrected(text, wrong, glossary) if corrects and wrong else None
    if corrected is None:
        return Found(_fullest(hits), asked)
    asked = terms(corrected, glossary)
    return Found(_fullest(_hits(asked, index)), asked, corrected)


# Hits: the cases of each term, for each part


def _with_all(asked: Sequence[Term], index: Index) -> int:
    """Find the cases that have every term, wherever they stand."""
    return index.with_ids(*ask([All(tuple(within(term, ANYWHERE) for term in asked))])) if asked else 0


def _hits(asked: Sequence[Term], index: Index) -> list[list[int]]:
    """Return for each part the cases of each term there; the last one is anywhere."""
    hits = list(map(index.with_ids, ask([within(term, part) for part in PARTS for term in asked])))
    return [hits[len(asked) * number : len(asked) * (number + 1)] for number in range(len(PARTS))]


def _fullest(hits: Sequence[Sequence[int]]) -> tuple[Rank, ...]:
    """Rank the cases that have the most of the terms, all of them if any has: one common word is found everywhere."""
    most = next((cases for cases in reversed(_having(hits[-1])) if cases), 0)
    return _ranks([[cases & most for cases in part] for part in hits])


def _ranks(hits: Sequence[Sequence[int]]) -> tuple[Rank, ...]:
    """Rank each case by the first part that has any of the terms, and by how many it has there."""
    ranks, ranked = [], 0
    for part, of_terms in enumerate(hits):
        for count, cases in reversed(list(enumerate(_having(of_terms), 1))):
            if rest := cases & ~ranked:
                ranks.append(Rank(part, count, rest))
                ranked |= rest
    return tuple(ranks)


def _having(sets: Sequence[int]) -> list[int]:
    """Return the cases that are in one of the sets at least, in two at least, and so on."""
    having: list[int] = []
    for cases in sets:
        more = [before & cases for before in having]
        having = [many | further for many, further in zip([*having, 0], [cases, *more], strict=True)]
    return having


# Misspellings


def _corrected(text: str, wrong: Sequence[Term], glossary: Glossary) -> str | None:
    """Write the query with other words for those that nobody wrote; None where nothing is near enough."""
    corrected = unicodedata.normalize("NFKC", text)
    for term in wrong:
        if word := _meant(term.spelled, glossary):
            corrected = re.sub(rf"(?<![a-z0-9가-힣]){term.spelled}(?![a-z0-9])", word, corrected, flags=re.IGNORECASE)
    corrected = " ".join(corrected.split())
    return corrected if terms(corrected) != terms(text) else None


def _meant(spelled: str, glossary: Glossary) -> str | None:
    """Return the nearest word that has hits: the word of a case that was withdrawn has none."""
    near = candidates(spelled, glossary.words)
    hits = ask([within(terms(word, glossary)[0], ANYWHERE) for word in near])
    return next((word for word, cases in zip(near, hits, strict=True) if cases), None)
