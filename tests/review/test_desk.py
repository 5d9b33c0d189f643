"""The home page of the desk, the page of one case, history, comparison and preview."""

from __future__ import annotations

import pytest
from django.test import Client

from cases.models import OrgAlias
from review import workflow
from tests.cases.making import make_case

from .making import changed, make_draft, make_publisher, make_user, make_writer

pytestmark = pytest.mark.django_db


@pytest.fixture
def writer(client: Client) -> Client:
    client.force_login(make_writer())
    return client


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer
    return answer.content.decode()


def test_home_lists_own_drafts_ready_ones_and_archived_ones(client: Client) -> None:
    user = make_writer()
    client.force_login(user)
    mine = make_draft(user)
    other = make_draft(make_writer("other"), title={"en": "Somebody else's", "ko": "다른 사람의 사례이다"})
    workflow.archive(user, make_draft(user).manuscript.number, "a duplicate")
    shown = page(client, "/desk/")
    my_part, rest = shown.split('id="ready"')
    assert mine.manuscript.id_text in my_part
    assert other.manuscript.id_text not in my_part
    assert other.manuscript.id_text in rest
    assert "archived" in rest.split('id="archived"')[1]


def test_home_costs_the_same_however_many_drafts(client: Client, django_assert_max_num_queries: object) -> None:
    user = make_writer()
    for _ in range(8):
        make_draft(user)
    client.force_login(user)
    with django_assert_max_num_queries(14):  # type: ignore[operator]  # pytest-django's own fixture
        page(client, "/desk/")


@pytest.mark.parametrize("query", ["IL-0001", "il-0001", "LiveKit", "라이브킷", "메시지 버스", "message bus"])
def test_search_finds_by_number_organisation_and_title(writer: Client, query: str) -> None:
    found = make_draft(make_writer("w2"))
    found.manuscript.refresh_from_db()
    org = make_case(id="IL-9500").org
    OrgAlias.objects.create(org=org, alias="라이브킷", folded="라이브킷")
    assert found.manuscript.id_text == "IL-0001"
    assert "IL-0001" in page(writer, f"/desk/?q={query}")


def test_search_without_a_hit_and_with_strange_input_is_a_page(writer: Client) -> None:
    make_draft(make_writer("w2"))
    assert "Nothing in work" in page(writer, "/desk/?q=zzz")
    assert "Nothing in work" in page(writer, "/desk/?q=" + "가" * 5000)
    page(writer, "/desk/?q=%00&page=99999999999999999999")


def test_page_of_a_case_says_what_may_be_done_and_why_not(writer: Client) -> None:
    saved = make_draft(make_writer("w2"))
    shown = page(writer, f"/desk/cases/{saved.manuscript.id_text}/")
    assert "Only publishers publish." in shown
    assert f"/desk/cases/{saved.manuscript.id_text}/archive/" in shown
    assert f"/desk/cases/{saved.manuscript.id_text}/publish/" not in shown


def test_published_case_nobody_edited_has_a_desk_page(writer: Client) -> None:
    make_case()
    assert "IL-0561" in page(writer, "/desk/cases/IL-0561/")
    page(writer, "/desk/cases/IL-0562/", 404)
    page(writer, "/desk/cases/zero/", 404)


def test_history_lists_revisions_and_compares_any_two(client: Client) -> None:
    user = make_writer()
    saved = make_draft(user)
    document = changed(
        saved.revision.document(), severity="major", title={"en": "Another title", "ko": "다른 제목이다"}
    )
    workflow.save(user, saved.manuscript.number, document, 1, "why it changed")
    client.force_login(user)
    shown = page(client, f"/desk/cases/{saved.manuscript.id_text}/history/")
    assert "why it changed" in shown
    compared = page(client, f"/desk/cases/{saved.manuscript.id_text}/history/1/2/")
    assert "<del>unknown</del>" in compared
    assert "<ins>major</ins>" in compared
    page(client, f"/desk/cases/{saved.manuscript.id_text}/history/1/9/", 404)


def test_preview_shows_the_draft_marked_and_never_cached(client: Client) -> None:
    user = make_writer()
    saved = make_draft(user, title={"en": "<b>Bold</b> claim", "ko": "초안 제목이다"})
    client.force_login(user)
    answer = client.get(f"/desk/cases/{saved.manuscript.id_text}/preview/ko/")
    shown = answer.content.decode()
    assert "초안 제목이다" in shown
    assert "only people of the desk see this" in shown
    assert answer["Cache-Control"] == "no-store, private"
    assert "&lt;b&gt;Bold" in page(client, f"/desk/cases/{saved.manuscript.id_text}/preview/en/")
    page(client, f"/desk/cases/{saved.manuscript.id_text}/preview/fr/", 404)


@pytest.mark.parametrize("rest", ["", "edit/", "preview/en/", "history/", "history/1/1/", "publish/"])
def test_draft_is_closed_to_strangers_and_to_people_without_a_role(client: Client, rest: str) -> None:
    saved = make_draft()
    address = f"/desk/cases/{saved.manuscript.id_text}/{rest}"
    assert client.get(address).status_code == 302
    client.force_login(make_user("nobody"))
    answer = client.get(address)
    assert answer.status_code == 403
    assert "LiveKit" not in answer.content.decode()


def test_draft_leaks_nowhere_public(client: Client) -> None:
    saved = make_draft(title={"en": "Secret working title", "ko": "비밀 제목이다"})
    number = saved.manuscript.id_text
    for address, status in (
        (f"/en/cases/{number}/", 404),
        (f"/en/cases/{number}/history/", 404),
        (f"/api/cases/{number}", 404),
        (f"/api/cases/{number}/similar", 404),
        ("/en/cases/", 200),
    ):
        answer = client.get(address)
        assert answer.status_code == status
        assert "Secret" not in answer.content.decode()


def test_newer_draft_does_not_reach_readers(client: Client) -> None:
    user = make_writer()
    saved = make_draft(user, title={"en": "Published title", "ko": "공개한 제목이다"})
    number = saved.manuscript.number
    workflow.publish(make_publisher(), number, 1, 1)
    document = changed(saved.revision.document(), title={"en": "Newer title", "ko": "새 제목이다"})
    workflow.save(user, number, document, 1)
    shown = page(client, f"/en/cases/{saved.manuscript.id_text}/")
    assert "Published title" in shown
    assert "Newer title" not in shown


def test_too_many_fields_are_refused_in_words(writer: Client) -> None:
    saved = make_draft(make_writer("w2"))
    fields = {f"field{place}": "x" for place in range(10_050)}
    answer = writer.post(f"/desk/cases/{saved.manuscript.id_text}/save/", fields)
    assert answer.status_code == 400
    assert "More fields were sent at once" in answer.content.decode()


def test_published_case_nobody_edited_is_said_to_be_public_and_can_be_withdrawn(client: Client) -> None:
    make_case()
    client.force_login(make_publisher())
    shown = page(client, "/desk/cases/IL-0561/")
    assert "edition 1, not edited here yet" in shown
    assert "never published" not in shown
    assert "/desk/cases/IL-0561/publish/" not in shown
    assert client.post("/desk/cases/IL-0561/withdraw/", {"reason_en": "Not an incident"}).status_code == 302
    assert client.get("/en/cases/IL-0561/").status_code == 410
