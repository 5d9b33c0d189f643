"""The people screen: what administrators see and do there, and what it asks before."""

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from cases.models import Person
from review.models import ADMINISTRATOR, Event
from review.permissions import Standing
from tests.review.members import PASSWORD, confirm_password, holding, make_member

pytestmark = pytest.mark.django_db

PEOPLE = "/desk/people/"
INVITE = "/desk/people/invite/"
INVITATION = {
    "username": "minji", "mail": "minji@example.org", "public_name": "Kim Minji",
    "groups": ["writer"], "roles_en": [], "roles_ko": ["writer", "reviewer"],
}  # fmt: skip


@pytest.fixture
def admin(client: Client) -> User:
    """Return an administrator who is signed in and gave the password a moment ago."""
    user = make_member("admin", ADMINISTRATOR)
    client.force_login(user)
    confirm_password(client, time.time())
    return user


def page(client: Client, path: str, **headers: str) -> str:
    return client.get(path, headers=headers).content.decode()


def changes(user: User, **told: Any) -> dict[str, Any]:
    """Return the form of a person as it was opened, with these fields changed."""
    opened = {"public_name": user.person.name, "groups": ["writer"], "roles_en": ["writer"], "roles_ko": []}
    return opened | {"seen": "writer writer/en"} | told


# The list


def test_the_list_tells_names_states_and_roles(client: Client, admin: User) -> None:
    make_member("jisu", "publisher", "translator/ko", "reviewer/ko")
    User.objects.create_user("invited")
    gone = make_member("gone")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    Person.objects.create(name="Drafter", kind=Person.Kind.AGENT, owner=Person.objects.get(user=admin))
    shown = page(client, PEOPLE)
    for words in (
        "Jisu Kim", "jisu@example.org", "Publisher", "Korean: Translator, Reviewer", "Invited, no password yet",
        "Deactivated", "No role", "Drafter", "of Admin Kim",
    ):  # fmt: skip
        assert words in shown
    korean = page(client, PEOPLE, **{"accept-language": "ko"})
    for words in ("<h1>구성원</h1>", "한국어: 번역자, 검토자", "비활성", "초대함, 비밀번호 없음"):
        assert words in korean


def test_a_program_with_an_account_shows_its_owner(client: Client, admin: User) -> None:
    robot = make_member("robot", "writer")
    Person.objects.filter(user=robot).update(kind=Person.Kind.AGENT, owner=Person.objects.get(user=admin))
    assert "program of Admin Kim" in page(client, PEOPLE)


def test_the_list_takes_the_same_queries_for_any_number(
    client: Client, admin: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(10):
        make_member(f"member{number}", "writer", "writer/en", "reviewer/ko")
    with django_assert_num_queries(12):
        client.get(PEOPLE)
    assert admin.is_active


def test_a_name_is_no_markup(client: Client, admin: User) -> None:
    Person.objects.filter(user=admin).update(name="<script>alert(1)</script>")
    assert "<script>" not in page(client, PEOPLE)


# Inviting


def test_an_invitation_shows_its_link_once(client: Client, admin: User) -> None:
    response = client.post(INVITE, INVITATION)
    user = User.objects.get(username="minji")
    assert response.headers["Location"] == f"/desk/people/{user.pk}/"
    assert Standing.of(user) == holding("writer", "writer/ko", "reviewer/ko")
    other = f"/desk/people/{admin.pk}/"
    assert "http://127.0.0.1:8000/accounts/reset/" in page(client, response.headers["Location"])
    assert "/accounts/reset/" not in page(client, response.headers["Location"]) + page(client, other)
    assert outbox.outbox == []
    event = Event.objects.get()
    assert (event.verb, event.note) == ("invited", "+reviewer/ko +writer +writer/ko")


def test_a_link_is_shown_for_nobody_else(client: Client, admin: User) -> None:
    client.post(INVITE, INVITATION)
    assert "/accounts/reset/" not in page(client, f"/desk/people/{admin.pk}/")


def test_an_invitation_goes_out_by_mail(client: Client, settings: Settings, admin: User) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    shown = client.post(INVITE, INVITATION, follow=True).content.decode()
    assert "was sent to minji@example.org" in shown
    assert "/accounts/reset/" not in shown
    assert outbox.outbox[0].to == ["minji@example.org"]
    assert admin.is_active


@pytest.mark.usefixtures("admin")
def test_an_invitation_that_cannot_be_sent_shows_the_link(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_letter: EmailMessage) -> int:
        raise TimeoutError

    settings.EMAIL_HOST = "mail.example.org"
    monkeypatch.setattr(EmailMessage, "send", fail)
    assert "/accounts/reset/" in client.post(INVITE, INVITATION, follow=True).content.decode()


@pytest.mark.usefixtures("admin")
@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({"username": "min ji"}, "username"),
        ({"username": "Admin"}, "username"),
        ({"mail": "nowhere"}, "mail"),
        ({"mail": "admin@example.org"}, "mail"),
        ({"public_name": ""}, "public_name"),
        ({"public_name": "Kim\u202eMinji"}, "public_name"),
        ({"public_name": "Admin Kim"}, "public_name"),
        ({"groups": ["king"]}, "groups"),
        ({"groups": []}, "groups"),
        ({"roles_en": ["publisher"]}, "roles_en"),
    ],
)
def test_a_bad_value_is_told_at_its_field_and_invites_nobody(client: Client, told: dict[str, Any], field: str) -> None:
    response = client.post(INVITE, INVITATION | told)
    assert response.status_code == 200
    assert list(response.context["form"].errors) == [field]
    assert User.objects.count() == 1
    assert not Event.objects.exists()


# The password


def test_the_password_is_asked_again_and_nothing_typed_is_lost(client: Client, admin: User) -> None:
    confirm_password(client, time.time() - 601)
    response = client.post(INVITE, INVITATION)
    assert list(response.context["form"].errors) == ["current_password"]
    assert 'value="Kim Minji"' in response.content.decode()
    response = client.post(INVITE, INVITATION | {"current_password": "wrong"})
    assert "This is not your password" in response.content.decode()
    assert User.objects.count() == 1
    assert client.post(INVITE, INVITATION | {"current_password": PASSWORD}).status_code == 302
    assert 'name="current_password"' not in page(client, INVITE)
    assert admin.is_active


def test_signing_in_anew_asks_again(client: Client, admin: User) -> None:
    assert 'name="current_password"' not in page(client, INVITE)
    client.post("/accounts/logout/")
    client.force_login(admin)
    assert 'name="current_password"' in page(client, INVITE)


def test_a_right_password_counts_even_if_something_else_is_wrong(client: Client, admin: User) -> None:
    confirm_password(client, 0)
    response = client.post(INVITE, INVITATION | {"mail": "nowhere", "current_password": PASSWORD})
    assert 'name="current_password"' not in response.content.decode()
    assert admin.is_active


def test_a_time_to_come_is_no_confirmation(client: Client, admin: User) -> None:
    confirm_password(client, time.time() + 1000)
    assert 'name="current_password"' in page(client, INVITE)
    assert admin.is_active


# One person


@pytest.mark.usefixtures("admin")
def test_name_and_roles_are_changed_together(client: Client) -> None:
    user = make_member("jisu", "writer", "writer/en")
    path = f"/desk/people/{user.pk}/"
    shown = page(client, path)
    assert 'value="Jisu Kim"' in shown
    assert shown.count(" checked") == 2
    told = changes(user, public_name="이지수", groups=["publisher"], roles_en=[], roles_ko=["reviewer"])
    assert client.post(path, told).headers["Location"] == PEOPLE
    assert Standing.of(user) == holding("publisher", "reviewer/ko")
    assert Person.objects.get(user=user).name == "이지수"
    assert list(Event.objects.order_by("sequence").values_list("note", flat=True)) == [
        "+publisher +reviewer/ko -writer -writer/en",
        "",
    ]


@pytest.mark.usefixtures("admin")
def test_both_changes_are_made_or_none(client: Client) -> None:
    user = make_member("jisu", "writer", "writer/en")
    told = changes(user, public_name="Admin Kim", groups=["publisher"], roles_en=[])
    response = client.post(f"/desk/people/{user.pk}/", told)
    assert list(response.context["form"].errors) == ["public_name"]
    assert Standing.of(user) == holding("writer", "writer/en")
    assert not Event.objects.exists()


@pytest.mark.usefixtures("admin")
def test_a_form_older_than_the_last_change_is_refused(client: Client) -> None:
    user = make_member("jisu", "writer", "writer/en", "reviewer/en")
    response = client.post(f"/desk/people/{user.pk}/", changes(user, groups=["publisher"], roles_en=[]))
    assert response.status_code == 409
    assert "changed these roles meanwhile" in response.content.decode()
    assert 'value="writer reviewer/en writer/en"' in response.content.decode()
    assert Standing.of(user) == holding("writer", "writer/en", "reviewer/en")


def test_the_last_administrator_cannot_step_down(client: Client, admin: User) -> None:
    told = {"public_name": "Admin Kim", "groups": ["publisher"], "seen": ADMINISTRATOR}
    response = client.post(f"/desk/people/{admin.pk}/", told)
    assert response.status_code == 409
    assert "Nobody would be left" in response.content.decode()
    response = client.post(f"/desk/people/{admin.pk}/deactivate/", {"csrfmiddlewaretoken": "x"})
    assert response.status_code == 409
    assert "Nobody would be left" in response.content.decode()
    assert User.objects.get(pk=admin.pk).is_active


@pytest.mark.usefixtures("admin")
def test_an_account_is_deactivated_and_reactivated_after_asking(client: Client) -> None:
    user = make_member("jisu", "publisher")
    path = f"/desk/people/{user.pk}"
    assert "cannot sign in again" in page(client, f"{path}/deactivate/")
    assert client.post(f"{path}/deactivate/").headers["Location"] == PEOPLE
    assert f'href="{path}/reactivate/"' in page(client, f"{path}/")
    assert client.post(f"{path}/reactivate/").headers["Location"] == PEOPLE
    assert Standing.of(User.objects.get(pk=user.pk)) == holding("publisher")
    assert [event.verb for event in Event.objects.order_by("sequence")] == ["deactivated", "reactivated"]


@pytest.mark.usefixtures("admin")
def test_deactivating_asks_for_the_password(client: Client) -> None:
    user = make_member("jisu", "publisher")
    confirm_password(client, 0)
    path = f"/desk/people/{user.pk}/deactivate/"
    assert list(client.post(path).context["form"].errors) == ["current_password"]
    assert list(client.post(path, {"current_password": "x"}).context["form"].errors) == ["current_password"]
    assert User.objects.get(pk=user.pk).is_active
    assert client.post(path, {"current_password": PASSWORD}).status_code == 302
    assert not User.objects.get(pk=user.pk).is_active


@pytest.mark.usefixtures("admin")
def test_an_invited_person_gets_a_new_link(client: Client) -> None:
    user = User.objects.create_user("minji", "minji@example.org")
    path = f"/desk/people/{user.pk}/renew-invitation/"
    assert f'href="{path}"' in page(client, f"/desk/people/{user.pk}/")
    assert "/accounts/reset/" in client.post(path, follow=True).content.decode()
    user.set_password(PASSWORD)
    user.save()
    assert f'href="{path}"' not in page(client, f"/desk/people/{user.pk}/")
    assert client.post(path).status_code == 409


@pytest.mark.usefixtures("admin")
def test_a_person_who_is_not_there(client: Client) -> None:
    for verb in ("", "deactivate/", "reactivate/", "renew-invitation/"):
        assert client.get(f"/desk/people/4711/{verb}").status_code == 404


@pytest.mark.usefixtures("admin")
def test_other_methods_are_refused(client: Client) -> None:
    assert client.post(PEOPLE).status_code == 405
    for path in (INVITE, f"{PEOPLE}1/", f"{PEOPLE}1/deactivate/"):
        assert client.delete(path).status_code == 405


def test_others_see_no_names_and_change_nothing(client: Client) -> None:
    admin = make_member("admin", ADMINISTRATOR)
    client.force_login(make_member("jisu", "writer", "publisher", "reviewer/ko", "reviewer/en"))
    confirm_password(client, time.time())
    for path in (PEOPLE, INVITE, *(f"{PEOPLE}{admin.pk}/{verb}" for verb in ("", "deactivate/", "renew-invitation/"))):
        for response in (client.get(path), client.post(path, INVITATION)):
            assert response.status_code in {403, 405}
            assert "Admin Kim" not in response.content.decode()
    assert User.objects.count() == 2
    assert not Event.objects.exists()
