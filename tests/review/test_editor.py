"""The editor through the door people use: opening, saving, merging, conflicts, working copies, and who may do what."""

from __future__ import annotations

import datetime as dt
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.utils import timezone

from cases import labels
from cases.document import CaseDocument, case_id
from cases.models import Case, Org, OrgAlias, Term
from cases.vocabulary import load_vocabulary
from review import workflow
from review.models import Event, Manuscript, Revision, WorkingCopy
from review.views.editing import Post
from tests.cases.making import make_case, make_document
from tests.undoing import undone

from .making import changed, make_administrator, make_draft, make_user, make_writer

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

pytestmark = pytest.mark.django_db
Pairs = dict[str, list[str]]


@pytest.fixture(autouse=True)
def labels_are_read_anew() -> None:
    """Forget the labels of other tests: each test's database is new, its vocabulary has the same version."""
    labels._kept.cache_clear()  # noqa: SLF001  (no program needs this)


@pytest.fixture
def words(db: None) -> None:  # noqa: ARG001  (the words go into the database)
    load_vocabulary()


class _Boxes(HTMLParser):
    """Collects what a browser posts of the editor's form when nobody touches it."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs: Pairs = {}
        self.is_inside = self.is_in_template = self.is_disabled = False
        self.select: str | None = None
        self.options: list[tuple[str, bool]] = []
        self.area: str | None = None
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "form":
            self.is_inside = told.get("id") == "editor"
        elif tag == "template":
            self.is_in_template = True
        elif tag == "fieldset":
            self.is_disabled = "disabled" in told
        elif self.is_inside and not (self.is_in_template or self.is_disabled or "disabled" in told):
            self.open_box(tag, told)

    def open_box(self, tag: str, told: dict[str, str | None]) -> None:
        name = told.get("name") or ""
        if tag == "input" and name and (told.get("type") not in {"checkbox", "radio"} or "checked" in told):
            self.add(name, told.get("value") or "")
        elif tag == "select":
            self.select, self.options = name, []
        elif tag == "option" and self.select:
            self.options.append((told.get("value") or "", "selected" in told))
        elif tag == "textarea":
            self.area, self.text = name, ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_inside = False
        if tag == "template":
            self.is_in_template = False
        if tag == "fieldset":
            self.is_disabled = False
        if tag == "select" and self.select:
            chosen = [value for value, is_chosen in self.options if is_chosen]
            self.add(self.select, (chosen or [value for value, _is_chosen in self.options] or [""])[0])
            self.select = None
        if tag == "textarea" and self.area is not None:
            self.add(self.area, self.text.removeprefix("\n").replace("\n", "\r\n"))
            self.area = None

    def handle_data(self, data: str) -> None:
        if self.area is not None:
            self.text += data

    def add(self, name: str, value: str) -> None:
        self.pairs.setdefault(name, []).append(value)


def boxes(response: Response) -> Pairs:
    found = _Boxes()
    found.feed(response.content.decode())
    return found.pairs


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def opened(client: Client, number: int, query: str = "") -> Pairs:
    response = client.get(f"/desk/cases/{case_id(number)}/edit/{query}")
    assert response.status_code == 200
    return boxes(response)


def opened_by_two(first: Client, number: int) -> tuple[Pairs, Pairs]:
    """Open a case for two people: their pages are the same but for the name of the tab."""
    pairs = opened(first, number)
    return pairs, {**pairs, "tab": ["anothertab"]}


def sent(client: Client, number: int, pairs: Pairs, **changes: str) -> Response:
    """Save a case with these fields typed over; ``__`` is a dot."""
    typed = {name.replace("__", "."): [value] for name, value in changes.items()}
    return client.post(f"/desk/cases/{case_id(number)}/save/", {**pairs, **typed})


def kept(client: Client, pairs: Pairs, number: int | None = None, **changes: str) -> dict[str, Any]:
    typed = {name.replace("__", "."): [value] for name, value in changes.items()}
    case = case_id(number) if number is not None else ""
    response = client.post(
        "/desk/autosave/", {**pairs, "case": [case], **typed}, headers={"Accept": "application/json"}
    )
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


def head(number: int) -> CaseDocument:
    manuscript = Manuscript.objects.get(number=number)
    assert manuscript.head is not None
    return manuscript.head.document()


def text_of(response: Response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


# Opening and saving


def test_page_posts_exactly_the_document() -> None:
    """What the page holds is what the form says it posts, so a save without a change is none."""
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    response = sent(client, number, opened(client, number))
    assert response.status_code == 302
    assert Revision.objects.count() == 1
    assert "Nothing to save" in text_of(client.get(response["Location"]))


def test_save_makes_one_revision_with_its_note() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    response = sent(client, number, opened(client, number), title__en="A better title", note="Clearer")
    assert response["Location"].startswith(f"/desk/cases/{case_id(number)}/edit/?saved=")
    assert "Saved as r2." in text_of(client.get(response["Location"]))
    assert head(number).title.en == "A better title"
    assert Revision.objects.get(number=2).note == "Clearer"
    assert Event.objects.filter(verb=Event.Verb.SAVED).count() == 1


def test_published_case_opens_as_it_is_and_becomes_a_draft_when_saved() -> None:
    make_case(id="IL-0700")
    client = signed_in(make_writer("minji"))
    pairs = opened(client, 700)
    assert pairs["base_revision"] == ["1"]
    assert not Manuscript.objects.exists()
    assert sent(client, 700, pairs, title__ko="새 제목").status_code == 302
    assert head(700).title.ko == "새 제목"
    assert Case.objects.get(number=700).has_draft


@pytest.mark.usefixtures("words")
def test_case_is_created_in_both_languages() -> None:
    client = signed_in(make_writer("minji"))
    pairs = boxes(client.get("/desk/new/"))
    typed = {
        "org": "PubNub",
        "date": "2026-08",
        "title.en": "Messages went astray",
        "title.ko": "메시지가 길을 잃었다",
        "summary.en": "One.\r\n\r\nTwo.",
        "summary.ko": "하나.\r\n\r\n둘.",
    }
    response = client.post("/desk/new/", {**pairs, **{name: [value] for name, value in typed.items()}})
    manuscript = Manuscript.objects.get()
    assert response["Location"].startswith(f"/desk/cases/{manuscript.id_text}/edit/")
    document = head(manuscript.number)
    assert (document.date.isoformat(), document.date_precision) == ("2026-08-01", "month")
    assert (document.summary.ko, document.sources, document.severity) == ("하나.\n\n둘.", [], "unknown")


@pytest.mark.usefixtures("words")
def test_unfinished_case_is_not_created_and_says_where_it_lacks() -> None:
    client = signed_in(make_writer("minji"))
    response = client.post("/desk/new/", {**boxes(client.get("/desk/new/")), "title.ko": ["제목"]})
    assert response.status_code == 422
    assert 'href="#field-org"' in response.content.decode()
    assert "제목" in response.content.decode()
    assert not Manuscript.objects.exists()
    assert WorkingCopy.objects.get().number is None


def test_errors_lead_to_field_and_language() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    response = sent(client, number, opened(client, number), title__ko="가" * 301)
    page = response.content.decode()
    assert response.status_code == 422
    assert '<a href="#field-title.ko">Title, Korean</a>: This is longer than 300 characters' in page
    assert 'aria-invalid="true"' in page
    assert "가" * 301 in page
    assert WorkingCopy.objects.get().changed_fields == ["title.ko"]
    assert Revision.objects.count() == 1


def test_interface_speaks_korean() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    response = client.get(f"/desk/cases/{case_id(number)}/edit/", headers={"Accept-Language": "ko"})
    assert '<html lang="ko">' in response.content.decode()
    assert "저장" in text_of(response)


def test_markup_in_a_text_stays_text() -> None:
    number = make_draft(title={"en": "</textarea><script>alert(1)</script>", "ko": None}).manuscript.number
    client = signed_in(make_writer("minji"))
    page = client.get(f"/desk/cases/{case_id(number)}/edit/").content.decode()
    assert "<script>alert" not in page
    assert opened(client, number)["title.en"] == ["</textarea><script>alert(1)</script>"]


# Without a script: the buttons of the form


def test_buttons_add_and_move_without_saving_or_losing_text() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    response = sent(client, number, pairs, do="add:remediation", title__ko="아직 저장 안 함")
    again = boxes(response)
    assert response.status_code == 200
    assert len(again["remediation"]) == len(pairs["remediation"]) + 1
    assert again["title.ko"] == ["아직 저장 안 함"]
    new = again["remediation"][-1]
    moved = boxes(sent(client, number, again, do=f"up:remediation:{new}"))
    assert moved["remediation"].index(new) == len(pairs["remediation"]) - 1
    back = boxes(sent(client, number, moved, do=f"down:remediation:{new}"))
    assert back["remediation"][-1] == new
    assert Revision.objects.count() == 1
    typed = {**back, f"remediation[{new}].text.en": ["One more step"]}
    assert sent(client, number, typed, do="save").status_code == 302
    assert (head(number).remediation[-1].uid, head(number).remediation[-1].text.en) == (new, "One more step")


@pytest.mark.usefixtures("words")
def test_new_case_can_grow_without_a_script() -> None:
    client = signed_in(make_writer("minji"))
    pairs = boxes(client.post("/desk/new/", {**boxes(client.get("/desk/new/")), "do": ["add:timeline.events"]}))
    assert len(pairs["timeline.events"]) == 1


# Two people


def test_disjoint_changes_are_merged_and_said() -> None:
    number = make_draft().manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    mine, theirs = opened(first, number), opened(second, number)
    sent(second, number, theirs, title__en="Hers")
    response = sent(first, number, mine, title__ko="내 것")
    assert response.status_code == 302
    said = text_of(first.get(response["Location"]))
    assert "What others saved meanwhile is kept: English title (sora)." in said
    assert (head(number).title.en, head(number).title.ko) == ("Hers", "내 것")


def test_overlap_is_a_conflict_page_and_nothing_is_lost() -> None:
    number = make_draft().manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    mine, theirs = opened(first, number), opened(second, number)
    sent(second, number, theirs, title__en="Hers", lessons__en="Theirs alone")
    response = sent(first, number, mine, title__en="Mine", trigger__en="Mine alone")
    page = text_of(response)
    assert response.status_code == 409
    assert "r2 was saved (sora)" in page
    assert Revision.objects.count() == 2
    assert WorkingCopy.objects.get().changed_fields == ["title.en", "trigger.en"]
    settled = boxes(response)
    assert settled["base_revision"] == ["2"]
    assert settled["title.en"] == ["Mine"]
    assert sent(first, number, settled, title__en="Ours").status_code == 302
    document = head(number)
    assert (document.title.en, document.trigger and document.trigger.en) == ("Ours", "Mine alone")
    assert document.lessons is not None
    assert document.lessons.en == "Theirs alone"
    assert not WorkingCopy.objects.exists()


@pytest.mark.usefixtures("words")
def test_item_that_they_removed_and_i_changed_can_be_kept_or_removed() -> None:
    number = make_draft().manuscript.number
    uid = head(number).remediation[0].uid
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    mine, theirs = opened_by_two(first, number)
    sent(second, number, {**theirs, f"remediation[{uid}].removed": ["on"]})
    response = sent(first, number, {**mine, f"remediation[{uid}].text.en": ["Changed"]})
    assert response.status_code == 409
    settled = boxes(response)
    assert f"remediation[{uid}].removed" not in settled
    assert sent(first, number, settled).status_code == 302
    assert head(number).remediation[0].text.en == "Changed"


def test_item_that_i_removed_and_they_changed_is_shown_with_its_mark() -> None:
    number = make_draft().manuscript.number
    uid = head(number).remediation[0].uid
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    mine, theirs = opened_by_two(first, number)
    sent(second, number, {**theirs, f"remediation[{uid}].text.en": ["Changed"]})
    settled = boxes(sent(first, number, {**mine, f"remediation[{uid}].removed": ["on"]}))
    assert settled[f"remediation[{uid}].removed"] == ["on"]
    assert sent(first, number, settled).status_code == 302
    assert uid not in [item.uid for item in head(number).remediation]


def test_two_orders_are_a_choice() -> None:
    number = make_draft().manuscript.number
    a, b, c, *rest = [item.uid for item in head(number).remediation]
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    mine, theirs = opened_by_two(first, number)
    sent(second, number, {**theirs, "remediation": [b, a, c, *rest]})
    response = sent(first, number, {**mine, "remediation": [c, b, a, *rest]})
    assert response.status_code == 409
    settled = boxes(response)
    assert settled["order:remediation"] == [" ".join([c, b, a, *rest])]
    sent(first, number, {**settled, "order:remediation": [" ".join([b, a, c, *rest])]})
    assert [item.uid for item in head(number).remediation][:3] == [b, a, c]


@pytest.mark.usefixtures("words")
def test_words_of_a_list_can_conflict_too() -> None:
    number = make_draft(domain=["dns"], example=False).manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    mine, theirs = opened_by_two(first, number)
    sent(second, number, {**theirs, "domain": ["", "dns", "cdn"], "date": ["2026-10"]})
    response = sent(first, number, {**mine, "domain": ["", "storage"], "date": ["2026"]})
    assert response.status_code == 409
    settled = boxes(response)
    assert (settled["domain"], settled["date"]) == (["", "storage"], ["2026"])
    assert sent(first, number, settled).status_code == 302
    assert head(number).domain == ["storage"]


@pytest.mark.usefixtures("words")
def test_change_that_only_fits_alone_says_why() -> None:
    number = make_draft().manuscript.number
    uid = head(number).remediation[0].uid
    source = head(number).sources[0].uid
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    mine, theirs = opened_by_two(first, number)
    sent(second, number, {**theirs, f"remediation[{uid}].removed": ["on"]})
    claim = {
        "claims": ["c-newnew"],
        "claims[c-newnew].path": [f"remediation[{uid}].text"],
        "claims[c-newnew].source": [source],
        "claims[c-newnew].quote": ["Words"],
        "claims[c-newnew].basis": ["stated"],
        "claims[c-newnew].chosen": ["", "on"],
    }
    response = sent(first, number, {**mine, **claim})
    assert response.status_code == 409
    assert "which this case does not have" in text_of(response)
    assert "Words" in response.content.decode()


@pytest.mark.usefixtures("words")
def test_claims_that_only_disagree_together_are_a_conflict() -> None:
    source = make_document().sources[0].uid
    one = {"path": "severity", "source": source, "quote": "Words"}
    note = {"en": "Why", "ko": None}
    claims = [
        {**one, "uid": "c-1", "value": "a", "note": note},
        {**one, "uid": "c-2", "value": "b", "chosen": False, "note": note},
        {**one, "uid": "c-3", "value": "c", "chosen": False, "note": note},
    ]
    number = make_draft(claims=claims).manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    mine, theirs = opened_by_two(first, number)
    chosen, dropped = ["", "on"], [""]
    sent(second, number, {**theirs, "claims[c-1].chosen": dropped, "claims[c-2].chosen": chosen})
    response = sent(first, number, {**mine, "claims[c-1].chosen": dropped, "claims[c-3].chosen": chosen})
    assert response.status_code == 409
    assert "exactly one value must be chosen" in text_of(response)
    settled = boxes(response)
    assert sent(first, number, {**settled, "claims[c-2].chosen": dropped}).status_code == 302
    assert [claim.chosen for claim in head(number).claims] == [False, False, True]


def test_same_tab_saves_twice_within_seconds() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    assert sent(client, number, pairs, summary__en="First").status_code == 302
    assert sent(client, number, pairs, summary__en="First and more").status_code == 302
    assert head(number).summary.en == "First and more"
    assert Revision.objects.count() == 3


def test_form_without_a_base_is_refused_and_kept() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    del pairs["base_revision"]
    response = sent(client, number, pairs, title__en="Mine")
    assert response.status_code == 428
    assert "everything you typed is kept" in text_of(response)
    assert WorkingCopy.objects.get().changed_fields == ["title.en"]


def test_base_that_does_not_exist_is_refused_and_kept(subtests: pytest.Subtests) -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    for base in ("99", "x", "-1", "9" * 9, "9" * 12, "9" * 30, "１"):
        with subtests.test(base=base), undone():
            response = sent(client, number, pairs, base_revision=base, title__en="Mine")
            assert response.status_code in {409, 428}
            assert head(number).title.en != "Mine"
            assert WorkingCopy.objects.exists()


# Working copies


def test_autosave_keeps_text_and_makes_no_history() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    answer = kept(client, pairs, number, sequence="5", title__ko="아직")
    assert answer["kept"] is True
    copy = WorkingCopy.objects.get()
    assert (copy.number, copy.base_number, copy.changed_fields, copy.sequence) == (number, 1, ["title.ko"], 5)
    assert (Revision.objects.count(), Event.objects.count()) == (1, 1)
    assert "csrfmiddlewaretoken" not in copy.fields


def test_late_autosave_does_not_overwrite_a_newer_one() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    kept(client, pairs, number, sequence="7", title__ko="새것")
    assert kept(client, pairs, number, sequence="6", title__ko="옛것")["kept"] is False
    assert "새것" in WorkingCopy.objects.get().fields


def test_late_autosave_does_not_bring_back_what_was_saved() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    sent(client, number, pairs, sequence="9", title__ko="저장됨")
    assert kept(client, pairs, number, sequence="8", title__ko="저장됨")["kept"] is False
    assert not WorkingCopy.objects.exists()


def test_autosave_of_what_is_there_already_forgets_the_copy() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    kept(client, pairs, number, sequence="1", title__ko="잠깐")
    kept(client, pairs, number, sequence="2")
    assert not WorkingCopy.objects.exists()


def test_autosave_shows_durations_as_they_will_be() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    event = next(event for event in head(number).timeline.events if event.kind == "detected")
    pairs[f"timeline.events[{event.uid}].at"] = ["2026-10-19 16:54"]
    first = kept(client, pairs, number, sequence="1")["durations"][0]
    assert (first["name"], first["words"]) == ("Time to detect", "20m")
    assert kept(client, {**pairs, "org": [""]}, number, sequence="2")["durations"] == []


def test_autosave_without_a_name_of_the_tab_is_not_kept() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    assert kept(client, opened(client, number), number, tab="'; drop", title__ko="x")["kept"] is False


def test_unsaved_work_is_offered_and_taken_up_again() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    copy = kept(client, pairs, number, sequence="1", title__ko="이어서")["copy"]
    page = text_of(client.get(f"/desk/cases/{case_id(number)}/edit/"))
    assert "You have unsaved work of" in page
    again = opened(client, number, f"?restore={copy}")
    assert again["title.ko"] == ["이어서"]
    assert again["restored"] == [str(copy)]
    assert again["tab"] != pairs["tab"]
    assert sent(client, number, again).status_code == 302
    assert head(number).title.ko == "이어서"
    assert not WorkingCopy.objects.exists()


def test_taking_up_goes_through_the_merge() -> None:
    number = make_draft().manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    copy = kept(first, opened(first, number), number, sequence="1", title__ko="이어서")["copy"]
    sent(second, number, opened(second, number), title__en="Hers")
    assert "The draft is at r2 now" in text_of(first.get(f"/desk/cases/{case_id(number)}/edit/"))
    response = first.get(f"/desk/cases/{case_id(number)}/edit/?restore={copy}")
    assert "is merged into your text" in text_of(response)
    again = boxes(response)
    assert (again["base_revision"], again["title.en"], again["title.ko"]) == (["2"], ["Hers"], ["이어서"])
    sent(first, number, again)
    assert (head(number).title.en, head(number).title.ko) == ("Hers", "이어서")


def test_taking_up_what_conflicts_shows_both() -> None:
    number = make_draft().manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    copy = kept(first, opened(first, number), number, sequence="1", title__en="Mine")["copy"]
    sent(second, number, opened(second, number), title__en="Hers")
    response = first.get(f"/desk/cases/{case_id(number)}/edit/?restore={copy}")
    assert response.status_code == 200
    settled = boxes(response)
    assert settled["title.en"] == ["Mine"]
    assert sent(first, number, settled).status_code == 302
    assert not WorkingCopy.objects.exists()


def test_half_typed_work_is_taken_up_as_it_was() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    copy = kept(client, opened(client, number), number, sequence="1", date="2026-13-", org="")["copy"]
    again = opened(client, number, f"?restore={copy}")
    assert (again["date"], again["org"]) == (["2026-13-"], [""])


def test_copy_that_was_taken_up_is_replaced_by_the_new_tabs() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    copy = kept(client, opened(client, number), number, sequence="1", title__ko="이어서")["copy"]
    again = opened(client, number, f"?restore={copy}")
    kept(client, again, number, sequence="2", title__ko="이어서 더")
    assert [one.pk for one in WorkingCopy.objects.all()] != [copy]
    assert WorkingCopy.objects.count() == 1


@pytest.mark.usefixtures("words")
def test_unsaved_new_case_is_offered_and_taken_up_again() -> None:
    client = signed_in(make_writer("minji"))
    pairs = boxes(client.get("/desk/new/"))
    copy = kept(client, pairs, sequence="1", title__ko="새 사례")["copy"]
    assert "You have unsaved work of" in text_of(client.get("/desk/new/"))
    again = boxes(client.get(f"/desk/new/?restore={copy}"))
    assert again["title.ko"] == ["새 사례"]


def test_unsaved_work_can_be_thrown_away_by_its_owner_only() -> None:
    number = make_draft().manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    copy = kept(first, opened(first, number), number, sequence="1", title__ko="x")["copy"]
    assert second.post(f"/desk/working-copies/{copy}/discard/").status_code == 404
    assert second.get(f"/desk/cases/{case_id(number)}/edit/?restore={copy}").status_code == 404
    assert first.post(f"/desk/working-copies/{copy}/discard/").status_code == 302
    assert not WorkingCopy.objects.exists()


@pytest.mark.usefixtures("words")
def test_new_work_can_be_thrown_away() -> None:
    client = signed_in(make_writer("minji"))
    copy = kept(client, boxes(client.get("/desk/new/")), sequence="1", title__ko="x")["copy"]
    assert client.post(f"/desk/working-copies/{copy}/discard/")["Location"].startswith("/desk/new/?saved=")


def test_unsaved_work_that_is_not_there_is_not_found() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    for wanted in ("x", "9" * 30, "99"):
        assert client.get(f"/desk/cases/{case_id(number)}/edit/?restore={wanted}").status_code == 404, wanted


def test_others_learn_who_works_on_what_but_not_the_text() -> None:
    number = make_draft().manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    person = workflow.person_of(User.objects.get(username="minji"))
    kept(first, opened(first, number), number, sequence="1", title__ko="비밀", lessons__en="Secret")
    page = text_of(second.get(f"/desk/cases/{case_id(number)}/edit/"))
    assert f"{person.name} has unsaved work here since" in page
    assert "Korean title; English lessons" in page or "English lessons; Korean title" in page
    assert "비밀" not in page
    old = timezone.now() - dt.timedelta(hours=13)
    WorkingCopy.objects.update(updated_at=old)
    assert "has unsaved work" not in text_of(second.get(f"/desk/cases/{case_id(number)}/edit/"))


def test_many_fields_of_others_are_counted() -> None:
    number = make_draft().manuscript.number
    first, second = signed_in(make_writer("minji")), signed_in(make_writer("sora"))
    names = ("title", "summary", "trigger", "detection", "lessons", "symptoms_text")
    typed = {f"{name}__{language}": "x" for name in names for language in ("en", "ko")}
    kept(first, opened(first, number), number, sequence="1", **typed)
    assert "and 6 more" in text_of(second.get(f"/desk/cases/{case_id(number)}/edit/"))


# What may be here already


@pytest.mark.usefixtures("words")
def test_duplicate_is_asked_about_before_a_case_is_created() -> None:
    case = make_case(id="IL-0700")
    document = make_document()
    client = signed_in(make_writer("minji"))
    typed = {
        "org": [document.org],
        "date": [document.date.isoformat()],
        "title.en": ["Again"],
        "summary.en": ["The same once more."],
    }
    response = client.post("/desk/new/", {**boxes(client.get("/desk/new/")), **typed})
    assert response.status_code == 200
    assert "Nothing was created yet" in text_of(response)
    assert case.id_text in text_of(response)
    again = boxes(response)
    assert again["title.en"] == ["Again"]
    assert client.post("/desk/new/", again).status_code == 302
    assert Manuscript.objects.count() == 1


def test_address_of_a_source_is_known_in_every_spelling() -> None:
    make_case(id="IL-0700")
    url = make_document().sources[0].url.replace("https://", "http://").rstrip("/") + "#top"
    client = signed_in(make_writer("minji"))
    page = text_of(client.get("/desk/warnings/", {"url": [url]}))
    assert "IL-0700" in page
    assert "cites the same source" in page
    assert "IL-0700" not in text_of(client.get("/desk/warnings/", {"url": [url], "number": "700"}))


def test_drafts_are_known_too() -> None:
    number = make_draft().manuscript.number
    document = head(number)
    client = signed_in(make_writer("minji"))
    by_date = client.get("/desk/warnings/", {"org": document.org, "date": document.date.isoformat()})
    assert case_id(number) in text_of(by_date)
    by_address = client.get("/desk/warnings/", {"url": document.sources[0].url})
    assert case_id(number) in text_of(by_address)


def test_half_typed_date_warns_of_nothing() -> None:
    client = signed_in(make_writer("minji"))
    for date in ("", "2026-02-31", "soon", "2026-13", "\x00"):
        answer = client.get("/desk/warnings/", {"org": "PubNub", "date": date, "url": "ftp"})
        assert answer.status_code == 200, date


def test_spelling_of_an_organisation_is_explained() -> None:
    org = Org.objects.create(slug="acme", name="Acme Cloud", folded="acmecloud")
    OrgAlias.objects.create(org=org, alias="ACME", folded="acme")
    client = signed_in(make_writer("minji"))

    def said(name: str) -> str:
        return text_of(client.get("/desk/warnings/", {"org": name}))

    assert "is written “Acme Cloud” here" in said("ACME")
    assert "Do you mean: Acme Cloud" in said("Acme Cloude")
    assert "is new" in said("Zyxwv")
    assert said("Acme Cloud") == ""


@pytest.mark.usefixtures("words")
def test_vocabulary_is_given_in_both_languages() -> None:
    Term.objects.create(list="component", slug="only-imported", known=False)
    client = signed_in(make_writer("minji"))
    answer = client.get("/desk/vocabulary/").json()
    assert "only-imported" not in [word["slug"] for word in answer["lists"]["component"]]
    word = next(word for word in answer["lists"]["component"] if word["slug"] == "service-discovery")
    assert word["en"]
    assert word["ko"]
    assert "PubNub" in answer["orgs"]


# Who may do what


def test_translator_writes_in_one_language_only() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_user("translator", translates="ko"))
    pairs = opened(client, number)
    assert "domain" not in pairs
    assert "do" not in pairs
    assert sent(client, number, pairs, title__ko="번역").status_code == 302
    assert head(number).title.ko == "번역"
    response = sent(client, number, opened(client, number), title__en="Not mine")
    assert response.status_code == 403
    assert "You do not write in English here" in text_of(response)
    assert WorkingCopy.objects.get().changed_fields == ["title.en"]
    assert head(number).title.en != "Not mine"


def test_translator_adds_no_item() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_user("translator", translates="ko"))
    pairs = opened(client, number)
    before = len(pairs["remediation"])
    response = sent(client, number, pairs, do="add:remediation")
    assert response.status_code == 302
    assert len(head(number).remediation) == before


def test_translator_creates_no_case() -> None:
    client = signed_in(make_user("translator", translates="ko"))
    assert client.get("/desk/new/").status_code == 403
    typed = {"org": "X", "date": "2026-08-01", "title.ko": "제목", "summary.ko": "요약", "tab": "abcdefgh"}
    response = client.post("/desk/new/", typed)
    assert response.status_code == 403
    assert "Only writers and publishers create cases" in text_of(response)
    assert not Manuscript.objects.exists()


def test_archived_draft_can_be_read_and_not_saved() -> None:
    number = make_draft().manuscript.number
    writer = make_writer("minji")
    client = signed_in(writer)
    pairs = opened(client, number)
    workflow.archive(writer, number, "Not an incident")
    assert sent(client, number, pairs, title__en="Mine").status_code == 403
    assert "You may read this case, not change it" in text_of(client.get(f"/desk/cases/{case_id(number)}/edit/"))


def test_administrator_may_do_everything_but_nothing_is_set_by_extra_fields() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_administrator())
    pairs = opened(client, number)
    extra = {"reviewed_by": "me", "written_by": "me", "id": "IL-0001", "is_staff": "1", "review.reviewed_by": "me"}
    response = sent(client, number, {**pairs, **{name: [value] for name, value in extra.items()}})
    assert response.status_code == 302
    assert Revision.objects.count() == 1


PAGES = ["/desk/new/", "/desk/cases/{id}/edit/", "/desk/token/", "/desk/vocabulary/", "/desk/warnings/"]
POSTS = ["/desk/cases/{id}/save/", "/desk/autosave/", "/desk/working-copies/1/discard/"]


def addresses(pages: list[str]) -> list[str]:
    number = make_draft().manuscript.number
    return [page.format(id=case_id(number)) for page in pages]


def test_pages_are_for_people_with_a_role() -> None:
    stranger = signed_in(User.objects.create_user("stranger"))
    for address in addresses(PAGES):
        assert Client().get(address).status_code == 302, address
        assert stranger.get(address).status_code == 403, address


def test_acts_are_for_people_with_a_role() -> None:
    stranger = signed_in(User.objects.create_user("stranger"))
    for address in addresses(POSTS):
        assert Client().post(address).status_code == 302, address
        assert stranger.post(address).status_code == 403, address


def test_acts_are_posts() -> None:
    client = signed_in(make_writer("minji"))
    for address in addresses(POSTS):
        assert client.get(address).status_code == 405, address


def test_readings_are_no_posts() -> None:
    client = signed_in(make_writer("minji"))
    for address in addresses(PAGES[1:]):
        assert client.post(address).status_code == 405, address


def test_unknown_case_is_not_found() -> None:
    client = signed_in(make_writer("minji"))
    for id_text in ("IL-7777", "IL-777", "x", "IL-0000"):
        assert client.get(f"/desk/cases/{id_text}/edit/").status_code == 404, id_text
        assert client.post(f"/desk/cases/{id_text}/save/").status_code == 404, id_text
        assert client.post("/desk/autosave/", {"case": id_text}).status_code == 404, id_text


def test_ended_session_is_said_to_the_script() -> None:
    number = make_draft().manuscript.number
    headers = {"Accept": "application/json"}
    for address in (f"/desk/cases/{case_id(number)}/save/", "/desk/autosave/"):
        response = Client().post(address, headers=headers)
        assert (response.status_code, response["Content-Type"]) == (401, "application/json")
    assert Client().get("/desk/token/", headers=headers).status_code == 401


def test_token_says_who_is_signed_in() -> None:
    user = make_writer("minji")
    answer = signed_in(user).get("/desk/token/").json()
    assert answer["user"] == user.pk
    assert answer["token"]


# Too much


def test_post_with_thousands_of_strange_fields_is_saved_without_them() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    strange = {f"strange-{n}": ["x"] for n in range(5_000)}
    assert sent(client, number, {**opened(client, number), **strange}, title__en="Mine").status_code == 302
    assert head(number).title.en == "Mine"


def test_paste_of_a_megabyte_is_refused_at_its_field() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    response = sent(client, number, opened(client, number), summary__en="x" * 1_000_000)
    assert response.status_code == 422
    assert "longer than 50000 characters" in text_of(response)


def test_post_beyond_all_limits_is_a_bad_request() -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    pairs = opened(client, number)
    for name, values in (("strange", ["x"] * 10_001), ("summary.en", ["x" * 9_000_000])):
        assert sent(client, number, {**pairs, name: values}).status_code == 400, name
        assert Revision.objects.count() == 1, name


# Small things


@pytest.mark.usefixtures("words")
def test_number_of_queries_does_not_grow_with_the_case(django_assert_max_num_queries: Any) -> None:
    number = make_draft().manuscript.number
    client = signed_in(make_writer("minji"))
    opened(client, number)
    with django_assert_max_num_queries(25):
        opened(client, number)


def test_sequence_counts_up_without_a_script() -> None:
    request = RequestFactory().post("/desk/new/", {"tab": "abcdefgh"})
    request.session = {}  # type: ignore[assignment]  # a dict will do
    post = Post.read(request, User(pk=1), None)
    assert post.sequence > 1_700_000_000_000


@pytest.mark.usefixtures("words")
def test_copy_holds_the_post_as_pairs() -> None:
    client = signed_in(make_writer("minji"))
    kept(client, boxes(client.get("/desk/new/")), sequence="1", title__ko="새 사례")
    pairs = json.loads(WorkingCopy.objects.get().fields)
    assert ["title.ko", "새 사례"] in pairs
    assert changed is not None
