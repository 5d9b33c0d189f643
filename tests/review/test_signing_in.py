"""Signing in and out, the language of the desk, choosing and changing passwords, and the mails with links."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from review import accounts, mail
from review.models import ADMINISTRATOR
from tests.review.members import PASSWORD, SIGN_IN, choose_password, holding, make_member, path_of, sign_in
from tests.test_settings import PRODUCTION, value

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
WRONG = {"en": "The username or the password is wrong", "ko": "사용자 이름이나 비밀번호가 맞지 않습니다"}


@pytest.fixture(autouse=True)
def resets_are_not_held_back() -> None:
    cache.clear()


# Signing in


def test_signing_in_starts_a_new_session(client: Client) -> None:
    make_member("minji", "writer")
    client.get("/accounts/reset/x/x/")
    session = client.session
    session["planted"] = "by somebody else"
    session.save()
    planted = session.session_key or ""
    client.cookies["incidentlib_session"] = planted
    response = sign_in(client)
    assert response.headers["Location"] == "/desk/"
    assert client.session.session_key != planted
    assert not session.exists(planted)
    assert client.get(SIGN_IN).headers["Location"] == "/desk/"


def test_signing_out_ends_the_session(client: Client) -> None:
    make_member("minji", "writer")
    sign_in(client)
    key = client.session.session_key
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/").headers["Location"] == "/"
    client.cookies["incidentlib_session"] = key or ""
    assert client.get("/accounts/password/").headers["Location"].startswith(SIGN_IN)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_failure_to_sign_in_says_the_same(client: Client, language: str) -> None:
    make_member("minji", "writer")
    make_member("gone", "writer")
    User.objects.filter(username="gone").update(is_active=False)
    client.cookies["incidentlib_language"] = language
    for told in ({"password": "wrong"}, {"username": "nobody"}, {"username": "gone"}):
        page = sign_in(client, **told).content.decode()
        assert WRONG[language] in page


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/", "//evil.example/", "///evil.example", "/\\evil.example", "\\\\evil.example",
        "http:evil.example", "javascript:alert(1)", "http://testserver/desk/", "/\t/evil.example", "desk/",
    ],
)  # fmt: skip
def test_next_leads_nowhere_else(client: Client, elsewhere: str) -> None:
    make_member("minji", "writer")
    assert sign_in(client, next=elsewhere).headers["Location"] == "/desk/"


def test_next_leads_back(client: Client) -> None:
    make_member("minji", "writer")
    assert sign_in(client, next="/desk/people/?a=1").headers["Location"] == "/desk/people/?a=1"


def test_the_forms_refuse_a_forged_post() -> None:
    client = Client(enforce_csrf_checks=True)
    for name in ("login", "logout", "language", "password_reset"):
        assert client.post(reverse(name), {"language": "ko"}).status_code == 403


def test_the_language_is_chosen_by_a_post_and_kept(client: Client) -> None:
    response = client.post("/accounts/language/", {"language": "ko", "next": SIGN_IN})
    assert response.headers["Location"] == SIGN_IN
    assert response.cookies["incidentlib_language"]["httponly"]
    assert "<h1>로그인</h1>" in client.get(SIGN_IN, headers={"accept-language": "en"}).content.decode()
    assert client.get("/accounts/language/").status_code == 405
    response = client.post("/accounts/language/", {"language": "en", "next": "//evil.example/"})
    assert response.headers["Location"] == "/"


# Passwords


def test_changing_the_password_ends_the_other_sessions(client: Client) -> None:
    make_member("minji", "writer")
    other = Client()
    sign_in(client)
    sign_in(other)
    told = {"old_password": PASSWORD, "new_password1": "staple staple staple", "new_password2": "staple staple staple"}
    response = client.post("/accounts/password/", told, follow=True)
    assert "Your password is changed" in response.content.decode()
    assert other.get("/accounts/password/").status_code == 302
    told = {"old_password": "wrong", "new_password1": "short", "new_password2": "short"}
    page = client.post("/accounts/password/", told).content.decode()
    assert page.count('aria-invalid="true"') == 2


def test_a_link_sets_the_password_once(client: Client) -> None:
    admin = make_member("admin", ADMINISTRATOR)
    user = accounts.invite(admin, "minji", "minji@example.org", "Kim Minji", holding("writer"))
    link = mail.password_link(user)
    assert link.startswith("http://127.0.0.1:8000/accounts/reset/")
    assert "too short" in choose_password(client, link, "short").content.decode()
    assert "Sign in with it now" in choose_password(client, link, PASSWORD).content.decode()
    assert "does not work any more" in client.get(path_of(link)).content.decode()
    assert sign_in(client).headers["Location"] == "/desk/"


def test_the_link_of_a_deactivated_account_does_not_work(client: Client) -> None:
    user = make_member("minji", "writer")
    link = mail.password_link(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert "does not work any more" in client.get(path_of(link)).content.decode()


def test_a_link_is_valid_for_three_days(client: Client, settings: Settings) -> None:
    assert settings.PASSWORD_RESET_TIMEOUT == 3 * 24 * 60 * 60
    link = mail.password_link(make_member("minji"))
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert "does not work any more" in client.get(path_of(link)).content.decode()


def ask_for_reset(client: Client, address: str, monkeypatch: pytest.MonkeyPatch, **headers: str) -> Any:
    """Post the form, and wait for the mails that go out beside the request."""
    threads = []
    send = mail.send_reset
    monkeypatch.setattr(mail, "send_reset", lambda told: threads.extend(send(told)))
    response = client.post("/accounts/reset/", {"email": address}, headers=headers, follow=True)
    monkeypatch.undo()
    for thread in threads:
        thread.join()
    return response


def test_a_reset_is_mailed_with_a_link_of_this_site(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make_member("minji", "writer")
    headers = {"host": "localhost:9999", "x-forwarded-host": "evil.example"}
    ask_for_reset(client, "MINJI@example.org", monkeypatch, **headers)
    (letter,) = outbox.outbox
    assert letter.to == ["minji@example.org"]
    assert "http://127.0.0.1:8000/accounts/reset/" in letter.body
    assert "9999" not in letter.body
    link = next(line for line in letter.body.splitlines() if line.startswith("http"))
    assert "Sign in with it now" in choose_password(client, link, "staple staple staple").content.decode()


def test_an_unknown_address_gets_the_same_answer_and_no_mail(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make_member("minji", "writer")
    gone = make_member("gone", "writer")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    pages = [
        TOKEN.sub("", ask_for_reset(client, f"{name}@example.org", monkeypatch).content.decode())
        for name in ("minji", "nobody", "gone", "minji")
    ]
    assert len(set(pages)) == 1
    assert len(outbox.outbox) == 1  # the second one for the same person came too soon
    assert 'aria-invalid="true"' in client.post("/accounts/reset/", {"email": "no address"}).content.decode()


def test_a_reset_speaks_the_language_of_the_person(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make_member("minji", "writer")
    client.cookies["incidentlib_language"] = "ko"
    response = ask_for_reset(client, "minji@example.org", monkeypatch)
    assert "메일을 확인" in response.content.decode()
    assert outbox.outbox[0].subject == "IncidentLib 새 비밀번호"


def test_an_invitation_is_mailed_in_both_languages(settings: Settings) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    user = make_member("minji")
    assert mail.send_invitation(user, "http://link")
    (letter,) = outbox.outbox
    assert letter.subject == "Invitation to IncidentLib · IncidentLib 초대"
    assert letter.body.count("http://link") == 2
    assert "“minji”" in letter.body


def test_a_mail_server_that_fails_is_no_error(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_letter: EmailMessage) -> int:
        raise ConnectionRefusedError

    settings.EMAIL_HOST = "mail.example.org"
    monkeypatch.setattr(EmailMessage, "send", fail)
    assert not mail.send_invitation(make_member("minji"), "http://link")


def test_mail_settings_follow_the_environment(tmp_path: Path) -> None:
    names = ("EMAIL_BACKEND", "EMAIL_HOST", "EMAIL_PORT", "EMAIL_USE_TLS", "EMAIL_USE_SSL", "DEFAULT_FROM_EMAIL")
    expression = ", ".join(f"settings.{name}" for name in names)
    backend = "django.core.mail.backends"
    here = "IncidentLib <noreply@127.0.0.1>"
    assert value(expression, tmp_path) == f"{backend}.console.EmailBackend  587 True False {here}"
    assert value("settings.EMAIL_BACKEND", tmp_path, **PRODUCTION) == f"{backend}.dummy.EmailBackend"
    set_ = {"EMAIL_HOST": "mail.example.org", "EMAIL_SECURITY": "ssl", "DEFAULT_FROM_EMAIL": "lib@example.org"}
    expected = f"{backend}.smtp.EmailBackend mail.example.org 465 False True lib@example.org"
    assert value(expression, tmp_path, **PRODUCTION, **set_) == expected
