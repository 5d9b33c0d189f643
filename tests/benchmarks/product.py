"""The product as its server calls it, in this process: no socket, and nothing of the test client's own work."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse
from django.test import override_settings

HOST, PORT = "127.0.0.1", "8000"


class Product:
    """Answers requests. Static files are known from the start, as in production, not looked for at each request."""

    def __init__(self) -> None:
        with override_settings(WHITENOISE_AUTOREFRESH=False, WHITENOISE_USE_FINDERS=False):
            self.handler = WSGIHandler()

    def get(self, address: str, headers: Mapping[str, str] | None = None) -> HttpResponse:
        """Answer GET. Raises RuntimeError for an error: it would not be worth measuring."""
        response: Any = self.handler(environment(address, headers or {}), start)
        b"".join(response)
        response.close()
        if response.status_code >= 400:
            raise RuntimeError(response.content)
        return response  # type: ignore[no-any-return]  # Django's handler returns its own response


def start(_status: str, _headers: list[tuple[str, str]], _error: Any = None, /) -> Callable[[bytes], object]:
    """Take the beginning of an answer, as a server does."""
    return lambda _content: None


def environment(address: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = address.partition("?")
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SERVER_NAME": HOST,
        "SERVER_PORT": PORT,
        "REMOTE_ADDR": HOST,
        "HTTP_HOST": f"{HOST}:{PORT}",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
