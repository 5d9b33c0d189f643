"""A case as Markdown: its texts stay texts for whoever reads CommonMark, and nothing of the page is left out."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from cases.document import Language
from cases.labels import Labels
from cases.models import LanguageVersion, Person
from cases.rendering import render_article, render_markdown
from cases.rendering.marking import command, escaped, heading, link, numbered, prose
from cases.similarity import Neighbour
from cases.standing import Standing
from cases.telling import Told
from tests.cases.hostile import HOSTILE, LINES
from tests.cases.making import make_document
from tests.cases.test_rendering import LABELS, standing_of

# HTML is on: what would be HTML to any reader must be seen. GFM's tables and strikethrough are, too.
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def tokens(text: str) -> list[Token]:
    found = READER.parse(text)
    return [token for block in found for token in (block, *(block.children or ()))]


def read_back(text: str) -> str:
    """Return the words of a paragraph as a text of a case has them: code between backticks, breaks as lines."""
    words = []
    for token in tokens(text):
        if token.type == "text":
            words.append(token.content)
        elif token.type == "code_inline":
            words.append(f"`{token.content}`")
        elif token.type in {"hardbreak", "softbreak"}:
            words.append("\n")
    return stripped("".join(words))


def stripped(text: str) -> str:
    """Leave out the blanks around each line, which mean nothing in Markdown."""
    return "\n".join(line.strip() for line in text.split("\n"))


def kinds(text: str) -> set[str]:
    return {token.type for token in tokens(text)}


HARMLESS = {"paragraph_open", "paragraph_close", "inline", "text", "code_inline", "hardbreak", "text_special"}


@pytest.mark.parametrize("text", [HOSTILE, *LINES, "\n".join(LINES), *(f"a\n{line}\nb" for line in LINES)])
def test_a_text_stays_what_it_is(text: str) -> None:
    assert read_back(escaped(text)) == stripped(text)
    assert kinds(escaped(text)) <= HARMLESS


@given(st.text(alphabet="`\\*_[]()<>&;#!|~-+=:1. \nab가\u00a0", max_size=40))
def test_no_text_is_more_than_a_text(text: str) -> None:
    text = "\n".join(line for line in stripped(text).split("\n") if line)
    assert kinds(escaped(text)) <= HARMLESS
    assert read_back(escaped(text)) == text


@pytest.mark.parametrize("text", ["C#", "#", "a # #", "two\nlines", *LINES])
def test_a_heading_is_one_line_with_all_its_words(text: str) -> None:
    found = READER.parse(heading(2, Told(text)))
    assert [token.type for token in found] == ["heading_open", "inline", "heading_close"]
    assert read_back(heading(2, Told(text))) == " ".join(text.split())


@pytest.mark.parametrize(
    ("url", "href"),
    [
        ("https://a.example/x_(y)?a=1&b=%20", "https://a.example/x_(y)?a=1&b=%20"),
        ("https://a.example/<b>\\", "https://a.example/%3Cb%3E%5C"),
        ("https://a.example/)[x](javascript:alert(1))", "https://a.example/)%5Bx%5D(javascript:alert(1))"),
    ],
)
def test_a_link_leads_where_it_says(url: str, href: str) -> None:
    found = [token for token in tokens(link(escaped("[a] name"), url)) if token.type == "link_open"]
    assert [token.attrs["href"] for token in found] == [href]


@pytest.mark.parametrize("text", ["kubectl get pods", "echo '```'\n\tls", "````", "a\n\nb"])
def test_a_command_is_one_block_of_code(text: str) -> None:
    found = READER.parse(numbered([f"x\n\n{command(text)}"]))
    assert [token.content for token in found if token.type == "fence"] == [f"{text}\n"]


def test_paragraphs_stay_apart_and_say_in_which_language_they_are() -> None:
    with translation.override("en"):
        assert prose(Told("하나\n\n둘", "ko", is_other=True)) == "(Korean only)\n\n하나\n\n둘"


# The whole case

# The list of contents, the drawing, how many quotations can be opened, and the addresses.
ONLY_ON_THE_PAGE = re.compile(
    r"<nav.*?</nav>|<figure class=.strip.*?</figure>|<details class=.quotes.><summary>.*?</summary>"
    r"|<section id=.tools.>.*",
    re.DOTALL,
)
CLAIMS = [
    {"uid": "q-1", "path": "trigger", "source": "s-zygcbh", "quote": "It began at noon.", "value": "1h 5m"},
    {"uid": "q-2", "path": "severity", "source": "s-zygcbh", "quote": "Everything was down.", "basis": "disputed"},
]


def markdown(language: Language = "en", standing: Standing | None = None, **changes: object) -> str:
    return render_markdown(make_document(**changes), standing or standing_of(), LABELS, language)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_everything_that_the_page_tells_is_told(language: Language) -> None:
    """Compare with the article: each of its words is there, but for what only a page needs."""
    document, standing = make_document(claims=CLAIMS), standing_of()
    html = ONLY_ON_THE_PAGE.sub("", render_article(document, standing, LABELS, language))
    shown = words(unescape(re.sub(r"<[^>]*>", " ", html)))
    told = set(words(render_markdown(document, standing, LABELS, language)))
    assert len(shown) > 500
    assert [word for word in shown if word not in told] == []


def test_hostile_texts_stay_texts_everywhere() -> None:
    document = make_document(
        title={"en": HOSTILE[:290], "ko": None},
        summary={"en": HOSTILE, "ko": None},
        lessons={"en": "\n\n".join(LINES), "ko": None},
        trigger={"en": "\n".join(LINES), "ko": None},
        org=HOSTILE[:100],
        sources=[{"url": "https://a.example/<script>", "kind": "postmortem", "uid": "s-1", "title": HOSTILE[:290]}],
        claims=[],
        timeline={},
        checks=[{"uid": "c-1", "question": {"en": HOSTILE}, "command": "```\n</script>"}],
    )
    found = tokens(render_markdown(document, standing_of(), LABELS, "en"))
    assert not [token for token in found if token.type in {"html_block", "html_inline", "image"}]
    hrefs = [str(token.attrs["href"]) for token in found if token.type == "link_open"]
    assert all(
        href.startswith(("https://a.example/%3C", "http://127.0.0.1:8000/", "https://creative")) for href in hrefs
    )
    texts = [token.content for token in found if token.type == "heading_open"]
    assert texts == [""] * len(texts)
    headings = [found[place + 1].content for place, token in enumerate(found) if token.type == "heading_open"]
    assert "heading" not in headings


def test_what_is_told_in_the_other_language_is_marked() -> None:
    text = markdown("ko", title={"en": "Only English", "ko": None}, summary={"en": "Told.", "ko": None})
    assert "이 사례는 아직 한국어로" in text
    assert "(영어로만 제공)\n\nTold." in text
    assert "# Only English" in text


def test_the_review_is_told_as_on_the_page() -> None:
    program = LanguageVersion(state="draft", written_by=Person(name="session", kind="agent"))
    assert "- **English:** Not reviewed yet · Written by session, a program" in markdown(standing=standing_of(program))


def test_quotations_and_conflicts_stand_with_their_statement() -> None:
    source = {"url": "https://a.example/", "kind": "postmortem", "uid": "s-1", "language": "en"}
    claim = {"path": "trigger", "source": "s-1", "quote": "It *began* at noon.", "value": "12:00"}
    other = {**claim, "quote": "At one.", "value": "13:00", "uid": "q-2", "chosen": False}
    single = markdown(sources=[source], claims=[{**claim, "uid": "q-1"}], timeline={})
    assert "\n  > It \\*began\\* at noon.\n  >\n  > (Source 1 · 12:00)" in single
    both = markdown(
        sources=[source], timeline={}, claims=[{**claim, "uid": "q-1", "note": {"en": "The log says so."}}, other]
    )
    assert "**The sources disagree**" in both
    assert "**This case follows:** 12:00" in both
    assert "**Also stated:** 13:00" in both
    assert "**Why:** The log says so." in both


def test_an_example_a_recurrence_and_aliases_are_said() -> None:
    standing = Standing(edition=1, versions={"en": LanguageVersion(state="draft")}, aliases=(7,))
    text = markdown(standing=standing, example=True, recurrence_of="IL-0001")
    assert "**Example** This organisation" in text
    assert "[IL-0001](<http://127.0.0.1:8000/en/cases/IL-0001/>)" in text
    assert "Cases merged into this one: IL-0007" in text


def test_what_nobody_told_reads_differently_from_unknown() -> None:
    text = markdown(
        lessons=None, remediation=[], action_items=[], root_cause=None, contributing=[], timeline={}, sources=[],
        claims=[], checks=[], components=[], symptoms=[], domain=[], severity="unknown", impact={}, impact_text={},
        detection_method=None, docs=["https://docs.example/a_b"],
    )  # fmt: skip
    assert text.count("*Not told by the source*") >= 8
    assert "**Severity:** Unknown" in text
    assert "No source is named." in text
    assert "[https://docs.example/a_b](<https://docs.example/a_b>)" in text


def test_a_case_about_nothing_known_has_no_check() -> None:
    bare = Labels(version=1, wording=1, terms={}, orgs={})
    assert "No check is known yet" in render_markdown(make_document(checks=[]), standing_of(), bare, "en")


def test_cases_near_it_are_named_with_the_reason(near: Neighbour) -> None:
    text = render_markdown(make_document(), standing_of(), LABELS, "ko", [near])
    assert "[IL-0007](<http://127.0.0.1:8000/ko/cases/IL-0007/>) · 라이브킷 · 2026년 8월 · 이름을 찾지 못했다" in text


@pytest.fixture
def near() -> Neighbour:
    import datetime as dt  # noqa: PLC0415

    return Neighbour(
        number=7, org_name="LiveKit", org_slug="livekit", title_en=None, title_ko="이름을 찾지 못했다",
        date_first=dt.date(2026, 8, 1), date_precision="month", reasons=(("same-root-cause", ()),),
    )  # fmt: skip
