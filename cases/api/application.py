"""The API as a whole: how addresses are declared, who may ask how often, and how refusals are told.

django-ninja reads the parameters and describes the answers; the answers themselves are texts that others have made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from http import HTTPStatus
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern
from ninja import NinjaAPI
from ninja.decorators import decorate_view
from ninja.errors import ValidationError

from cases import rates
from cases.answers import answered, etag, json_answer, problem
from cases.catalog import Versions
from cases.changes import LogMoved
from cases.encodings import encode, encoding_for
from cases.queries import Query, Refused, Wrong, refuse_unknown

from .shapes import Problem

VERSION = "1.0"
# What a page of another site may read of an answer.
EXPOSED = "Content-Encoding, ETag, Link, RateLimit, RateLimit-Policy, Retry-After"
PREFLIGHT = {
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, If-Match, If-None-Match",
    "Access-Control-Max-Age": "86400",
    "Cache-Control": "public, max-age=86400",
}

View = Callable[..., HttpResponseBase]
Tag = Literal["Cases", "Words", "Figures", "The whole library"]

api = NinjaAPI(title="IncidentLib", version=VERSION, openapi_url=None, docs_url=None, urls_namespace="cases")


@dataclass(frozen=True)
class Address:
    """One address as it was declared; what the documentation page and OpenAPI tell of it.

    ``example`` is a request that anybody can try, below ``/api/``. ``answers`` has what each status holds, None for
    nothing; ``media`` is the type of a good answer. ``plain``: its view takes the words of the path as they are and is
    asked for so often that django-ninja only describes it.
    """

    path: str
    name: str
    tag: Tag
    summary: str
    description: str
    example: str
    answers: Mapping[int, Any]
    query: type[Query] | None = None
    media: str = "application/json"
    plain: bool = False
    methods: set[str] = field(default_factory=lambda: {"GET", "HEAD", "OPTIONS"})

    @property
    def url(self) -> str:
        return f"/api/{self.path}"

    @property
    def known(self) -> dict[str, bool]:
        """The parameters of a query, and whether each takes several values."""
        fields = self.query.model_fields if self.query else {}
        return {name: isinstance(one.default, list) for name, one in fields.items()}


addresses: dict[str, Address] = {}
_plain_views: dict[str, View] = {}


def reads(address: Address) -> Callable[[View], View]:
    """Register what answers GET at an address; its other answers, such as 400 and 429, are told for it."""
    addresses[address.name] = address

    def register(view: View) -> View:
        also = {304: None, 400: Problem, 429: Problem}
        if address.plain:
            _plain_views[address.name] = _refusing_unknown(address.known)(view)
        decorate_view(_refusing_unknown(address.known))(view)
        api.get(
            address.path,
            url_name=address.name,
            operation_id=address.name.removeprefix("api-").replace("-", "_"),
            summary=address.summary,
            description=address.description,
            tags=[address.tag],
            response={**address.answers, **also},
        )(view)
        return view

    return register


def _refusing_unknown(known: Mapping[str, bool]) -> Callable[[View], View]:
    def decorate(run: View) -> View:
        @wraps(run)
        def checked(request: HttpRequest, **given: Any) -> HttpResponseBase:
            try:
                refuse_unknown(request.GET, known)
            except Refused as refused:
                return _refused(refused)
            return run(request, **given)

        return checked

    return decorate


def urls() -> list[URLPattern]:
    """Return the addresses for a urls.py, each behind the door."""
    patterns = [one for one in api.urls[0] if isinstance(one, URLPattern) and one.name in addresses]
    for pattern in patterns:
        view = _plain_views.get(str(pattern.name), pattern.callback)
        pattern.callback = _door(view, addresses[str(pattern.name)].methods)
    return patterns


# The door


def _door(view: View, methods: set[str]) -> View:
    """Answer what is the same at every address: methods, rates, and what pages of other sites may do."""
    allowed = ", ".join(sorted(methods))

    @wraps(view)
    def answer(request: HttpRequest, **given: Any) -> HttpResponseBase:
        if request.method == "OPTIONS":
            return HttpResponse(
                status=204, headers={"Allow": allowed, "Access-Control-Allow-Methods": allowed, **PREFLIGHT}
            )
        if request.method not in methods:
            response: HttpResponseBase = problem(405, "Method Not Allowed", f"This address answers {allowed}.")
            response.headers["Allow"] = allowed
            return response
        allowances = rates.spend_for(request)
        spent = [one for one in allowances if one.left < 0]
        response = _too_many(spent) if spent else _read(view, request, given)
        rates.tell(response, allowances)
        response.headers["Access-Control-Expose-Headers"] = EXPOSED
        response.headers["Vary"] = "Accept-Encoding"
        return response

    return answer


def _read(view: View, request: HttpRequest, given: dict[str, Any]) -> HttpResponseBase:
    """Answer HEAD as GET. The server leaves the content out; a stream need not even be made."""
    method, request.method = request.method, "GET" if request.method == "HEAD" else request.method
    try:
        response = view(request, **given)
    finally:
        request.method = method
    if method == "HEAD" and isinstance(response, StreamingHttpResponse):
        response.streaming_content = ()
    return response


def _too_many(spent: list[rates.Allowance]) -> HttpResponse:
    wait, limit = max(one.resets_in for one in spent), spent[0].limit
    detail = f"At most {limit.rate} requests a minute ({limit.name}); ask again in {wait} seconds."
    response = problem(429, "Too Many Requests", detail)
    response.headers["Retry-After"] = str(wait)
    return response


# Answers


def give(
    request: HttpRequest, now: Versions, parts: object, make: Callable[[], str], media: str = "application/json"
) -> HttpResponse:
    """Answer with a JSON text: 304 where it is there already, from memory, or made now. ``parts`` name the answer."""
    encoding = encoding_for(request)

    def made() -> HttpResponse:
        response = json_answer(make())
        response.headers["Content-Type"] = media
        return encode(response, encoding)

    return answered(request, etag(now, "api", parts, encoding), made)


def _refused(refused: Refused) -> HttpResponse:
    wrong = [{"parameter": one.parameter, "detail": one.detail} for one in refused.wrong]
    first = refused.wrong[0]
    detail = f"{first.parameter}: {first.detail}"
    return problem(400, "Bad Request", detail, parameter=first.parameter, errors=wrong)


@api.exception_handler(Refused)
def _on_refused(_request: HttpRequest, refused: Refused) -> HttpResponse:
    return _refused(refused)


@api.exception_handler(ValidationError)
def _on_wrong_type(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    return _refused(Refused(Wrong(str(one["loc"][-1]), f"{one['msg']}.") for one in error.errors))


@api.exception_handler(LogMoved)
def _on_log_moved(_request: HttpRequest, _error: LogMoved) -> HttpResponse:
    detail = "The log does not lead on from this cursor: the library was put back from a copy. Begin without since."
    return problem(HTTPStatus.GONE, "Gone", detail, parameter="since")
