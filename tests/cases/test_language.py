"""Which language a reader gets: that of the address; where it has none, the one chosen, else the browser's."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from cases.views import choose_language
from tests.cases.making import make_case

# None of these may ask the database: only the tests marked so do.

KOREAN = "ko-KR,ko;q=0.9,en;q=0.5"


@pytest.mark.parametrize(
    ("header", "cookie", "expected"),
    [
        ("", "", "en"),
        (KOREAN, "", "ko"),
        ("en-GB", "", "en"),
        ("fr-FR,de;q=0.9", "", "en"),
        (KOREAN, "en", "en"),
        ("en", "ko", "ko"),
        (KOREAN, "fr", "ko"),
        ("x" * 5000, "\x00", "en"),
        ("ko;q=nonsense, *;;;", "", "en"),
    ],
)
@pytest.mark.parametrize(
    ("path", "target"),
    [("/", "/{}/"), ("/cases/", "/{}/cases/"), ("/cases/IL-0560", "/{}/cases/IL-0560/"), ("/api/", "/{}/api/")],
)
def test_an_address_without_a_language_asks_the_reader(
    client: Client, header: str, cookie: str, expected: str, path: str, target: str
) -> None:
    if cookie:
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    response = client.get(path, headers={"accept-language": header})
    assert response.status_code == 302
    assert response.headers["Location"] == target.format(expected)
    assert response.headers["Vary"] == "Accept-Language, Cookie"
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert not response.cookies


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/cases/il-560", "/en/cases/IL-0560/"),
        ("/cases/560/", "/en/cases/IL-0560/"),
        ("/cases/IL-0560/history/3", "/en/cases/IL-0560/history/3/"),
        ("/cases?component=dns&page=2", "/en/cases/?component=dns&page=2"),
        ("/topics/component/dns", "/en/topics/component/dns/"),
        ("/orgs", "/en/orgs/"),
        ("/about/", "/en/about/"),
        ("/cases//evil.example/", "/en/cases//evil.example/"),
        ("/cases/%2F%2Fevil.example", "/en/cases///evil.example/"),
        ("/cases/%0d%0aSet-Cookie:x=1", "/en/cases/%0ASet-Cookie%3Ax%3D1/"),
        ("/orgs/누리", "/en/orgs/%EB%88%84%EB%A6%AC/"),
    ],
)
def test_a_forgiven_address_leads_to_the_right_one(client: Client, path: str, target: str) -> None:
    response = client.get(path)
    assert response.status_code in {302, 404}
    if response.status_code == 302:
        assert response.headers["Location"].replace("%0D", "") == target


def test_the_home_page_is_the_list(client: Client) -> None:
    for address in ("/ko/", "/ko"):
        response = client.get(address, headers={"accept-language": "en"})
        assert (response.status_code, response.headers["Location"]) == (302, "/ko/cases/")
        assert "Vary" not in response.headers


@pytest.mark.parametrize(
    "path", ["//evil.example/cases", "///evil.example", "//evil.example/en/cases", "/\\evil.example/cases"]
)
def test_no_address_leads_off_the_site(path: str) -> None:
    response = Client().generic("GET", "/", PATH_INFO=path)
    location = response.headers.get("Location", "/")
    assert location.startswith("/")
    assert not location.startswith(("//", "/\\"))


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("cases?severity=major", "cases/?severity=major"),
        ("cases/il-560", "cases/IL-0560/"),
        ("topics/component/dns", "topics/component/dns/"),
        ("about", "about/"),
    ],
)
def test_a_missing_slash_is_forgiven(client: Client, language: str, path: str, target: str) -> None:
    response = client.get(f"/{language}/{path}")
    assert (response.status_code, response.headers["Location"]) == (301, f"/{language}/{target}")


@pytest.mark.parametrize(
    "path", ["/ko/nothing", "/en/cases/IL-0560/nothing", "/en/topics/component", "/en/%0d%0ax", "/en/.."]
)
def test_a_slash_is_added_only_where_there_is_something(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/fr/cases/", "/EN/cases/", "/kong/", "/en-gb/", "/None/cases/"])
def test_there_are_two_languages(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_any_path_is_forgiven_by_the_view_too() -> None:
    request = RequestFactory().get("/cases/IL-0560")
    assert choose_language(request, "cases/IL-0560").headers["Location"] == "/en/cases/IL-0560/"


# The switch


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_switch_remembers_and_returns(client: Client, language: str) -> None:
    response = client.get(f"/language/{language}/", {"next": f"/{language}/cases/IL-0560/?a=b"})
    cookie = response.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert response.status_code == 302
    assert response.headers["Location"] == f"/{language}/cases/IL-0560/?a=b"
    assert response.headers["Cache-Control"] == "no-store"
    assert cookie.value == language
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert client.get("/", headers={"accept-language": "fr"}).headers["Location"] == f"/{language}/"


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/en/",
        "javascript:alert(1)",
        "/\t/evil.example",
        "\t//evil.example",
        "en/cases/",
        "http:///evil.example",
        "/" + "x" * 5000,
        "\x00/en/",
    ],
)
def test_the_switch_leads_nowhere_else(client: Client, wanted: str) -> None:
    assert client.get("/language/ko/", {"next": wanted}).headers["Location"] == "/ko/cases/"


def test_the_switch_knows_two_languages_and_only_reads(client: Client) -> None:
    assert client.get("/language/fr/").status_code == 404
    assert client.post("/language/ko/").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["cases/", "orgs/", "topics/", "about/", "api/", "cases/IL-0560/", "orgs/livekit/"])
def test_every_page_links_to_itself_in_the_other_language(client: Client, path: str) -> None:
    make_case(id="IL-0560", org="LiveKit", org_slug="livekit")
    text = client.get(f"/en/{path}").content.decode()
    assert f'hreflang="ko" href="/language/ko/?next={quote(f"/ko/{path}")}"' in text
    assert f'<link rel="alternate" hreflang="ko" href="http://127.0.0.1:8000/ko/{path}">' in text
    assert f'<link rel="alternate" hreflang="x-default" href="http://127.0.0.1:8000/{path}">' in text
    assert f'<link rel="canonical" href="http://127.0.0.1:8000/en/{path}">' in text


@pytest.mark.django_db
def test_a_browser_does_not_change_the_language_of_an_address(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ko"
    response = client.get("/en/about/", headers={"accept-language": "ko"})
    assert response.headers["Content-Language"] == "en"
    assert '<html lang="en">' in response.content.decode()
