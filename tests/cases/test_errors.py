"""What is said when something went wrong: in the language of the address, without a database, never with an inside."""

from __future__ import annotations

import json

import pytest
from django.template import TemplateDoesNotExist, loader
from django.test import Client, RequestFactory

from cases import catalog, errors, stored
from cases.catalog.versions import LastChange, Versions

# No test here may use the database: any query would raise.


def broken(*_arguments: object) -> None:
    message = "secret inside"
    raise RuntimeError(message)


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(("path", "language"), [("/en/x/", "en"), ("/ko/x/", "ko"), ("/x", "en"), ("/ko/x", "ko")])
def test_a_missing_page_is_said_in_the_language_of_the_address(client: Client, path: str, language: str) -> None:
    response = client.get(path, headers={"accept-language": "ko"})
    assert response.status_code == 404
    assert f'<html lang="{language}">' in response.content.decode()
    assert response.headers["Cache-Control"] == "no-store"


def test_a_missing_page_offers_the_other_language(client: Client) -> None:
    text = client.get("/ko/nothing/").content.decode()
    assert 'href="/language/en/?next=/en/nothing/"' in text


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_failure_is_said_without_its_inside(client: Client, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setattr(catalog, "versions", broken)
    response = client.get(f"/{language}/cases/")
    text = response.content.decode()
    assert response.status_code == 500
    assert f'<html lang="{language}">' in text
    assert "secret inside" not in text
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_a_failure_of_the_error_page_is_said_in_both_languages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "versions", broken)
    monkeypatch.setattr(loader, "select_template", broken)
    response = client.get("/ko/cases/")
    assert response.status_code == 500
    assert "Internal Server Error" in response.content.decode()
    assert "문제가 생겼습니다" in response.content.decode()


def test_a_missing_template_is_no_failure(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_names: list[str]) -> None:
        raise TemplateDoesNotExist("404.html")

    monkeypatch.setattr(loader, "select_template", none)
    response = client.get("/ko/nothing/")
    assert response.status_code == 404
    assert "Not Found" in response.content.decode()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_request_that_cannot_be_read_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(catalog, "versions", lambda: Versions(LastChange(0, 0), 0))
    monkeypatch.setattr(catalog, "at", broken)
    query = "&".join(f"name{number}=x" for number in range(10_001))
    response = client.get(f"/{language}/cases/?{query}")
    assert response.status_code == 400
    assert f'<html lang="{language}">' in response.content.decode()


def test_a_foreign_host_is_refused(client: Client) -> None:
    response = client.get("/ko/cases/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert '<html lang="ko">' in response.content.decode()
    assert "evil.example" not in response.content.decode()


def test_what_is_not_for_everybody_is_forbidden() -> None:
    response = errors.forbidden(RequestFactory().get("/ko/x/"), PermissionError())
    assert response.status_code == 403
    assert '<html lang="ko">' in response.content.decode()


@pytest.mark.parametrize(
    ("handler", "status"), [(errors.bad_request, 400), (errors.forbidden, 403), (errors.not_found, 404)]
)
def test_programs_get_a_problem(handler: errors.Handler, status: int) -> None:
    response = handler(RequestFactory().get("/api/x"))
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = json.loads(response.content)
    assert problem["status"] == status
    assert problem["detail"]


def test_a_failure_towards_a_program_is_a_problem(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "fetch", broken)
    response = client.get("/api/cases/IL-0560")
    assert response.status_code == 500
    assert response.headers["Content-Type"] == "application/problem+json"
    assert "secret inside" not in response.content.decode()
