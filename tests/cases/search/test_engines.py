"""Both databases answer like a plain reading of the stored tokens, and so like each other."""

from __future__ import annotations

import random

import pytest
from django.db import connection

from cases.models import SearchText
from cases.search.engines import All, Any, Phrase, Question, ask, install, remove

from .library import found_now, holds, judgments, load_library

pytestmark = pytest.mark.django_db


def random_question(rng: random.Random, texts: list[str], depth: int = 2) -> Question:
    if depth and rng.random() < 0.7:
        parts = tuple(random_question(rng, texts, depth - 1) for _ in range(rng.randint(1, 3)))
        return All(parts) if rng.random() < 0.5 else Any(parts)
    tokens = rng.choice(texts).split()
    start = rng.randrange(len(tokens))
    row = tokens[start : start + rng.randint(1, 3)]
    if rng.random() < 0.3:
        return Phrase((*row[:-1], row[-1][: rng.randint(2, 4)]), is_start=True)
    return Phrase(tuple(row))


def test_questions_are_answered_like_a_plain_reading() -> None:
    load_library()
    stored = dict(SearchText.objects.values_list("case_id", "tokens"))
    rng = random.Random(7)  # noqa: S311  (the same questions in every run)
    questions = [random_question(rng, list(stored.values())) for _ in range(300)]
    expected = [{pk for pk, tokens in stored.items() if holds(tokens, one)} for one in questions]
    assert list(map(set, ask(questions))) == expected
    assert ask([]) == []


def test_judged_queries_are_answered_like_a_plain_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    load_library()
    stored = dict(SearchText.objects.values_list("case_id", "tokens"))

    def read(questions: list[Question]) -> list[list[int]]:
        return [[pk for pk, tokens in stored.items() if holds(tokens, one)] for one in questions]

    answers = {judged.query: found_now(judged.query) for judged in judgments()}
    monkeypatch.setattr("cases.search.finding.ask", read)
    assert {query: found_now(query) for query in answers} == answers


def test_what_is_found_is_the_same_with_and_without_ranks() -> None:
    load_library()
    queries = [*(judged.query for judged in judgments()), "certficate expired", "라우팅 zone2027", "zzzzzzzz"]
    for query in queries:
        ranked, plain = found_now(query), found_now(query, ranked=False)
        assert (plain.cases, plain.terms, plain.shown) == (ranked.cases, ranked.terms, ranked.shown), query
        assert sum(rank.cases.bit_count() for rank in ranked.ranks) == ranked.cases.bit_count()


def test_the_index_can_be_taken_away_and_made_again_from_the_tokens() -> None:
    load_library()
    before = found_now("라우팅")
    connection.check_constraints()  # PostgreSQL alters no table while some of its rows wait to be checked
    remove(connection)
    remove(connection)
    install(connection)
    assert found_now("라우팅") == before
    assert before.ranks
