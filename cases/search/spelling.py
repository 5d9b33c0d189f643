"""Words that a reader may have meant, by how near they are to what was typed."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from cases.models import SearchWord

NEAR_ENOUGH = 0.74
MOST_CANDIDATES = 8


def candidates(word: str, others: frozenset[str] = frozenset()) -> list[str]:
    """Return the words of the library and others near to this one, the nearest first.

    Hangul is compared by its letters.
    """
    words = _kept(SearchWord.objects.count(), others, is_latin=word.isascii())
    near = process.extract(
        _letters(word),
        words,
        scorer=DamerauLevenshtein.normalized_similarity,
        processor=None,
        score_cutoff=NEAR_ENOUGH,
        limit=MOST_CANDIDATES,
    )
    return [found for _, _, found in sorted(near, key=lambda one: (-one[1], one[2])) if found != word]


@lru_cache(maxsize=2)
def _kept(_count: int, others: frozenset[str], *, is_latin: bool) -> Mapping[str, str]:
    """Read the words of one script with their letters. Words are only ever added, so their number is a version."""
    words = chain(SearchWord.objects.values_list("word", flat=True).iterator(), others)
    return {word: _letters(word) for word in words if word.isascii() == is_latin}


def _letters(word: str) -> str:
    return word if word.isascii() else unicodedata.normalize("NFD", word)
