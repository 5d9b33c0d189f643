"""Lists of cases and single cases. A whole case is the stored text: nobody builds it here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from ninja import Path, Query

from cases import catalog, stored
from cases.answers import FORGIVEN, GONE, answered, etag, json_answer, problem, public
from cases.document import case_id, public_model, splice, write_json
from cases.document.problems import gettext_noop
from cases.encodings import encode, encoding_for
from cases.lists import case_list
from cases.models import Case
from cases.past import editions_json, past_edition
from cases.queries import asked
from cases.standing import standings
from cases.stored import FetchedCase

from .application import Address, give, reads
from .shapes import CaseListAnswer, EditionsAnswer, ListQuery, Problem, SimilarAnswer, Withdrawn

PublicCase = public_model()
EditionNumber = Annotated[int, Path(ge=1, le=1_000_000)]
MISSING = {308: None, 404: Problem, 410: Withdrawn}


@reads(
    Address(
        "cases",
        "api-cases",
        "Cases",
        gettext_noop("A list of cases"),
        gettext_noop(
            "All cases, or those that filters and words leave, a page at a time. A page goes on where the one before "
            "ended, also when cases are published in between; next is null on the last one."
        ),
        "cases?component=service-discovery&sort=longest&limit=3",
        {200: CaseListAnswer},
        ListQuery,
    )
)
def cases(request: HttpRequest, query: Query[ListQuery]) -> HttpResponse:
    now, encoding = catalog.versions(), encoding_for(request)

    def page() -> HttpResponse:
        present = catalog.at(now)
        case_filter = asked(query.model_dump(), present.labels)
        found = case_list(case_filter, present, limit=query.limit, cursor=query.cursor, view=query.view)
        response = json_answer(found.text())
        if found.next:
            response.headers["Link"] = f'<{_next_url(request, found.next)}>; rel="next"'
        return encode(response, encoding)

    return answered(request, etag(now, "api-cases", request.get_full_path(), encoding), page)


def _next_url(request: HttpRequest, cursor: str) -> str:
    parameters = request.GET.copy()
    parameters["cursor"] = cursor
    return f"{settings.SITE_URL}{request.path}?{parameters.urlencode()}"


@reads(
    Address(
        "cases/{id}",
        "api-case",
        "Cases",
        gettext_noop("One case"),
        gettext_noop("The whole case in both languages, with its sources, its review and its edition."),
        "cases/IL-0560",
        {200: PublicCase, **MISSING},
        plain=True,
    )
)
def case(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    return _of_case(request, "api-case", id, _whole)


@reads(
    Address(
        "cases/{id}/similar",
        "api-similar",
        "Cases",
        gettext_noop("Similar cases"),
        gettext_noop(
            "The cases nearest to it, each with the reason: the same cause, a shared component, the same symptom."
        ),
        "cases/IL-0560/similar",
        {200: SimilarAnswer, **MISSING},
    )
)
def similar(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    return _of_case(request, "api-similar", id, _similar)


@reads(
    Address(
        "cases/{id}/editions",
        "api-editions",
        "Cases",
        gettext_noop("The editions of a case"),
        gettext_noop("Every published state of the case, newest first. Editions are kept for good."),
        "cases/IL-0560/editions",
        {200: EditionsAnswer, **MISSING},
    )
)
def editions(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    return _of_case(request, "api-editions", id, _editions)


@reads(
    Address(
        "cases/{id}/editions/{number}",
        "api-edition",
        "Cases",
        gettext_noop("One edition of a case"),
        gettext_noop(
            "The case as it was published then, in the shape of today. The keys similar and recurrence_chain are "
            "empty: they belong to the newest edition."
        ),
        "cases/IL-0560/editions/1",
        {200: PublicCase, **MISSING},
    )
)
def edition(request: HttpRequest, id: str, number: EditionNumber) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    found = _found(id, "api-edition", number=number)
    if isinstance(found, HttpResponse):
        return found
    past = past_edition(found.number, number)
    if past is None:
        return problem(404, "Not Found", "This case has no edition with this number.")
    return give(request, found.versions, ("api-edition", found.number, number), lambda: splice(past.text()))


def _of_case(request: HttpRequest, name: str, id_text: str, write: Callable[[FetchedCase], str]) -> HttpResponse:
    """Find the case and write it, or say why there is nothing to write."""
    found = _found(id_text, name)
    if isinstance(found, HttpResponse):
        return found
    return give(request, found.versions, (name, found.sequence, found.number), lambda: write(found))


def _found(id_text: str, name: str, **arguments: int) -> FetchedCase | HttpResponse:
    given = FORGIVEN.fullmatch(id_text)
    found = stored.fetch(int(given[1]), "json") if given else None
    if found is None:
        return problem(404, "Not Found", "There is no case with this number.")
    if found.merged_into is not None:
        return _moved("api-case" if arguments else name, found.merged_into)
    if found.status != Case.Status.PUBLISHED:
        return _withdrawn(found)
    return found if id_text == found.id else _moved(name, found.number, **arguments)


def _whole(found: FetchedCase) -> str:
    return splice(found.text or "{}", *found.beside)


def _similar(found: FetchedCase) -> str:
    return f'{{"id":{write_json(found.id)},"similar":{found.beside[0]}}}'


def _editions(found: FetchedCase) -> str:
    return write_json({"id": found.id, "editions": editions_json(found.number)})


def _moved(name: str, target: int, **arguments: int) -> HttpResponse:
    response = HttpResponsePermanentRedirect(reverse(f"cases:{name}", kwargs={"id": case_id(target), **arguments}))
    response.status_code = 308
    return public(response, control=GONE)


def _withdrawn(found: FetchedCase) -> HttpResponse:
    record = standings([Case.objects.get(number=found.number)])[found.number].as_json()
    told = {"id": found.id, "status": found.status, "withdrawn": record["withdrawn"]}
    return json_answer(write_json(told), control=GONE, status=410)
