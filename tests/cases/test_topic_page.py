"""The page of a term, and the list of all terms with the number of their cases."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from cases.models import Term
from cases.publishing import touch_vocabulary
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
LISTS = ["domain", "root_cause", "component", "symptom", "contributing"]


def test_a_term_has_its_definition_and_its_cases(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"], title={"en": "With it", "ko": None})
    make_case(id="IL-0002", components=["cache"], title={"en": "Without it", "ko": None})
    words = {
        "label_en": "DNS",
        "label_ko": "디엔에스",
        "definition_en": "Finds names.",
        "definition_ko": "이름을 찾는다.",
    }
    Term.objects.filter(list="component", slug="dns").update(**words)
    response = client.get("/ko/topics/component/dns/")
    text = response.content.decode()
    assert "디엔에스" in text
    assert "이름을 찾는다." in text
    assert "With it" in text
    assert "Without it" not in text
    assert response.context["total"] == 1
    assert response.context["canonical"] == "http://127.0.0.1:8000/ko/topics/component/dns/"


@pytest.mark.parametrize(
    ("list_name", "key"), [("domain", "domain"), ("symptom", "symptoms"), ("contributing", "contributing")]
)
def test_each_list_of_a_case_has_topics(client: Client, list_name: str, key: str) -> None:
    words: dict[str, Any] = {key: ["some-word"]}
    make_case(id="IL-0001", **words)
    assert client.get(f"/en/topics/{list_name}/some-word/").context["total"] == 1


def test_a_root_cause_is_a_topic(client: Client) -> None:
    make_case(id="IL-0001", root_cause="overload")
    assert client.get("/en/topics/root_cause/overload/").context["total"] == 1


@pytest.mark.parametrize(
    "path", ["severity/unknown", "component/nothing", "nothing/dns", "component/%00", "relation/recurrence-of"]
)
def test_what_is_no_topic_is_not_found(client: Client, path: str) -> None:
    make_case(id="IL-0001", components=["dns"], severity="unknown")
    assert client.get(f"/en/topics/{path}/").status_code == 404


def test_a_term_that_only_an_import_knows_is_called_by_its_slug(client: Client) -> None:
    make_case(id="IL-0001", components=["flux-capacitor"])
    response = client.get("/ko/topics/component/flux-capacitor/")
    assert response.context["label"] == "flux-capacitor"
    assert response.context["definition"] == ""


def test_a_replaced_term_leads_to_its_successor(client: Client) -> None:
    make_case(id="IL-0001", components=["old"])
    make_case(id="IL-0002", components=["new"])
    Term.objects.filter(slug="old").update(replaced_by=Term.objects.get(slug="new"))
    response = client.get("/en/topics/component/old/")
    assert (response.status_code, response.headers["Location"]) == (301, "/en/topics/component/new/")
    assert client.get("/en/topics/component/new/").context["total"] == 2


def test_a_topic_has_one_address(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"])
    assert client.get("/en/topics/component/DNS/").headers["Location"] == "/en/topics/component/dns/"


def test_the_list_has_all_terms_with_their_counts(client: Client) -> None:
    make_case(id="IL-0001", components=["dns", "cache"])
    make_case(id="IL-0002", components=["dns"])
    Term.objects.create(list="component", slug="unused", position=99)
    lists = {one["name"]: one["terms"] for one in client.get("/ko/topics/").context["lists"]}
    assert list(lists) == LISTS
    counts = {term["slug"]: term["count"] for term in lists["component"]}
    assert counts == {"dns": 2, "cache": 1, "unused": 0}
    assert lists["component"][0]["url"].startswith("/ko/topics/component/")


def test_a_replaced_term_is_counted_under_its_successor_only(client: Client) -> None:
    make_case(id="IL-0001", components=["old", "new"])
    make_case(id="IL-0002", components=["old"])
    Term.objects.filter(slug="old").update(replaced_by=Term.objects.get(slug="new"))
    lists = {one["name"]: one["terms"] for one in client.get("/en/topics/").context["lists"]}
    assert {term["slug"]: term["count"] for term in lists["component"]} == {"new": 2}


def test_a_new_label_shows_once_the_words_are_touched(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"])
    client.get("/en/topics/component/dns/")
    Term.objects.filter(slug="dns").update(label_en="Name service")
    touch_vocabulary()
    assert client.get("/en/topics/component/dns/").context["label"] == "Name service"


def test_the_number_of_queries_is_fixed(client: Client, django_assert_num_queries: CountQueries) -> None:
    make_case(id="IL-0001")
    client.get("/en/topics/")
    with django_assert_num_queries(1):
        client.get("/en/topics/")


def test_topics_are_only_read(client: Client) -> None:
    assert client.post("/en/topics/").status_code == 405
    assert client.post("/en/topics/component/dns/").status_code == 405
