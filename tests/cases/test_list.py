"""The list of cases: what it shows, every state an address, and input that nobody should send."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cases.document import case_id
from cases.models import Case, StoredCase
from cases.rendering import store_rendered
from tests.cases.making import make_case, make_cases

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[CaptureQueriesContext]]


def many_cases(count: int) -> None:
    make_cases(
        [
            {
                "id": case_id(number),
                "date": f"2026-01-{number:02d}",
                "title": {"en": f"Title {number}.", "ko": f"제목 {number}."},
            }
            for number in range(1, count + 1)
        ]
    )


def numbers_on(client: Client, address: str) -> list[int]:
    page = client.get(address).context["page"]
    return [int(card.split("/cases/IL-")[1][:4]) for card in page.object_list]


def test_the_list_shows_cards_in_the_language_of_the_address(client: Client) -> None:
    many_cases(2)
    english, korean = client.get("/en/cases/"), client.get("/ko/cases/")
    assert "Title 1." in english.content.decode()
    assert "제목 1." in korean.content.decode()
    assert "Title 1." not in korean.content.decode()
    assert english.context["total"] == 2


def test_the_list_is_there_before_the_first_case(client: Client) -> None:
    response = client.get("/en/cases/")
    assert response.status_code == 200
    assert response.context["total"] == 0
    assert response.context["ways_out"] == []


def test_a_filter_in_the_address_filters(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"])
    make_case(id="IL-0002", components=["cache"])
    response = client.get("/en/cases/?component=dns")
    assert numbers_on(client, "/en/cases/?component=dns") == [1]
    assert [chip.remove_url for chip in response.context["chips"]] == ["/en/cases/"]
    assert response.context["clear_url"] == "/en/cases/"


def test_a_wrong_value_is_said_and_the_rest_applies(client: Client) -> None:
    make_case(id="IL-0001", severity="major")
    make_case(id="IL-0002", severity="minor")
    response = client.get("/en/cases/?severity=major&component=bogus&date_after=yesterday")
    text = response.content.decode()
    assert response.status_code == 200
    assert response.context["total"] == 1
    assert "Not known and left out: bogus" in text
    assert "Write a date as 2026" in text


def test_an_empty_list_offers_a_way_out(client: Client) -> None:
    make_case(id="IL-0001", severity="major", components=["dns"])
    make_case(id="IL-0002", severity="minor", components=["cache"])
    response = client.get("/en/cases/?severity=major&component=cache")
    assert response.context["total"] == 0
    assert len(response.context["ways_out"]) == 2


# Pages


def test_a_page_has_25_cases_and_the_next_the_rest(client: Client) -> None:
    many_cases(27)
    assert numbers_on(client, "/en/cases/") == list(range(27, 2, -1))
    assert numbers_on(client, "/en/cases/?page=2") == [2, 1]


@pytest.mark.parametrize(
    ("wanted", "number"),
    [
        ("", 1),
        ("0", 1),
        ("-1", 1),
        ("x", 1),
        ("1.5", 1),
        ("２", 1),
        ("1e9", 1),
        ("3", 2),
        ("1000000000", 1),
        ("1" * 31, 1),
    ],
)
def test_a_page_that_is_none_is_the_first_and_one_too_large_the_last(client: Client, wanted: str, number: int) -> None:
    many_cases(26)
    response = client.get("/en/cases/", {"page": wanted})
    assert response.status_code == 200
    assert response.context["page"].number == number


def test_the_next_page_keeps_the_filters(client: Client) -> None:
    many_cases(26)
    text = client.get("/en/cases/?severity=unknown&available_in=en").content.decode()
    assert "severity=unknown&amp;available_in=en&amp;page=2" in text


def test_the_way_back_to_the_first_page_is_the_list_without_a_page(client: Client) -> None:
    many_cases(26)
    assert client.get("/en/cases/?page=2&x=1").context["previous_url"] == "?"
    assert client.get("/en/cases/?page=2&severity=unknown").context["previous_url"] == "?severity=unknown"


def test_what_somebody_sent_in_vain_is_not_written_into_the_page(client: Client) -> None:
    many_cases(26)
    short = len(client.get("/ko/cases/").content)
    for query in (f"q={'가' * 20_000}", "&".join(f"name{number}=x" for number in range(5000))):
        assert len(client.get(f"/ko/cases/?{query}").content) < short + 4_000


def test_the_canonical_address_holds_what_applies_and_nothing_else(client: Client) -> None:
    many_cases(26)
    context = client.get("/ko/cases/?x=1&sort=newest&available_in=en&severity=unknown&severity=no&page=2").context
    query = "?severity=unknown&available_in=en&page=2"
    assert context["canonical"] == f"http://127.0.0.1:8000/ko/cases/{query}"
    assert [alternate.url for alternate in context["alternates"]] == [
        f"http://127.0.0.1:8000/en/cases/{query}",
        f"http://127.0.0.1:8000/ko/cases/{query}",
        f"http://127.0.0.1:8000/cases/{query}",
    ]
    assert context["other_url"] == f"/language/en/?next={quote(f'/en/cases/{query}', safe='/')}"


# Cost


def test_the_number_of_queries_does_not_grow(client: Client, django_assert_num_queries: CountQueries) -> None:
    many_cases(2)
    store_rendered([1, 2])
    client.get("/en/cases/")
    with django_assert_num_queries(2):  # versions, cards
        client.get("/en/cases/")
    make_cases([{"id": case_id(number), "date": "2026-02-01"} for number in range(3, 30)])
    store_rendered(range(1, 30))
    client.get("/en/cases/")  # the process learns of the new cases
    with django_assert_num_queries(2):
        client.get(
            "/en/cases/?severity=unknown&available_in=en&available_in=ko&date_after=2020&component=dns&component=network"
        )


def test_cards_made_for_other_templates_are_made_anew_in_one_go(
    client: Client, django_assert_num_queries: CountQueries
) -> None:
    many_cases(2)
    client.get("/en/cases/")
    with django_assert_num_queries(7):
        text = client.get("/en/cases/").content.decode()
    assert "Title 1." in text
    many_cases(20)
    client.get("/en/cases/")
    with django_assert_num_queries(7):
        client.get("/en/cases/")
    assert set(StoredCase.objects.values_list("stamp", flat=True)) == {""}


def test_a_stored_card_is_used_as_it_is(client: Client) -> None:
    many_cases(1)
    store_rendered([1])
    StoredCase.objects.update(card_en="<p>the stored card</p>")
    assert "<p>the stored card</p>" in client.get("/en/cases/").content.decode()


# Bad input


@pytest.mark.parametrize(
    "query",
    [
        "component=" + "x" * 200_000,
        "org=" + "가" * 20_000,
        "component=%00&org=%00&date_after=%00&sort=%00&page=%00",
        "component=%ED%A0%80&org=%FF%FE",
        "component=%E1%84&org=%EA%B0",
        "date_after=0000&date_before=0000-00-00",
        "date_after=9999-12&date_before=9999-12-31",
        "page=1" + "0" * 30,
        "page=" + "9" * 200_000,
        "&".join(f"name{number}=x" for number in range(5000)),
        "&".join(f"component=x{number}" for number in range(5000)),
        "&&&===&&;;%",
        "component[]=dns&component[$ne]=x",
        "sort=newest&sort=../../etc&sort='--",
        "q=" + "(" * 5000,
    ],
    ids=range(15),
)
def test_no_query_breaks_the_list(client: Client, query: str) -> None:
    make_case(id="IL-0001")
    for language in ("en", "ko"):
        response = client.get(f"/{language}/cases/?{query}")
        assert response.status_code == 200
        assert response.context["total"] == 1


def test_more_parameters_than_anybody_needs_are_refused(client: Client) -> None:
    query = "&".join(f"name{number}=x" for number in range(10_001))
    assert client.get(f"/en/cases/?{query}").status_code == 400


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_the_list_is_only_read(client: Client, method: str) -> None:
    response = getattr(client, method)("/en/cases/")
    assert response.status_code == 405


def test_what_a_reader_typed_is_written_as_text(client: Client) -> None:
    text = client.get("/en/cases/", {"component": "<script>x</script>", "date_after": '"><b>'}).content.decode()
    assert "<script>x" not in text
    assert "<b>" not in text


def test_a_read_writes_nothing(client: Client) -> None:
    many_cases(1)
    before: Any = list(StoredCase.objects.values()), list(Case.objects.values("updated_at"))
    client.get("/en/cases/")
    assert (list(StoredCase.objects.values()), list(Case.objects.values("updated_at"))) == before


# What stands beside the list


def beside(client: Client, query: str, language: str = "en") -> Any:
    return client.get(f"/{language}/cases/{query}").context


def test_the_words_are_not_counted_as_a_filter(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"])
    for query, count in (("?q=dns", 0), ("?q=dns&sort=oldest", 0), ("?q=dns&component=dns&date_after=2020", 2)):
        assert beside(client, query)["filter_count"] == count
    assert "거르기 (1)" in client.get("/ko/cases/?q=dns&component=dns").content.decode()
    assert "거르기 (" not in client.get("/ko/cases/?q=dns").content.decode()


def test_one_switch_leaves_examples_out(client: Client) -> None:
    make_case(id="IL-0001", severity="major")
    make_case(id="IL-9001", severity="minor", example=True)
    make_case(id="IL-9002", severity="major", example=True)
    switch = beside(client, "?severity=major")["examples"]
    assert (switch.count, switch.selected, switch.url) == (1, False, "/en/cases/?severity=major&examples=no")
    left = client.get(switch.url)
    assert numbers_on(client, switch.url) == [1]
    assert left.context["examples"].selected
    assert left.context["examples"].url == "/en/cases/?severity=major"
    assert [str(chip.label) for chip in left.context["chips"]] == ["Severity: major", "Examples: left out"]
    assert ("examples", "no") in left.context["carried_by_boxes"]
    assert numbers_on(client, "/en/cases/?examples=yes") == [9002, 9001]


def test_where_no_example_is_found_there_is_no_such_switch(client: Client) -> None:
    make_case(id="IL-0001", severity="major")
    assert beside(client, "")["examples"] is None
    make_case(id="IL-9001", severity="minor", example=True)
    assert beside(client, "?severity=major")["examples"] is None
    assert beside(client, "?severity=major&examples=no")["examples"].count == 0


def test_boxes_are_open_where_they_say_something_and_show_times_as_people_write_them(client: Client) -> None:
    make_case(id="IL-0001")
    assert not beside(client, "?severity=unknown")["boxes_are_open"]
    asked = beside(client, "?repair_min=90&date_after=2020")
    assert asked["boxes_are_open"]
    assert [box.value for box in (*asked["period"], *asked["repair"])] == ["2020", "", "1h 30m", ""]
    korean = beside(client, "?repair_min=1시간 30분&repair_max=x", "ko")
    assert [str(chip.label) for chip in korean["chips"]] == ["복구 시간 최소: 1시간 30분"]
    assert [box.value for box in korean["repair"]] == ["1h 30m", "x"]
    page = client.get("/ko/cases/?repair_max=x").content.decode()
    assert 'aria-describedby="repair_max-wrong repair-hint" aria-invalid="true"' in page
    assert "1시간 30분, 2일처럼 적어 주세요" in page


def test_the_orders_offered_are_those_that_mean_something(client: Client) -> None:
    make_case(id="IL-0001")
    assert [order.value for order in beside(client, "")["orders"]] == ["newest", "oldest", "longest", "shortest"]
    found = beside(client, "?q=message")["orders"]
    assert [order.value for order in found if order.is_chosen] == ["relevance"]
    assert [order.value for order in beside(client, "?sort=longest")["orders"] if order.is_chosen] == ["longest"]


def test_a_facet_says_how_many_more_values_there_are(client: Client) -> None:
    make_cases([{"id": case_id(one), "org": f"Org {one}", "org_slug": f"org-{one}"} for one in range(1, 34)])
    orgs = next(facet for facet in beside(client, "")["facets"] if facet.name == "org")
    assert (len(orgs.choices), orgs.more) == (30, 3)
    assert "3 more: search finds them by name." in client.get("/en/cases/").content.decode()


def test_every_form_carries_the_rest_of_the_state_along(client: Client) -> None:
    make_case(id="IL-0001", components=["dns"])
    asked = beside(client, "?q=dns&component=dns&examples=no&date_after=2020&repair_min=5&sort=oldest")
    assert [name for name, _ in asked["kept"]] == ["component", "examples", "date_after", "repair_min", "sort"]
    assert [name for name, _ in asked["carried_by_boxes"]] == ["q", "component", "examples", "sort"]
    assert [name for name, _ in asked["carried_by_order"]] == ["q", "component", "examples", "date_after", "repair_min"]


def test_what_changes_in_place_stands_in_every_page(client: Client) -> None:
    """The script takes the list, what its search box carries and the language switch out of whole pages."""
    make_case(id="IL-0001")
    for query in ("", "?q=x", "?component=bogus"):
        page = client.get(f"/en/cases/{query}").content.decode()
        for name in ("finder", "kept", "switch", "total", "announcer", "q"):
            assert page.count(f'id="{name}"') == 1, (query, name)
    settings = '"allowEval": false, "allowScriptTags": false, "includeIndicatorStyles": false, "historyCacheSize": 0'
    assert settings in page


def test_the_same_address_gives_the_same_page_to_the_script(client: Client) -> None:
    make_case(id="IL-0001")
    asked = client.get("/en/cases/?q=x", headers={"hx-request": "true", "hx-target": "finder"})
    plain = client.get("/en/cases/?q=x")
    assert (asked.content, asked.headers["ETag"]) == (plain.content, plain.headers["ETag"])
    assert "Vary" not in plain.headers
