"""What a request for a public page costs, beside a fixed answer of 30 kB that passes the same middleware."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import include, path

from cases.document import case_id
from cases.models import StoredCase

from .measuring import cpu_milliseconds, report

FIXED = b"x" * 30_000


def fixed(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(FIXED)


urlpatterns = [path("fixed/", fixed), path("", include("incidentlib.urls"))]


def measure() -> None:
    number = StoredCase.objects.exclude(stamp="").order_by("-number").values_list("number", flat=True)[0]
    page = f"/en/cases/{case_id(number)}/"
    with override_settings(ROOT_URLCONF=__name__):
        client = Client()
        floor = cpu_milliseconds(lambda: client.get("/fixed/"))
        report("fixed view of 30 kB, CPU", f"{floor:.2f} ms")
        for name, address, headers in (
            ("case page", page, {}),
            ("case page, answered 304", page, {"If-None-Match": client.get(page)["ETag"]}),
            ("case as JSON", f"/api/cases/{case_id(number)}", {}),
            ("list of cases", "/en/cases/", {}),
            ("list with two filters", "/en/cases/?domain=networking&severity=major", {}),
        ):
            measure_one(client, name, address, headers, floor)
        with override_settings(FINISHED_PAGES=100):
            measure_one(client, "case page, finished before", page, {}, floor)
            measure_one(client, "list of cases, finished before", "/en/cases/", {}, floor)


def measure_one(client: Client, name: str, address: str, headers: dict[str, str], floor: float) -> None:
    def ask() -> HttpResponse:
        return client.get(address, headers=headers)  # type: ignore[return-value]  # a test response is one

    ask()
    with CaptureQueriesContext(connection) as queries:
        ask()
        # Counted at once: the context only remembers where its queries stand in the log of the connection, and the
        # next request empties that.
        count = len(queries)
    cost = cpu_milliseconds(ask)
    report(name, f"{cost:.2f} ms, {cost / floor:.1f} x fixed", f"{count} queries")
