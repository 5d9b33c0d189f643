"""The page of an organisation and the list of all of them, in the order of each language."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client

from cases.models import Org, OrgAlias
from cases.rendering import store_rendered
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]


def test_an_organisation_has_all_its_cases_newest_first(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", date="2024-01-01", title={"en": "The older", "ko": None})
    make_case(id="IL-0002", org="PubNub", org_slug="pubnub", date="2025-01-01", title={"en": "The newer", "ko": None})
    make_case(id="IL-0003", org="LiveKit", org_slug="livekit", title={"en": "Of others", "ko": None})
    org = Org.objects.get(slug="pubnub")
    Org.objects.filter(pk=org.pk).update(label_ko="펍넙", homepage="https://www.pubnub.com/")
    OrgAlias.objects.create(org=org, alias="Pub Nub Inc.", folded="pubnubinc")
    response = client.get("/ko/orgs/pubnub/")
    text = response.content.decode()
    assert text.index("The newer") < text.index("The older")
    assert "Of others" not in text
    assert response.context["org_label"] == "펍넙"
    assert response.context["aliases"] == ["Pub Nub Inc."]
    assert response.context["total"] == 2
    assert "https://www.pubnub.com/" in text


def test_an_organisation_has_one_address(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub")
    response = client.get("/en/orgs/PubNub/")
    assert (response.status_code, response.headers["Location"]) == (301, "/en/orgs/pubnub/")


@pytest.mark.parametrize("slug", ["nobody", "%00", "x" * 5000, "누리", "-"])
def test_an_unknown_organisation_is_not_found(client: Client, slug: str) -> None:
    assert client.get(f"/ko/orgs/{slug}/").status_code == 404


def test_an_organisation_without_cases_has_a_page_but_is_not_listed(client: Client) -> None:
    Org.objects.create(slug="quiet", name="Quiet", folded="quiet")
    assert client.get("/en/orgs/quiet/").context["total"] == 0
    assert client.get("/en/orgs/").context["orgs"] == []


def test_each_language_sorts_its_own_script_first(client: Client) -> None:
    for number, name in enumerate(["zeta", "Alpha", "누리클라우드", "가람네트웍스", "1st Cloud"], 1):
        make_case(id=f"IL-000{number}", org=name, org_slug=f"org-{number}")
    labels = {
        language: [org["label"] for org in client.get(f"/{language}/orgs/").context["orgs"]]
        for language in ("en", "ko")
    }
    assert labels["en"] == ["1st Cloud", "Alpha", "zeta", "가람네트웍스", "누리클라우드"]
    assert labels["ko"] == ["가람네트웍스", "누리클라우드", "1st Cloud", "Alpha", "zeta"]


def test_the_list_counts_published_cases(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub")
    make_case(id="IL-0002", org="PubNub", org_slug="pubnub")
    make_case(id="IL-0003", org="PubNub", org_slug="pubnub", columns={"status": "merged", "merged_into": 1})
    assert client.get("/en/orgs/").context["orgs"] == [
        {"slug": "pubnub", "label": "PubNub", "url": "/en/orgs/pubnub/", "count": 2}
    ]


def test_the_number_of_queries_does_not_grow(client: Client, django_assert_num_queries: CountQueries) -> None:
    for number in range(1, 30):
        make_case(id=f"IL-00{number:02d}", org="PubNub", org_slug="pubnub")
    store_rendered(range(1, 30))
    client.get("/en/orgs/pubnub/")
    with django_assert_num_queries(3):
        client.get("/en/orgs/pubnub/?page=2")
    with django_assert_num_queries(1):
        client.get("/en/orgs/")


def test_organisations_are_only_read(client: Client) -> None:
    assert client.post("/en/orgs/").status_code == 405
    assert client.post("/en/orgs/pubnub/").status_code == 405


def test_a_new_organisation_has_a_page_at_once(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub")
    client.get("/en/orgs/pubnub/")
    make_case(id="IL-0002", org="LiveKit", org_slug="livekit")
    assert client.get("/en/orgs/livekit/").status_code == 200
