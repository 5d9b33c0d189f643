"""Every word of the interface is said in Korean, and said well."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation.template import templatize

PROJECT = Path(settings.BASE_DIR)
CATALOGUE = PROJECT / "incidentlib" / "locale" / "ko" / "LC_MESSAGES" / "django.po"
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
IN_TEMPLATES = re.compile(r"""\bn?gettext\((u?"(?:[^"\\]|\\.)*"|u?'(?:[^'\\]|\\.)*')""")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}")
# A particle that waits for the word before it, and one put after a word that only the program knows.
UNDECIDED = re.compile(r"[은는을를이가과와]\([은는을를이가과와]\)|\(으\)로|\(이\)")
AFTER_A_PLACEHOLDER = re.compile(
    r"(?:%\(\w+\)[sd]|\{\w*\})(?:은|는|이|가|을|를|과|와|으로|로|이나|나|이라|라)(?![가-힣])"
)


def entries() -> list[polib.POEntry]:
    return list(polib.pofile(str(CATALOGUE)))


def said(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def words_of_python(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and node.args:
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            first = node.args[0]
            if name in MARKS and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def words_of_template(path: Path) -> Iterator[str]:
    for found in IN_TEMPLATES.finditer(templatize(path.read_text(encoding="utf-8"))):
        yield ast.literal_eval(found[1]).replace("%%", "%")


def words_of_the_interface() -> set[str]:
    modules = [path for package in ("cases", "review", "incidentlib") for path in (PROJECT / package).rglob("*.py")]
    words = {word for path in modules for word in words_of_python(path)}
    return words | {word for path in (PROJECT / "templates").rglob("*.html") for word in words_of_template(path)}


def test_words_are_found_where_they_are_written() -> None:
    """Guard the two searches: one that finds nothing would make the other tests pass."""
    assert "Not reviewed yet" in set(words_of_python(PROJECT / "cases" / "rendering" / "trust.py"))
    words = set(words_of_template(PROJECT / "templates" / "cases" / "_case.html"))
    assert {"Not told by the source", "The earlier case is %(id)s"} <= words


def test_every_word_is_in_the_catalogue() -> None:
    known = {entry.msgid for entry in entries()}
    assert sorted(words_of_the_interface() - known) == []


def test_every_word_has_a_korean_one() -> None:
    assert [entry.msgid for entry in entries() if not all(said(entry)) or not said(entry)] == []


def test_nothing_is_fuzzy_or_left_over() -> None:
    assert [entry.msgid for entry in entries() if entry.fuzzy or entry.obsolete] == []


def test_korean_has_one_plural() -> None:
    assert polib.pofile(str(CATALOGUE)).metadata["Plural-Forms"] == "nplurals=1; plural=0;"
    assert [entry.msgid for entry in entries() if entry.msgid_plural and set(entry.msgstr_plural) != {0}] == []


def test_placeholders_are_the_same() -> None:
    for entry in entries():
        for text in filter(None, said(entry)):
            assert set(PLACEHOLDER.findall(text)) == set(PLACEHOLDER.findall(entry.msgid)), entry.msgid


@pytest.mark.parametrize("wrong", [UNDECIDED, AFTER_A_PLACEHOLDER])
def test_no_particle_depends_on_a_word_that_is_not_known(wrong: re.Pattern[str]) -> None:
    assert [text for entry in entries() for text in said(entry) if wrong.search(text)] == []
