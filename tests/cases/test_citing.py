"""A case to cite and as Markdown: what reference managers read, and the answers of the addresses beside a page."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
import rispy
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import LatexDecodingMiddleware
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pytest_django import Settings

from cases.citing import FORMS
from cases.models import Edition
from cases.publishing import merge, withdraw
from cases.references import Reference, bibtex, csl, ris
from cases.rendering import store_rendered
from cases.rendering.citation import FORMATS
from tests.cases.hostile import HOSTILE
from tests.cases.making import make_case

CountQueries = Callable[[int], AbstractContextManager[object]]
SITE = "http://127.0.0.1:8000"
TITLE = {"en": "Names & `dns` were not found: 100 %_ {of} them", "ko": "이름의 100%를 찾지 못했다 & {끝}"}
BESIDE = [".md", "/cite.bib", "/cite.ris", "/cite.json"]
PLAIN = {"en": "Names & dns were not found: 100 %_ {of} them", "ko": TITLE["ko"]}


def latex() -> LatexNodes2Text:
    """Return a reader of LaTeX that knows six more commands of its kernel than the library does."""
    signs = {
        "textless": "<",
        "textgreater": ">",
        "textbraceleft": "{",
        "textbraceright": "}",
        "textasciicircum": "^",
        "textbar": "|",
    }
    known = get_default_latex_context_db()
    known.add_context_category(
        "kernel", prepend=True, macros=[MacroTextSpec(name, simplify_repl=sign) for name, sign in signs.items()]
    )
    return LatexNodes2Text(latex_context=known)


def entry(text: str) -> dict[str, str]:
    """Return the one BibTeX entry of a text as a library reads it, its LaTeX decoded."""
    library = parse_string(text, append_middleware=[LatexDecodingMiddleware(decoder=latex())])
    assert library.failed_blocks == []
    assert len(library.entries) == 1
    found = library.entries[0]
    fields = {field.key: str(field.value) for field in found.fields}
    return {"key": found.key, "type": found.entry_type, **fields}


def reference(title: str, **changes: Any) -> Reference:
    told: dict[str, Any] = {
        "id": "IL-0560",
        "edition": 3,
        "title": title,
        "summary": "",
        "org": "LiveKit",
        "language": "en",
        "published": dt.date(2026, 3, 9),
        "url": f"{SITE}/en/cases/IL-0560/history/3/",
    }
    return Reference(**{**told, **changes})


# What is in them


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ko"])
def test_bibtex_is_read_back(client: Client, language: str) -> None:
    make_case(id="IL-0560", title=TITLE, org="LiveKit")
    make_case(id="IL-0560", title=TITLE, org="LiveKit", lessons=None)
    published = Edition.objects.get(number=2).published_at
    found = entry(client.get(f"/{language}/cases/IL-0560/cite.bib").content.decode())
    assert published is not None
    assert found["key"] == f"IL-0560-2-{language}"
    assert found["author"] == "IncidentLib"
    assert found["title"] == PLAIN[language]
    assert found["howpublished"] == "IncidentLib, case IL-0560, edition 2"
    assert found["url"] == f"{SITE}/{language}/cases/IL-0560/history/2/"
    assert client.get(found["url"].removeprefix(SITE)).status_code == 200
    assert found["language"] == {"en": "english", "ko": "korean"}[language]
    assert (found["year"], found["date"]) == (str(published.year), published.date().isoformat())
    assert "CC BY 4.0" in found["note"]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ko"])
def test_ris_is_read_back(client: Client, language: str) -> None:
    summary = {"en": "First.\n\nSecond `code`.", "ko": "하나.\n\n둘."}
    make_case(id="IL-0560", title=TITLE, summary=summary, org="LiveKit")
    text = client.get(f"/{language}/cases/IL-0560/cite.ris").content.decode()
    (found,) = rispy.loads(text)
    assert found["type_of_reference"] == "ELEC"
    assert found["authors"] == ["IncidentLib"]
    assert found["title"] == PLAIN[language]
    assert found["abstract"] == {"en": "First. Second code.", "ko": "하나. 둘."}[language]
    assert found["urls"] == [f"{SITE}/{language}/cases/IL-0560/history/1/"]
    assert found["language"] == language
    assert re.fullmatch(r"\d{4}/\d\d/\d\d", found["date"])
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*", line) for line in text.split("\r\n")[:-1])
    assert "\n" not in text.replace("\r\n", "")


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ko"])
def test_csl_is_read_back(client: Client, language: str) -> None:
    make_case(id="IL-0560", title=TITLE, org="LiveKit")
    response = client.get(f"/{language}/cases/IL-0560/cite.json")
    (found,) = json.loads(response.content)
    assert found["type"] == "webpage"
    assert found["title"] == PLAIN[language]
    assert found["author"] == [{"literal": "IncidentLib"}]
    assert found["URL"] == f"{SITE}/{language}/cases/IL-0560/history/1/"
    assert found["version"] == "1"
    ((year, month, day),) = found["issued"]["date-parts"]
    assert dt.date(year, month, day) == Edition.objects.get().published_at.date()  # type: ignore[union-attr]  # set
    assert response.headers["Content-Type"] == "application/vnd.citationstyles.csl+json"
    assert response.headers["Content-Disposition"] == 'inline; filename="IL-0560.json"'


@pytest.mark.django_db
def test_a_case_told_in_the_other_language_is_cited_in_that_language(client: Client) -> None:
    make_case(id="IL-0560", title={"en": None, "ko": "이름"}, summary={"en": None, "ko": "요약"})
    (found,) = json.loads(client.get("/en/cases/IL-0560/cite.json").content)
    assert (found["title"], found["language"]) == ("이름", "ko")


@pytest.mark.parametrize(
    "text", [HOSTILE, "}", "{", "\\", "\\{", "100% $x_1^2$ #1 & ~", "a@b, c", "“인용” \"x\" 'y'", "%"]
)
def test_bibtex_keeps_every_sign(text: str) -> None:
    assert entry(bibtex(reference(text)))["title"] == text


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="{}\\$%&#_~^<>|@,=\"'` a가é", min_size=1).map(str.strip).filter(bool))
def test_braces_are_balanced_whatever_a_title_holds(text: str) -> None:
    """BibTeX itself counts braces, also behind a backslash; a percent sign ends a line of LaTeX."""
    written = bibtex(reference(text))
    depth = 0
    for sign in written:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    assert not re.search(r"(?<!\\)[$%&#_~^]", re.search(r"title = (.*),\n", written)[1])  # type: ignore[index]  # it is there


@pytest.mark.parametrize("text", [HOSTILE, "ER  -", "TY  - BOOK", "a  - b"])
def test_ris_keeps_every_sign(text: str) -> None:
    (found,) = rispy.loads(ris(reference(text)))
    assert found["title"] == text


def test_what_is_not_known_is_left_out(settings: Settings) -> None:
    settings.CONTENT_LICENSE_NAME = ""
    bare = reference("Title", published=None)
    assert {"year", "date", "note"}.isdisjoint(entry(bibtex(bare)))
    assert {"PY", "DA", "N1", "AB"}.isdisjoint(line[:2] for line in ris(bare).splitlines())
    assert {"issued", "note", "abstract"}.isdisjoint(json.loads(csl(bare))[0])


def test_the_page_offers_what_there_is() -> None:
    assert list(FORMATS) == list(FORMS)


# On the page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", r"“<b>”\. IncidentLib, case IL-0560, edition 2, \d+ \w+ 20\d\d\."),
        ("ko", r"“<b>”\. IncidentLib 사례 IL-0560, 제2판, 20\d\d년 \d+월 \d+일\."),
    ],
)
def test_the_page_says_how_to_cite_the_edition(client: Client, language: str, sentence: str) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0560", title={"en": "<b>", "ko": "<b>"})
    store_rendered([560])
    text = client.get(f"/{language}/cases/IL-0560/").content.decode()
    assert re.search(sentence.replace("<b>", "&lt;b&gt;"), text)
    assert f'<a class="address" href="{SITE}/{language}/cases/IL-0560/history/2/">' in text
    for path in BESIDE[1:]:
        assert f'href="/{language}/cases/IL-0560{path}"' in text
    assert f'<link rel="alternate" type="text/markdown" href="{SITE}/{language}/cases/IL-0560.md">' in text
    assert f'<link rel="alternate" type="application/json" href="{SITE}/api/cases/IL-0560">' in text


@pytest.mark.django_db
def test_an_old_edition_is_cited_as_itself(client: Client) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0560", title={"en": "Anew", "ko": None})
    text = client.get("/en/cases/IL-0560/history/1/").content.decode()
    assert f'href="{SITE}/en/cases/IL-0560/history/1/"' in text
    assert "application/ld+json" not in text


# How they are answered


@pytest.mark.django_db
@pytest.mark.parametrize("path", BESIDE)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_they_answer_in_the_language_of_their_address(client: Client, language: str, path: str) -> None:
    make_case(id="IL-0560", title=TITLE)
    response = client.get(f"/{language}/cases/IL-0560{path}")
    assert response.status_code == 200
    assert response.headers["Content-Language"] == language
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Link"] == f'<{SITE}/{language}/cases/IL-0560/>; rel="canonical"'
    assert "Vary" not in response.headers


@pytest.mark.django_db
@pytest.mark.parametrize("path", BESIDE[1:])
def test_a_reference_costs_one_query(client: Client, django_assert_num_queries: CountQueries, path: str) -> None:
    make_case(id="IL-0560")
    client.get(f"/en/cases/IL-0560{path}")
    with django_assert_num_queries(1):
        client.get(f"/en/cases/IL-0560{path}")


@pytest.mark.django_db
@pytest.mark.parametrize("path", BESIDE)
def test_a_missing_case_is_not_found(client: Client, path: str) -> None:
    for number in ("IL-0999", "nothing", "IL-0000", "IL-%D9%A0", "%00"):
        assert client.get(f"/en/cases/{number}{path}").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("path", BESIDE)
def test_a_withdrawn_case_is_gone_and_says_why(client: Client, path: str) -> None:
    make_case(id="IL-0560", title=TITLE)
    withdraw(560, {"en": "The source was wrong.", "ko": "출처가 틀렸다."})
    response = client.get(f"/ko/cases/IL-0560{path}")
    assert response.status_code == 410
    assert response.headers["Cache-Control"] == "public, max-age=0, s-maxage=60"
    assert "출처가 틀렸다." in response.content.decode()
    assert TITLE["ko"][:8] not in response.content.decode()
    assert "Content-Disposition" not in response.headers


@pytest.mark.django_db
@pytest.mark.parametrize("path", BESIDE)
def test_a_merged_case_leads_to_the_other(client: Client, path: str) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0561")
    merge(560, 561)
    response = client.get(f"/ko/cases/IL-0560{path}")
    assert (response.status_code, response.headers["Location"]) == (308, f"/ko/cases/IL-0561{path}")


@pytest.mark.django_db
@pytest.mark.parametrize("path", BESIDE)
@pytest.mark.parametrize("written", ["il-0560", "560", "IL-00560"])
def test_a_number_may_be_written_in_many_ways(client: Client, path: str, written: str) -> None:
    make_case(id="IL-0560")
    response = client.get(f"/en/cases/{written}{path}")
    assert (response.status_code, response.headers["Location"]) == (308, f"/en/cases/IL-0560{path}")


@pytest.mark.django_db
@pytest.mark.parametrize("path", BESIDE)
def test_without_a_language_the_reader_decides(client: Client, path: str) -> None:
    make_case(id="IL-0560")
    response = client.get(f"/cases/IL-0560{path}", headers={"accept-language": "ko"}, follow=True)
    assert response.redirect_chain == [(f"/ko/cases/IL-0560{path}", 302)]
    assert response.status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "/en/cases/IL-0560/cite.exe",
        "/en/cases/IL-0560/cite.",
        "/en/cases/IL-0560/a.b",
        "/en/x/한.글",
        "/en/a.b",
        "/en/feeds/x.atom",
    ],
)
def test_other_files_are_not_there(client: Client, address: str) -> None:
    make_case(id="IL-0560")
    assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_markdown_tells_of_similar_cases_whatever_was_asked_before(client: Client) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0561")
    first = client.get("/en/cases/IL-0560.md").content
    assert b"/en/cases/IL-0561/" in first
    client.get("/api/cases/IL-0560")  # remembers what stands beside the JSON
    assert client.get("/en/cases/IL-0560.md").content == first


@pytest.mark.django_db
def test_markdown_has_the_cases_near_it(client: Client) -> None:
    make_case(id="IL-0560")
    make_case(id="IL-0561", title={"en": "The other one", "ko": None})
    text = client.get("/en/cases/IL-0560.md").content.decode()
    assert f"[IL-0561](<{SITE}/en/cases/IL-0561/>) · LiveKit · 19 October 2026 · The other one · same cause" in text
