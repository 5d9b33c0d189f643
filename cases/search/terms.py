"""From what a reader types to terms, each with the phrases that count as it. Nothing here asks the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .josa import Word, parted
from .tokens import JOINTS, MOST_SYLLABLES_ALONE, RUN, STOP_WORDS, WHOLE, exotic, normal, pairs, stems

# Tokens that follow one another.
Phrase = tuple[str, ...]

MOST_TERMS = 16
SHORTEST_LATIN, SHORTEST_HANGUL = 4, 2


@dataclass(frozen=True)
class Unit:
    """One word as typed. ``keys`` are the ways in which a glossary may know it, the surest first."""

    text: str
    phrases: tuple[Phrase, ...]
    keys: tuple[str, ...]
    is_hangul: bool = False
    # What a misspelling is looked for by; empty for what nobody misspells, such as numbers.
    spelled: str = ""


@dataclass(frozen=True)
class Term:
    """One thing asked for, in any of the phrases that mean it."""

    text: str
    phrases: tuple[Phrase, ...]
    spelled: str = ""


@dataclass(frozen=True)
class Glossary:
    """Which phrases mean the same, by the key of each way to write them."""

    phrases: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    longest: int = 1
    # The forms that are one word, or can be written as one, for who misspells them.
    words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, concepts: Iterable[tuple[Iterable[str], Iterable[str]]]) -> Glossary:
        """Make a glossary of (forms, other spellings that only readers use) of each concept."""
        phrases: dict[str, dict[Phrase, None]] = {}
        longest, words = 1, set()
        for forms, misspelt in concepts:
            read = [found for form in forms if (found := units(form))]
            meant = dict.fromkeys(phrase for form in read for phrase in together(form))
            for form in filter(None, [*read, *map(units, misspelt)]):
                longest = max(longest, len(form))
                if len(form) == 1 or all(unit.is_hangul for unit in form):
                    words.add("".join(unit.text for unit in form))
                for key in keys(form):
                    phrases.setdefault(key, {}).update(meant)
        return cls({key: tuple(meant) for key, meant in phrases.items()}, longest, frozenset(words))


NO_GLOSSARY = Glossary()


def terms(text: str, glossary: Glossary = NO_GLOSSARY) -> tuple[Term, ...]:
    """Read a query: at each place the longest phrase that the glossary knows, else the next word."""
    read = units(text)
    found: list[Term] = []
    position = 0
    while position < len(read):
        known = _longest_known(read[position : position + glossary.longest], glossary)
        count = known or 1
        found.append(_term(read[position : position + count], glossary))
        position += count
    return tuple({term.phrases: term for term in found}.values())[:MOST_TERMS]


def _longest_known(read: Sequence[Unit], glossary: Glossary) -> int:
    for count in range(len(read), 0, -1):
        if any(key in glossary.phrases for key in keys(read[:count])):
            return count
    return 0


def _term(read: Sequence[Unit], glossary: Glossary) -> Term:
    text = " ".join(unit.text for unit in read)
    meant = next((glossary.phrases[key] for key in keys(read) if key in glossary.phrases), ())
    phrases = tuple(dict.fromkeys([*together(read), *meant]))
    return Term(text, phrases, "" if meant else read[0].spelled)


def keys(read: Sequence[Unit]) -> list[str]:
    """Give the keys of words in a row: Korean ones are written together, English ones also."""
    start = ""
    for unit in read[:-1]:
        start += unit.keys[0] if unit.is_hangul else f"{unit.keys[0]} "
    found = [start + key for key in read[-1].keys]
    if len(read) > 1 and not any(unit.is_hangul for unit in read):
        found += stems(["".join(unit.text for unit in read)])
    return found


def together(read: Sequence[Unit]) -> list[Phrase]:
    """Give the phrases of words in a row; none for a row of both scripts, which no text keeps in order."""
    if len(read) == 1:
        return list(read[0].phrases)
    if all(unit.is_hangul for unit in read):
        return list(_hangul("".join(unit.text for unit in read)).phrases)
    if any(unit.is_hangul for unit in read):
        return []
    return [tuple(token for unit in read for token in unit.phrases[0]), tuple(keys(read)[-1:])]


# Words


def units(text: str) -> list[Unit]:
    """Read the words of a query, without stop words and lone particles."""
    found: list[Unit] = []
    for latin, hangul, other in RUN.findall(normal(text)):
        if latin:
            found += [_latin(word) for word in latin.split(" ") if word not in STOP_WORDS]
        elif hangul:
            found += _hangul_run(hangul.split(" "))
        else:
            found.append(Unit(other, ((exotic(other),),), (other,)))
    return found


def _latin(word: str) -> Unit:
    parts = JOINTS.split(word)
    told = [part for part in parts if part not in STOP_WORDS]
    phrases: list[Phrase] = []
    if len(told) == len(parts) or len(told) > 1:
        phrases.append(tuple(stems(told)))
    if len(parts) > 1:
        phrases.append(tuple(stems(["".join(parts)])))
    spelled = word if word.isalpha() and len(word) >= SHORTEST_LATIN else ""
    return Unit(word, tuple(phrases), (" ".join(phrases[0]),), spelled=spelled)


def _hangul_run(words: Sequence[str]) -> list[Unit]:
    """Read words in a row. A single syllable may also be the end or the beginning of a compound (커넥션 풀)."""
    found = []
    for position, word in enumerate(words):
        unit = _hangul(word)
        if len(parted(word).core) == 1:
            before = [words[position - 1][-1] + word[0]] if position else []
            after = [word[-1] + words[position + 1][0]] if len(word) == 1 and position + 1 < len(words) else []
            joined = [(pair,) for pair in (*before, *after)]
            unit = Unit(unit.text, (*unit.phrases, *joined), unit.keys, is_hangul=True)
        found.append(unit)
    return found


def _hangul(text: str) -> Unit:
    word = parted(text)
    spelled = word.noun if len(word.noun) >= SHORTEST_HANGUL else text if len(text) >= SHORTEST_HANGUL else ""
    return Unit(text, _phrases(word), tuple(dict.fromkeys((word.whole, word.noun))), is_hangul=True, spelled=spelled)


def _phrases(word: Word) -> tuple[Phrase, ...]:
    """One syllable is looked for as a whole word only, more syllables wherever they stand together."""
    if len(word.core) == 1:
        return tuple(phrase for phrase in ((WHOLE + word.core,), pairs(word.whole)) if phrase)
    if len(word.core) <= MOST_SYLLABLES_ALONE or word.noun == word.core:
        return (pairs(word.core),)
    # What may be a noun with a josa. Two syllables must stand alone then: 재시 of 재시도 is in 재시작, too.
    noun = pairs(word.noun) if len(word.noun) > MOST_SYLLABLES_ALONE else (WHOLE + word.noun,)
    return pairs(word.core), noun
