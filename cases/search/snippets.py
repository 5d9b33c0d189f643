"""The words of a case around what was searched for, with the hits marked, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from cases.document import CaseDocument, Language

from .josa import JOSA
from .terms import Term
from .tokens import STOP_WORDS, WHOLE, other_texts, stems

LONGEST = 160
# As much of the text before the first hit as helps to understand it.
LEAD = 40
LATIN_WORD = re.compile(r"[a-z0-9]+")
GAP = re.compile(r"[-/._ ]|'s ")
MARK = "…"


class Piece(NamedTuple):
    text: str
    is_hit: bool


class Span(NamedTuple):
    start: int
    end: int
    term: int


@dataclass(frozen=True)
class Snippet:
    """Pieces of one passage; ``language`` is the other one where the case is not told in the reader's."""

    language: Language
    pieces: list[Piece]


def snippet(document: CaseDocument, terms: Sequence[Term], language: Language) -> Snippet:
    """Return the passage in which most terms are found, the first such one; the beginning where there is none."""
    passages = _passages(document, language)
    if not passages:
        language = "ko" if language == "en" else "en"
        passages = _passages(document, language)
    found = [(text, spans(text, terms)) for text in passages]
    text, best = max(found, key=lambda one: len({span.term for span in one[1]}))
    return Snippet(language, _pieces(text, best))


def _passages(document: CaseDocument, language: Language) -> list[str]:
    pairs = [document.summary, *other_texts(document)]
    texts = [pair.told(language) for pair in pairs if pair is not None]
    return [passage for text in texts if text for passage in text.split("\n\n")]


# Hits


def spans(text: str, terms: Sequence[Term]) -> list[Span]:
    """Give where the terms stand in a text, in its order; of two that overlap the longer one."""
    text = _same_length(text)
    latin = _latin_words(text)
    found = [
        Span(start, end, position)
        for position, term in enumerate(terms)
        for phrase in term.phrases
        for start, end in (_latin(phrase, latin, text) if phrase[0].isascii() else _hangul(phrase, text))
    ]
    kept: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _same_length(text: str) -> str:
    """Fold a text as the tokens were, character by character, so that places in it stay the same."""
    lower = text.lower().replace("’", "'")
    return lower if len(lower) == len(text) else text


class _LatinWord(NamedTuple):
    stem: str
    start: int
    end: int


def _latin_words(text: str) -> list[_LatinWord]:
    words = [word for word in LATIN_WORD.finditer(text) if word.group() not in STOP_WORDS]
    roots = stems([word.group() for word in words])
    return [_LatinWord(root, *word.span()) for root, word in zip(roots, words, strict=True)]


def _latin(phrase: Sequence[str], words: Sequence[_LatinWord], text: str) -> Iterator[tuple[int, int]]:
    """Find stems in a row, and several words that are one when written together (``load-balancer``)."""
    for position, word in enumerate(words):
        if word.stem == phrase[0]:
            row = words[position : position + len(phrase)]
            if tuple(one.stem for one in row) == tuple(phrase):
                yield word.start, row[-1].end
        elif len(phrase) == 1 and phrase[0].startswith(text[word.start : word.end]):
            yield from _joined(phrase[0], words[position:], text)


def _joined(stem: str, words: Sequence[_LatinWord], text: str) -> Iterator[tuple[int, int]]:
    together = text[words[0].start : words[0].end]
    for last, word in pairwise(words):
        if not GAP.fullmatch(text[last.end : word.start]) or len(together) > len(stem):
            break
        together += text[word.start : word.end]
        if stems([together])[0] == stem:
            yield words[0].start, word.end


def _hangul(phrase: Sequence[str], text: str) -> Iterator[tuple[int, int]]:
    for found in _pattern(tuple(phrase)).finditer(text):
        yield found.span(1)


@lru_cache(maxsize=256)
def _pattern(phrase: tuple[str, ...]) -> re.Pattern[str]:
    """A whole word may end in a josa, which is not marked; pairs may have a blank between any two syllables."""
    if phrase[0].startswith(WHOLE):
        josa = "|".join(sorted(JOSA, key=len, reverse=True))
        return re.compile(rf"(?<![가-힣])({phrase[0].removeprefix(WHOLE)})(?:{josa})?(?![가-힣])")
    syllables = phrase[0] + "".join(pair[-1] for pair in phrase[1:])
    return re.compile(f"({' ?'.join(syllables)})")


# Pieces


def _pieces(text: str, hits: Sequence[Span]) -> list[Piece]:
    """Cut the part around the hits out of a passage, at blanks, and part it into hits and what is between them."""
    start, end = _window(text, hits)
    pieces: list[Piece] = []
    position = start
    for hit in hits:
        if start <= hit.start and hit.end <= end:
            pieces += [Piece(text[position : hit.start], is_hit=False), Piece(text[hit.start : hit.end], is_hit=True)]
            position = hit.end
    pieces.append(Piece(text[position:end], is_hit=False))
    before, after = [Piece(f"{MARK} ", is_hit=False)], [Piece(f" {MARK}", is_hit=False)]
    pieces = (before if start else []) + pieces + (after if end < len(text) else [])
    return _merged(piece for piece in pieces if piece.text)


def _window(text: str, hits: Sequence[Span]) -> tuple[int, int]:
    """Choose where the most terms stand near each other; a text that is short enough stays whole."""
    if len(text) <= LONGEST:
        return 0, len(text)
    room = LONGEST - 2 * len(MARK) - 2
    starts = [max(0, hit.start - LEAD) for hit in hits] or [0]
    most = max(
        starts, key=lambda start: len({hit.term for hit in hits if start <= hit.start and hit.end <= start + room})
    )
    start = min(most, len(text) - room)
    if start > 0:
        start = text.find(" ", start, start + LEAD) + 1 or start
    end = start + room
    if end < len(text):
        end = max(text.rfind(" ", start, end + 1), end - LEAD)
    return start, min(end, len(text))


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    found: list[Piece] = []
    for piece in pieces:
        if found and found[-1].is_hit == piece.is_hit:
            found[-1] = Piece(found[-1].text + piece.text, piece.is_hit)
        else:
            found.append(piece)
    return found
