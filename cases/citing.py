"""One case as reference managers take it (BibTeX, RIS, CSL-JSON), and as Markdown: addresses beside its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from cases import stored
from cases.answers import answered, etag, forgiven_number, language_of, moved_for_good, open_to_all
from cases.document import case_id, read_case, read_json
from cases.models import Case
from cases.references import Reference, bibtex, csl, ris
from cases.rendering import render_markdown
from cases.rendering.addresses import address, full_address
from cases.stored import FetchedCase
from cases.views import withdrawn


@dataclass(frozen=True)
class Form:
    """One way of writing a reference, and the media type that it has."""

    write: Callable[[Reference], str]
    media_type: str


FORMS = {
    "bib": Form(bibtex, "application/x-bibtex; charset=utf-8"),
    "ris": Form(ris, "application/x-research-info-systems; charset=utf-8"),
    "json": Form(csl, "application/vnd.citationstyles.csl+json"),
}


@require_safe
def cite(request: HttpRequest, id: str, form: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    """Give the reference of a case in one of the forms."""
    if form not in FORMS:
        raise Http404
    response = _beside(request, id, "cite", lambda found: _reference(request, found, FORMS[form]), form=form)
    if response.status_code == HTTPStatus.OK:
        response.headers["Content-Disposition"] = f'inline; filename="{case_id(forgiven_number(id))}.{form}"'
    return response


def _reference(request: HttpRequest, found: FetchedCase, form: Form) -> HttpResponse:
    reading = read_case(read_json(found.text or "{}"))
    reference = Reference.of(reading, found.labels, language_of(request))
    return HttpResponse(form.write(reference), content_type=form.media_type)


@require_safe
def markdown(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    """Give everything that the page of a case tells, as Markdown."""
    return _beside(request, id, "markdown", lambda found: _markdown(request, found))


def _markdown(request: HttpRequest, found: FetchedCase) -> HttpResponse:
    document, standing = stored.contents([found.number])[found.number]
    near = found.neighbours
    text = render_markdown(document, standing, found.labels, language_of(request), near)
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


def _beside(
    request: HttpRequest, text: str, name: str, make: Callable[[FetchedCase], HttpResponse], **arguments: str
) -> HttpResponse:
    """Answer for a case as its page does: 404, 410 or a redirect to the same address of the right case."""
    language, number = language_of(request), forgiven_number(text)
    found = stored.fetch(number, "json")
    if found is None:
        raise Http404
    goal = found.merged_into or number
    if text != case_id(goal):
        return moved_for_good(address(name, language, id=case_id(goal), **arguments))
    if found.status != Case.Status.PUBLISHED:
        return withdrawn(request, found, language)
    tag = etag(found.versions, request.path, found.sequence)
    response = open_to_all(answered(request, tag, lambda: make(found)))
    response.headers["Link"] = f'<{full_address("case", language, id=found.id)}>; rel="canonical"'
    return response
