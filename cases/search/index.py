"""Keeping the tokens of published cases, in the transaction that publishes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from django.db import transaction
from django.db.models import F

from cases.document import CaseDocument
from cases.models import Case, Edition, SearchText, SearchWord
from cases.models.bulk import insert_missing, insert_together

from .engines import All, Any, Phrase, Question
from .terms import Term
from .tokens import BREAK, DocumentTokens, document_tokens, trigrams

# Where a token stands. What is in the title or the summary is kept once more as being anywhere, so that whoever does
# not mind where it stands asks for one token, not for three.
TITLE, SUMMARY, ANYWHERE = "a", "b", "c"
PARTS = TITLE + SUMMARY + ANYWHERE
# PostgreSQL keeps 16,383 positions of a text; tokens beyond these are found, phrases of them on neither database.
MOST_IN_ORDER = 16_000
# It takes a megabyte of different words, in which a Hangul syllable is three bytes.
MOST_CHARACTERS = 250_000
SHORTEST_WORD = 2


def write(cases: Sequence[Case], documents: Iterable[CaseDocument]) -> None:
    """Keep the tokens of cases instead of those they had. The caller holds the transaction.

    SQLite writes its index out after each statement, so that row by row takes five times as long. PostgreSQL takes in
    one row while the next is made.
    """
    forget(cases)
    words = set[str]()
    insert_together(SearchText, ("case_id", "tokens"), _rows(cases, documents, words))
    _learn(word for word in words if len(word) >= SHORTEST_WORD and word.isalpha())


def _rows(cases: Iterable[Case], documents: Iterable[CaseDocument], words: set[str]) -> Iterator[tuple[int, str]]:
    """Make the rows of cases one by one, and note their words."""
    for case, document in zip(cases, documents, strict=True):
        tokens = document_tokens(document)
        words.update(*(part.words for part in tokens.parts))
        yield case.pk, stored(tokens)


def forget(cases: Iterable[Case]) -> None:
    """Let nobody find these cases. Their words stay, but lead nowhere."""
    SearchText.objects.filter(case__in=list(cases)).delete()


def stored(tokens: DocumentTokens) -> str:
    """Write tokens as they are stored: each with the letter of its part, nothing in order past what can be kept so."""
    everywhere = chain.from_iterable(part.loose for part in tokens.parts)
    parts = [
        (TITLE, [*tokens.title.loose, BREAK, *tokens.title.flow]),
        (SUMMARY, [*tokens.summary.loose, BREAK, *tokens.summary.flow]),
        (ANYWHERE, [*dict.fromkeys(everywhere), BREAK, *chain.from_iterable(part.flow for part in tokens.parts)]),
    ]
    text = " ".join(letter + f" {letter}".join(found) for letter, found in parts)
    if text.count(" ") >= MOST_IN_ORDER:
        found = text.split(" ")
        text = " ".join(found[:MOST_IN_ORDER] + _out_of_order(found[MOST_IN_ORDER:]))
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS].rpartition(" ")[0]


def _out_of_order(tokens: Sequence[str]) -> list[str]:
    once = dict.fromkeys(tokens)
    once.pop(ANYWHERE + BREAK, None)
    return [one for token in once for one in (ANYWHERE + BREAK, token)]


def _learn(words: Iterable[str]) -> None:
    """Note words; in one order, so that two transactions never wait for each other."""
    insert_missing(SearchWord, ("word",), ((word,) for word in sorted(words)))


def missing() -> list[int]:
    """Return the numbers of published cases that search does not know, such as those from before it was there."""
    cases = Case.objects.filter(status=Case.Status.PUBLISHED, search_text__isnull=True)
    return list(cases.order_by("number").values_list("number", flat=True))


def write_again(numbers: Sequence[int]) -> int:
    """Tokenize the current editions of published cases; return how many there were."""
    with transaction.atomic():
        cases = Case.objects.select_for_update().filter(number__in=numbers, status=Case.Status.PUBLISHED)
        current = Edition.objects.filter(case__in=list(cases), number=F("case__edition_number"))
        editions = list(current.select_related("case"))
        write([edition.case for edition in editions], (edition.document() for edition in editions))
    return len(editions)


# Asking for them


def within(term: Term, part: str) -> Question:
    return Any(tuple(standing_in(part, phrase) for phrase in term.phrases))


def standing_in(part: str, tokens: Sequence[str]) -> Question:
    """Ask for tokens in a row: Latin words in their order, of pairs the trigrams that they make."""
    if len(tokens) > 1 and not tokens[0].isascii():
        tokens = trigrams(tokens[0] + "".join(pair[-1] for pair in tokens[1:]))
        return All(tuple(Phrase((part + token,)) for token in tokens))
    return Phrase(tuple(part + token for token in tokens))
