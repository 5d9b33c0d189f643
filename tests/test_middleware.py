"""Every answer carries the security headers; only the desk has sessions."""

import pytest
from django.test import Client, RequestFactory
from django.utils.module_loading import import_string

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.mark.parametrize(
    ("path", "status"), [("/healthz", 200), ("/no-such-page", 404), ("/static/admin/css/base.css", 200)]
)
def test_every_answer_has_the_headers(client: Client, path: str, status: int) -> None:
    response = client.get(path)
    response.getvalue()  # reads a static file to its end, which closes it
    assert response.status_code == status
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert "camera=()" in response.headers["Permissions-Policy"]


def test_a_foreign_host_is_refused_with_the_headers(client: Client) -> None:
    response = client.get("/healthz", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert "evil.example" not in response.content.decode()
    assert response.headers["Content-Security-Policy"]


def test_the_server_finds_an_application_that_answers() -> None:
    application = import_string("incidentlib.wsgi.application")
    assert application.get_response(RequestFactory().get("/healthz")).status_code == 200


def test_health_needs_no_database(client: Client) -> None:
    # Without the django_db mark any query would raise.
    assert client.get("/healthz").content == b"ok\n"


def test_public_answers_set_no_cookie_and_do_not_vary(client: Client) -> None:
    response = client.get("/healthz")
    assert not response.cookies
    assert not hasattr(response.wsgi_request, "session")
    assert not hasattr(response.wsgi_request, "user")
    assert "Vary" not in response.headers


def test_the_api_may_be_read_from_other_sites(client: Client) -> None:
    response = client.get("/api/no-such-thing")
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.django_db
def test_the_desk_is_kept_by_no_cache(client: Client) -> None:
    response = client.get("/admin/login/")
    assert response.headers["Cache-Control"] == "no-store, private"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert "incidentlib_csrf" in response.cookies


@pytest.mark.django_db
def test_the_desk_refuses_a_forged_form() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post("/admin/login/", {"username": "admin", "password": "x"}).status_code == 403


@pytest.mark.parametrize(
    ("path", "language"), [("/ko/no-such-page", "ko"), ("/en/no-such-page", "en"), ("/kong/", "en"), ("/", "en")]
)
def test_the_address_decides_the_language(client: Client, path: str, language: str) -> None:
    response = client.get(path, headers={"accept-language": "ko"})
    assert response.headers["Content-Language"] == language


@pytest.mark.django_db
def test_the_desk_speaks_the_language_of_the_browser(client: Client) -> None:
    response = client.get("/admin/login/", headers={"accept-language": "ko"})
    assert response.headers["Content-Language"] == "ko"
    assert 'lang="ko"' in response.content.decode()
