"""The judged queries and the cases they are about.

Some cases of the corpus quote their sources, which stay outside this repository: where the shared files lie beside
it, all cases are used, else those that may be copied, and judgments of these only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from cases.catalog import current
from cases.catalog.bits import places_of
from cases.document import case_id
from cases.importing import Importer, case_texts
from cases.models import Case
from cases.search import Found, find
from cases.search.engines import All, Phrase, Question
from cases.vocabulary import load_vocabulary
from tests.cases.making import SHARED

HERE = Path(__file__).parent
WHOLE_CORPUS = SHARED / "search-corpus.jsonl"
CORPUS = WHOLE_CORPUS if WHOLE_CORPUS.exists() else HERE / "corpus.jsonl"


@dataclass(frozen=True)
class Judged:
    query: str
    category: str
    relevant: frozenset[str]


def load_library() -> None:
    load_vocabulary()
    importer = Importer()
    for _ in importer.run(case_texts([CORPUS])):
        pass
    assert not importer.report.counts["refused"]


def judgments() -> list[Judged]:
    """Return the judged queries to which the library has an answer."""
    there = {case_id(number) for number in Case.objects.values_list("number", flat=True)}
    queries = json.loads((HERE / "judgments.json").read_text(encoding="utf-8"))["queries"]
    found = [Judged(one["query"], one["category"], frozenset(one["relevant"]) & there) for one in queries]
    return [one for one in found if one.relevant]


def holds(tokens: str, question: Question) -> bool:
    """Tell whether stored tokens answer a question, by a plain reading of them."""
    if isinstance(question, Phrase):
        text = f" {' '.join(question.tokens)}"
        return (text if question.is_start else f"{text} ") in f" {tokens} "
    parts = [holds(tokens, part) for part in question.parts]
    return all(parts) if isinstance(question, All) else any(parts)


def in_order(found: Found) -> list[str]:
    """Return the numbers of what was found in the one order of relevance."""
    numbers = current().index.columns.numbers
    return [case_id(numbers[place]) for rank in found.ranks for place in reversed(places_of(rank.cases))]


def found_now(query: str, *, ranked: bool = True) -> Found:
    """Look for words in the library as it is."""
    return find(query, current().index, ranked=ranked)
