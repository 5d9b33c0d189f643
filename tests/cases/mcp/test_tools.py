"""What the tools answer, and how they refuse."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from pytest_django import DjangoAssertNumQueries

from cases import publishing
from cases.mcp import tools
from cases.mcp.schemas import schema_of
from cases.mcp.shapes import NOTICE
from cases.models import Term
from cases.publishing import touch_vocabulary
from tests.cases.making import make_case, make_cases
from tests.cases.mcp.asking import call, refusal, result_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def words() -> None:
    told = {"definition_en": "What it is.", "definition_ko": "무엇인지."}
    terms = [("component", "dns", "DNS", "DNS"), ("component", "cache", "Cache", "캐시")]
    Term.objects.bulk_create(
        Term(list=list_name, slug=slug, label_en=en, label_ko=ko, **told) for list_name, slug, en, ko in terms
    )
    touch_vocabulary()


# Searching and listing


def test_words_find_incidents_with_the_passage() -> None:
    make_case()
    told = call("search_incidents", q="message bus CPU")
    assert (told["total"], told["next_cursor"], told["corrected"], told["notice"]) == (1, None, None, NOTICE)
    found = told["incidents"][0]
    assert found["id"] == "IL-0561"
    assert found["url"] == "http://127.0.0.1:8000/en/cases/IL-0561/"
    assert "CPU" in found["excerpt"]
    assert found["reviewed"] is False


def test_korean_words_find_and_tell_korean() -> None:
    make_case()
    found = call("search_incidents", q="메시지 버스", language="ko")["incidents"][0]
    assert found["url"].startswith("http://127.0.0.1:8000/ko/")
    assert "메시지 버스" in found["excerpt"]


def test_words_that_nobody_wrote_are_corrected() -> None:
    make_case()
    assert call("search_incidents", q="mesage bus")["corrected"]


def test_a_list_goes_on_with_its_cursor() -> None:
    make_cases([{"id": f"IL-{number:04}"} for number in range(601, 606)])
    first = call("list_incidents", limit=2)
    second = call("list_incidents", limit=2, cursor=first["next_cursor"])
    last = call("list_incidents", limit=2, cursor=second["next_cursor"])
    found = [one["id"] for page in (first, second, last) for one in page["incidents"]]
    assert found == ["IL-0605", "IL-0604", "IL-0603", "IL-0602", "IL-0601"]
    assert [page["total"] for page in (first, second, last)] == [5, 5, 5]
    assert last["next_cursor"] is None


def test_criteria_leave_what_fits_all_of_them() -> None:
    make_cases([{"id": "IL-0601", "components": ["dns"]}, {"id": "IL-0602", "components": ["cache"]}])
    assert [one["id"] for one in call("list_incidents", component=["dns"])["incidents"]] == ["IL-0601"]
    assert call("list_incidents", component=["dns", "cache"])["total"] == 2
    assert call("list_incidents", component=["dns"], available_in=["ko"], repair_min=10_000)["total"] == 0


@pytest.mark.parametrize("component", ["dns", ["dns"], '["dns"]'])
def test_a_word_for_a_list_of_one_is_taken(component: Any) -> None:
    make_cases([{"id": "IL-0601", "components": ["dns"]}, {"id": "IL-0602", "components": ["cache"]}])
    assert call("list_incidents", component=component, org=None, limit="1")["total"] == 1


def test_a_long_summary_is_cut_and_a_rough_date_is_told_roughly() -> None:
    make_case(date="2026-08-01", date_precision="month", reviewed_by="Minji")
    found = call("list_incidents")["incidents"][0]
    assert found["date"] == "2026-08"
    assert len(found["excerpt"]) <= 240
    assert found["reviewed"] is True


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_incidents", {"q": "x", "component": ["dns-server"]}, "component 'dns-server'. Did you mean 'dns'?"),
        ("search_incidents", {}, "q: Field required."),
        ("search_incidents", {"q": "  "}, "q: "),
        ("search_incidents", {"q": "x" * 201}, "at most 200 characters"),
        ("search_incidents", {"query": "dns"}, "query: There is no such parameter. Did you mean 'q'?"),
        ("search_incidents", {"q": "x", "component": ["qqqqqqq"]}, "The tool vocab lists what there is."),
        ("list_incidents", {"limit": 1000}, "limit: Input should be less than or equal to 50."),
        ("list_incidents", {"limit": "many"}, "limit: "),
        ("list_incidents", {"language": "fr"}, "language: Input should be 'en' or 'ko'."),
        ("list_incidents", {"cursor": "nonsense"}, "cursor: Is not a cursor of this query"),
        ("list_incidents", {"date_after": "yesterday"}, "date_after: Write a date as 2026, 2026-08 or 2026-08-25."),
        ("list_incidents", {"repair_min": -1}, "repair_min: "),
        ("list_incidents", {"component": {"a": 1}}, "component: "),
        ("list_incidents", {"sort": "best"}, "sort: There is no such order."),
        ("get_incident", {"id": "the last one"}, "Is no number of an incident"),
        ("get_incident", {"id": "IL-9999"}, "There is no incident IL-9999."),
        ("get_incident", {"id": 5, "detail": "all"}, "detail: "),
        ("get_topic", {"list": "component", "slug": "dns-server"}, "Did you mean 'dns'?"),
        ("get_topic", {"list": "colour", "slug": "red"}, "list: "),
        ("get_topic", {"list": "component"}, "slug: Field required."),
        ("get_topic", {"list": "component", "slug": " "}, "component: "),
        ("vocab", {"list": "colours"}, "list: "),
        ("vocab", {"a\u0000b": 1}, "There is no such parameter."),
    ],
)  # fmt: skip
def test_what_is_asked_wrongly_is_said(tool: str, arguments: dict[str, Any], said: str) -> None:
    assert said in refusal(tool, **arguments)


# One incident


def test_an_incident_is_told_in_one_language() -> None:
    make_case(reviewed_by="Minji")
    told = call("get_incident", id="il 561", language="ko")
    assert told["id"] == "IL-0561"
    assert told["status"] == "published"
    assert told["review"] == {"en": "approved", "ko": "approved"}
    assert told["remediation"]
    assert all(any("가" <= letter <= "힣" for letter in text) for text in told["remediation"])
    assert told["sources"][0]["url"].startswith("https://")
    assert "record" not in told
    assert "quote" not in str(told)


def test_a_text_of_the_other_language_is_marked() -> None:
    make_case(title={"en": None, "ko": "제목"}, lessons={"en": "Only here", "ko": None})
    told = call("get_incident", id="IL-0561")
    assert told["title"] == "[Korean only] 제목"
    assert told["lessons"] == "Only here"
    assert call("get_incident", id="IL-0561", language="ko")["lessons"] == "[English only] Only here"


def test_the_whole_record_comes_when_asked_for() -> None:
    make_case()
    record = call("get_incident", id="IL-0561", detail="full")["record"]
    assert record["title"]["ko"]
    assert list(record)[-2:] == ["similar", "recurrence_chain"]


def test_what_is_near_is_told_with_the_reason() -> None:
    make_cases([{}, {"id": "IL-0601"}])
    near = call("get_incident", id="IL-0561")["similar"][0]
    assert near["id"] == "IL-0601"
    assert "same cause" in near["reason"]


def test_a_withdrawn_incident_says_so_and_nothing_else() -> None:
    make_case()
    publishing.withdraw(561, {"en": "Another company", "ko": "다른 회사"})
    told = call("get_incident", id="IL-0561", language="ko")
    assert (told["status"], told["withdrawn"]["reason"]) == ("withdrawn", "다른 회사")
    assert set(told) == {"id", "status", "url", "withdrawn", "example", "notice"}
    assert call("list_incidents")["total"] == 0


def test_a_merged_incident_is_told_as_the_one_it_was_merged_into() -> None:
    make_cases([{}, {"id": "IL-0601"}, {"id": "IL-0602"}])
    publishing.merge(601, 602)
    publishing.merge(602, 561)
    told = call("get_incident", id="IL-0601")
    assert (told["id"], told["merged_from"], told["status"]) == ("IL-0561", "IL-0601", "published")


def test_reading_an_incident_takes_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    make_case()
    call("get_incident", id="IL-0561")
    with django_assert_max_num_queries(3):
        call("get_incident", id="IL-0561")


# Topics and words


def test_a_topic_tells_its_figures() -> None:
    make_cases(
        [
            {
                "id": f"IL-{number:04}",
                "components": ["dns", "cache"],
                "timeline": {"resolved_after": f"{number - 600}h"},
            }
            for number in range(601, 606)
        ]
    )
    told = call("get_topic", list="component", slug="dns")
    assert (told["slug"], told["name"], told["incidents"]) == ("dns", "DNS", 5)
    assert told["definition"]
    assert [one["slug"] for one in told["components"]] == ["cache"]
    assert told["time_to_repair"] == {"told_by": 5, "lower_quartile": 120, "median": 180, "upper_quartile": 240}
    assert [one["id"] for one in told["newest"]] == [f"IL-{number:04}" for number in range(605, 600, -1)]
    assert told["by_year"] == [{"year": "2026", "incidents": 5}]


def test_an_organisation_is_a_topic_and_its_newest_are_its_own() -> None:
    make_cases([{}, {"id": "IL-0601", "org": "GitHub"}])
    told = call("get_topic", list="org", slug="github", language="ko")
    assert (told["incidents"], [one["id"] for one in told["newest"]]) == (1, ["IL-0601"])
    assert told["url"] == "http://127.0.0.1:8000/ko/orgs/github/"


def test_words_are_told_list_by_list() -> None:
    make_case()
    lists = {one["name"]: one for one in call("vocab")["lists"]}
    assert all("words" not in one for one in lists.values())
    assert (lists["component"]["argument"], lists["relation"]["argument"]) == (True, False)
    shown = call("vocab", list="component", language="ko")["lists"]
    assert [one["name"] for one in shown] == ["component"]
    dns = next(word for word in shown[0]["words"] if word["slug"] == "dns")
    assert dns["incidents"] == 0
    assert dns["definition"]
    assert [word["slug"] for word in call("vocab", list="org")["lists"][0]["words"]] == ["livekit"]


# All


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_incidents", {"q": "message"}),
        ("list_incidents", {"language": "ko"}),
        ("get_incident", {"id": "IL-0561", "detail": "full"}),
        ("get_topic", {"list": "component", "slug": "message-bus"}),
        ("vocab", {"list": "severity"}),
        ("vocab", {}),
    ],
)
def test_answers_are_as_their_schemas_say(tool: str, arguments: dict[str, Any]) -> None:
    make_case()
    told = call(tool, **arguments)
    schema = schema_of(tools.TOOLS[tool].answer, mode="serialization")
    jsonschema.Draft202012Validator(schema).validate(told)
    jsonschema.Draft202012Validator(schema_of(tools.TOOLS[tool].arguments)).validate(arguments)


def test_an_answer_that_is_too_large_says_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    make_case()
    monkeypatch.setattr(tools, "LARGEST", 1_000)
    assert "fetch it from /api/cases instead" in refusal("get_incident", id="IL-0561")


def test_a_failure_tells_nothing_of_itself(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("cases.catalog.current", lambda: 1 / 0)
    result = result_of("list_incidents", {})
    assert result["isError"]
    assert result["content"][0]["text"] == "The library failed; the failure has been noted."
    assert "ZeroDivisionError" in caplog.text


def test_calls_are_logged_without_what_was_asked(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        call("search_incidents", q="secret words")
    assert "tool search_incidents answered in" in caplog.text
    assert "secret" not in caplog.text
