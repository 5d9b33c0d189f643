"""What programs cost: a case, a list of 25 whole cases, and nothing new, beside a fixed answer and the same by the ORM.

Single requests are counted in CPU time of this process, so that what else runs on the machine counts little.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from cases import catalog
from cases.document import case_id, splice
from cases.filters import CaseFilter
from cases.mapping import dump
from cases.models import StoredCase
from cases.publishing import public_json
from cases.similarity import spliced
from cases.standing import standings

from . import fixed
from .measuring import cpu_milliseconds, percentile, report
from .product import Product

SEVEN = ("domain", "root_cause", "component", "symptom", "contributing", "severity", "org")
LISTED = 25


def list_by_orm(request: HttpRequest) -> HttpResponse:
    """Answer a list of whole cases as the ORM does it: every case read from its tables and composed."""
    found = list(CaseFilter(request.GET).qs.select_related("org")[:LISTED])
    where, beside = standings(found), spliced([case.number for case in found])
    texts = [splice(public_json(dump(case), where[case.number], case.org), *beside[case.number]) for case in found]
    return HttpResponse(f'{{"cases":[{",".join(texts)}]}}', content_type="application/json")


urlpatterns = [path("by-orm/", list_by_orm), *fixed.urlpatterns]


def measure() -> None:
    number = StoredCase.objects.order_by("-number").values_list("number", flat=True)[0]
    with override_settings(ROOT_URLCONF=__name__):
        product = Product()
        with override_settings(FINISHED_PAGES=256):
            measure_case(product, f"/api/cases/{case_id(number)}")
        measure_lists(product)


def measure_case(product: Product, address: str) -> None:
    floor = cpu_milliseconds(lambda: product.get(fixed.ADDRESS))
    tag = product.get(address)["ETag"]
    case = cpu_milliseconds(lambda: product.get(address))
    same = cpu_milliseconds(lambda: product.get(address, {"If-None-Match": tag}))
    report("API case: requests of a fixed view", f"{floor / case:.2f} x", ">= 0.5 x", met=floor / case >= 0.5)
    report("API case answered 304, fixed view", f"{same:.2f} ms, {floor:.2f} ms", "304 <= fixed", met=same <= floor)


def measure_lists(product: Product) -> None:
    """Ask for lists by different filters, none of them finished before; each time once with, once without neighbours.

    Which cases are near a case is worked out when it is first asked for and kept until the next change.
    """
    present = catalog.current()
    chance = random.Random(2)  # noqa: S311  (no secret)
    words = [(name, word) for name in SEVEN for word in present.totals[name] if present.totals[name][word] >= LISTED]
    queries = [f"{name}={word}" for name, word in chance.sample(words, min(40, len(words)))]
    first = [cpu_once(lambda: product.get(f"/api/cases?view=full&{query}")) for query in queries]  # noqa: B023  (called at once)
    ours = [cpu_once(lambda: product.get(f"/api/cases?view=full&{query}")) for query in queries]  # noqa: B023
    orm = [cpu_once(lambda: product.get(f"/by-orm/?{query}")) for query in queries[:10]]  # noqa: B023
    middle, slow, other = statistics.median(ours), percentile(ours, 95), statistics.median(orm)
    told = f"{middle:.2f} ms, {other:.1f} ms"
    report("API list of 25 whole cases, the same by the ORM, CPU", told, ">= 25 x", met=other >= 25 * middle)
    report("API list: ORM / ours; 95 of 100", f"{other / middle:.0f} x; {slow:.2f} ms", "<= 5 ms", met=slow <= 5)
    report("API list whose neighbours are sought first, CPU", f"{statistics.median(first):.2f} ms")
    summaries = [cpu_once(lambda: product.get(f"/api/cases?{query}")) for query in queries]  # noqa: B023
    report("API list of 25 summaries, CPU", f"{statistics.median(summaries):.2f} ms")


def cpu_once(call: Callable[[], object]) -> float:
    """Return the CPU time of one call in milliseconds."""
    start = time.process_time()
    call()
    return (time.process_time() - start) * 1000
