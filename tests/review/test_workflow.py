"""The acts of the desk: what each does, who may, and what it refuses without losing anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import override_settings

from cases.document import case_id
from cases.models import Case, Change, Edition, LanguageVersion, Person, StoredCase, guards
from review import workflow
from review.guards import GUARDS
from review.log import broken_links
from review.models import Event, Manuscript, Revision, RevisionAuthor
from tests.cases.making import make_case

from .making import changed, draft_document, make_administrator, make_draft, make_publisher, make_user, make_writer

pytestmark = pytest.mark.django_db


def authors(revision: Revision) -> set[tuple[str, str]]:
    return set(RevisionAuthor.objects.filter(revision=revision).values_list("scope", "person__name"))


# Creating and saving


def test_new_case_gets_the_next_number_and_its_author() -> None:
    make_case(id="IL-0700")
    saved = make_draft()
    assert saved.manuscript.number == 701
    assert saved.revision.document().id == "IL-0701"
    assert authors(saved.revision) == {("en", "writer"), ("ko", "writer"), ("facts", "writer")}
    assert not Case.objects.filter(number=701).exists()
    assert Event.objects.get().verb == Event.Verb.CREATED


def test_new_case_cannot_be_related_to_the_number_it_gets() -> None:
    with pytest.raises(workflow.Refused, match="related to itself"):
        make_draft(related=["IL-0001"])
    assert not Manuscript.objects.exists()
    assert make_draft(make_writer("w2")).manuscript.number == 1


def test_save_makes_a_revision_credited_by_scope() -> None:
    saved = make_draft()
    korean = make_user("translator", translates="ko")
    document = changed(saved.revision.document(), lessons={"en": None, "ko": "배운 점을 적었다."})
    second = workflow.save(korean, saved.manuscript.number, document, 1, "교훈 추가")
    assert (second.revision.number, second.is_new, second.revision.note) == (2, True, "교훈 추가")
    assert authors(second.revision) == {("ko", "translator")}


def test_saving_what_is_there_makes_no_revision() -> None:
    saved = make_draft()
    again = workflow.save(make_writer("other"), saved.manuscript.number, saved.revision.document(), 1)
    assert not again.is_new
    assert Revision.objects.count() == 1
    assert Event.objects.count() == 1


def test_disjoint_edits_from_one_base_merge() -> None:
    saved = make_draft()
    number, base = saved.manuscript.number, saved.revision.document()
    workflow.save(make_writer("first"), number, changed(base, severity="major"), 1)
    merged = workflow.save(make_writer("second"), number, changed(base, domain=["dns"]), 1)
    document = merged.revision.document()
    assert (document.severity, document.domain) == ("major", ["dns"])
    assert merged.merged_fields == ["severity"]
    assert authors(merged.revision) == {("facts", "second")}


def test_overlapping_edit_conflicts_and_changes_nothing() -> None:
    saved = make_draft()
    number, base = saved.manuscript.number, saved.revision.document()
    workflow.save(make_writer("first"), number, changed(base, severity="major"), 1)
    with pytest.raises(workflow.Conflict) as conflict:
        workflow.save(make_writer("second"), number, changed(base, severity="minor"), 1)
    assert conflict.value.merge is not None
    assert [(one.path, one.theirs, one.mine) for one in conflict.value.merge.conflicts] == [
        ("severity", "major", "minor")
    ]
    assert Revision.objects.count() == 2


def test_the_same_person_saving_twice_from_one_page_is_no_conflict() -> None:
    saved = make_draft()
    user, number = make_writer("again"), saved.manuscript.number
    first = changed(saved.revision.document(), severity="major")
    workflow.save(user, number, first, 1)
    assert workflow.save(user, number, first, 1).is_new is False
    assert workflow.save(user, number, changed(first, domain=["dns"]), 2).revision.number == 3


def test_save_without_or_with_an_unknown_base_is_refused() -> None:
    saved = make_draft()
    document = changed(saved.revision.document(), severity="major")
    with pytest.raises(workflow.NoBase):
        workflow.save(make_writer("a"), saved.manuscript.number, document, None)
    with pytest.raises(workflow.Conflict):
        workflow.save(make_writer("b"), saved.manuscript.number, document, 99)


def test_posted_id_never_moves_a_document_to_another_case() -> None:
    saved = make_draft()
    document = changed(saved.revision.document(), id="IL-0001", severity="major", related=[])
    assert workflow.save(make_writer("a"), saved.manuscript.number, document, 1).revision.document().id == case_id(
        saved.manuscript.number
    )


@pytest.mark.parametrize(
    ("who", "change", "reason"),
    [
        ({"translates": "ko"}, {"severity": "major"}, "Only writers and publishers change facts."),
        ({"translates": "ko"}, {"title": {"en": "New", "ko": "새 제목"}}, "You do not write in English here."),
        ({"reviews": "en"}, {"title": {"en": "New", "ko": "새 제목"}}, "You do not write in Korean here."),
        ({}, {"severity": "major"}, "You have no role here yet."),
    ],
)
def test_save_needs_the_right_to_each_part(who: dict[str, str], change: dict[str, Any], reason: str) -> None:
    saved = make_draft()
    user = make_user("someone", **who)
    with pytest.raises(PermissionDenied, match=reason):
        workflow.save(user, saved.manuscript.number, changed(saved.revision.document(), **change), 1)
    assert Revision.objects.count() == 1


def test_deactivated_account_may_do_nothing() -> None:
    saved = make_draft()
    user = make_writer("gone")
    user.is_active = False
    user.save()
    with pytest.raises(PermissionDenied):
        workflow.save(user, saved.manuscript.number, changed(saved.revision.document(), severity="major"), 1)


# Published cases


def test_first_edit_of_a_published_case_takes_its_edition_in() -> None:
    case = make_case()
    found = workflow.current(case.number)
    assert found is not None
    assert (found.revision_number, found.manuscript) == (1, None)
    assert not Manuscript.objects.exists()
    saved = workflow.save(make_writer(), case.number, changed(found.document, severity="major"), 1)
    assert saved.revision.number == 2
    first = Revision.objects.get(number=1)
    assert first.edition_number == 1
    assert authors(first) == {("en", "session"), ("ko", "session"), ("facts", "session")}
    assert Case.objects.get().has_draft
    assert Edition.objects.count() == 1


def test_edition_that_was_imported_meanwhile_is_taken_in() -> None:
    case = make_case()
    saved = workflow.save(make_writer(), case.number, changed(workflow_document(case.number), severity="major"), 1)
    workflow.publish(make_publisher(), case.number, saved.revision.number, saved.revision.number)
    make_case(severity="critical")
    found = workflow.current(case.number)
    assert found is not None
    assert (found.document.severity, found.revision_number) == ("critical", 3)
    third = workflow.save(make_writer("next"), case.number, changed(found.document, domain=["dns"]), 3)
    assert third.revision.number == 4
    assert Revision.objects.get(number=3).edition_number == 3


def workflow_document(number: int) -> Any:
    found = workflow.current(number)
    assert found is not None
    return found.document


def test_publishing_copies_exactly_one_revision() -> None:
    saved = make_draft()
    number = saved.manuscript.number
    later = workflow.save(make_writer("b"), number, changed(saved.revision.document(), severity="major"), 1)
    edition = workflow.publish(make_publisher(), number, 1, later.revision.number, "First edition")
    assert edition.document() == saved.revision.document()
    assert (edition.number, edition.note) == (1, "First edition")
    manuscript = Manuscript.objects.get()
    assert (manuscript.live, manuscript.has_draft) == (saved.revision, True)
    assert Case.objects.get().has_draft
    version = LanguageVersion.objects.get(edition=edition, language="ko")
    assert (version.state, version.written_by and version.written_by.name) == ("draft", "writer")
    assert StoredCase.objects.get().article_ko
    workflow.publish(make_publisher("p2"), number, 2, 2)
    assert not Case.objects.get().has_draft


def test_publish_needs_the_newest_revision_to_be_known() -> None:
    saved = make_draft()
    number = saved.manuscript.number
    workflow.save(make_writer("b"), number, changed(saved.revision.document(), severity="major"), 1)
    with pytest.raises(workflow.Conflict):
        workflow.publish(make_publisher(), number, 1, 1)
    with pytest.raises(workflow.Refused, match="There is no revision 7"):
        workflow.publish(make_publisher("p2"), number, 7, 2)
    assert not Edition.objects.exists()


def test_the_same_revision_is_not_published_twice() -> None:
    saved = make_draft()
    workflow.publish(make_publisher(), saved.manuscript.number, 1, 1)
    with pytest.raises(workflow.Refused, match="what readers see already"):
        workflow.publish(make_publisher("p2"), saved.manuscript.number, 1, 1)
    assert Edition.objects.count() == 1


def test_policy_complete_refuses_a_half_told_language() -> None:
    raw = json.loads(draft_document().text())
    raw["summary"]["ko"] = None
    saved = make_draft(summary=raw["summary"])
    with pytest.raises(workflow.Refused, match="Korean is neither absent nor complete; it lacks: summary"):
        workflow.publish(make_publisher(), saved.manuscript.number, 1, 1)
    with override_settings(PUBLISH_POLICY="any"):
        assert workflow.publish(make_publisher("p2"), saved.manuscript.number, 1, 1).number == 1


def test_policy_approved_refuses_until_reviewed() -> None:
    saved = make_draft()
    with override_settings(PUBLISH_POLICY="approved"), pytest.raises(workflow.Refused, match="English is not approved"):
        workflow.publish(make_publisher(), saved.manuscript.number, 1, 1)


@pytest.mark.parametrize("act", ["publish", "withdraw", "merge"])
def test_only_publishers_move_a_case(act: str) -> None:
    saved = make_draft()
    number = saved.manuscript.number
    workflow.publish(make_publisher(), number, 1, 1)
    acts: dict[str, Callable[[User], object]] = {
        "publish": lambda user: workflow.publish(user, number, 1, 1),
        "withdraw": lambda user: workflow.withdraw(user, number, {"en": "Wrong", "ko": None}),
        "merge": lambda user: workflow.merge_into(user, number, 560, "same"),
    }
    for user in (make_writer("w"), make_user("r", reviews="en ko")):
        with pytest.raises(PermissionDenied):
            acts[act](user)
    assert Case.objects.get().status == "published"


# Withdrawing, merging, archiving


def test_withdrawal_and_its_undoing() -> None:
    saved = make_draft()
    number, publisher = saved.manuscript.number, make_publisher()
    workflow.publish(publisher, number, 1, 1)
    with pytest.raises(workflow.Refused, match="a reason is needed"):
        workflow.withdraw(publisher, number, {"en": None, "ko": None})
    workflow.withdraw(publisher, number, {"en": "Not an incident", "ko": None})
    case = Case.objects.get()
    assert (case.status, case.told("withdrawn_reason", "en")) == ("withdrawn", "Not an incident")
    assert not StoredCase.objects.exists()
    with pytest.raises(workflow.Conflict):
        workflow.withdraw(publisher, number, {"en": "Again", "ko": None})
    workflow.undo_withdrawal(publisher, number, "It was one after all")
    assert StoredCase.objects.get().article_en
    kinds = list(Change.objects.order_by("sequence").values_list("kind", flat=True))
    assert kinds == ["published", "withdrawn", "restored"]


def test_withdrawn_case_is_not_published_over() -> None:
    saved = make_draft()
    number, publisher = saved.manuscript.number, make_publisher()
    workflow.publish(publisher, number, 1, 1)
    workflow.withdraw(publisher, number, {"en": "Wrong", "ko": None})
    second = workflow.save(make_writer("b"), number, changed(saved.revision.document(), severity="major"), 1)
    with pytest.raises(workflow.Refused, match="withdrawn or merged"):
        workflow.publish(publisher, number, second.revision.number, second.revision.number)


def test_merge_points_to_the_other_case_and_can_be_undone() -> None:
    other = make_case(id="IL-0600")
    saved = make_draft()
    number, publisher = saved.manuscript.number, make_publisher()
    workflow.publish(publisher, number, 1, 1)
    with pytest.raises(workflow.Conflict):
        workflow.merge_into(publisher, number, number, "itself")
    workflow.merge_into(publisher, number, other.number, "the same incident")
    assert Case.objects.get(number=number).merged_into == 600
    assert json.loads(StoredCase.objects.get(number=600).json)["aliases"] == [case_id(number)]
    workflow.undo_merge(publisher, number, "two after all")
    assert json.loads(StoredCase.objects.get(number=600).json)["aliases"] == []
    assert StoredCase.objects.filter(number=number).exists()


def test_archive_and_reopen_only_what_was_never_published() -> None:
    saved = make_draft()
    number, user = saved.manuscript.number, make_writer("w")
    workflow.archive(user, number, "a duplicate")
    document = changed(saved.revision.document(), severity="major")
    with pytest.raises(PermissionDenied, match="archived"):
        workflow.save(user, number, document, 1)
    workflow.reopen(user, number, "needed after all")
    workflow.save(user, number, document, 1)
    workflow.publish(make_publisher(), number, 2, 2)
    with pytest.raises(PermissionDenied, match="withdrawn, not archived"):
        workflow.archive(user, number, "late")


# History


def test_restoring_brings_the_authors_of_the_text_along() -> None:
    saved = make_draft(make_writer("first"))
    number, first = saved.manuscript.number, saved.revision.document()
    workflow.save(make_writer("second"), number, changed(first, title={"en": "Other", "ko": "다른 제목이다"}), 1)
    restored = workflow.restore(make_writer("third"), number, 1, 2)
    assert restored.revision.document() == first
    assert {name for scope, name in authors(restored.revision) if scope == "en"} == {"first", "third"}
    with pytest.raises(workflow.Conflict):
        workflow.restore(make_administrator(), number, 1, 2)
    with pytest.raises(workflow.Refused):
        workflow.restore(make_administrator("a2"), number, 9, 3)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE review_revision SET text = '{}'",
        "DELETE FROM review_event",
        "UPDATE review_event SET note = 'nothing happened'",
        "UPDATE review_revisionauthor SET scope = 'ko'",
        "DELETE FROM review_revisionauthor",
    ],
)
def test_database_refuses_to_change_history(statement: str) -> None:
    make_draft()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_audit_finds_what_was_changed_behind_the_guards() -> None:
    saved = make_draft()
    workflow.save(make_writer("b"), saved.manuscript.number, changed(saved.revision.document(), severity="major"), 1)
    assert broken_links() == []
    call_command("audit_verify")
    guards.remove(connection, GUARDS)
    Event.objects.filter(sequence=1).update(note="nothing happened")
    assert broken_links() == ["event 1 was changed after it was written"]
    Event.objects.filter(sequence=2).delete()
    assert "2 events were counted, 1 are here" in broken_links()
    with pytest.raises(SystemExit):
        call_command("audit_verify")
    guards.install(connection, GUARDS)


def test_name_can_be_replaced_without_breaking_the_chain() -> None:
    make_draft()
    Person.objects.filter(name="writer").update(name="Erased person 1")
    assert broken_links() == []
