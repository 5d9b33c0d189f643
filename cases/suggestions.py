"""The answer to a search box that asks what the reader may be about to type. It is for our own pages, not for programs.

Without a script nobody asks: the box is then a plain form.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cases import catalog
from cases.answers import etag, json_answer, language_of, problem, public, unchanged
from cases.document import Language, write_json
from cases.models import Term
from cases.rendering.addresses import address
from cases.search import LONGEST_QUERY, Suggestion, suggest

# Who goes back over what they typed is answered by their own browser.
CONTROL = "public, max-age=60, s-maxage=60"


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """Answer ``{"groups": [{"label", "items": [{"text", "lang", "number", "list", "url"}]}]}``; 304 costs one query."""
    query, language, now = request.GET.get("q", ""), language_of(request), catalog.versions()
    if len(query) > LONGEST_QUERY:
        reason = _("At most {most} characters are searched for.").format(most=LONGEST_QUERY)
        return problem(HTTPStatus.BAD_REQUEST, "Bad Request", f"q: {reason}")
    tag = etag(now, language, "suggest", query)
    if same := unchanged(request, tag):
        return public(same, tag, CONTROL)
    groups = _grouped(suggest(query, language, catalog.at(now)), language)
    return json_answer(write_json({"groups": groups}), tag, CONTROL)


def _grouped(found: list[Suggestion], language: Language) -> list[dict[str, Any]]:
    labels = {"case": _("Cases"), "org": _("Organisations"), "term": _("Topics")}
    return [
        {"label": label, "items": items}
        for kind, label in labels.items()
        if (items := [_item(one, language) for one in found if one.kind == kind])
    ]


def _item(one: Suggestion, language: Language) -> dict[str, Any]:
    return {
        "text": one.label.text,
        "lang": one.label.language if one.label.is_other else None,
        "number": one.name if one.kind == "case" else None,
        "list": str(Term.List(one.name.partition(":")[0]).label) if one.kind == "term" else None,
        "url": _url(one, language),
    }


def _url(one: Suggestion, language: Language) -> str:
    if one.kind == "case":
        return address("case", language, id=one.name)
    if one.kind == "org":
        return address("org", language, slug=one.name)
    list_name, _separator, slug = one.name.partition(":")
    return address("topic", language, list=list_name, slug=slug)
