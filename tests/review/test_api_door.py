"""The door for programs that write: tokens, limits, bodies, and that nothing anybody sends makes it fail."""

from __future__ import annotations

import datetime as dt
import json
import logging
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from cases.document import MOST_BYTES, write_instant
from review import programs
from review.models import Token
from tests.review.making import make_draft, make_writer
from tests.review.programs import Program, make_program, make_token

pytestmark = pytest.mark.django_db


def whoami(secret: str, **headers: str) -> Any:
    return Client(headers={"authorization": f"Bearer {secret}", **headers}).get("/api/desk/")


def test_a_token_says_what_it_is_good_for() -> None:
    token, secret = make_token(scopes=("create",))
    response = whoami(secret)
    assert response.json() == {
        "program": "Drafter",
        "owner": "writer",
        "token": {
            "name": "laptop",
            "scopes": ["create"],
            "expires_at": write_instant(token.expires_at),
        },
        "writes_in": ["en", "ko"],
        "changes_facts": True,
    }
    assert response.headers["Cache-Control"] == "no-store, private"
    assert response.headers["Vary"] == "Authorization"
    assert "Access-Control-Allow-Origin" not in response.headers
    assert not response.cookies


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Basic YTpi", "ilt_x", "Bearer a b", "Bearer " + "a" * 300, "Bearer é"]
)
def test_without_a_token_one_is_asked_for(header: str | None) -> None:
    response = Client().get("/api/desk/", headers={} if header is None else {"authorization": header})
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="IncidentLib desk"'
    assert response.headers["Content-Type"] == "application/problem+json"


def test_a_token_that_is_not_in_force_says_why() -> None:
    token, secret = make_token()
    assert whoami("ilt_unknown").json()["detail"] == "There is no such token."
    long_ago = timezone.now() - dt.timedelta(days=40)
    Token.objects.update(created_at=long_ago, expires_at=long_ago + dt.timedelta(days=30))
    response = whoami(secret)
    assert response.status_code == 401
    assert response.json()["detail"].startswith("This token expired on ")
    assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]
    owner = token.program.owner
    assert owner is not None
    assert owner.user is not None
    programs.revoke(owner.user, token)
    assert whoami(secret).json()["detail"].startswith("This token was revoked on ")


@pytest.mark.parametrize("whose", ["owner", "program"])
def test_a_deactivated_account_is_told_so(whose: str) -> None:
    token, secret = make_token()
    person = token.program.owner if whose == "owner" else token.program
    assert person is not None
    assert person.user is not None
    User.objects.filter(pk=person.user.pk).update(is_active=False)
    response = whoami(secret)
    assert response.status_code == 403
    assert whose in response.json()["detail"]


def test_a_session_opens_nothing(client: Client) -> None:
    user = make_draft().revision.author
    assert user is not None
    assert user.user is not None
    client.force_login(user.user)
    assert client.get("/api/desk/cases/IL-0001").status_code == 401


def test_a_token_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    _token, secret = make_token()
    with caplog.at_level(logging.DEBUG):
        whoami(secret)
        whoami(secret + "x")
        Program(secret).get("cases/nothing")
    assert secret[10:] not in caplog.text


def test_the_use_of_a_token_is_noted_now_and_then() -> None:
    _token, secret = make_token()
    whoami(secret)
    used = Token.objects.get().last_used_at
    whoami(secret)
    assert used is not None
    assert Token.objects.get().last_used_at == used


def test_too_many_requests_are_told_to_wait(settings: Settings) -> None:
    settings.API_RATE = 2
    # Five of a rate of two: some are too many, even if a new minute begins among them.
    responses = [Client(REMOTE_ADDR="192.0.2.7").get("/api/desk/") for _time in range(5)]
    assert [one.status_code for one in responses[:2]] == [401, 401]
    response = next(one for one in responses if one.status_code == 429)
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert Client(REMOTE_ADDR="192.0.2.8").get("/api/desk/").status_code == 401


@pytest.mark.parametrize(("method", "path", "allowed"), [("PUT", "cases/IL-0001", "GET"), ("GET", "cases", "POST")])
def test_other_methods_are_refused(method: str, path: str, allowed: str) -> None:
    _token, secret = make_token()
    response = Program(secret).client.generic(method, f"/api/desk/{path}")
    assert (response.status_code, response.headers["Allow"]) == (405, allowed)


def test_head_is_get_without_a_body() -> None:
    _token, secret = make_token()
    response = Program(secret).client.head("/api/desk/")
    assert (response.status_code, response.content) == (200, b"")


# Bodies


def sent(secret: str, body: bytes, content_type: str = "application/json", path: str = "cases") -> Any:
    return Program(secret).client.post(f"/api/desk/{path}", body, content_type=content_type)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b" ", "is not JSON"),
        (b"[]", "Send a JSON object."),
        (b'"text"', "Send a JSON object."),
        (b'{"document": {}, "document": {}}', "stands twice"),
        (b'{"document": NaN}', "is not a JSON number"),
        (b"\xff\xfe{}", "is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"document": ' + b"1" * 5000 + b"}", "is not JSON"),
    ],
)
def test_what_is_no_json_is_said(body: bytes, words: str) -> None:
    _token, secret = make_token()
    response = sent(secret, body)
    assert response.status_code == 400
    assert words in response.json()["detail"]


def test_other_kinds_of_body_and_large_ones_are_refused() -> None:
    _token, secret = make_token()
    assert sent(secret, b"a=1", "application/x-www-form-urlencoded").status_code == 415
    large = sent(secret, b'"' + b"a" * MOST_BYTES + b'"')
    assert (large.status_code, large.json()["title"]) == (413, "Content Too Large")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
PARTS = st.fixed_dictionaries(
    {},
    optional={
        "document": JSON,
        "note": JSON,
        "base_revision": JSON,
        "language": JSON,
        "last_decision": JSON,
    },
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=JSON | PARTS, path=st.sampled_from(["cases", "cases/IL-0001/revisions", "cases/IL-0001/submissions"]))
def test_nothing_that_is_sent_makes_it_fail(body: Any, path: str, one_token: str) -> None:
    response = sent(one_token, json.dumps(body).encode(), path=path)
    assert 400 <= response.status_code < 500
    assert response.json()["detail"]


@pytest.fixture
def one_token() -> str:
    owner = make_writer()
    make_draft(owner)
    return make_token(make_program(owner))[1]
