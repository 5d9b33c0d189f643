"""The three pieces of HTML that are made outside a request: the article, the card, the related cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.safestring import SafeString

from cases.document import CaseDocument, Language
from cases.labels import Labels, current_labels
from cases.standing import Standing

from .addresses import address
from .article import Writer
from .card import card
from .related import related_groups
from .templates import render

if TYPE_CHECKING:
    from cases.similarity import Neighbour

# Stands in a stored article where the view puts the related cases.
RELATED_MARK = "<!-- related cases -->"


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
