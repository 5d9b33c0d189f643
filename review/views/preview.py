"""The public page of a draft, for those who may see it: the same template, marked, and never cached."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from cases.document import LANGUAGES, Language
from cases.labels import current_labels
from cases.models import LanguageVersion
from cases.rendering import render_article
from cases.standing import Standing

from .opened import actor, opened


@login_required
@require_safe
def preview(request: HttpRequest, id: str, language: Language) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Show the newest text as readers of a language would see it."""
    found = opened(actor(request), id)
    if language not in LANGUAGES:
        raise Http404(language)
    versions = {
        one: LanguageVersion(state="draft" if one in found.document.languages else "missing", language=one)
        for one in LANGUAGES
    }
    with translation.override(language):
        article = render_article(found.document, Standing(versions=versions), current_labels(), language)
    context = {"found": found, "article": mark_safe(article), "language": language}  # noqa: S308  (our own template's output)
    return render(request, "review/preview.html", context)
