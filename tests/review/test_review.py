"""Submitting and deciding: each transition, who may, four eyes with its holes closed, and what readers are told."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import override_settings

from cases.document import Language
from cases.models import Change, LanguageVersion, Person, StoredCase
from review import comments, workflow
from review.log import broken_links
from review.models import Decision, Event, Manuscript
from review.states import wrong_states
from review.workflow import Seen
from tests.cases.making import make_case

from .making import changed, make_administrator, make_draft, make_publisher, make_user, make_writer

pytestmark = pytest.mark.django_db


@pytest.fixture
def number() -> int:
    return make_draft().manuscript.number


def seen(number: int) -> Seen:
    """Say what a page opened now shows."""
    found = workflow.current(number)
    assert found is not None
    shown: dict[Language, int | None] = {"en": 0, "ko": 0}
    for decision in Decision.objects.filter(manuscript__number=number).order_by("pk"):
        shown[decision.language] = decision.pk  # type: ignore[index]  # en or ko
    return Seen(found.revision_number, shown)


def state(number: int, language: Language = "ko") -> str:
    """Read the state that queues use, having made sure that it is the true one."""
    assert wrong_states() == []
    return str(getattr(Manuscript.objects.get(number=number), f"state_{language}"))


def reviewer(name: str = "reviewer", languages: str = "en ko") -> User:
    return User.objects.filter(username=name).first() or make_user(name, reviews=languages)


def submit(number: int, user: User | None = None, language: Language = "ko") -> None:
    workflow.submit(user or User.objects.get(username="writer"), number, language, seen(number))


def approve(number: int, user: User | None = None, *languages: Language, **told: Any) -> list[Decision]:
    return workflow.approve(user or reviewer(), number, languages or ["ko"], seen(number), **told)


def edit(number: int, user: User, **changes: Any) -> None:
    found = workflow.current(number)
    assert found is not None
    workflow.save(user, number, changed(found.document, **changes), found.revision_number)


def edit_text(number: int, user: User, text: str, language: Language = "ko") -> None:
    found = workflow.current(number)
    assert found is not None
    title = json.loads(found.document.text())["title"]
    edit(number, user, title={**title, language: text})


# The table


def test_the_way_of_a_language(number: int) -> None:
    submit(number)
    assert state(number) == "in-review"
    workflow.request_changes(reviewer(), number, "ko", seen(number), "제목이 어색하다")
    assert state(number) == "changes-requested"
    edit_text(number, User.objects.get(username="writer"), "고친 제목")
    assert state(number) == "draft"
    submit(number)
    approve(number, note="좋다")
    assert (state(number), state(number, "en")) == ("approved", "draft")
    edit_text(number, make_writer("second"), "Another title", "en")
    assert state(number) == "stale"
    workflow.reaffirm(reviewer(), number, ["ko"], seen(number))
    assert state(number) == "approved"
    workflow.withdraw_approval(make_publisher(), number, "ko", seen(number), "a complaint")
    assert state(number) == "draft"
    verbs = list(Event.objects.filter(language="ko").order_by("sequence").values_list("verb", flat=True))
    assert verbs == [
        "submitted",
        "requested-changes",
        "submitted",
        "approved",
        "reaffirmed",
        "withdrew-approval",
    ]
    assert broken_links() == []


def test_submission_is_taken_back_by_its_author_or_a_publisher(number: int) -> None:
    submit(number)
    with pytest.raises(PermissionDenied, match="Only who submitted it"):
        workflow.withdraw_submission(make_writer("other"), number, "ko", seen(number))
    workflow.withdraw_submission(User.objects.get(username="writer"), number, "ko", seen(number))
    assert state(number) == "draft"
    submit(number)
    workflow.withdraw_submission(make_publisher(), number, "ko", seen(number))
    assert state(number) == "draft"


def test_one_act_may_decide_both_languages(number: int) -> None:
    approve(number, None, "en", "ko")
    assert (state(number, "en"), state(number, "ko"), Decision.objects.count()) == ("approved", "approved", 2)


def test_both_or_none(number: int) -> None:
    with pytest.raises(PermissionDenied, match="You do not review English"):
        approve(number, reviewer("korean", "ko"), "ko", "en")
    edit_text(number, reviewer(), "Reviewer's title", "en")
    with pytest.raises(PermissionDenied, match="You wrote in the English text"):
        approve(number, reviewer(), "ko", "en")
    assert not Decision.objects.exists()


@pytest.mark.parametrize("act", ["request_changes", "withdraw_approval"])
def test_a_decision_against_needs_a_note(number: int, act: str) -> None:
    approve(number)
    with pytest.raises(workflow.Refused, match="a reason is needed"):
        getattr(workflow, act)(reviewer(), number, "ko", seen(number), "  ")
    assert state(number) == "approved"


def test_incomplete_language_is_not_submitted(number: int) -> None:
    edit(number, make_writer("second"), lessons={"en": "Only in English", "ko": None})
    with pytest.raises(PermissionDenied, match="missing: lessons"):
        submit(number)


def test_what_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(PermissionDenied, match="made stale"):
        workflow.reaffirm(reviewer(), number, ["ko"], seen(number))
    with pytest.raises(PermissionDenied, match="No approval"):
        workflow.withdraw_approval(reviewer(), number, "ko", seen(number), "a note")
    with pytest.raises(PermissionDenied, match="in review or approved"):
        workflow.request_changes(reviewer(), number, "ko", seen(number), "a note")
    approve(number)
    with pytest.raises(PermissionDenied, match="approved as it is"):
        approve(number)
    with pytest.raises(PermissionDenied, match="approved as it is"):
        submit(number)
    workflow.request_changes(reviewer(), number, "ko", seen(number), "wrong")
    with pytest.raises(PermissionDenied, match="still the same"):
        approve(number)


def test_nothing_is_decided_about_a_withdrawn_or_archived_case(number: int) -> None:
    other = make_draft(make_writer("second")).manuscript.number
    workflow.archive(make_writer("third"), other, "a duplicate")
    with pytest.raises(PermissionDenied, match="archived"):
        approve(other)
    workflow.publish(make_publisher(), number, 1, 1)
    workflow.withdraw(User.objects.get(username="publisher"), number, {"en": "Wrong", "ko": None})
    with pytest.raises(PermissionDenied, match="withdrawn or merged"):
        approve(number)


# What the person saw


def test_decision_needs_the_revision_and_the_last_decision_that_were_seen(number: int) -> None:
    old = seen(number)
    edit_text(number, make_writer("second"), "새 제목")
    with pytest.raises(workflow.Conflict, match=r"Revision 2 \(second\) is newer"):
        workflow.approve(reviewer(), number, ["ko"], old)
    now = seen(number)
    workflow.approve(reviewer(), number, ["ko"], now)
    with pytest.raises(workflow.Conflict, match="Meanwhile reviewer decided: approved"):
        workflow.approve(reviewer("quick"), number, ["ko"], now)
    with pytest.raises(workflow.Conflict):
        workflow.approve(reviewer("quick"), number, ["en"], Seen(2, {"en": 999}))
    for nothing in (Seen(None, {"ko": 0}), Seen(2, {})):
        with pytest.raises(workflow.NoBase):
            workflow.approve(reviewer(), number, ["ko"], nothing)
    assert Decision.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_reviewers_at_the_same_second() -> None:
    number = make_draft().manuscript.number
    users, opened, start = [reviewer("first"), reviewer("second")], seen(number), Barrier(2)

    def click(user: User) -> str:
        start.wait()
        try:
            workflow.approve(user, number, ["ko"], opened)
        except workflow.Conflict:
            return "conflict"
        finally:
            connection.close()
        return "approved"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(click, users)) == ["approved", "conflict"]
    assert (Decision.objects.count(), state(number)) == (1, "approved")


# Who may


@pytest.mark.parametrize(
    ("who", "reason"),
    [
        ({"writes": "en ko"}, "You do not review Korean"),
        ({"translates": "ko"}, "You do not review Korean"),
        ({"reviews": "en"}, "You do not review Korean"),
    ],
)
def test_only_reviewers_of_the_language_decide(number: int, who: dict[str, str], reason: str) -> None:
    with pytest.raises(PermissionDenied, match=reason):
        approve(number, make_user("somebody", **who))


def test_administrators_need_the_role_and_superusers_four_eyes(number: int) -> None:
    with pytest.raises(PermissionDenied, match="You do not review Korean"):
        approve(number, make_administrator())
    mighty = reviewer("mighty")
    mighty.is_superuser = True
    mighty.save()
    edit_text(number, mighty, "새 제목")
    with pytest.raises(PermissionDenied, match="You wrote in the Korean text"):
        approve(number, mighty)


def test_role_lost_between_page_and_click(number: int) -> None:
    user, opened = reviewer(), seen(number)
    user.language_roles.all().delete()
    with pytest.raises(PermissionDenied):
        workflow.approve(user, number, ["ko"], opened)


def test_a_program_submits_but_never_decides(number: int) -> None:
    user = make_user("robot", translates="ko", reviews="ko")
    Person.objects.create(name="Robot", kind="agent", user=user)
    submit(number, user)
    with pytest.raises(PermissionDenied, match="never decides"):
        approve(number, user)


# Four eyes


def test_all_authors_since_the_approval_count_not_only_the_last(number: int) -> None:
    first, second = reviewer("first"), reviewer("second")
    edit_text(number, first, "첫째 제목")
    edit_text(number, second, "둘째 제목")
    for user in (first, second):
        with pytest.raises(PermissionDenied, match="You wrote in the Korean text"):
            approve(number, user)
    approve(number)
    edit_text(number, reviewer("third"), "셋째 제목")
    approve(number, first)
    assert state(number) == "approved"


@pytest.mark.parametrize("act", ["withdraw_approval", "request_changes"])
def test_taking_an_approval_back_does_not_empty_the_list(number: int, act: str) -> None:
    first = reviewer("first")
    edit_text(number, first, "첫째 제목")
    approve(number)
    getattr(workflow, act)(reviewer(), number, "ko", seen(number), "no")
    edit_text(number, make_writer("second"), "둘째 제목")
    with pytest.raises(PermissionDenied, match="You wrote in the Korean text"):
        approve(number, first)


def test_restored_text_keeps_its_author(number: int) -> None:
    first = reviewer("first")
    edit_text(number, first, "첫째 제목")
    edit_text(number, make_writer("second"), "둘째 제목")
    approve(number)
    workflow.restore(make_writer("third"), number, 2, 3)
    with pytest.raises(PermissionDenied, match="You wrote in the Korean text"):
        approve(number, first)


def test_reaffirming_needs_somebody_who_did_not_change_the_counterpart(number: int) -> None:
    approve(number)
    edit_text(number, reviewer("second"), "Another title", "en")
    with pytest.raises(PermissionDenied, match="stale because of text that you changed"):
        workflow.reaffirm(reviewer("second"), number, ["ko"], seen(number))
    workflow.reaffirm(reviewer(), number, ["ko"], seen(number))


def test_who_changed_facts_is_not_the_only_one_who_approves(number: int) -> None:
    both = make_user("both", "writer", reviews="en ko")
    edit(number, both, severity="major")
    for languages in (["ko"], ["en"], ["ko", "en"]):
        with pytest.raises(PermissionDenied, match="You changed facts"):
            workflow.approve(both, number, languages, seen(number))  # type: ignore[arg-type]  # lists of languages
    approve(number, None, "en")
    approve(number, both, "ko")
    edit(number, both, severity="minor")
    with pytest.raises(PermissionDenied, match="You changed facts"):
        workflow.reaffirm(both, number, ["ko"], seen(number))


def test_work_of_a_program_counts_as_its_owners(number: int) -> None:
    owner = reviewer("owner")
    program = make_user("program", translates="ko")
    Person.objects.create(name="Program", kind="agent", user=program, owner=workflow.person_of(owner))
    edit_text(number, program, "기계가 쓴 제목")
    with pytest.raises(PermissionDenied, match="You wrote in the Korean text"):
        approve(number, owner)
    approve(number)


@pytest.mark.parametrize("name", ["Minji Kim", "minji kim", "Someone, Minji Kim"])
def test_the_same_name_in_an_import_counts(name: str) -> None:
    number = make_case().number
    LanguageVersion.objects.update(written_by=Person.objects.create(name=name))
    user = reviewer()
    user.first_name, user.last_name = "Minji", "Kim"
    user.save()
    with pytest.raises(PermissionDenied, match="You wrote in the Korean text"):
        approve(number, user)


def test_override_needs_the_permission_and_a_reason_and_is_told(number: int) -> None:
    edit_text(number, reviewer(), "내 제목")
    with pytest.raises(PermissionDenied, match="Only administrators set"):
        approve(number, override="nobody else reads Korean")
    boss = make_user("boss", "administrator", reviews="en ko")
    edit_text(number, boss, "둘째 제목")
    with pytest.raises(PermissionDenied, match="You wrote"):
        approve(number, boss)
    workflow.publish(make_publisher(), number, 3, 3)
    [decision] = approve(number, boss, override="nobody else reads Korean")
    assert (decision.override, decision.override_reason) == (True, "nobody else reads Korean")
    assert "four eyes overridden" in Event.objects.get(verb="approved").about
    version = LanguageVersion.objects.get(language="ko")
    assert (version.override, version.written_by, version.reviewed_by) == (True, decision.person, decision.person)
    assert "nobody else reads Korean" in StoredCase.objects.get().article_en


def test_override_that_is_not_needed_is_not_noted(number: int) -> None:
    boss = make_user("boss", "administrator", reviews="ko")
    [decision] = approve(number, boss, override="to be safe")
    assert not decision.override


# What readers are told


def version(number: int, language: Language = "ko") -> LanguageVersion:
    return LanguageVersion.objects.select_related("written_by", "reviewed_by").get(
        edition__case__number=number, edition__case__edition_number=1, language=language
    )


def test_approval_after_publication_shows_at_once(number: int) -> None:
    publisher = make_publisher()
    workflow.publish(publisher, number, 1, 1)
    assert version(number).state == "draft"
    approve(number)
    shown = version(number)
    assert (shown.state, str(shown.written_by), str(shown.reviewed_by)) == ("approved", "writer", "reviewer")
    stored = StoredCase.objects.get()
    assert json.loads(stored.json)["languages"]["ko"]["reviewed_by"] == "reviewer"
    assert "Reviewed by reviewer" in stored.article_en
    assert list(Change.objects.order_by("sequence").values_list("kind", flat=True)) == ["published", "reviewed"]
    approve(number, None, "en")
    assert json.loads(StoredCase.objects.get().json)["review"]["reviewed_by"] == "reviewer"
    workflow.withdraw_approval(publisher, number, "ko", seen(number), "wrong")
    assert (version(number).state, version(number).reviewed_by) == ("draft", None)


def test_draft_never_touches_what_readers_are_told(number: int) -> None:
    approve(number)
    workflow.publish(make_publisher(), number, 1, 1)
    edit_text(number, make_writer("second"), "새 제목")
    submit(number)
    workflow.request_changes(reviewer(), number, "ko", seen(number), "no")
    assert (version(number).state, Change.objects.count()) == ("approved", 1)


def test_publishing_an_older_approved_revision_under_the_strict_policy(number: int) -> None:
    publisher = make_publisher()
    approve(number, None, "en", "ko")
    edit_text(number, make_writer("second"), "새 제목")
    with override_settings(PUBLISH_POLICY="approved"):
        with pytest.raises(workflow.Refused, match="Korean is not approved"):
            workflow.publish(publisher, number, 2, 2)
        workflow.publish(publisher, number, 1, 2)
    assert {version(number, "en").state, version(number, "ko").state} == {"approved"}


def test_live_edition_that_is_staler_than_its_approval_names_the_fields(number: int) -> None:
    approve(number)
    edit(number, make_writer("second"), severity="major")
    workflow.publish(make_publisher(), number, 2, 2)
    assert (version(number).state, version(number).stale_fields) == ("stale", ["severity"])
    workflow.reaffirm(reviewer(), number, ["ko"], seen(number))
    assert (version(number).state, version(number).stale_fields) == ("approved", [])


def test_reviewer_who_once_wrote_is_not_shown_as_own_reviewer(number: int) -> None:
    first = reviewer("first")
    edit_text(number, first, "첫째 제목")
    approve(number)
    edit(number, make_writer("second"), severity="major")
    workflow.reaffirm(first, number, ["ko"], seen(number))
    workflow.publish(make_publisher(), number, 3, 3)
    shown = version(number)
    assert (shown.state, str(shown.written_by), str(shown.reviewed_by)) == ("approved", "first", "reviewer")


def test_import_keeps_what_it_said_of_a_language_nobody_decided_on() -> None:
    number = make_case(reviewed_by="Elsewhere").number
    approve(number, None, "ko")
    assert str(version(number, "ko").reviewed_by) == "reviewer"
    assert (version(number, "en").state, str(version(number, "en").reviewed_by)) == ("approved", "Elsewhere")


def test_an_open_blocking_comment_holds_an_approval_up(number: int) -> None:
    submit(number)
    place = comments.Place("title.ko", "ko", blocking=True)
    thread = comments.open_thread(reviewer("asker"), number, place, "이 제목이 맞습니까?")
    with pytest.raises(PermissionDenied, match="open comment must be settled"):
        approve(number)
    comments.resolve(reviewer("asker"), thread)
    approve(number)
    assert state(number) == "approved"
