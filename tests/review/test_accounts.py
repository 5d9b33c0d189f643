"""The acts of administrators on accounts and what they leave in the log; the commands that make accounts."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from cases.models import Change, Person, StoredCase
from incidentlib import demo
from review import accounts, mail
from review.log import broken_links
from review.models import ADMINISTRATOR, Event
from review.permissions import NOTHING, Standing
from review.workflow import Conflict, Refused
from tests.cases.making import make_case
from tests.review.members import PASSWORD, choose_password, holding, make_member, path_of, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> User:
    return make_member("admin", ADMINISTRATOR)


def events() -> list[tuple[str, str, str]]:
    return [(event.verb, event.note, event.about) for event in Event.objects.order_by("sequence")]


# The acts


def test_an_invited_person_has_roles_and_no_password(admin: User) -> None:
    user = accounts.invite(admin, "minji", "minji@example.org", "Kim Minji", holding("writer", "writer/ko"))
    assert accounts.waits_for_password(user)
    assert Standing.of(user) == holding("writer", "writer/ko")
    person = Person.objects.get(user=user)
    assert person.name == "Kim Minji"
    assert events() == [("invited", "+writer +writer/ko", f"person {person.pk}")]
    assert broken_links() == []


def test_a_public_name_from_an_import_becomes_the_invited_persons(admin: User) -> None:
    known = Person.objects.create(name="Kim Minji")
    user = accounts.invite(admin, "minji", "minji@example.org", "Kim Minji", NOTHING)
    assert Person.objects.get(user=user) == known


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"username": "ADMIN"}, "username"),
        ({"mail": "Admin@example.org"}, "mail"),
        ({"name": "Admin Kim"}, "public_name"),
        ({"name": "admin kim"}, "public_name"),
        ({"name": "Robot"}, "public_name"),
    ],
)
def test_a_taken_name_is_refused_at_its_field(admin: User, changed: dict[str, str], field: str) -> None:
    Person.objects.create(name="Robot", kind=Person.Kind.AGENT)
    told = {"username": "minji", "mail": "minji@example.org", "name": "Kim Minji"} | changed
    with pytest.raises(ValidationError) as caught:
        accounts.invite(admin, holds=NOTHING, **told)
    assert list(caught.value.message_dict) == [field]
    assert User.objects.count() == 1
    assert events() == []


def test_changed_roles_count_at_once_and_are_logged(admin: User) -> None:
    user = make_member("minji", "writer", "writer/ko")
    accounts.set_roles(admin, user, holding("publisher", "reviewer/ko"), seen="writer writer/ko")
    assert Standing.of(user) == holding("publisher", "reviewer/ko")
    accounts.set_roles(admin, user, holding("publisher", "reviewer/ko"))
    about = f"person {Person.objects.get(user=user).pk}"
    assert events() == [("changed-roles", "+publisher +reviewer/ko -writer -writer/ko", about)]


def test_roles_that_somebody_else_changed_meanwhile_are_a_conflict(admin: User) -> None:
    user = make_member("minji", "publisher")
    with pytest.raises(Conflict):
        accounts.set_roles(admin, user, holding("writer"), seen="writer")
    assert Standing.of(user) == holding("publisher")


def test_an_administrator_edits_words_in_the_admin_and_loses_that_with_the_role(admin: User) -> None:
    user = make_member("minji")
    accounts.set_roles(admin, user, holding(ADMINISTRATOR))
    user = User.objects.get(pk=user.pk)
    assert user.is_staff
    assert user.has_perm("cases.change_term")
    assert not user.has_perm("auth.change_user")
    accounts.set_roles(admin, user, NOTHING)
    user = User.objects.get(pk=user.pk)
    assert not user.is_staff
    assert not user.has_perm("cases.change_term")


def test_a_superuser_without_the_role_is_none_any_more(admin: User) -> None:
    root = User.objects.create_superuser("root", password=PASSWORD)
    assert accounts.held_by(root).groups == {ADMINISTRATOR}
    accounts.set_roles(admin, root, holding("publisher"))
    root = User.objects.get(pk=root.pk)
    assert not root.is_superuser
    assert Standing.of(root) == holding("publisher")


def test_a_program_never_decides(admin: User) -> None:
    user = make_member("robot", "writer", "writer/en")
    Person.objects.filter(user=user).update(kind=Person.Kind.AGENT, owner=Person.objects.get(user=admin))
    for held in ("publisher", "reviewer/en", ADMINISTRATOR):
        with pytest.raises(Refused):
            accounts.set_roles(admin, user, holding("writer", held))
    assert Standing.of(user) == holding("writer", "writer/en")


def test_a_deactivated_account_holds_nothing_and_gets_it_back(admin: User, client: Client) -> None:
    user = make_member("minji", "publisher")
    client.force_login(user)
    accounts.deactivate(admin, user)
    accounts.deactivate(admin, user)
    user = User.objects.get(pk=user.pk)
    assert Standing.of(user) == NOTHING
    assert accounts.held_by(user) == holding("publisher")
    assert client.get("/accounts/password/").headers["Location"].startswith("/accounts/login/")
    accounts.reactivate(admin, user)
    assert Standing.of(User.objects.get(pk=user.pk)) == holding("publisher")
    assert [verb for verb, _note, _about in events()] == ["deactivated", "reactivated"]


def test_the_last_administrator_stays(admin: User) -> None:
    accounts.invite(admin, "minji", "minji@example.org", "Kim Minji", holding(ADMINISTRATOR))  # has no password yet
    with pytest.raises(Refused, match="Nobody would be left"):
        accounts.deactivate(admin, admin)
    with pytest.raises(Refused, match="Nobody would be left"):
        accounts.set_roles(admin, admin, holding("writer"))
    assert list(accounts.administrators()) == [admin]
    assert len(events()) == 1


def test_with_another_administrator_one_may_step_down(admin: User) -> None:
    make_member("minji", ADMINISTRATOR)
    accounts.set_roles(admin, admin, NOTHING)
    with pytest.raises(PermissionDenied):
        accounts.set_roles(admin, admin, holding(ADMINISTRATOR))


def test_only_administrators_act_on_people(admin: User) -> None:
    user, publisher = make_member("minji", "writer"), make_member("jisu", "publisher", "reviewer/ko")
    acts: list[Callable[[], object]] = [
        lambda: accounts.invite(publisher, "new", "new@example.org", "New", NOTHING),
        lambda: accounts.set_roles(publisher, user, NOTHING),
        lambda: accounts.rename(publisher, user, "Other"),
        lambda: accounts.deactivate(publisher, admin),
        lambda: accounts.reactivate(publisher, user),
        lambda: accounts.renew_invitation(publisher, user),
    ]
    for act in acts:
        with pytest.raises(PermissionDenied):
            act()
    assert events() == []


def test_a_new_public_name_reaches_the_cases_that_show_it(
    admin: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    user = make_member("minji", "reviewer/en", "reviewer/ko")
    case = make_case(reviewed_by="Minji Kim")
    last = Change.objects.latest("sequence").sequence
    with django_capture_on_commit_callbacks(execute=True):
        accounts.rename(admin, user, "김민지")
        accounts.rename(admin, user, "김민지")
    stored = StoredCase.objects.get(number=case.number)
    assert '"reviewed_by":"김민지"' in stored.json.replace(": ", ":")
    assert "김민지" in stored.article_en
    assert list(Change.objects.filter(sequence__gt=last).values_list("number", flat=True)) == [case.number]
    assert events() == [("renamed", "", f"person {Person.objects.get(user=user).pk}")]
    with pytest.raises(ValidationError):
        accounts.rename(admin, user, "ADMIN KIM")


def test_a_new_link_makes_the_old_one_useless(admin: User, client: Client) -> None:
    user = accounts.invite(admin, "minji", "minji@example.org", "Kim Minji", NOTHING)
    old = mail.password_link(user)
    accounts.renew_invitation(admin, user)
    new = mail.password_link(User.objects.get(pk=user.pk))
    assert "does not work any more" in client.get(path_of(old)).content.decode()
    assert client.get(path_of(new)).status_code == 302


def test_nobody_can_be_given_a_link_to_an_account_in_use(admin: User) -> None:
    user = make_member("minji", "reviewer/ko")
    with pytest.raises(Refused):
        accounts.renew_invitation(admin, user)
    assert User.objects.get(pk=user.pk).check_password(PASSWORD)


# Commands


def command(*arguments: str) -> str:
    output = StringIO()
    call_command("create_administrator", *arguments, stdout=output)
    return output.getvalue()


def test_the_first_administrator_gets_a_link(client: Client) -> None:
    link = command("root", "root@example.org", "--name", "Lee Root").split()[-1]
    assert "Sign in with it now" in choose_password(client, link, PASSWORD).content.decode()
    user = User.objects.get(username="root")
    assert Standing.of(user).groups == {ADMINISTRATOR}
    event = Event.objects.get()
    assert (event.person.name, event.verb, event.note, event.channel) == (
        "Lee Root", "invited", "+administrator", "command",
    )  # fmt: skip
    with pytest.raises(CommandError, match="changepassword"):
        command("root", "root@example.org")


def test_the_command_may_be_run_again_until_there_is_a_password() -> None:
    command("root", "root@example.org")
    assert "http://127.0.0.1:8000/accounts/reset/" in command("root", "root@example.org")
    assert User.objects.count() == Event.objects.count() == 1


def test_the_password_may_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(f"{PASSWORD}\n"))
    assert "http" not in command("root", "root@example.org", "--password-stdin")
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("told", [("root user", "root@example.org"), ("root", "nowhere"), ("root", "root@example.org")])
def test_a_bad_value_creates_nobody(monkeypatch: pytest.MonkeyPatch, told: tuple[str, str]) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("short\n"))
    with pytest.raises(CommandError):
        command(*told, "--password-stdin")
    assert not User.objects.exists()
    assert not Event.objects.exists()


def test_demo_accounts_cover_the_roles(tmp_path: Path, settings: Settings, client: Client) -> None:
    settings.DATA_DIR = tmp_path
    demo.create_accounts()
    lines = (tmp_path / "demo-accounts.txt").read_text(encoding="utf-8").splitlines()
    told = {line.split()[0]: line.split()[1] for line in lines}
    assert list(told) == ["admin", "writer", "translator-ko", "reviewer-en", "reviewer-ko", "publisher"]
    assert (tmp_path / "demo-accounts.txt").stat().st_mode & 0o777 == 0o600
    for username, password in told.items():
        assert sign_in(client, username, password).status_code == 302
        client.logout()
        assert Person.objects.get(user__username=username).name.startswith("Demo ")
    assert Standing.of(User.objects.get(username="writer")) == holding("writer", "writer/en", "writer/ko")
    assert Event.objects.count() == 6
    assert broken_links() == []


def test_a_missing_demo_account_is_made_again_and_the_others_stay(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    demo.create_accounts()
    before = (tmp_path / "demo-accounts.txt").read_text(encoding="utf-8")
    Person.objects.filter(user__username="publisher").update(user=None)
    User.objects.get(username="publisher").delete()
    demo.create_accounts()
    after = (tmp_path / "demo-accounts.txt").read_text(encoding="utf-8")
    assert after.startswith(before)
    assert after.count("publisher ") == 2


def test_without_the_desk_there_is_only_the_administrator(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr("incidentlib.demo.apps.is_installed", lambda name: name != "review")
    demo.create_accounts()
    user = User.objects.get()
    assert (user.username, user.is_superuser) == ("admin", True)
