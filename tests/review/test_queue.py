"""The queue and the table of all cases: what they list, for whom, and at what cost."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from cases import publishing
from cases.document import Language
from review import workflow
from review.models import Assignment, Manuscript
from tests.cases.making import make_case, make_cases, make_raw

from .making import make_draft, make_publisher, make_user, make_writer
from .test_assigning import assign
from .test_review import approve, edit, reviewer, seen, submit
from .test_reviewing import address, page, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def number() -> int:
    return make_draft().manuscript.number


def section(client: Client, slug: str, query: str = "") -> str:
    _before, _heading, rest = page(client, f"/desk/queue/{query}").partition(f'<h2 id="{slug}">')
    return rest.split("<section")[0]


def items(client: Client, slug: str, query: str = "") -> int:
    return section(client, slug, query).count('class="waiting')


def table(client: Client, query: str = "") -> str:
    """Return the table alone: the filters name organisations, too."""
    shown = page(client, f"/desk/matrix/{query}")
    return shown.split("<tbody>")[1].split("</tbody>")[0] if "<tbody>" in shown else ""


def test_queue_shows_each_kind_of_work(number: int) -> None:
    client = signed_in(reviewer())
    submit(number)
    assert (items(client, "review"), items(client, "review", "?language=en")) == (1, 0)
    assert items(client, "review", "?org=Nobody") == 0
    assert items(signed_in(User.objects.get(username="writer")), "review") == 0, "nobody reviews own text"
    approve(number)
    edit(number, make_writer("second"), severity="major")
    assert (items(client, "review"), items(client, "stale"), items(client, "ready")) == (0, 1, 1)
    workflow.publish(make_publisher(), number, 2, 2)
    assert items(client, "public") == 2
    workflow.approve(reviewer(), number, ["en", "ko"], seen(number))
    assert items(client, "public") == 0
    page(client, "/desk/queue/?language=xx&org=%00&days=x&assigned=x")


def test_next_and_previous_follow_the_queue() -> None:
    numbers = [make_draft(make_writer(f"w{index}")).manuscript.number for index in range(3)]
    for index, number in enumerate(numbers):
        submit(number, User.objects.get(username=f"w{index}"))
    shown = page(signed_in(reviewer()), address(numbers[1]))
    assert f'data-key="k" href="{address(numbers[0])}"' in shown
    assert f'data-key="j" href="{address(numbers[2])}"' in shown


def test_published_cases_that_nobody_edited_wait_too() -> None:
    raw = make_raw()
    texts: Any = {key: {"en": raw[key]["en"], "ko": None} for key in ("title", "summary")}
    make_case(id="IL-0570", **texts)
    client = signed_in(reviewer())
    assert "IL-0570" in section(client, "missing")
    assert "IL-0570" in section(client, "public")
    assert items(client, "missing", "?language=en") == 0
    assert items(client, "missing", "?assigned=me") == 0
    assert items(client, "missing", "?assigned=nobody&days=1") == 0
    assert items(client, "missing", "?org=Nobody") == 0


def test_filter_by_age(number: int) -> None:
    submit(number)
    make_case(id="IL-0570")
    client = signed_in(reviewer())
    assert (items(client, "review", "?days=7"), items(client, "public", "?days=7")) == (0, 0)
    assert items(client, "ready", "?days=7") == 0
    old = timezone.now() - dt.timedelta(days=8)
    Manuscript.objects.update(state_ko_at=old, changed_at=old)
    assert items(client, "review", "?days=7") == 1
    assert items(client, "review", "?days=30") == 0
    assert items(client, "ready", "?days=7") == 1
    assert Manuscript.objects.get().id_text in table(client, "?days=7")
    assert Manuscript.objects.get().id_text not in table(client, "?days=7&language=en")
    assert "IL-0570" in table(client)
    assert "IL-0570" not in table(client, "?days=7")


def test_filter_by_whose_work_it_is(number: int) -> None:
    other = make_draft(make_writer("second")).manuscript.number
    submit(number)
    submit(other, User.objects.get(username="second"))
    user, publisher = reviewer(), make_publisher()
    assign(publisher, number, user, timezone.now().date())
    client = signed_in(user)
    id_text, other_id = (Manuscript.objects.get(number=one).id_text for one in (number, other))
    assert "Assigned to: reviewer" in section(client, "review")
    for query, shows, hides in (("?assigned=me", id_text, other_id), ("?assigned=nobody", other_id, id_text)):
        assert shows in section(client, "review", query)
        assert hides not in section(client, "review", query)
        assert shows in section(client, "ready", query)
        assert hides not in section(client, "ready", query)
        assert shows in table(client, query)
        assert hides not in table(client, query + "&language=ko")
    assert items(signed_in(publisher), "review", "?assigned=me") == 0
    assert items(client, "review", "?assigned=me&language=en") == 0
    Assignment.objects.update(until=timezone.now().date() - dt.timedelta(days=1))
    assert items(client, "review", "?assigned=me") == 0
    assert "Assigned to: reviewer" not in section(client, "review")


def test_published_work_can_be_mine() -> None:
    number = make_case().number
    assign(make_publisher(), number, reviewer())
    client = signed_in(reviewer())
    assert (items(client, "public", "?assigned=me"), items(client, "public", "?assigned=nobody")) == (1, 1)


def test_a_list_that_is_longer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for index in range(3):
        submit(make_draft(make_writer(f"w{index}")).manuscript.number, User.objects.get(username=f"w{index}"))
    monkeypatch.setattr("review.queue.MOST", 2)
    client = signed_in(reviewer())
    assert items(client, "review") == 2
    assert "Review wanted (3)" in page(client, "/desk/queue/")
    assert "Only the oldest 2 are shown." in section(client, "review")


def test_pages_in_korean(number: int) -> None:
    assign(make_publisher(), number, reviewer(), timezone.now().date())
    client = signed_in(reviewer())
    for path in (address(number), "/desk/queue/", "/desk/matrix/"):
        answer = client.get(path, headers={"accept-language": "ko"})
        assert answer.status_code == 200
        assert "담당" in answer.content.decode() or path == "/desk/matrix/"


# The table


def test_table_shows_drafts_and_published_cases_with_state_age_and_work(number: int) -> None:
    make_case(id="IL-0570", reviewed_by="Elsewhere")
    approve(number)
    assign(make_publisher(), number, reviewer(), timezone.now().date())
    shown = table(signed_in(reviewer()))
    mine, theirs = Manuscript.objects.get().id_text, "IL-0570"
    assert shown.index(theirs) < shown.index(mine), "the highest number first"
    assert shown.count("state-approved") == 3
    assert shown.count("state-draft") == 1
    assert "reviewer until" in shown


def test_table_filters_by_state_and_language(number: int) -> None:
    approve(number)
    make_case(id="IL-0570")
    client, id_text = signed_in(reviewer()), Manuscript.objects.get().id_text
    assert id_text in table(client)
    assert id_text in table(client, "?state=approved&language=ko")
    assert "IL-0570" not in table(client, "?state=approved&language=ko")
    assert id_text not in table(client, "?state=approved&language=en")
    assert "IL-0570" in table(client, "?state=draft&language=en")
    assert "IL-0570" not in table(client, "?org=Nobody")
    page(client, "/desk/matrix/?state=nonsense&page=999999999999")
    assert "No case fits this." in page(client, "/desk/matrix/?org=Nobody")


def test_table_leaves_out_what_is_withdrawn_and_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    make_cases([{"id": f"IL-057{index}"} for index in range(3)])
    publishing.withdraw(571, {"en": "Wrong", "ko": None})
    monkeypatch.setattr("review.views.queue.PAGE", 1)
    client = signed_in(reviewer())
    assert ("IL-0572" in table(client), "IL-0570" in table(client, "?page=2")) == (True, True)
    shown = page(client, "/desk/matrix/?language=ko&state=draft")
    assert "?page=2&amp;language=ko&amp;state=draft" in shown
    assert "IL-0571" not in table(client) + table(client, "?page=2")


@pytest.mark.parametrize(("path", "most"), [("/desk/queue/", 34), ("/desk/matrix/", 12)])
def test_lists_cost_the_same_however_long(path: str, most: int, django_assert_max_num_queries: Any) -> None:
    languages: list[Language] = ["en", "ko"]
    for index in range(6):
        number = make_draft(make_writer(f"w{index}")).manuscript.number
        for language in languages:
            submit(number, User.objects.get(username=f"w{index}"), language)
        assign(reviewer(), number, reviewer())
    make_cases([{"id": f"IL-058{index}"} for index in range(6)])
    client = signed_in(reviewer())
    make_user("another", reviews="ko")
    with django_assert_max_num_queries(most):
        page(client, path)
