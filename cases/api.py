"""What programs read of one case. The JSON is the stored text: nobody builds it here."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from cases import stored
from cases.answers import FORGIVEN, GONE, answered, etag, json_answer, problem, public
from cases.document import case_id, splice, write_json
from cases.models import Case
from cases.similarity import as_json, chain_as_json
from cases.standing import standings
from cases.stored import FetchedCase


@require_safe
def case(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    return _answer(request, "api-case", id, _whole)


@require_safe
def similar(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    return _answer(request, "api-similar", id, _similar)


def _answer(request: HttpRequest, name: str, id_text: str, write: Callable[[FetchedCase], str]) -> HttpResponse:
    """Find the case and write it, or say why there is nothing to write."""
    given = FORGIVEN.fullmatch(id_text)
    found = stored.fetch(int(given[1]), "json") if given else None
    if found is None:
        return problem(404, "Not Found", "There is no case with this number.")
    if found.merged_into is not None:
        return _moved(name, found.merged_into)
    if found.status != Case.Status.PUBLISHED:
        return _withdrawn(found)
    if id_text != found.id:
        return _moved(name, found.number)
    tag = etag(found.versions, found.sequence, name)
    return answered(request, tag, lambda: json_answer(write(found)))


def _whole(found: FetchedCase) -> str:
    return splice(found.text or "{}", write_json(_neighbours(found)), write_json(chain_as_json(found.chain)))


def _similar(found: FetchedCase) -> str:
    return write_json({"id": found.id, "similar": _neighbours(found)})


def _neighbours(found: FetchedCase) -> list[dict[str, object]]:
    return as_json(found.neighbours, found.labels)


def _moved(name: str, number: int) -> HttpResponse:
    response = HttpResponsePermanentRedirect(reverse(f"cases:{name}", kwargs={"id": case_id(number)}))
    response.status_code = 308
    return public(response, control=GONE)


def _withdrawn(found: FetchedCase) -> HttpResponse:
    record = standings([Case.objects.get(number=found.number)])[found.number].as_json()
    told = {"id": found.id, "status": found.status, "withdrawn": record["withdrawn"]}
    return json_answer(write_json(told), control=GONE, status=410)
