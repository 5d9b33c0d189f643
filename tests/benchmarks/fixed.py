"""The measure of everything that is served: a view that does nothing but answer 30 kB, in the product's place.

It passes the whole middleware of the product, below ``/api/`` as the addresses for programs do.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from incidentlib import urls

ADDRESS = "/api/fixed"
CONTENT = b"x" * 30_000


def fixed(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(CONTENT)


urlpatterns = [path("api/fixed", fixed), *urls.urlpatterns]
