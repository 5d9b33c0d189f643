"""One's own programs: how they and their tokens are made and revoked, and what a program holds."""

from __future__ import annotations

import re
import time

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cases.models import Person
from review import accounts, programs, workflow
from review.models import ADMINISTRATOR, Event, Notice, Token
from review.permissions import NOTHING, Act, Standing, can
from review.workflow import Refused
from tests.review.making import draft_document, make_draft, make_publisher, make_user, make_writer
from tests.review.members import PASSWORD, confirm_password, holding, make_member
from tests.review.programs import make_program, make_token

pytestmark = pytest.mark.django_db

OWN = "/accounts/programs/"
NEW = "/accounts/programs/new/"
TOLD = {"name": "laptop", "scopes": ["create", "submit"], "days": "30"}


@pytest.fixture
def writer(client: Client) -> User:
    """Return a writer who is signed in and gave the password a moment ago."""
    user = make_member("minji", "writer", "writer/en", "writer/ko")
    client.force_login(user)
    confirm_password(client, time.time())
    return user


def page(client: Client, path: str, language: str = "en") -> str:
    return client.get(path, headers={"accept-language": language}).content.decode()


# What a program holds


def test_a_program_may_write_what_its_owner_may_write_now() -> None:
    owner = make_user("owner", "writer", writes="ko")
    user = make_program(owner).user
    assert user is not None
    assert Standing.of(user) == holding("writer", "translator/ko")
    owner.language_roles.all().delete()
    owner.groups.clear()
    assert Standing.of(user) == NOTHING


@pytest.mark.parametrize(
    ("held", "lent"),
    [
        (("publisher",), ("writer",)),
        ((ADMINISTRATOR,), ("writer", "translator/en", "translator/ko")),
        (("reviewer/ko",), ("translator/ko",)),
        (("translator/en",), ("translator/en",)),
    ],
)
def test_no_role_that_decides_is_lent(held: tuple[str, ...], lent: tuple[str, ...]) -> None:
    assert Standing.of(make_member("owner", *held)).lent() == holding(*lent)


def test_a_program_of_a_deactivated_owner_holds_nothing() -> None:
    owner = make_writer()
    user = make_program(owner).user
    assert user is not None
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert Standing.of(User.objects.get(pk=user.pk)) == NOTHING


@pytest.mark.parametrize("act", [Act.APPROVE, Act.REQUEST_CHANGES, Act.PUBLISH, Act.WITHDRAW, Act.MANAGE])
def test_a_program_never_decides(act: Act) -> None:
    owner = make_member("owner", ADMINISTRATOR, "reviewer/en", "reviewer/ko", "publisher")
    user = make_program(owner).user
    assert user is not None
    assert not can(user, act, language="en")


def test_what_a_program_wrote_its_owner_does_not_approve() -> None:
    owner = make_user("owner", "writer", writes="en ko", reviews="en ko")
    program = make_program(owner)
    assert program.user is not None
    saved = workflow.create(program.user, draft_document())
    answer = can(owner, Act.APPROVE, saved.manuscript, "en")
    assert "You wrote in the English text" in str(answer.reason)


def test_what_a_program_is_told_its_owner_reads() -> None:
    owner, other = make_writer(), make_user("other", "writer", writes="en ko")
    program = make_program(owner)
    assert program.user is not None
    saved = workflow.create(program.user, draft_document())
    document = draft_document(title={"en": "Another title", "ko": "다른 제목"})
    workflow.save(other, saved.manuscript.number, document, 1)
    assert [notice.user for notice in Notice.objects.all()] == [owner]


# Making programs


def test_a_program_is_made_and_stands_in_the_log(client: Client, writer: User) -> None:
    response = client.post(NEW, {"public_name": "Drafter"})
    program = Person.objects.get(name="Drafter")
    assert (program.kind, program.owner) == ("agent", writer.person)
    assert program.user is not None
    assert not program.user.has_usable_password()
    assert response.headers["Location"] == f"/accounts/programs/{program.pk}/tokens/new/"
    event = Event.objects.get()
    assert (event.verb, event.person, event.about) == ("created-program", writer.person, f"person {program.pk}")
    assert "Drafter" in page(client, OWN)


def test_the_password_is_asked_for(client: Client, writer: User) -> None:
    confirm_password(client, 0)
    program = make_program(writer)
    token, _secret = make_token(program)
    for path, told in (
        (NEW, {"public_name": "Other"}),
        (f"/accounts/programs/{program.pk}/tokens/new/", TOLD),
        (f"/accounts/tokens/{token.pk}/revoke/", {}),
    ):
        assert "current_password" in page(client, path)
        shown = client.post(path, {**told, "current_password": "wrong"}).content.decode()
        assert "This is not your password." in shown
    assert (Token.objects.count(), Token.objects.get().revoked_at) == (1, None)
    assert not Person.objects.filter(name="Other").exists()
    client.post(f"/accounts/tokens/{token.pk}/revoke/", {"current_password": PASSWORD})
    assert Token.objects.get().revoked_at is not None


@pytest.mark.parametrize("name", ["Minji Kim", "MINJI KIM"])
@pytest.mark.usefixtures("writer")
def test_a_program_is_not_called_like_a_person(client: Client, name: str) -> None:
    assert "Somebody else has this public name." in client.post(NEW, {"public_name": name}).content.decode()


def test_a_name_from_a_draft_becomes_the_program_of_the_same_owner(writer: User) -> None:
    known = Person.objects.create(name="Drafter", kind="agent", owner=writer.person)
    assert make_program(writer) == known


def test_there_are_not_endlessly_many(client: Client, writer: User) -> None:
    for number in range(programs.MOST_PROGRAMS):
        program = make_program(writer, f"Drafter {number}")
    for _number in range(programs.MOST_TOKENS):
        make_token(program)
    refused = client.post(NEW, {"public_name": "One more"})
    assert (refused.status_code, "More are not needed" in refused.content.decode()) == (409, True)
    refused = client.post(f"/accounts/programs/{program.pk}/tokens/new/", TOLD)
    assert (refused.status_code, "Revoke one first" in refused.content.decode()) == (409, True)


def test_who_writes_nothing_has_no_programs(client: Client) -> None:
    client.force_login(make_member("minji"))
    assert "a program of yours could not either" in page(client, OWN)
    assert client.get(NEW).status_code == 403


def test_a_program_has_no_programs() -> None:
    user = make_program().user
    assert user is not None
    assert not programs.may_own_programs(user)


def test_a_program_is_no_invited_person(client: Client) -> None:
    admin = make_member("admin", ADMINISTRATOR)
    user = make_program(make_writer()).user
    assert user is not None
    client.force_login(admin)
    shown = page(client, "/desk/people/")
    assert "Invited, no password yet" not in shown
    assert "Writes what its owner may write" in shown
    with pytest.raises(Refused):
        accounts.renew_invitation(admin, user)


def test_nobody_calls_a_program() -> None:
    from review.mentions import mentioned  # noqa: PLC0415  (for this test only)

    user = make_program().user
    assert user is not None
    assert mentioned(f"@{user.get_username()}").unknown == [user.get_username()]


# Tokens


def test_a_token_is_shown_once_and_kept_as_a_hash(client: Client, writer: User) -> None:
    program = make_program(writer)
    response = client.post(f"/accounts/programs/{program.pk}/tokens/new/", TOLD)
    found = re.search(r"ilt_[A-Za-z0-9_-]{43}", response.content.decode())
    assert found
    token = Token.objects.get()
    assert found[0] not in repr(Token.objects.values().get())
    assert programs.find_token(found[0]) == token
    assert (token.scopes, (token.expires_at - token.created_at).days) == (["create", "submit"], 30)
    assert "no-store" in response.headers["Cache-Control"]
    shown = page(client, OWN)
    assert found[0] not in shown
    assert token.start in shown
    event = Event.objects.first()
    assert event is not None
    assert (event.verb, event.note) == ("made-token", "create submit")
    assert event.about == f"token {token.pk} of person {program.pk}"


def test_a_token_is_revoked_once(client: Client, writer: User) -> None:
    token, _secret = make_token(make_program(writer))
    path = f"/accounts/tokens/{token.pk}/revoke/"
    assert token.start in page(client, path)
    for _time in range(2):
        assert client.post(path).headers["Location"] == OWN
    assert Event.objects.filter(verb="revoked-token").count() == 1
    assert "revoked on" in page(client, OWN)


def test_nobody_touches_the_programs_of_others(client: Client, writer: User) -> None:
    token, _secret = make_token(make_program(make_publisher()))
    assert client.get(f"/accounts/programs/{token.program_id}/tokens/new/").status_code == 404
    assert client.post(f"/accounts/programs/{token.program_id}/tokens/new/", TOLD).status_code == 404
    assert client.post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 404
    assert "laptop" not in page(client, OWN)
    assert writer.is_active


@pytest.mark.parametrize("wrong", [{"days": "100000"}, {"scopes": ["publish"]}, {"name": ""}, {"name": "\u202e"}])
def test_what_a_token_cannot_be_is_said(client: Client, writer: User, wrong: dict[str, object]) -> None:
    program = make_program(writer)
    response = client.post(f"/accounts/programs/{program.pk}/tokens/new/", {**TOLD, **wrong})
    assert 'class="errorlist"' in response.content.decode()
    assert not Token.objects.exists()


def test_the_pages_speak_korean(client: Client, writer: User) -> None:
    make_token(make_program(writer))
    shown = page(client, OWN, "ko")
    assert "내 프로그램" in shown
    assert "초안 읽기" in shown


def test_a_draft_made_on_the_desk_says_so() -> None:
    make_draft()
    assert Event.objects.get().channel == "desk"
