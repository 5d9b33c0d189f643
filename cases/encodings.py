"""Compressing answers for programs: what they say they can read, Brotli before gzip."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import brotli
from django.http import HttpRequest, HttpResponse

Encoding = Literal["br", "gzip", ""]

# Quick rather than small: what is asked for often is kept compressed.
BROTLI_QUALITY, GZIP_LEVEL = 4, 5
GZIP_HEADER = 16 + zlib.MAX_WBITS
# Below this, compressing saves no packet.
LEAST_BYTES = 860


def encoding_for(request: HttpRequest) -> Encoding:
    """Return the best encoding that a request accepts; the empty one is plain text."""
    accepted = dict(map(_accepted, request.META.get("HTTP_ACCEPT_ENCODING", "").lower().split(",")))
    if accepted.get("br"):
        return "br"
    return "gzip" if accepted.get("gzip") else ""


def _accepted(text: str) -> tuple[str, bool]:
    """Read ``gzip;q=0.5`` as a name and whether it is wanted."""
    name, _, weight = text.partition(";")
    value = weight.strip().removeprefix("q=").strip("0.") if weight else "1"
    return name.strip(), bool(value)


def encode(response: HttpResponse, encoding: Encoding) -> HttpResponse:
    """Compress the content of an answer that is long enough for it."""
    if encoding and len(response.content) >= LEAST_BYTES:
        response.content = b"".join(encoded([response.content], encoding))
        response.headers["Content-Encoding"] = encoding
    return response


def encoded(chunks: Iterable[bytes], encoding: Encoding) -> Iterator[bytes]:
    """Compress a stream; each chunk can be read as soon as it has arrived."""
    if not encoding:
        yield from chunks
        return
    add, flush, finish = _compressor(encoding)
    for chunk in chunks:
        yield add(chunk) + flush()
    yield finish()


Compressor = tuple[Callable[[bytes], bytes], Callable[[], bytes], Callable[[], bytes]]


def _compressor(encoding: Encoding) -> Compressor:
    if encoding == "br":
        brotlis = brotli.Compressor(quality=BROTLI_QUALITY)
        return brotlis.process, brotlis.flush, brotlis.finish
    gzips = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, GZIP_HEADER)
    return gzips.compress, lambda: gzips.flush(zlib.Z_SYNC_FLUSH), gzips.flush
