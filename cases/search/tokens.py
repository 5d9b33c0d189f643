"""From text to tokens, for both languages and both databases: the one place that says which strings are the same.

A token holds only a-z, 0-9 and Hangul syllables, so that no database sees anything in it but one word. Of Latin words
the order is kept:

* ``certif``: a word, lower case, stemmed;
* ``il560``: a case number, however it is written;
* ``끝``: a break, so that no phrase is found across it.

Other tokens stand anywhere in their part of the case:

* ``servicediscoveri``: the parts of ``service-discovery`` as one word;
* ``인증``, ``인증서``: two and three syllables in a row, of words written together or apart; a longer word is found by
  all its rows of three, which overlap, without a look at their order;
* ``w락``: a whole Hangul word without its josa, so that 락 is not found in 누락; of more than two syllables only those
  of titles, for who has typed the first one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import add

import Stemmer

from cases.document import CaseDocument, Pair

from .josa import JOSA, parted, words

BREAK = "끝"
WHOLE = "w"
# The databases cannot index a longer word, and nobody writes one.
LONGEST_WORD = 60
LONGEST_EXOTIC = 12
MOST_SYLLABLES_ALONE = 2
STOP_WORDS = words(
    "a an and are as at be been but by for from had has have if in into is it its no nor not of on or so such than that"
    " the their then there these they this those to was were which while will with"
)
# Both begin with plain letters, which lets the engine skip what cannot fit.
CASE_NUMBER = re.compile(r"il(?<![a-z0-9]il)[-_ ]?0*([1-9][0-9]{0,8})(?![a-z0-9])")
POSSESSIVE = re.compile(r"'s(?<=[a-z0-9]'s)(?![a-z0-9])")
# Words parted by single spaces; a particle after a Latin word, written to it or apart ("PubNub은", "PubNub 은"), is
# passed over, and so are half syllables, as an input method leaves them.
LATIN = r"([a-z0-9]+(?:[-/._ ][a-z0-9]+)*)"
PARTICLE = rf"(?:(?= ?[가-힣]) ?(?:{'|'.join(sorted(JOSA, key=len, reverse=True))})(?![가-힣]))?"
HANGUL = r"([가-힣]+(?: [가-힣]+)*)"
HALF = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\ud7b0-\ud7ff"
EXOTIC = rf"((?:(?![a-z0-9가-힣{HALF}])[^\W_])+)"
RUN = re.compile(f"{LATIN}{PARTICLE}|{HANGUL}|{EXOTIC}")
JOINTS = re.compile(r"[-/._]")

ACCENTED = re.compile(r"[\u00c0-\u024f]")
PLAIN = {code: unicodedata.normalize("NFKD", chr(code))[0] for code in range(0x00C0, 0x0250)}

# Stems are kept by ``_stem``, so it needs no cache of its own.
_stemmer = Stemmer.Stemmer("english", 0)


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text: the Latin ones in their order, the others once; and its words, for who misspells them."""

    flow: list[str]
    loose: list[str]
    words: set[str]


@dataclass(frozen=True)
class DocumentTokens:
    """The tokens of a case by what a hit there weighs; both languages together."""

    title: Tokens
    summary: Tokens
    rest: Tokens

    @property
    def parts(self) -> tuple[Tokens, Tokens, Tokens]:
        return self.title, self.summary, self.rest


def normal(text: str) -> str:
    """Write what is the same in the same way: NFKC, lower case, no accents, case numbers as one word."""
    text = unaccented(unicodedata.normalize("NFKC", text)).lower().replace("’", "'")
    return POSSESSIVE.sub("", CASE_NUMBER.sub(r"il\1", text))


def unaccented(text: str) -> str:
    return text.translate(PLAIN) if ACCENTED.search(text) else text


def stems(words: Iterable[str]) -> list[str]:
    return list(map(_stem, words))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    found: str = _stemmer.stemWord(word)
    return found


def exotic(word: str) -> str:
    """Write a word of any other script with letters that both databases take for letters."""
    return "u" + "".join(f"{ord(character):x}" for character in word[:LONGEST_EXOTIC])


def pairs(syllables: str) -> tuple[str, ...]:
    return tuple(map(add, syllables, syllables[1:]))


def trigrams(syllables: str) -> tuple[str, ...]:
    return tuple(map(add, pairs(syllables), syllables[2:]))


@lru_cache(maxsize=10_000)
def _noun(whole: str) -> tuple[str, bool]:
    """Give the noun of a Hangul word, and whether a compound ends with it."""
    word = parted(whole)
    return word.noun[:LONGEST_WORD], word.is_sure


@lru_cache(maxsize=5_000)
def _in_a_row(compound: str) -> tuple[str, ...]:
    return pairs(compound) + trigrams(compound)


class _Reading:
    """One text while it is being read."""

    def __init__(self) -> None:
        self.flow: list[str] = []
        self.joined: set[str] = set()
        self.in_a_row: list[str] = []
        self.ascii_words: set[str] = set()
        self.hangul_words: set[str] = set()

    def latin(self, run: str) -> None:
        words = run.split(" ")
        if JOINTS.search(run):
            words = [part for word in words for part in self._parts(word)]
        kept = [word for word in words if word not in STOP_WORDS and len(word) <= LONGEST_WORD]
        self.ascii_words.update(kept)
        self.flow += stems(kept)
        self._break()

    def _parts(self, word: str) -> list[str]:
        """Part ``service-discovery``, ``pub/sub`` or ``status.example.com``, and keep it as one word too."""
        parts = JOINTS.split(word)
        joined = "".join(parts)
        if len(parts) > 1 and len(joined) <= LONGEST_WORD and not joined.isdigit():
            self.joined.add(joined)
        return parts

    def hangul(self, run: str) -> None:
        """Read words parted by single spaces. A compound goes on over a space, but not after a josa."""
        found, words, compound = self.in_a_row, self.hangul_words, ""
        for whole in run.split(" "):
            noun, ends = _noun(whole)
            words.add(noun)
            compound += whole
            if ends:
                found += _in_a_row(compound)
                compound = ""
        found += _in_a_row(compound)

    def other(self, word: str) -> None:
        token = exotic(word)
        self.ascii_words.add(token)
        self.flow += (*stems([token]), BREAK)

    def _break(self) -> None:
        if self.flow and self.flow[-1] != BREAK:
            self.flow.append(BREAK)

    def tokens(self) -> Tokens:
        alone = [WHOLE + word for word in sorted(self.hangul_words) if len(word) <= MOST_SYLLABLES_ALONE]
        loose = [*dict.fromkeys(self.in_a_row), *stems(sorted(self.joined)), *alone]
        return Tokens(self.flow, loose, self.hangul_words | self.ascii_words)


def tokenized(text: str) -> Tokens:
    """Read a text that documents hold."""
    reading = _Reading()
    for latin, hangul, other in RUN.findall(normal(text)):
        if latin:
            reading.latin(latin)
        elif hangul:
            reading.hangul(hangul)
        else:
            reading.other(other)
    return reading.tokens()


# Documents


def document_tokens(document: CaseDocument) -> DocumentTokens:
    title = tokenized("\n".join([document.id, document.org, *_texts([document.title])]))
    summary = tokenized("\n".join(_texts([document.summary])))
    rest = tokenized("\n".join(_rest(document)))
    longer = [word for word in sorted(title.words) if len(word) > MOST_SYLLABLES_ALONE and not word.isascii()]
    loose = [*title.loose, *(WHOLE + word for word in longer)]
    return DocumentTokens(replace(title, loose=loose), summary, rest)


def _texts(pairs_of_texts: Iterable[Pair | None]) -> Iterator[str]:
    for pair in pairs_of_texts:
        if pair is not None:
            yield from (text for text in (pair.en, pair.ko) if text)


def other_texts(document: CaseDocument) -> Iterator[Pair | None]:
    """Give all that a case tells besides title and summary, in the order of its page."""
    impact = document.impact_text
    yield from (document.symptoms_text, document.trigger, document.detection, document.lessons)
    yield from (impact.scope, impact.users, impact.region)
    yield from (item.text for item in document.remediation)
    yield from (item.text for item in document.action_items)
    yield from (event.text for event in document.timeline.events)
    yield from (window.region for window in document.timeline.windows)
    for check in document.checks:
        yield from (check.question, check.how)


def _rest(document: CaseDocument) -> Iterator[str]:
    """Give the other texts, and the slugs of the terms: their labels may change without the case."""
    yield from _texts(other_texts(document))
    yield from (check.command for check in document.checks if check.command)
    yield from (source.title for source in document.sources if source.title)
    yield from (*document.domain, *document.components, *document.symptoms, *document.contributing)
    yield from (slug for slug in (document.root_cause, document.detection_method) if slug)
