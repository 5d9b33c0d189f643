"""What is suggested while a reader types, in either language."""

from __future__ import annotations

import pytest

from cases import catalog
from cases.document import Language
from cases.models import Org, Term
from cases.publishing import touch_vocabulary, withdraw
from cases.search import suggest
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library() -> None:
    balancer = Term.objects.create(
        list="component", slug="load-balancer", label_en="Load balancer", label_ko="로드 밸런서"
    )
    Term.objects.create(list="component", slug="balancer", label_en="Balancer", replaced_by=balancer)
    Term.objects.create(list="severity", slug="load", label_en="Load")
    make_case(id="IL-0560", org="Quill Mail", title={"en": "Load balancers failed", "ko": "로드 밸런서가 멈췄다"})
    make_case(id="IL-0561", org="Quill Mail", title={"en": None, "ko": "인증서가 만료됐다"}, date="2020-01-01")
    make_case(
        id="IL-12345", org="Quill Mail", title={"en": "The service-discovery lagged", "ko": None}, date="2019-01-01"
    )
    Org.objects.update(label_ko="깃펜 메일")
    touch_vocabulary()


def names(text: str, language: Language = "en") -> list[str]:
    return [found.name for found in suggest(text, language, catalog.current())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("load b", ["IL-0560", "component:load-balancer"]),
        ("loa", ["IL-0560", "component:load-balancer"]),
        ("로드밸", ["IL-0560", "component:load-balancer"]),
        ("로드 밸", ["IL-0560", "component:load-balancer"]),
        ("밸런", ["IL-0560", "component:load-balancer"]),
        ("balancing", ["IL-0560"]),
        ("인증", ["IL-0561"]),
        ("service-d", ["IL-12345"]),
        ("quill", ["IL-0560", "IL-0561", "IL-12345", "quill-mail"]),
        ("깃펜", ["quill-mail"]),
        ("IL-05", ["IL-0560", "IL-0561"]),
        ("056", ["IL-0560", "IL-0561"]),
        ("560", ["IL-0560"]),
        ("IL-123", ["IL-12345"]),
        ("l", []),
        ("ㄹ", []),
        ("the", []),
        ('"(*', []),
        ("zebra", []),
    ],
)
def test_suggestions_begin_like_what_was_typed(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_suggestions_are_named_in_the_readers_language() -> None:
    found = suggest("인증", "en", catalog.current())
    assert [(one.kind, one.label.text, one.label.is_other) for one in found] == [("case", "인증서가 만료됐다", True)]
    assert [one.label.text for one in suggest("load", "ko", catalog.current())] == [
        "로드 밸런서가 멈췄다",
        "로드 밸런서",
    ]


def test_a_withdrawn_case_is_not_suggested() -> None:
    withdraw(560, {"en": "Wrong.", "ko": None})
    assert names("IL-0560") == []
    assert names("load b") == ["component:load-balancer"]
