"""The public past of a case: the list of its editions, and one edition with what changed from the one before."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from cases import stored
from cases.answers import etag, forgiven_number, in_both_languages, language_of, moved, public, unchanged
from cases.differences import differences
from cases.document import Language, case_id
from cases.labels import current_labels
from cases.models import Case, Edition
from cases.past import past_edition
from cases.rendering import RELATED_MARK, render_article
from cases.rendering.addresses import address
from cases.stored import FetchedCase
from cases.views import withdrawn


@require_safe
def history(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    """List the editions of a case, newest first."""
    found = _found(request, id, "history")
    if isinstance(found, HttpResponse):
        return found
    language = language_of(request)
    tag = etag(found.versions, "history", language, found.number)
    if same := unchanged(request, tag):
        return same
    editions = Edition.objects.filter(case__number=found.number).defer("text").order_by("-number")
    title = found.title.told(language) or found.title.en or found.title.ko
    context = {
        "section": "cases",
        "id": found.id,
        "title": title,
        "title_language": language if found.title.told(language) else other_of(language),
        "editions": list(editions),
        **in_both_languages(language, "history", id=found.id),
    }
    return public(render(request, "cases/history.html", context), tag)


@require_safe
def edition(request: HttpRequest, id: str, number: int) -> HttpResponse:  # noqa: A002
    """Show one edition as it was published, and what changed from the one before."""
    found = _found(request, id, "edition", number=number)
    if isinstance(found, HttpResponse):
        return found
    language = language_of(request)
    tag = etag(found.versions, "edition", language, found.number, number)
    if same := unchanged(request, tag):
        return same
    shown = past_edition(found.number, number)
    if shown is None:
        raise Http404
    labels = current_labels(found.versions.vocabulary)
    article = render_article(shown.edition.document(), shown.standing, labels, language)
    before = shown.before.document() if shown.before else None
    context: dict[str, Any] = {
        "section": "cases",
        "id": found.id,
        "edition": shown.edition,
        "newest": shown.newest,
        "rows": differences(before, shown.edition.document()) if before is not None else None,
        "article": mark_safe(article.replace(RELATED_MARK, "")),  # noqa: S308  (our own HTML)
        **in_both_languages(language, "edition", id=found.id, number=str(number)),
    }
    return public(render(request, "cases/edition.html", context), tag)


def other_of(language: Language) -> Language:
    return "ko" if language == "en" else "en"


def _found(request: HttpRequest, text: str, page: str, **arguments: int) -> FetchedCase | HttpResponse:
    """Find a published case; the past of a withdrawn one is as gone as its page, that of a merged one leads on."""
    language, number = language_of(request), forgiven_number(text)
    if text != case_id(number):
        return moved(request, address(page, language, id=case_id(number), **{k: str(v) for k, v in arguments.items()}))
    found = stored.fetch(number, "json")
    if found is None:
        raise Http404
    if found.merged_into is not None:
        return moved(request, address("case", language, id=case_id(found.merged_into)))
    return found if found.status == Case.Status.PUBLISHED else withdrawn(request, found, language)
