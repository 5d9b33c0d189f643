"""A case in lists: number, organisation, date, title, tags, severity and review, in one language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language
from cases.document import durations as measured
from cases.formatting import duration_code, duration_words
from cases.labels import Labels
from cases.standing import Standing
from cases.telling import Shown, Told, tell

from .addresses import address
from .times import When, dated
from .trust import Badge, badge


@dataclass(frozen=True)
class Card(Shown):
    """All that ``cases/_card.html`` shows. ``in_language`` marks a title that is told in the other language only."""

    id: str
    url: str
    org: Told
    date: When
    title: Told
    in_language: str
    tags: SafeString
    severity: Told | None
    severity_slug: str
    repair: When | None
    badge: Badge
    is_example: bool


def card(document: CaseDocument, standing: Standing, labels: Labels, language: Language) -> Card:
    """Work out the card. The language must be the active one."""
    title = tell(document.title, language) or Told(document.id)
    tags = [("domain", slug) for slug in document.domain]
    if document.root_cause and document.root_cause not in {"unknown", "undisclosed"}:
        tags.append(("root_cause", document.root_cause))
    tags += [("component", slug) for slug in document.components]
    repair = measured(document)["resolve"]
    seconds = repair.seconds if repair else None
    severity = labels.term("severity", document.severity).name(language) if document.severity != "unknown" else None
    return Card(
        id=document.id,
        url=address("case", language, id=document.id),
        org=labels.org(document.org).name(language),
        date=dated(document.date, document.date_precision, language),
        title=title,
        in_language=_language_tag(title),
        tags=SafeString("".join(tag_item(labels, name, slug, language) for name, slug in tags)),
        severity=severity,
        severity_slug=document.severity,
        repair=_repaired(seconds, language) if seconds is not None else None,
        badge=badge(standing),
        is_example=document.example,
    )


@lru_cache(maxsize=4096)
def tag_item(labels: Labels, list_name: str, slug: str, language: Language) -> SafeString:
    return format_html("<li>{}</li>", labels.term(list_name, slug).name(language).name)


def _repaired(seconds: int, language: Language) -> When:
    words = _("Repaired after {duration}").format(duration=duration_words(seconds, language))
    return When(words, duration_code(seconds))


def _language_tag(title: Told) -> str:
    if not title.is_other:
        return ""
    return _("In Korean") if title.language == "ko" else _("In English")
