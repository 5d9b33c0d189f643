"""What a request for a public page costs, beside a fixed answer of 30 kB that passes the same middleware.

First each answer is made anew, then as the product is: finished answers are kept until something changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.http import HttpResponse
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from cases.document import case_id
from cases.models import StoredCase

from . import fixed
from .measuring import cpu_milliseconds, report
from .product import Product

# What the public pages may cost, in times of the fixed view; on PostgreSQL the driver alone costs half of one.
PAGE_GOAL = {"sqlite": 1.7, "postgresql": 2.3}


def measure() -> None:
    number = StoredCase.objects.exclude(stamp="").order_by("-number").values_list("number", flat=True)[0]
    page = f"/en/cases/{case_id(number)}/"
    with override_settings(ROOT_URLCONF=fixed.__name__):
        product = Product()
        floor = cpu_milliseconds(lambda: product.get(fixed.ADDRESS))
        report("fixed view of 30 kB, CPU", f"{floor:.2f} ms")
        known = {"If-None-Match": product.get(page)["ETag"]}
        for name, address, headers, goal in (
            ("case page", page, {}, Goal(PAGE_GOAL[connection.vendor], 1)),
            ("case page, answered 304", page, known, Goal(1, 1)),
            ("case as JSON", f"/api/cases/{case_id(number)}", {}, Goal(2, 1)),
            ("list of cases", "/en/cases/", {}, Goal(None, 2)),
            ("list with two filters", "/en/cases/?domain=networking&severity=major", {}, Goal(None, 2)),
        ):
            measure_one(product, name, address, headers, floor, goal)
        with override_settings(FINISHED_PAGES=100):
            measure_one(product, "case page, finished before", page, {}, floor, Goal(1 / 0.6, 1))
            measure_one(product, "case page, finished before, 304", page, known, floor, Goal(1, 1))
            measure_one(product, "list of cases, finished before", "/en/cases/", {}, floor, Goal(None, 1))


@dataclass(frozen=True)
class Goal:
    """At most so many times the fixed view (None where another measure says what is wanted), and so many queries."""

    times: float | None
    queries: int

    def __str__(self) -> str:
        times = "" if self.times is None else f"<= {self.times:.3g} x, "
        return f"{times}<= {self.queries} queries"

    def is_met(self, times: float, queries: int) -> bool:
        return queries <= self.queries and (self.times is None or times <= self.times)


def measure_one(product: Product, name: str, address: str, headers: dict[str, str], floor: float, goal: Goal) -> None:
    def ask() -> HttpResponse:
        return product.get(address, headers)

    ask()
    with CaptureQueriesContext(connection) as queries:
        ask()
        # Counted at once: the context only remembers where its queries stand in the log of the connection, and the
        # next request empties that.
        count = len(queries)
    times = cpu_milliseconds(ask) / floor
    told = f"{times * floor:.2f} ms, {times:.1f} x, {count} queries"
    report(name, told, str(goal), met=goal.is_met(times, count))
