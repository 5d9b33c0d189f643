"""The pieces of HTML that are made outside a request: the article with its head, the card, the related cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.safestring import SafeString

from cases.document import CaseDocument, Language
from cases.labels import Labels, current_labels
from cases.standing import Standing
from cases.telling import beginning, plain, tell

from .addresses import address, full_address
from .article import Writer
from .card import card
from .linked_data import case_data, script
from .related import related_groups
from .templates import render

if TYPE_CHECKING:
    from cases.similarity import Neighbour

# Stands in a stored article where the view puts the related cases.
RELATED_MARK = "<!-- related cases -->"
# Parts a stored article from what belongs in the head of its page.
HEAD_MARK = "<!-- head -->"


def render_case(document: CaseDocument, standing: Standing, labels: Labels, language: Language) -> str:
    """Return what is kept of the page of a case: its article, HEAD_MARK, and what search engines and programs read."""
    article = render_article(document, standing, labels, language)
    with translation.override(language):
        return article + HEAD_MARK + _head(document, standing, labels, language)


def _head(document: CaseDocument, standing: Standing, labels: Labels, language: Language) -> str:
    title, summary = tell(document.title, language), tell(document.summary, language)
    context: dict[str, object] = {
        "title": plain(title.text) if title else document.id,
        "description": beginning(summary),
        "first": standing.first_published_at,
        "changed": standing.published_at,
        "markdown": full_address("markdown", language, id=document.id),
        "json": full_address("api-case", language, id=document.id),
        "data": script(case_data(document, standing, labels, language)),
    }
    return render("_head", language, context)


def render_article(document: CaseDocument, standing: Standing, labels: Labels, language: Language) -> str:
    """Return the ``<article>`` of a case, with RELATED_MARK where the related cases belong."""
    with translation.override(language):
        article = Writer(document, standing, labels, language).article()
        context = {
            "case": article,
            "related_mark": SafeString(RELATED_MARK),
            "LANGUAGE_CODE": language,
            "api_url": address("api", language),
        }
        return render("_case", language, context)


def render_card(document: CaseDocument, standing: Standing, labels: Labels, language: Language) -> str:
    """Return the ``<article>`` that stands for a case in lists."""
    with translation.override(language):
        return render("_card", language, {"card": card(document, standing, labels, language)})


def render_related(
    near: Sequence[Neighbour], language: Language, labels: Labels | None = None, chain: Sequence[Neighbour] = ()
) -> str:
    """Return the section that takes the place of RELATED_MARK. Give ``labels`` where they are at hand."""
    labels = labels or current_labels()
    with translation.override(language):
        return render("_related", language, {"groups": related_groups(near, chain, labels, language)})
