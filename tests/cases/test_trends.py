"""The trends page: what it draws is what its lists hold, within any query, in both languages, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from django.test import Client

from cases import catalog
from cases.catalog import keeping
from cases.charts import MOST_ROWS, MOST_YEARS, Mark, shortened
from cases.filters import CaseFilter
from cases.models import Term
from cases.publishing import touch_vocabulary, withdraw
from tests.cases.making import make_case, make_cases, make_raw
from tests.cases.test_statistics import library

pytestmark = pytest.mark.django_db

CountQueries = Callable[[int], AbstractContextManager[object]]
TABLES = ["causes-by-year", "components-by-cause", "symptoms-by-year", "detect", "repair"]


def timed(number: int, detect: str | None = None, repair: str | None = None, **changes: Any) -> dict[str, Any]:
    timeline = {**make_raw()["timeline"], "detected_after": detect, "resolved_after": repair}
    return {"id": f"IL-{number:04d}", "timeline": {**timeline, "events": [], "windows": []}, **changes}


def marks(context: Any) -> Iterator[tuple[str, int]]:
    """Give (list, cases) for everything on the page that leads to cases."""
    for name in ("causes", "pairs", "symptoms"):
        chart = context[name].chart
        for row in (*chart.rows, *chart.drawn):
            yield row.url, row.cases
            yield from linked(row.marks)
    yield context["years"].url, context["years"].cases
    yield from linked(context["years"].marks)
    for time in context["times"]:
        for row in time["shown"].bars:
            yield from linked(row.marks)


def linked(found: list[Mark]) -> Iterator[tuple[str, int]]:
    yield from ((mark.url, mark.cases) for mark in found if mark.url)


def rows_of_csv(client: Client, table: str, query: str = "") -> list[list[str]]:
    response = client.get(f"/en/trends/{table}.csv{query}")
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


# What it shows


def test_every_mark_leads_to_a_list_with_as_many_cases(client: Client) -> None:
    library(5, size=120)
    for query in (
        "",
        "component=resolver",
        "component=resolver&component=cache&root_cause=overload&root_cause=code-bug",
        "symptom=timeouts&date_after=2021-06&date_before=2022-03",
        "repair_min=10&repair_max=200",
        "detect_min=3&detect_max=300&org=pubnub",
        "date_after=2021&reviewed=no&sort=oldest",
    ):
        found = set(marks(client.get(f"/en/trends/?{query}").context))
        assert len(found) > 15, query
        for url, cases in found:
            path, asked = urlsplit(url).path, CaseFilter(QueryDict(urlsplit(url).query))
            assert path == "/en/cases/", url
            assert not asked.problems, url
            assert asked.qs.count() == cases, url


def test_a_figure_keeps_the_filter_that_it_was_made_under(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", root_cause="overload", components=["cache"])
    make_case(id="IL-0002", org="LiveKit", org_slug="livekit", root_cause="overload", components=["cache"])
    response = client.get("/en/trends/?org=pubnub")
    assert all("org=pubnub" in url for url, _ in marks(response.context))
    assert response.context["total"] == 1
    assert response.context["list_url"] == "/en/cases/?org=pubnub"
    assert "Back to the list of these cases" in response.content.decode()


def test_filters_are_chips_that_can_be_removed(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", severity="major")
    chips = client.get("/ko/trends/?org=pubnub&severity=major").context["chips"]
    assert [chip.remove_url for chip in chips] == ["/ko/trends/?severity=major", "/ko/trends/?org=pubnub"]


def test_a_time_is_told_with_the_number_of_cases_that_it_is_from(client: Client) -> None:
    make_cases([timed(number, repair=f"{number}h") for number in range(1, 6)] + [timed(6)])
    english, korean = (client.get(f"/{language}/trends/").content.decode() for language in ("en", "ko"))
    assert "From 5 of 6 cases. 1 case does not tell it." in english
    assert "The middle half lies between 2h and 4h." in english
    assert "사례 6건 가운데 시간이 알려진 5건으로 계산했습니다. 1건은 밝히지 않았습니다." in korean
    assert "가운데 절반의 범위: 2시간 ~ 4시간." in korean


def test_below_five_no_time_is_typical(client: Client) -> None:
    make_cases([timed(number, repair="1h") for number in range(1, 5)])
    response = client.get("/en/trends/")
    (_, repair) = response.context["times"]
    assert (repair["shown"].median, list(repair["shown"].bars)) == (None, [])
    assert "Told by 4 of 4 cases: too few to say what is typical." in response.content.decode()
    assert "Median" not in response.content.decode()


def test_where_all_tell_it_nothing_is_said_of_others(client: Client) -> None:
    make_cases([timed(number, repair="1h") for number in range(1, 6)])
    assert client.get("/en/trends/").context["times"][1]["shown"].source == "From 5 of 5 cases."


def test_what_a_drawing_leaves_out_is_said(client: Client) -> None:
    symptoms = [f"symptom-{number}" for number in range(MOST_ROWS + 1)]
    dates = [f"{2000 + number}-05-05" for number in range(MOST_YEARS + 1)]
    make_cases([timed(1, symptoms=[], root_cause=None, components=[])])
    make_cases([timed(2 + at, date=date, symptoms=symptoms[at : at + 1]) for at, date in enumerate(dates)])
    context = client.get("/en/trends/").context
    notes = {name: context[name].notes for name in ("causes", "pairs", "symptoms")}
    assert notes["causes"] == [
        "1 case tells none and is in no row.",
        "Not all columns are drawn; the table has them all.",
    ]
    assert notes["pairs"] == ["1 case tells none and is in no row."]
    assert notes["symptoms"][1] == "Only the first rows and columns are drawn; the table has them all."
    chart = context["symptoms"].chart
    assert (len(chart.drawn), len(chart.rows)) == (MOST_ROWS, MOST_ROWS + 1)
    assert chart.drawn_heads[-1].label == chart.heads[-1].label == "2026"
    assert len(chart.drawn_heads) == MOST_YEARS


def test_rows_without_room_are_said(client: Client) -> None:
    make_case(id="IL-0001", symptoms=[f"symptom-{number}" for number in range(100)], root_cause="overload")
    make_case(id="IL-0002", symptoms=["symptom-0", "one-more"], root_cause="overload")
    assert client.get("/en/trends/").context["symptoms"].notes == [
        "The most frequent rows are drawn; the table has them all.",
        "1 rarer word is left out.",
    ]


def test_dates_that_are_not_known_to_the_day_and_examples_are_said(client: Client) -> None:
    make_case(id="IL-0001", date="2024-01-01", date_precision="year")
    make_case(id="IL-9001", date="2024-05-01", date_precision="month", example=True)
    text = client.get("/en/trends/").content.decode()
    assert "The dates of 2 cases are known to the month or the year only; each counts in its year." in text
    assert "1 of them is a made-up example" in text


def test_an_empty_answer_says_which_filter_to_remove(client: Client) -> None:
    make_case(id="IL-0001", org="PubNub", org_slug="pubnub", severity="major")
    make_case(id="IL-0002", org="LiveKit", org_slug="livekit", severity="minor")
    response = client.get("/en/trends/?org=pubnub&severity=minor")
    assert response.context["total"] == 0
    assert [way.remove_url for way in response.context["ways_out"]] == [
        "/en/trends/?severity=minor",
        "/en/trends/?org=pubnub",
    ]
    assert "No case fits." in response.content.decode()


def test_an_empty_library_has_a_page(client: Client) -> None:
    assert client.get("/ko/trends/").context["total"] == 0
    assert rows_of_csv(client, "causes-by-year") == [["root_cause", "label", "cases"]]


def test_cases_that_tell_nothing_have_a_page(client: Client) -> None:
    make_cases([timed(1, root_cause=None, components=[], symptoms=[])])
    text = client.get("/en/trends/").content.decode()
    assert text.count("Not told by these cases") == 2


def test_marks_are_named_and_the_drawing_is_described(client: Client) -> None:
    Term.objects.get_or_create(list="root_cause", slug="overload")
    Term.objects.filter(slug="overload").update(label_en="Overload", label_ko="과부하")
    touch_vocabulary()
    make_case(id="IL-0001", date="2024-02-02", root_cause="overload", components=["dns"])
    text = client.get("/ko/trends/").content.decode()
    assert "<title>과부하, 2024: 사례 1건</title>" in text
    assert 'aria-labelledby="heat-title heat-desc"' in text
    assert "style=" not in text


def test_a_hostile_word_stays_a_word(client: Client) -> None:
    Term.objects.create(list="symptom", slug="timeouts", label_en="<script>&\"'", label_ko="나쁜")
    touch_vocabulary()
    make_case(id="IL-0001", symptoms=["timeouts"])
    assert "<script>" not in client.get("/en/trends/").content.decode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Overload", "Overload"),
        ("A" * 25, "A" * 25),
        ("A" * 26, "A" * 25 + "…"),
        ("클라우드 제공자 장애로 인한 중단", "클라우드 제공자 장애로 인…"),
    ],
)
def test_long_labels_are_cut_by_their_width(text: str, shown: str) -> None:
    assert shortened(text) == shown


# CSV


def test_tables_can_be_taken_along(client: Client) -> None:
    make_cases([timed(1, repair="10m", date="2024-01-01", root_cause="overload", components=["dns"])])
    make_cases([timed(number, repair="5d", date="2025-01-01", root_cause="overload") for number in range(2, 6)])
    make_cases([timed(6, date="2025-01-01", root_cause="code-bug")])
    assert rows_of_csv(client, "causes-by-year") == [
        ["root_cause", "label", "cases", "2024", "2025"],
        ["overload", "overload", "5", "1", "4"],
        ["code-bug", "code-bug", "1", "0", "1"],
    ]
    assert rows_of_csv(client, "components-by-cause", "?component=dns")[1] == ["dns", "dns", "1", "1"]
    repair = rows_of_csv(client, "repair")
    assert repair[:3] == [["from_minutes", "below_minutes", "cases"], ["0", "5", "0"], ["5", "15", "1"]]
    assert repair[-2:] == [["4320", "", "4"], ["unknown", "", "1"]]
    assert rows_of_csv(client, "detect") == [["from_minutes", "below_minutes", "cases"]]


def test_cells_are_no_formulas(client: Client) -> None:
    Term.objects.create(list="symptom", slug="timeouts", label_en="=cmd()", label_ko="=cmd()")
    touch_vocabulary()
    make_case(id="IL-0001", symptoms=["timeouts"])
    assert rows_of_csv(client, "symptoms-by-year")[1][1] == "'=cmd()"


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_its_link(client: Client, table: str) -> None:
    make_cases([timed(number, detect="1h", repair="1h", severity="major") for number in range(1, 6)])
    text = client.get("/ko/trends/?severity=major").content.decode()
    assert f'href="/ko/trends/{table}.csv?severity=major" download="{table}.csv"' in text
    assert client.get(f"/ko/trends/{table}.csv?severity=major").status_code == 200


def test_an_unknown_table_is_not_found(client: Client) -> None:
    assert client.get("/en/trends/passwords.csv").status_code == 404


# Freshness, cost, bad input


def test_what_another_process_publishes_shows_at_the_next_request(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_case(id="IL-0001", date="2025-01-01", root_cause="overload")
    before = client.get("/en/trends/")
    here = catalog.current()
    make_case(id="IL-0002", date="2025-01-01", root_cause="overload")
    monkeypatch.setattr(keeping, "_kept", here)  # the other process published; this one still holds the old state
    after = client.get("/en/trends/", headers={"if-none-match": before.headers["ETag"]})
    assert (before.context["total"], after.status_code, after.context["total"]) == (1, 200, 2)
    monkeypatch.setattr(keeping, "_kept", here)
    withdraw(1, {"en": "Wrong.", "ko": None})
    assert client.get("/en/trends/").context["causes"].chart.rows[0].cases == 1


def test_who_has_the_page_is_told_so(client: Client) -> None:
    make_case(id="IL-0001")
    for path in ("/en/trends/", "/en/trends/repair.csv"):
        first = client.get(path)
        assert first.headers["Cache-Control"] == "public, max-age=0, s-maxage=60, stale-if-error=86400"
        assert client.get(path, headers={"if-none-match": first.headers["ETag"]}).status_code == 304


def test_the_number_of_queries_is_one(client: Client, django_assert_num_queries: CountQueries) -> None:
    library(1, size=30)
    client.get("/en/trends/")
    with django_assert_num_queries(1):
        client.get("/en/trends/?component=resolver")


@pytest.mark.parametrize("path", ["trends/", "trends/repair.csv", "follow-ups/", "checks/", "checks.md", "checks.json"])
@pytest.mark.parametrize(
    "query",
    [
        "component=" + "x" * 200_000,
        "q=" + "가" * 60_000,
        "status=" + "x" * 200_000,
        "&".join(f"component=c{number}" for number in range(5_000)),
        "&".join(f"status=s{number}" for number in range(5_000)),
        "component=%00&org=%ED%A0%80&status=%00&domain=%FF",
        "date_after=0000&repair_min=-1&detect_min=1e9&page=" + "9" * 30,
        "q=%22%20OR%20%2A&sort=nothing&page=0",
    ],
    ids=["long-word", "long-query", "long-status", "many-words", "many-statuses", "no-text", "no-numbers", "operators"],
)
def test_bad_input_is_a_page_in_words(client: Client, path: str, query: str) -> None:
    make_case(id="IL-0001")
    response = client.get(f"/ko/{path}?{query}")
    assert response.status_code == 200
    assert len(response.content) < 300_000


def test_what_was_wrong_is_said(client: Client) -> None:
    make_case(id="IL-0001")
    text = client.get("/en/trends/?component=nothing&date_after=never").content.decode()
    assert "Not known and left out: nothing" in text
    assert "Write a date as" in text


@pytest.mark.parametrize("path", ["trends", "follow-ups", "checks"])
def test_each_page_has_one_address_in_each_language(client: Client, path: str) -> None:
    assert client.get(f"/{path}/?org=x", headers={"accept-language": "ko"}).headers["Location"] == f"/ko/{path}/?org=x"
    assert client.get(f"/en/{path}").headers["Location"] == f"/en/{path}/"
    response = client.get(f"/en/{path}/")
    assert response.context["canonical"] == f"http://127.0.0.1:8000/en/{path}/"
    assert client.post(f"/en/{path}/").status_code == 405
    assert f'href="/en/{path}/"' in client.get("/en/about/").content.decode()
