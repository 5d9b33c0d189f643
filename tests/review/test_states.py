"""The state of a language is found by comparing what a reviewer has read with what is there now."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from cases.document import CaseDocument, Language
from cases.models import Person
from review import workflow
from review.models import Decision, Manuscript, Revision, RevisionAuthor, Submission
from review.states import LanguageState, keep_states, shown_hash, states_at, states_of

from .making import changed, make_draft, make_user, make_writer

pytestmark = pytest.mark.django_db


def head(manuscript: Manuscript) -> Revision:
    manuscript.refresh_from_db()
    assert manuscript.head is not None
    return manuscript.head


def state(manuscript: Manuscript, language: Language) -> LanguageState:
    return states_of(manuscript, head(manuscript).document())[language]


def reviewer() -> Person:
    return Person.objects.get_or_create(name="Reviewer")[0]


def decide(manuscript: Manuscript, language: Language, verdict: str = "approve", **told: Any) -> Decision:
    """Write a decision of somebody who wrote nothing, as the workflow does."""
    revision = head(manuscript)
    told.setdefault("note", "" if verdict in {"approve", "reaffirm"} else "see there")
    decision = Decision.objects.create(
        manuscript=manuscript,
        language=language,
        revision=revision,
        verdict=verdict,
        person=told.pop("person", None) or reviewer(),
        shown=shown_hash(revision.document(), language),
        at=timezone.now(),
        **told,
    )
    keep_states(manuscript)
    return decision


def submit(manuscript: Manuscript, language: Language, kind: str = "submit") -> None:
    last = Decision.objects.filter(manuscript=manuscript, language=language).last()
    Submission.objects.create(
        manuscript=manuscript,
        language=language,
        revision=head(manuscript),
        kind=kind,
        after=last,
        person=reviewer(),
        at=timezone.now(),
    )


def edit(manuscript: Manuscript, **changes: Any) -> None:
    revision = head(manuscript)
    user = make_writer(f"w{revision.number}")
    workflow.save(user, manuscript.number, changed(revision.document(), **changes), revision.number)


def with_text(document: CaseDocument, key: str, language: Language, text: str | None) -> dict[str, Any]:
    raw = json.loads(document.text())
    return {key: {**raw[key], language: text}}


def test_a_language_without_a_summary_is_missing() -> None:
    saved = make_draft()
    edit(saved.manuscript, **with_text(saved.revision.document(), "summary", "ko", None))
    assert state(saved.manuscript, "ko").state == "missing"
    assert (state(saved.manuscript, "en").state, saved.manuscript.state_ko) == ("draft", "missing")


def test_partly_empty_draft_lists_what_is_missing() -> None:
    saved = make_draft()
    edit(saved.manuscript, lessons={"en": "Only in English.", "ko": None})
    found = state(saved.manuscript, "ko")
    assert (found.state, found.missing_fields) == ("draft", ["lessons"])


def test_submission_counts_until_text_or_decision() -> None:
    saved = make_draft()
    submit(saved.manuscript, "ko")
    assert state(saved.manuscript, "ko").state == "in-review"
    edit(saved.manuscript, **with_text(saved.revision.document(), "title", "en", "A comma, more"))
    assert state(saved.manuscript, "ko").state == "in-review", "an edit in English leaves Korean in the queue"
    decide(saved.manuscript, "ko", "request-changes")
    assert state(saved.manuscript, "ko").state == "changes-requested"
    submit(saved.manuscript, "ko")
    assert state(saved.manuscript, "ko").state == "in-review"
    submit(saved.manuscript, "ko", "withdraw")
    assert state(saved.manuscript, "ko").state == "changes-requested"
    submit(saved.manuscript, "ko")
    edit(saved.manuscript, **with_text(head(saved.manuscript).document(), "title", "ko", "새 제목"))
    assert state(saved.manuscript, "ko").state == "draft"


@pytest.mark.parametrize(("approved", "edited"), [("ko", "en"), ("en", "ko")])
def test_counterpart_makes_stale_and_undoing_restores(approved: Language, edited: Language) -> None:
    saved = make_draft()
    decide(saved.manuscript, approved)
    assert state(saved.manuscript, approved).state == "approved"
    edit(saved.manuscript, **with_text(saved.revision.document(), "summary", edited, "Another 요약."))
    found = state(saved.manuscript, approved)
    assert (found.state, found.stale_fields) == ("stale", [f"summary.{edited}"])
    assert state(saved.manuscript, edited).state == "draft"
    edit(saved.manuscript, summary=json.loads(saved.revision.document().text())["summary"])
    assert state(saved.manuscript, approved).state == "approved"


def test_facts_make_both_stale_but_notes_of_programs_do_not() -> None:
    saved = make_draft()
    decide(saved.manuscript, "ko")
    decide(saved.manuscript, "en")
    sources = json.loads(saved.revision.document().text())["sources"]
    edit(saved.manuscript, sources=[{**sources[0], "archived": "https://web.archive.org/web/1/x"}, *sources[1:]])
    assert head(saved.manuscript).number == 2
    assert {state(saved.manuscript, one).state for one in ("en", "ko")} == {"approved"}
    edit(saved.manuscript, severity="major")
    assert state(saved.manuscript, "en").stale_fields == state(saved.manuscript, "ko").stale_fields == ["severity"]
    decide(saved.manuscript, "ko", "reaffirm")
    assert (state(saved.manuscript, "ko").state, state(saved.manuscript, "en").state) == ("approved", "stale")


def test_own_edit_is_a_draft_and_withdrawal_too() -> None:
    saved = make_draft()
    decide(saved.manuscript, "ko")
    edit(saved.manuscript, **with_text(saved.revision.document(), "title", "ko", "고친 제목"))
    assert state(saved.manuscript, "ko").state == "draft"
    decide(saved.manuscript, "ko", person=Person.objects.create(name="Another"))
    decide(saved.manuscript, "ko", "withdraw-approval")
    assert (state(saved.manuscript, "ko").state, state(saved.manuscript, "ko").approval) == ("draft", None)


def test_older_revision_keeps_its_approval_whatever_happens_to_newer_text() -> None:
    saved = make_draft()
    decide(saved.manuscript, "ko")
    edit(saved.manuscript, **with_text(saved.revision.document(), "title", "ko", "고친 제목"))
    decide(saved.manuscript, "ko", "request-changes")
    assert states_at(saved.revision)["ko"].state == "approved"
    edit(saved.manuscript, title=json.loads(saved.revision.document().text())["title"])
    decide(saved.manuscript, "ko", "request-changes")
    assert states_at(saved.revision)["ko"].state == "changes-requested"


def test_cache_follows_and_the_command_finds_what_does_not() -> None:
    saved = make_draft()
    assert (saved.manuscript.state_en, saved.manuscript.state_en_at is None) == ("draft", False)
    decide(saved.manuscript, "ko")
    edit(saved.manuscript, severity="major")
    saved.manuscript.refresh_from_db()
    assert saved.manuscript.state_ko == "stale"
    call_command("check_states")
    Manuscript.objects.update(state_ko="approved")
    with pytest.raises(SystemExit):
        call_command("check_states")


# What the database refuses


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE review_decision SET note = 'x'",
        "DELETE FROM review_decision",
        "UPDATE review_submission SET note = 'x'",
        "DELETE FROM review_submission",
    ],
)
def test_decisions_are_permanent(statement: str) -> None:
    saved = make_draft()
    decide(saved.manuscript, "ko")
    submit(saved.manuscript, "en")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def refused_by_the_database(manuscript: Manuscript, person: Person, verdict: str = "approve") -> bool:
    """Write a decision on Korean by raw SQL; tell whether the trigger refused it, undoing it if not."""
    columns = "manuscript_id, language, revision_id, verdict, person_id, note, shown, override, override_reason, at"
    values = (manuscript.pk, "ko", head(manuscript).pk, verdict, person.pk, "n", "x", False, "", timezone.now())
    statement = f"INSERT INTO review_decision ({columns}) VALUES ({', '.join(['%s'] * len(values))})"  # noqa: S608
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, values)
            transaction.set_rollback(True)
    except DatabaseError as error:
        assert "four eyes" in str(error)  # noqa: PT017
        return True
    return False


def test_database_refuses_to_approve_own_text() -> None:
    saved = make_draft(make_user("first", "writer", writes="en ko"))
    first = Person.objects.get(name="first")
    assert refused_by_the_database(saved.manuscript, first)
    assert not refused_by_the_database(saved.manuscript, reviewer())
    decide(saved.manuscript, "ko")
    edit(saved.manuscript, severity="major")
    assert not refused_by_the_database(saved.manuscript, first), "others approved what was theirs"
    facts_author = Person.objects.get(name="w1")
    assert refused_by_the_database(saved.manuscript, facts_author), "nobody else's approval of English stands"
    decide(saved.manuscript, "en")
    assert not refused_by_the_database(saved.manuscript, facts_author, "reaffirm")
    decide(saved.manuscript, "ko", "withdraw-approval")
    assert refused_by_the_database(saved.manuscript, first), "a withdrawal does not empty the list of authors"


def test_database_counts_a_program_as_its_owner_and_lets_none_decide() -> None:
    saved = make_draft()
    owner = Person.objects.create(name="Owner")
    agent = Person.objects.create(name="Agent", kind="agent", owner=owner)
    assert refused_by_the_database(saved.manuscript, agent, "request-changes")
    assert not refused_by_the_database(saved.manuscript, owner)
    RevisionAuthor.objects.create(revision=saved.revision, scope="ko", person=agent)
    assert refused_by_the_database(saved.manuscript, owner)


def test_database_refuses_to_reaffirm_against_own_counterpart() -> None:
    saved = make_draft()
    decide(saved.manuscript, "ko")
    edit(saved.manuscript, **with_text(saved.revision.document(), "title", "en", "Another title"))
    editor = Person.objects.get(name="w1")
    assert refused_by_the_database(saved.manuscript, editor, "reaffirm")
    assert not refused_by_the_database(saved.manuscript, editor, "approve")
