"""Drafts by program: a case is started, revised and submitted over JSON, by every rule of the desk."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError

from cases.document.reading import RECORD_KEYS
from cases.models import Person
from review import workflow
from review.models import Decision, Event, Manuscript, Revision, RevisionAuthor, Submission
from review.workflow import Seen
from tests.cases.making import make_case, make_raw
from tests.review.making import changed, make_user, make_writer
from tests.review.programs import Program, make_program, make_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return make_writer("owner")


@pytest.fixture
def program(owner: User) -> Program:
    return Program(make_token(make_program(owner))[1])


def raw(**changes: Any) -> dict[str, Any]:
    """Return a document as a program sends it: without what the library notes itself."""
    told = make_raw(**changes)
    return {key: value for key, value in told.items() if key not in {"id", *RECORD_KEYS}}


def created(program: Program, **changes: Any) -> dict[str, Any]:
    response = program.post("cases", {"document": raw(**changes), "note": "from the status page"})
    assert response.status_code == 201, response.content
    told: dict[str, Any] = response.json()
    return told


# The README


def test_the_example_of_the_readme_is_a_case(program: Program) -> None:
    readme = Path(settings.BASE_DIR, "README.md").read_text(encoding="utf-8")
    body = re.search(r"-d '(\{\"document\".*?)' ", readme)
    assert body
    assert program.post("cases", body[1]).status_code == 201
    assert 'curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8000/api/desk/' in readme


# Creating


def test_a_case_is_started(program: Program) -> None:
    response = program.post("cases", {"document": raw(), "note": "from the status page"})
    assert response.status_code == 201
    told = response.json()
    assert response.headers["Location"] == f"/api/desk/cases/{told['id']}"
    assert (told["revision"], told["published_edition"], told["archived"]) == (1, None, False)
    assert told["languages"]["ko"] == {
        "state": "draft", "last_decision": 0, "note": None, "missing_fields": [], "stale_fields": [],
    }  # fmt: skip
    assert told["page"] == f"http://127.0.0.1:8000/desk/cases/{told['id']}/"
    revision = Revision.objects.get()
    agent = Person.objects.get(name="Drafter")
    assert (revision.author, revision.note) == (agent, "from the status page")
    assert {row.person for row in RevisionAuthor.objects.all()} == {agent}
    event = Event.objects.get(verb="created")
    assert (event.person, event.channel) == (agent, "api")


def test_what_is_wrong_is_named_by_its_path(program: Program) -> None:
    wrong = raw(remediation=[{"text": {"en": "", "ko": None}}], severity="Very Bad", colour="red")
    response = program.post("cases", {"document": wrong})
    assert response.status_code == 400
    found = {error["pointer"]: error for error in response.json()["errors"]}
    assert set(found) == {"#/document/remediation/0/text/en", "#/document/severity", "#/document/colour"}
    text = found["#/document/remediation/0/text/en"]
    assert text["path"] == "document, remediation, item 1, English text"
    assert text["detail"] == f"{text['path']}: must not be empty: leave it out or write null"
    assert not Manuscript.objects.exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [("review", {"reviewed_by": "me"}), ("status", "published"), ("edition", 3), ("languages", {}), ("id", "IL-0001")],
)
def test_what_the_library_notes_itself_is_refused(program: Program, key: str, value: Any) -> None:
    response = program.post("cases", {"document": {**raw(), key: value}})
    assert response.status_code == 400
    assert [error["pointer"] for error in response.json()["errors"]] == [f"#/document/{key}"]


def test_an_unknown_key_beside_the_document_is_refused(program: Program) -> None:
    response = program.post("cases", {"document": raw(), "state": "approved", "note": "x" * 501})
    assert response.status_code == 400
    assert {error["pointer"] for error in response.json()["errors"]} == {"#/state", "#/note"}


def test_sending_the_same_twice_makes_one_case(program: Program) -> None:
    first = program.post("cases", {"document": raw()}, **{"idempotency-key": "one"})
    again = program.post("cases", {"document": raw()}, **{"idempotency-key": "one"})
    other = program.post("cases", {"document": raw(org="Other")}, **{"idempotency-key": "one"})
    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 409)
    assert first.json()["id"] == again.json()["id"]
    assert Manuscript.objects.count() == 1
    for wrong in ("k" * 101, "a b", "열쇠", "a\x00b"):
        assert program.post("cases", {"document": raw()}, **{"idempotency-key": wrong}).status_code == 400


def test_of_two_that_send_the_same_at_once_one_waits(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program.post("cases", {"document": raw()}, **{"idempotency-key": "one"})
    monkeypatch.setattr("review.api.drafts._made_before", lambda _caller, _key: None)
    response = program.post("cases", {"document": raw()}, **{"idempotency-key": "one"})
    assert (response.status_code, "Ask again" in response.json()["detail"]) == (409, True)
    assert Manuscript.objects.count() == 1


def test_a_broken_database_rule_is_no_quarrel_about_a_key(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_told: object) -> None:
        raise IntegrityError

    monkeypatch.setattr("review.workflow.create", broken)
    assert program.post("cases", {"document": raw()}).status_code == 500


def test_a_case_that_would_speak_of_itself_is_refused(program: Program) -> None:
    response = program.post("cases", {"document": raw(related=["IL-0001"])})
    assert response.status_code == 409
    assert "related" in response.json()["detail"]
    assert not Manuscript.objects.exists()


def test_possible_duplicates_are_named(program: Program) -> None:
    make_case()
    told = created(program)
    assert [one["id"] for one in told["possible_duplicates"]] == ["IL-0561"]


def test_warnings_of_the_document_are_told(program: Program) -> None:
    told = created(program, impact={"scope": "All of it", "users": None, "region": None})
    assert told["warnings"] == ["document, impact, scope: differs from impact_text, which is kept"]


def test_a_translator_program_starts_no_case() -> None:
    owner = make_user("owner", translates="ko")
    program = Program(make_token(make_program(owner))[1])
    response = program.post("cases", {"document": raw()})
    assert response.status_code == 403
    assert response.json()["detail"] == "Only writers and publishers create cases."


# Looking


def test_a_draft_is_read_with_what_a_revision_must_name(program: Program) -> None:
    told = created(program)
    found = program.get(f"cases/{told['id']}").json()
    assert found["revision"] == 1
    assert found["document"]["title"] == raw()["title"]
    assert found["document"]["remediation"][0]["uid"]


@pytest.mark.parametrize("id_text", ["IL-0999", "nothing", "IL-0000", "999999999999"])
def test_an_unknown_number_is_not_found(program: Program, id_text: str) -> None:
    assert program.get(f"cases/{id_text}").status_code == 404
    assert program.post(f"cases/{id_text}/revisions", {"base_revision": 1, "document": raw()}).status_code == 404


# Revising


def document_of(program: Program, id_text: str) -> dict[str, Any]:
    found: dict[str, Any] = program.get(f"cases/{id_text}").json()["document"]
    return found


def test_a_revision_is_saved_once(program: Program) -> None:
    id_text = created(program)["id"]
    document = {**document_of(program, id_text), "title": {"en": "New", "ko": "새 제목"}}
    told = {"base_revision": 1, "document": document}
    first = program.post(f"cases/{id_text}/revisions", told)
    assert (first.status_code, first.json()["revision"], first.json()["saved"]) == (201, 2, True)
    again = program.post(f"cases/{id_text}/revisions", {**told, "base_revision": 2})
    assert (again.status_code, again.json()["revision"], again.json()["saved"]) == (200, 2, False)
    assert Event.objects.get(verb="saved").channel == "api"


def test_items_keep_their_uids(program: Program) -> None:
    id_text = created(program)["id"]
    before = document_of(program, id_text)["remediation"]
    response = program.post(f"cases/{id_text}/revisions", {"base_revision": 1, "document": raw(severity="minor")})
    assert response.status_code == 201
    assert document_of(program, id_text)["remediation"] == before


def test_a_revision_is_not_of_another_case(program: Program) -> None:
    id_text = created(program)["id"]
    document = {**document_of(program, id_text), "id": "IL-0999"}
    response = program.post(f"cases/{id_text}/revisions", {"base_revision": 1, "document": document})
    assert response.status_code == 400
    assert response.json()["detail"] == f"document, id: must be {id_text} or left out"


@pytest.mark.parametrize("told", [{}, {"base_revision": None}])
def test_a_revision_without_a_base_is_refused(program: Program, told: dict[str, Any]) -> None:
    id_text = created(program)["id"]
    response = program.post(f"cases/{id_text}/revisions", {**told, "document": raw()})
    assert response.status_code == 428
    assert "base_revision" in response.json()["detail"]


def test_other_fields_are_merged_and_the_same_field_is_a_conflict(program: Program, owner: User) -> None:
    id_text = created(program)["id"]
    mine = document_of(program, id_text)
    theirs = workflow.current(Manuscript.objects.get().number)
    assert theirs is not None
    title = {**mine["title"], "en": "Their title"}
    workflow.save(owner, theirs.number, changed(theirs.document, title=title), 1)
    merged = program.post(f"cases/{id_text}/revisions", {"base_revision": 1, "document": {**mine, "severity": "minor"}})
    assert (merged.status_code, merged.json()["merged_fields"], merged.json()["revision"]) == (201, ["title.en"], 3)
    stale = {**mine, "title": {**mine["title"], "en": "My title"}}
    response = program.post(f"cases/{id_text}/revisions", {"base_revision": 1, "document": stale})
    assert response.status_code == 409
    told = response.json()
    assert told["current_revision"] == 3
    assert told["conflicts"] == [
        {
            "path": "title.en",
            "base": mine["title"]["en"],
            "theirs": "Their title",
            "mine": "My title",
            "reason": None,
        }
    ]
    unknown = program.post(f"cases/{id_text}/revisions", {"base_revision": 77, "document": mine})
    assert (unknown.status_code, unknown.json()["current_revision"]) == (409, 3)


def test_a_published_case_is_revised(program: Program) -> None:
    make_case()
    found = program.get("cases/IL-0561").json()
    assert (found["revision"], found["published_edition"]) == (1, 1)
    document = {**found["document"], "lessons": {"en": "Lesson", "ko": "교훈"}}
    response = program.post("cases/IL-0561/revisions", {"base_revision": 1, "document": document})
    assert (response.status_code, response.json()["revision"]) == (201, 2)


def test_a_language_that_the_owner_does_not_write_is_refused() -> None:
    make_case()
    owner = make_user("owner", translates="ko")
    program = Program(make_token(make_program(owner))[1])
    document = document_of(program, "IL-0561")
    english = {**document, "title": {**document["title"], "en": "Mine"}}
    response = program.post("cases/IL-0561/revisions", {"base_revision": 1, "document": english})
    assert response.status_code == 403
    assert "You do not write in English here" in response.json()["detail"]
    korean = {**document, "title": {**document["title"], "ko": "내 제목"}}
    assert program.post("cases/IL-0561/revisions", {"base_revision": 1, "document": korean}).status_code == 201


# Submitting


def test_a_language_is_submitted(program: Program) -> None:
    id_text = created(program)["id"]
    told = {"base_revision": 1, "language": "ko", "last_decision": 0, "note": "please"}
    response = program.post(f"cases/{id_text}/submissions", told)
    assert response.status_code == 201
    assert response.json()["languages"]["ko"]["state"] == "in-review"
    submission = Submission.objects.get()
    assert (submission.person.name, submission.note) == ("Drafter", "please")
    assert Event.objects.get(verb="submitted").channel == "api"
    again = program.post(f"cases/{id_text}/submissions", told)
    assert again.status_code == 403
    assert "in review already" in again.json()["detail"]


@pytest.mark.parametrize("missing", ["base_revision", "last_decision"])
def test_a_submission_says_what_it_knew(program: Program, missing: str) -> None:
    id_text = created(program)["id"]
    told = {"base_revision": 1, "language": "ko", "last_decision": 0}
    response = program.post(f"cases/{id_text}/submissions", {k: v for k, v in told.items() if k != missing})
    assert (response.status_code, missing in response.json()["detail"]) == (428, True)


def test_a_stale_submission_is_told_the_current_revision(program: Program, owner: User) -> None:
    id_text = created(program)["id"]
    current = workflow.current(Manuscript.objects.get().number)
    assert current is not None
    workflow.save(owner, current.number, changed(current.document, severity="minor"), 1)
    told = {"base_revision": 1, "language": "ko", "last_decision": 0}
    response = program.post(f"cases/{id_text}/submissions", told)
    assert (response.status_code, response.json()["current_revision"]) == (409, 2)


def test_a_submission_that_does_not_know_of_a_decision_is_refused(program: Program) -> None:
    id_text = created(program)["id"]
    told = {"base_revision": 1, "language": "ko", "last_decision": 0}
    program.post(f"cases/{id_text}/submissions", told)
    reviewer = make_user("reviewer", reviews="ko")
    workflow.request_changes(reviewer, Manuscript.objects.get().number, "ko", Seen(1, {"ko": 0}), "say when")
    response = program.post(f"cases/{id_text}/submissions", told)
    assert response.status_code == 409
    assert "requested changes" in response.json()["detail"]
    state = program.get(f"cases/{id_text}").json()["languages"]["ko"]
    assert (state["note"], state["last_decision"]) == ("say when", Decision.objects.get().pk)


@pytest.mark.parametrize(
    ("scopes", "path", "told", "lacking"),
    [
        ((), "cases", {"document": {}}, "create"),
        (("create", "submit"), "cases/{id}/revisions", {"base_revision": 1, "document": {}}, "revise"),
        (("create", "revise"), "cases/{id}/submissions", {"base_revision": 1}, "submit"),
    ],
)
def test_a_token_does_no_more_than_its_scopes(
    owner: User, scopes: tuple[str, ...], path: str, told: dict[str, Any], lacking: str
) -> None:
    id_text = created(Program(make_token(make_program(owner))[1]))["id"]
    limited = Program(make_token(make_program(owner, "Limited"), scopes)[1])
    response = limited.post(path.format(id=id_text), told)
    assert (response.status_code, response.json()["scope"]) == (403, lacking)
    assert 'error="insufficient_scope"' in response.headers["WWW-Authenticate"]
    assert limited.get(f"cases/{id_text}").status_code == 200
