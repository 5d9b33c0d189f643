"""Who may open which address of the desk: every URL name below /desk/, /accounts/ and /api/desk/ has a row here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from review.models import ADMINISTRATOR
from tests.cases.making import make_case
from tests.review.making import make_draft
from tests.review.members import make_member
from tests.undoing import undone

pytestmark = pytest.mark.django_db

CLOSED = ("desk/", "accounts/", "api/desk/")
ROLES: dict[str, tuple[str, ...]] = {
    "no role": (),
    "writer": ("writer", "writer/en", "writer/ko"),
    "translator ko": ("translator/ko",),
    "reviewer ko": ("reviewer/ko",),
    "publisher": ("publisher",),
    "administrator": (ADMINISTRATOR,),
}
PEOPLE = ("anonymous", *ROLES)
SOMEBODY = 900_001  # the account that addresses with a pk are about
CASE = {"id": "IL-0561"}  # published, nobody works on it
DRAFT = {"id": "IL-0562"}  # never published, has one revision


@dataclass(frozen=True)
class Row:
    """The statuses expected of one address, in the order of ``PEOPLE``."""

    statuses: tuple[int, ...]
    arguments: dict[str, Any] = field(default_factory=dict)
    method: str = "GET"


OPEN = Row((200,) * 7)
SIGNED_IN = Row((302, *(200,) * 6))
ADMINISTRATORS = Row((302, *(403,) * 5, 200))
ABOUT_SOMEBODY = Row(ADMINISTRATORS.statuses, {"pk": SOMEBODY})
ROLE_HOLDERS = (302, 403, *(200,) * 5)
# Programs come with a token; nobody's session opens these.
WITH_A_TOKEN = (401,) * 7
CREATORS = (302, 403, 200, 403, 403, 200, 200)
PUBLISHERS = (302, 403, 403, 403, 403, 200, 200)

EXPECTED = {
    # accounts: open by name are signing in, its language, and choosing a password by a link
    "login": Row((200, *(302,) * 6)),
    "logout": Row((302,) * 7, method="POST"),
    "language": Row((302,) * 7, method="POST"),
    "password_change": SIGNED_IN,
    "programs": SIGNED_IN,
    "new_program": Row(ROLE_HOLDERS),
    "new_token": Row((302, 403, *(404,) * 5), {"pk": SOMEBODY}),
    "revoke_token": Row((302, *(404,) * 6), {"pk": SOMEBODY}),
    "password_reset": OPEN,
    "password_reset_done": OPEN,
    "password_reset_confirm": Row(OPEN.statuses, {"uidb64": "x", "token": "x"}),
    # drafts by program
    "desk-api:whoami": Row(WITH_A_TOKEN),
    "desk-api:create": Row(WITH_A_TOKEN, method="POST"),
    "desk-api:case": Row(WITH_A_TOKEN, DRAFT),
    "desk-api:revise": Row(WITH_A_TOKEN, DRAFT, "POST"),
    "desk-api:submit": Row(WITH_A_TOKEN, DRAFT, "POST"),
    # the editor; what is refused for its content is refused after the role was looked at
    "review:new": Row(CREATORS),
    "review:edit": Row(ROLE_HOLDERS, CASE),
    "review:save": Row((302, 403, *(428,) * 5), CASE, "POST"),
    "review:autosave": Row(ROLE_HOLDERS, method="POST"),
    "review:discard": Row((302, 403, *(404,) * 5), {"pk": SOMEBODY}, "POST"),
    "review:token": Row(ROLE_HOLDERS),
    "review:vocabulary": Row(ROLE_HOLDERS),
    "review:warnings": Row(ROLE_HOLDERS),
    # one case
    "review:home": Row(ROLE_HOLDERS),
    "review:manuscript": Row(ROLE_HOLDERS, DRAFT),
    "review:preview": Row(ROLE_HOLDERS, {**DRAFT, "language": "en"}),
    "review:history": Row(ROLE_HOLDERS, DRAFT),
    "review:compared": Row(ROLE_HOLDERS, {**DRAFT, "before": 1, "after": 1}),
    "review:restore": Row((302, 403, *(428,) * 5), {**DRAFT, "number": 1}, "POST"),
    "review:comments": Row(ROLE_HOLDERS, DRAFT),
    "review:reply": Row((302, 403, *(404,) * 5), {**DRAFT, "pk": SOMEBODY}, "POST"),
    "review:resolve": Row((302, 403, *(404,) * 5), {**DRAFT, "pk": SOMEBODY}, "POST"),
    "review:take-up": Row((302, 403, *(404,) * 5), {**DRAFT, "pk": SOMEBODY}, "POST"),
    "review:activity": Row(ROLE_HOLDERS, DRAFT),
    "review:review": Row(ROLE_HOLDERS, {**DRAFT, "language": "ko"}),
    # what is refused for its content is refused after the role was looked at
    "review:decide": Row((302, 403, *(400,) * 5), {**DRAFT, "language": "ko"}, "POST"),
    "review:submit": Row((302, 403, *(428,) * 5), {**DRAFT, "language": "ko"}, "POST"),
    "review:withdraw-submission": Row((302, 403, *(428,) * 5), {**DRAFT, "language": "ko"}, "POST"),
    "review:assign": Row((302, 403, *(400,) * 5), {**DRAFT, "language": "ko"}, "POST"),
    "review:unassign": Row((302, 403, *(428,) * 5), {**DRAFT, "language": "ko"}, "POST"),
    "review:queue": Row(ROLE_HOLDERS),
    "review:bulk": Row((302, 403, *(400,) * 5), method="POST"),
    "review:matrix": Row(ROLE_HOLDERS),
    "review:publish": Row(PUBLISHERS, DRAFT),
    "review:withdraw": Row(PUBLISHERS, CASE),
    "review:undo-withdrawal": Row(PUBLISHERS, CASE),
    "review:merge": Row(PUBLISHERS, CASE),
    "review:undo-merge": Row(PUBLISHERS, CASE),
    "review:related": Row(PUBLISHERS, CASE),
    "review:unpair": Row((302, 403, 403, 403, 403, 404, 404), CASE, "POST"),  # nothing is named to take back
    "review:archive": Row(CREATORS, DRAFT),
    "review:reopen": Row((302, *(403,) * 6), DRAFT),  # it is not archived
    # the inbox
    "review:inbox": Row(ROLE_HOLDERS),
    "review:open-notice": Row((302, 403, *(404,) * 5), {"pk": SOMEBODY}, "POST"),
    "review:read-all": Row((302, 403, *(302,) * 5), method="POST"),
    "review:preferences": Row(ROLE_HOLDERS),
    # people
    "review:people": ADMINISTRATORS,
    "review:invite": ADMINISTRATORS,
    "review:person": ABOUT_SOMEBODY,
    "review:person-activity": Row(ROLE_HOLDERS, {"pk": SOMEBODY}),
    "review:deactivate": ABOUT_SOMEBODY,
    "review:reactivate": ABOUT_SOMEBODY,
    "review:renew-invitation": ABOUT_SOMEBODY,
}


def closed_names(resolver: URLResolver, prefix: str = "", namespace: str = "") -> Iterator[str]:
    """Walk the addresses of the whole site; yield the names below the closed prefixes (the address, if it has none)."""
    for pattern in resolver.url_patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from closed_names(pattern, address, inner)
        elif address.startswith(CLOSED):
            yield f"{namespace}{pattern.name}" if pattern.name else address


def test_every_address_has_a_row() -> None:
    names = set(closed_names(get_resolver()))
    assert names - set(EXPECTED) == set(), "addresses without a row in EXPECTED"
    assert set(EXPECTED) - names == set(), "rows without an address"


def test_each_address_answers_by_role(subtests: pytest.Subtests) -> None:
    User.objects.create(pk=SOMEBODY, username="somebody")
    make_case()
    make_draft(make_member("author", *ROLES["writer"]))
    cookies = {role: signed_in(make_member(role.replace(" ", "-"), *held)) for role, held in ROLES.items()}
    for name, row in EXPECTED.items():
        with subtests.test(name), undone():
            path = reverse(name, kwargs=row.arguments)
            found = {"anonymous": Client().generic(row.method, path).status_code}
            for role, cookie in cookies.items():
                found[role] = Client(headers={"cookie": cookie}).generic(row.method, path).status_code
            assert found == dict(zip(PEOPLE, row.statuses, strict=True))


def signed_in(user: User) -> str:
    """Return the cookie of somebody who signed in."""
    client = Client()
    client.force_login(user)
    return client.cookies.output(attrs=[], header="").strip()


def test_who_is_not_signed_in_is_sent_to_sign_in_and_back(client: Client) -> None:
    assert client.get("/desk/people/?a=1").headers["Location"] == "/accounts/login/?next=/desk/people/%3Fa%3D1"
    assert client.post("/desk/people/invite/").headers["Location"] == "/accounts/login/"


def test_a_script_that_is_not_signed_in_is_told_so(client: Client) -> None:
    response = client.post("/desk/people/invite/", headers={"accept": "application/json"})
    assert (response.status_code, response.json()) == (401, {"sign_in": "/accounts/login/"})


@pytest.mark.parametrize(
    ("language", "words"), [("en", "You have no role here yet"), ("ko", "아직 맡은 역할이 없습니다")]
)
def test_who_has_no_role_is_told_so(client: Client, language: str, words: str) -> None:
    client.force_login(make_member("minji"))
    response = client.get("/desk/people/", headers={"accept-language": language})
    assert response.status_code == 403
    assert words in response.content.decode()
    assert "Minji Kim" in response.content.decode()


def test_the_header_offers_what_the_person_may_open(client: Client) -> None:
    client.force_login(make_member("minji", "publisher"))
    page = client.get("/accounts/password/").content.decode()
    assert 'href="/desk/"' in page
    assert 'href="/desk/people/"' not in page
    assert 'action="/accounts/logout/"' in page
    assert "Minji Kim" in page


def test_public_addresses_need_no_account_and_no_session(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert not response.cookies
    assert not hasattr(response.wsgi_request, "standing")


def test_a_lost_role_is_lost_at_once(client: Client) -> None:
    user = make_member("minji", ADMINISTRATOR)
    client.force_login(user)
    assert client.get("/desk/people/").status_code == 200
    user.groups.clear()
    assert client.get("/desk/people/").status_code == 403


def test_the_desk_is_not_kept_by_caches_and_sends_no_address_on(client: Client) -> None:
    response = client.get("/accounts/login/")
    assert "no-store" in response.headers["Cache-Control"]
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    assert not re.search(r"<script(?! src=)|<style| style=| on[a-z]+=", response.content.decode())
