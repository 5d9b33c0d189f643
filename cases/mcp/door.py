"""The one address of the MCP server, /mcp: what is checked before the SDK is asked, and how it is asked from WSGI.

Each POST stands for itself: no session, no stream. The tools run in the thread of the request.
"""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from cases import rates
from cases.document import DocumentError, read_json, write_json

LARGEST = 64 * 1024
DEEPEST = 32
LONGEST = 20  # seconds
SEARCH = "search_incidents"
PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603
# Of the headers, those that the protocol knows.
PASSED_ON = ("accept", "content-type", "mcp-")

_log = logging.getLogger(__name__)


class Rejected(Exception):
    """A request that the SDK is not asked about."""

    def __init__(self, status: int, code: int, reason: str, **headers: str) -> None:
        self.status, self.code, self.reason, self.headers = status, code, reason, headers
        super().__init__(reason)

    def answer(self) -> HttpResponse:
        error = {"jsonrpc": "2.0", "id": None, "error": {"code": self.code, "message": self.reason}}
        return HttpResponse(
            write_json(error), content_type="application/json", status=self.status, headers=self.headers
        )


def mcp(request: HttpRequest) -> HttpResponse:
    try:
        response = _answer(request)
    except Rejected as rejected:
        response = rejected.answer()
    except Exception:  # noqa: BLE001  (a program is told in JSON, whatever it was)
        _log.exception("The MCP server failed")
        response = Rejected(500, INTERNAL_ERROR, "The library failed; the failure has been noted.").answer()
    response.headers["Cache-Control"] = "no-store"
    return response


def _answer(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        raise Rejected(405, INVALID_REQUEST, "This address takes POST only; there are no streams.", Allow="POST")
    _check_origin(request)
    length = request.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) > LARGEST:
        raise Rejected(413, INVALID_REQUEST, f"A request may have at most {LARGEST} bytes.")
    body = request.body
    _count(request, _read(body))
    return _asked(request, body)


# What is checked


def _check_origin(request: HttpRequest) -> None:
    """Refuse pages of other sites: a browser must not be led to ask for them. Programs send no Origin."""
    origin = request.headers.get("Origin")
    if origin is not None and origin not in _own_origins(request):
        raise Rejected(403, INVALID_REQUEST, "Pages of other sites may not ask here.")


def _own_origins(request: HttpRequest) -> set[str]:
    """Return the origins of this site: its address, and its other hosts on the port of the request."""
    scheme, port = urlsplit(settings.SITE_URL).scheme, urlsplit(f"//{request.get_host()}").port
    end = f":{port}" if port else ""
    return {settings.SITE_URL, *(f"{scheme}://{host}{end}" for host in settings.ALLOWED_HOSTS)}


def _read(body: bytes) -> dict[str, Any]:
    """Read a message more strictly than the SDK does: once each key, no NaN, no depths."""
    try:
        message = read_json(body)
    except DocumentError as error:
        raise Rejected(400, PARSE_ERROR, f"The request {error.problems[0].text()}.") from None
    if not isinstance(message, dict):
        raise Rejected(400, INVALID_REQUEST, "Send one JSON-RPC message, an object; there are no batches.")
    if type(message.get("id", 0)) not in {str, int}:
        raise Rejected(400, INVALID_REQUEST, "The id of a request is a text or a whole number.")
    if _depth(message) > DEEPEST:
        raise Rejected(400, INVALID_REQUEST, f"The request is nested more than {DEEPEST} levels deep.")
    return message


def _depth(value: Any) -> int:
    """Return how deep lists and objects are nested. Reading them has passed, so they are not endlessly deep."""
    depth, level = 0, [value]
    while level:
        depth += 1
        inner = [one for one in level if isinstance(one, dict | list)]
        level = [child for one in inner for child in (one.values() if isinstance(one, dict) else one)]
    return depth - 1


def _count(request: HttpRequest, message: dict[str, Any]) -> None:
    limits = [rates.Limit("mcp", settings.API_RATE)] if settings.API_RATE else []
    params = message.get("params")
    if settings.SEARCH_RATE and isinstance(params, dict) and params.get("name") == SEARCH:
        limits.append(rates.Limit("search", settings.SEARCH_RATE))
    for one in rates.spend(limits, rates.address_of(request.META)):
        if one.left < 0:
            reason = f"At most {one.limit.rate} requests a minute ({one.limit.name}); ask again in {one.resets_in} s."
            raise Rejected(429, INVALID_REQUEST, reason, **{"Retry-After": str(one.resets_in)})


# How the SDK is asked


def _asked(request: HttpRequest, body: bytes) -> HttpResponse:
    found: list[dict[str, Any]] = []
    async_to_sync(_ask)(_scope(request), body, found)
    start = next((one for one in found if one["type"] == "http.response.start"), None)
    if start is None:
        raise Rejected(400, INVALID_REQUEST, "There are no streams here: ask for something that ends.")
    content = b"".join(one.get("body", b"") for one in found if one["type"] == "http.response.body")
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
    return HttpResponse(content, status=start["status"], headers=headers)


async def _ask(scope: dict[str, Any], body: bytes, found: list[dict[str, Any]]) -> None:
    import anyio  # noqa: PLC0415  (see server.py)
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415  (see server.py)

    from .server import server  # noqa: PLC0415

    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not waiting:
            await anyio.sleep_forever()  # whoever asks stays; this ends with the answer
        return waiting.pop()

    async def send(message: Any) -> None:
        found.append(message)

    manager = StreamableHTTPSessionManager(server(), json_response=True, stateless=True, max_request_body_size=LARGEST)
    async with manager.run():
        with anyio.move_on_after(LONGEST):
            await manager.handle_request(scope, receive, send)


def _scope(request: HttpRequest) -> dict[str, Any]:
    """Describe the request as ASGI does, with what the protocol looks at."""
    headers = [
        (name.lower().encode("latin-1"), value.strip().encode("latin-1", "replace"))
        for name, value in request.headers.items()
        if name.lower().startswith(PASSED_ON)
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": b"",
        "headers": headers,
    }
