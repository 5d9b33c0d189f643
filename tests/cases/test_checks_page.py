"""The page "Is it in my cluster too?", and its checks as Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from cases import catalog
from cases.catalog import keeping
from cases.checks import MOST_BEHIND, PER_PAGE
from cases.checks_taken import escaped
from cases.models import Check, Term
from cases.publishing import touch_vocabulary
from tests.cases.making import make_case, make_cases

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]


def library_check(slug: str, *terms: str, **words: str) -> None:
    check = Check.objects.create(slug=slug, position=Check.objects.count(), **{"question_en": f"{slug}?", **words})
    for term in terms:
        list_name, _, word = term.partition(":")
        check.terms.add(Term.objects.get_or_create(list=list_name, slug=word)[0])
    touch_vocabulary()


def case_check(uid: str, *applies_to: str, **words: Any) -> dict[str, Any]:
    return {"uid": uid, "question": {"en": f"{uid}?", "ko": None}, "applies_to": list(applies_to), **words}


def slugs(response: Any) -> list[str]:
    return [answer.question.anchor.removeprefix("library-check-") for answer in response.context["answers"]]


def test_a_stack_is_an_address(client: Client) -> None:
    library_check("of-dns", "component:dns")
    library_check("of-kubernetes", "domain:kubernetes")
    library_check("of-cache", "component:cache")
    response = client.get("/en/checks/?component=dns&domain=kubernetes")
    assert slugs(response) == ["of-dns", "of-kubernetes"]
    assert [word.text for word in response.context["stack"]] == ["dns", "kubernetes"]
    assert response.context["canonical"].endswith("/en/checks/?domain=kubernetes&component=dns")
    checked = response.content.decode()
    assert 'name="component" value="dns" checked' in checked
    assert 'name="component" value="cache">' in checked


def test_without_a_stack_all_checks_are_there(client: Client) -> None:
    library_check("of-dns", "component:dns")
    library_check("of-causes", "root_cause:overload")
    response = client.get("/ko/checks/")
    assert slugs(response) == ["of-dns", "of-causes"]
    assert "모든 점검 질문" in response.content.decode()


def test_each_check_has_the_cases_behind_it(client: Client) -> None:
    library_check("of-dns", "component:dns")
    make_cases([{"id": f"IL-{number:04d}", "components": ["dns"]} for number in range(1, MOST_BEHIND + 3)])
    make_case(id="IL-0100", components=["cache"])
    (answer,) = client.get("/en/checks/?component=dns").context["answers"]
    assert [case.id for case in answer.cases] == ["IL-0007", "IL-0006", "IL-0005", "IL-0004", "IL-0003"]
    assert answer.total == 7
    assert "The newest 5 are shown." in client.get("/en/checks/?component=dns").content.decode()


def test_checks_of_single_cases_are_paged(client: Client) -> None:
    make_cases(
        [
            {"id": f"IL-{number:04d}", "checks": [case_check("k-1", "component:dns"), case_check("k-2", "component:x")]}
            for number in range(1, PER_PAGE + 2)
        ]
    )
    first = client.get("/en/checks/?component=dns")
    assert (len(first.context["own"]), first.context["own_total"]) == (PER_PAGE, PER_PAGE + 1)
    (last,) = client.get("/en/checks/?component=dns&page=2").context["own"]
    assert (last.case.id, [question.question.text for question in last.items]) == ("IL-0001", ["k-1?"])


def test_words_that_can_be_chosen_say_how_many_checks_they_have(client: Client) -> None:
    Term.objects.create(list="component", slug="known")
    library_check("of-known", "component:known")
    make_case(id="IL-0001", components=["only-imported"])
    by_list = {
        choices.name: [(word.slug, word.checks) for word in choices.words]
        for choices in client.get("/en/checks/").context["choices"]
    }
    assert by_list["component"] == [("known", 1)]
    chosen = client.get("/en/checks/?component=only-imported").context["choices"][0]
    assert ("only-imported", True) in [(word.slug, word.is_chosen) for word in chosen.words]


def test_an_unknown_word_is_said(client: Client) -> None:
    library_check("of-dns", "component:dns")
    response = client.get("/en/checks/?component=dns&component=flux&org=nobody")
    assert response.context["problems"] == ["Component: Not known and left out: flux"]
    assert slugs(response) == ["of-dns"]


def test_nothing_that_applies_is_said(client: Client) -> None:
    Term.objects.create(list="component", slug="lonely")
    touch_vocabulary()
    assert (
        "No check of the library is tied to what you chose."
        in client.get("/en/checks/?component=lonely").content.decode()
    )


def test_a_check_says_when_it_disturbs(client: Client) -> None:
    library_check("of-dns", "component:dns", risk="disruptive", command="rm <x>", bad_answer_en="Gone.", why_en="So.")
    text = client.get("/en/checks/?component=dns").content.decode()
    assert "May disturb the system" in text
    assert "rm &lt;x&gt;" in text


# To take along


def test_checks_can_be_taken_along_as_markdown(client: Client) -> None:
    library_check(
        "of-dns",
        "component:dns",
        question_ko="이름을 *찾는가*?",
        why_ko="`dig` 가 <script> 를",
        how_ko="묻는다.",
        bad_answer_ko="없다.",
        command="echo ```",
    )
    make_case(id="IL-0001", components=["dns"], title={"en": None, "ko": "[이름] 장애"}, checks=[])
    make_case(id="IL-0002", components=[], checks=[case_check("k-1", "component:dns", command="true")])
    response = client.get("/ko/checks.md?component=dns")
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    text = response.content.decode()
    assert text.startswith(
        "# 내 클러스터에도 있는지 확인하기\n\n고른 것: dns\n\n<http://127.0.0.1:8000/ko/checks/?component=dns>"
    )
    assert "### 이름을 \\*찾는가\\*?\n" in text
    assert "`dig` 가 \\<script\\> 를" in text
    assert "````sh\necho ```\n````" in text
    assert "- [IL-0001 \\[이름\\] 장애](http://127.0.0.1:8000/ko/cases/IL-0001/)" in text
    assert "### k-1?\n\n```sh\ntrue\n```" in text
    assert text.index("IL-0001") < text.index("k-1?")


def test_without_a_stack_the_markdown_says_so(client: Client) -> None:
    text = client.get("/en/checks.md").content.decode()
    assert "Chosen: nothing, so all checks are here" in text


def test_a_file_says_how_many_cases_have_no_room(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cases.checks.MOST_CASES", 2)
    make_cases([{"id": f"IL-{n:04d}", "checks": [case_check("k-1", "component:dns")]} for n in range(1, 4)])
    assert "These are the newest 2 of 3 cases with checks of their own." in client.get("/en/checks.md").content.decode()
    answer = json.loads(client.get("/en/checks.json").content)
    assert (len(answer["own_checks"]), answer["cases_with_own_checks"]) == (2, 3)


def test_text_is_the_same_in_markdown() -> None:
    assert escaped("a*b `c*d` # [e]") == "a\\*b `c*d` \\# \\[e\\]"
    assert escaped("one ` tick") == "one \\` tick"


def test_checks_can_be_taken_along_as_json(client: Client) -> None:
    library_check("of-dns", "component:dns", "contributing:stale-state", question_ko="되는가?", command="dig")
    make_case(
        id="IL-0001", components=["dns"], contributing=["stale-state"], checks=[case_check("k-1", "component:dns")]
    )
    answer = json.loads(client.get("/en/checks.json?component=dns").content)
    assert answer["stack"] == ["component:dns"]
    assert answer["url"] == "http://127.0.0.1:8000/en/checks/?component=dns"
    (check,) = answer["checks"]
    assert check["slug"] == "of-dns"
    assert check["question"] == {"en": "of-dns?", "ko": "되는가?"}
    assert check["why"] == {"en": None, "ko": None}
    assert check["applies_to"] == ["component:dns", "contributing:stale-state"]
    assert check["shared"] == ["component:dns"]
    assert check["cases"]["total"] == 1
    assert check["cases"]["newest"][0]["id"] == "IL-0001"
    (own,) = answer["own_checks"]
    assert (own["case"]["id"], own["uid"], own["command"], own["risk"]) == ("IL-0001", "k-1", None, "read-only")


@pytest.mark.parametrize("path", ["/en/checks/", "/en/checks.md", "/en/checks.json"])
def test_each_form_is_kept_by_caches_and_read_only(client: Client, path: str) -> None:
    make_case(id="IL-0001")
    first = client.get(path)
    assert first.headers["Cache-Control"].startswith("public")
    assert client.get(path, headers={"if-none-match": first.headers["ETag"]}).status_code == 304
    assert client.post(path).status_code == 405


def test_a_new_check_and_a_new_case_show_at_the_next_request(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    library_check("of-dns", "component:dns")
    client.get("/en/checks/?component=dns")
    here = catalog.current()
    make_case(id="IL-0001", components=["dns"], checks=[case_check("k-1", "component:dns")])
    library_check("second", "component:dns")
    monkeypatch.setattr(keeping, "_kept", here)
    response = client.get("/en/checks/?component=dns")
    assert slugs(response) == ["of-dns", "second"]
    assert [answer.total for answer in response.context["answers"]] == [1, 1]
    assert response.context["own_total"] == 1


def test_the_number_of_queries_does_not_grow(client: Client, django_assert_num_queries: CountQueries) -> None:
    for number in range(12):
        library_check(f"check-{number}", "component:dns")
    make_cases(
        [
            {"id": f"IL-{number:04d}", "components": ["dns"], "checks": [case_check("k-1", "component:dns")]}
            for number in range(1, 15)
        ]
    )
    client.get("/en/checks/")
    for path in ("/en/checks/?component=dns", "/en/checks.md?component=dns", "/en/checks.json"):
        with django_assert_num_queries(3):  # versions, what the cases are called, their checks
            client.get(path)
