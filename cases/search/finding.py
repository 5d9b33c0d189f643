"""Finding cases by words: all words, else any; a word that nobody wrote is taken for the nearest one that is there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from . import engines
from .engines import All, Any, Question, ask
from .glossary import current_glossary
from .index import WEIGHTS
from .spelling import candidates
from .terms import Glossary, Phrase, Term, terms

LONGEST_QUERY = 200
# "IL-0560", "il560", "IL 0560" and "0560".
NUMBER = re.compile(r"(?:il[-_ ]?0*|0+)([1-9][0-9]{0,8})", re.IGNORECASE)
# In quotation marks a query is taken as it is written.
QUOTED = re.compile(r'\s*["“](.*)["”]\s*', re.DOTALL)

# What a hit is worth: the part in which it stands (0 title, 1 summary, 2 rest) and the terms found there.
Score = tuple[int, int]


@dataclass(frozen=True)
class Found:
    """What a query finds. ``scores`` is by the primary key of the case.

    ``shown`` is the query that was answered instead, when a word was taken for a misspelling; ``number`` is set when
    the query is nothing but a case number, of a case that may not exist.
    """

    scores: Mapping[int, Score] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()
    shown: str | None = None
    number: int | None = None


def find(text: str) -> Found:
    """Find published cases. Any text is a query: what is no word is passed over."""
    text = text[:LONGEST_QUERY]
    quoted = QUOTED.fullmatch(text)
    if quoted is not None:
        text = quoted[1]
    number = NUMBER.fullmatch(unicodedata.normalize("NFKC", text).strip())
    return replace(_answered(text, corrects=quoted is None), number=number and int(number[1]))


def _answered(text: str, *, corrects: bool) -> Found:
    glossary = current_glossary()
    asked = terms(text, glossary)
    hits = _hits_of_all(asked)
    if hits:
        return Found(_scores(hits, len(asked)), asked)
    hits = _hits(asked) if len(asked) > 1 else hits
    corrected = _corrected(text, _without_hits(asked, hits), glossary) if corrects else None
    if corrected is not None:
        asked = terms(corrected, glossary)
        hits = _hits_of_all(asked) or _hits(asked)
    return Found(_scores(_fullest(hits, len(asked)), len(asked)), asked, corrected)


# Hits: for each case a number with one bit for each part and term


def _hits_of_all(asked: Sequence[Term]) -> dict[int, int]:
    """Find the cases that have every term, wherever they stand."""
    return _hits(asked, All(tuple(_anywhere(term) for term in asked)) if len(asked) > 1 else None)


def _hits(asked: Sequence[Term], among: Question | None = None) -> dict[int, int]:
    hits: dict[int, int] = {}
    for position, case in ask([_within(term, weight) for weight in WEIGHTS for term in asked], among):
        hits[case] = hits.get(case, 0) | 1 << position
    return hits


def _fullest(hits: Mapping[int, int], count: int) -> dict[int, int]:
    """Keep the cases that have the most of the terms: one common word of several is found everywhere."""
    told = {bits: _anywhere_bits(bits, count).bit_count() for bits in set(hits.values())}
    most = max(told.values(), default=0)
    return {case: bits for case, bits in hits.items() if told[bits] == most}


def _anywhere_bits(bits: int, count: int) -> int:
    return (bits | bits >> count | bits >> 2 * count) & ((1 << count) - 1)


def _within(term: Term, weight: str) -> Question:
    return Any(tuple(_weighed(phrase, weight) for phrase in term.phrases))


def _anywhere(term: Term) -> Question:
    return Any(tuple(_weighed(phrase, weight) for weight in WEIGHTS for phrase in term.phrases))


def _weighed(phrase: Phrase, weight: str) -> engines.Phrase:
    return engines.Phrase(tuple(weight + token for token in phrase))


def _scores(hits: Mapping[int, int], count: int) -> dict[int, Score]:
    worth = {bits: _score(bits, count) for bits in set(hits.values())}
    return {case: worth[bits] for case, bits in hits.items()}


def _score(bits: int, count: int) -> Score:
    part = 0
    while not bits & ((1 << count) - 1):
        bits >>= count
        part += 1
    return part, (bits & ((1 << count) - 1)).bit_count()


# Misspellings


def _without_hits(asked: Sequence[Term], hits: Mapping[int, int]) -> list[Term]:
    found = 0
    for bits in set(hits.values()):
        found |= bits
    count = len(asked)
    there = found | found >> count | found >> 2 * count
    return [term for position, term in enumerate(asked) if term.spelled and not there >> position & 1]


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
    hits = {position for position, _ in ask([_anywhere(terms(word, glossary)[0]) for word in near])}
    return next((word for position, word in enumerate(near) if position in hits), None)
