"""The words, the editions, the schema and the description of the API."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from django.test import Client

from cases.api.application import addresses
from cases.document import json_schema
from cases.models import Term
from cases.publishing import merge, touch_vocabulary, withdraw
from cases.vocabulary import load_vocabulary
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db


def get(client: Client, address: str) -> dict[str, Any]:
    response = client.get(f"/api/{address}")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


# Words


def test_all_words_are_told_in_both_languages_with_their_cases(client: Client) -> None:
    load_vocabulary()
    make_case(id="IL-0001", org="LiveKit", org_slug="livekit", components=["dns", "strange-thing"])
    make_case(id="IL-0002", org="LiveKit", components=["dns"])
    answer = get(client, "vocab")
    lists = {one["name"]: one for one in answer["lists"]}
    assert list(lists) == Term.List.values
    assert lists["component"]["label"] == {"en": "Component", "ko": "구성 요소"}
    assert (lists["component"]["parameter"], lists["date_kind"]["parameter"]) == ("component", None)
    terms = {term["slug"]: term for term in lists["component"]["terms"]}
    assert terms["dns"]["cases"] == 2
    assert terms["dns"]["label"]["ko"]
    assert (terms["strange-thing"]["known"], terms["strange-thing"]["label"]) == (False, {"en": None, "ko": None})
    (org,) = (one for one in answer["orgs"] if one["slug"] == "livekit")
    assert (org["name"], org["cases"]) == ("LiveKit", 2)
    assert client.get(f"/api/cases?org={org['slug']}").json()["total"] == 2


def test_a_word_that_was_replaced_says_by_which(client: Client) -> None:
    load_vocabulary()
    make_case(id="IL-0001", components=["cache"])
    Term.objects.filter(list="component", slug="cache").update(
        replaced_by=Term.objects.get(list="component", slug="storage")
    )
    touch_vocabulary()
    (components,) = (one for one in get(client, "vocab")["lists"] if one["name"] == "component")
    terms = {term["slug"]: term for term in components["terms"]}
    assert (terms["cache"]["replaced_by"], terms["cache"]["cases"], terms["storage"]["cases"]) == ("storage", 0, 1)
    assert client.get("/api/cases?component=cache").json()["total"] == 1


# Editions


def test_editions_are_listed_and_kept(client: Client) -> None:
    make_case(id="IL-0001", severity="minor")
    make_case(id="IL-0001", severity="major", reviewed_by="Minji Kim")
    listed = get(client, "cases/IL-0001/editions")
    assert [edition["edition"] for edition in listed["editions"]] == [2, 1]
    assert [edition["languages"]["en"] for edition in listed["editions"]] == ["approved", "draft"]
    first, second = get(client, "cases/IL-0001/editions/1"), get(client, "cases/IL-0001/editions/2")
    assert (first["severity"], second["severity"]) == ("minor", "major")
    assert (first["edition"], first["review"]["reviewed_by"]) == (1, None)
    now = get(client, "cases/IL-0001")
    assert list(first) == list(now)
    jsonschema.validate(first, json_schema())
    assert second == now


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("cases/IL-0009/editions", 404),
        ("cases/IL-0001/editions/2", 404),
        ("cases/IL-0001/editions/0", 400),
        ("cases/IL-0001/editions/first", 400),
        ("cases/IL-0001/editions/99999999999999999999", 400),
    ],
)
def test_what_is_no_edition_is_a_problem(client: Client, address: str, status: int) -> None:
    make_case(id="IL-0001")
    response = client.get(f"/api/{address}")
    assert response.status_code == status
    assert response.json()["status"] == status


def test_the_past_of_a_case_goes_where_the_case_went(client: Client) -> None:
    for number in (1, 2, 3):
        make_case(id=f"IL-000{number}")
    withdraw(2, {"en": "Wrong.", "ko": None})
    merge(3, 1)
    for tail in ("editions", "editions/1"):
        assert client.get(f"/api/cases/IL-0002/{tail}").status_code == 410
    assert client.get("/api/cases/IL-0003/editions").headers["Location"] == "/api/cases/IL-0001/editions"
    assert client.get("/api/cases/IL-0003/editions/1").headers["Location"] == "/api/cases/IL-0001"
    assert client.get("/api/cases/il1/editions/1").headers["Location"] == "/api/cases/IL-0001/editions/1"


# Descriptions


def test_the_schema_describes_the_cases(client: Client) -> None:
    make_case(id="IL-0001")
    schema = get(client, "schema/case.json")
    assert schema["$id"] == "http://127.0.0.1:8000/api/schema/case.json"
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(get(client, "cases/IL-0001"), schema, format_checker=jsonschema.FormatChecker())


def test_the_description_has_every_address_and_parameter(client: Client) -> None:
    described = get(client, "openapi.json")
    assert described["openapi"].startswith("3.1")
    assert set(described["paths"]) == {address.url for address in addresses.values()}
    for address in addresses.values():
        operation = described["paths"][address.url]["get"]
        names = [one["name"] for one in operation["parameters"] if one["in"] == "query"]
        assert names == list(address.known)
        assert operation["summary"]
        assert operation["description"]
        assert set(operation["responses"]) >= {"200", "304", "400", "429"}
        assert all(one["description"] for one in operation["parameters"])


def test_the_description_holds_together(client: Client) -> None:
    """What a linter asks for: every reference leads somewhere, every type is used, ids are unique."""
    described = get(client, "openapi.json")
    text = json.dumps(described)
    types = described["components"]["schemas"]
    for name, schema in types.items():
        assert f'"#/components/schemas/{name}"' in text
        jsonschema.Draft202012Validator.check_schema(schema)
    assert text.count("#/components/schemas/") == sum(text.count(f'"#/components/schemas/{name}"') for name in types)
    ids = [operation["operationId"] for path in described["paths"].values() for operation in path.values()]
    assert len(ids) == len(set(ids))
    assert (described["security"], bool(described["info"]["license"]["name"])) == ([], True)


def test_errors_are_described_as_problems(client: Client) -> None:
    responses = get(client, "openapi.json")["paths"]["/api/cases/{id}"]["get"]["responses"]
    assert list(responses["404"]["content"]) == ["application/problem+json"]
    assert list(responses["410"]["content"]) == list(responses["200"]["content"]) == ["application/json"]
    assert "content" not in responses["308"]
