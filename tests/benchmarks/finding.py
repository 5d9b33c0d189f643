"""What the catalog costs and saves: lists with facets, counts alone and similar cases, beside the same in SQL."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from unittest.mock import patch

from django.core.paginator import Paginator
from django.db import connection
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.test import Client, override_settings
from django.urls import include, path

from cases import catalog
from cases.answers import in_both_languages
from cases.catalog import Catalog, Selection
from cases.catalog.index import changed, filled
from cases.catalog.near import LISTS, NOT_KNOWN, PRECISION, near_to
from cases.catalog.rows import rows_of
from cases.catalog.versions import LastChange
from cases.facets import State
from cases.filters import CaseFilter
from cases.labels import current_labels
from cases.models import Case
from cases.search import engines
from cases.search.glossary import current_glossary
from cases.search.index import ANYWHERE, within
from cases.search.terms import terms
from cases.similarity import spliced
from cases.views import PER_PAGE, beside, cards, listing
from tests.cases.reference import counted

from .measuring import milliseconds, percentile, report

SEVEN = ("domain", "root_cause", "component", "symptom", "contributing", "severity", "org")
ASKED = "domain=networking&severity=major"
# From what nearly every case says to what hardly one does, in both languages, with and without a josa.
SEARCHED = (
    "maintenance", "dns", "timeout", "connection pool", "database failover", "rate limiter", "danbel-core", "장애",
    "지연", "배포", "인증서", "라우팅은", "메시지 지연", "캐시 무효화", "오류율 상승", "PubNub 라우팅", "etcd 지연",
)  # fmt: skip
ABSENT = ("walrus", "xylophone", "맷돌", "물레방아")
FOUND = {
    "sqlite": "FROM cases_search JOIN cases_case ON id = cases_search.rowid AND status = 'published'"
    " WHERE cases_search MATCH %s",
    "postgresql": "FROM cases_case WHERE id IN (SELECT cases_search(%s::tsquery)) AND status = 'published'",
}
NEAR = """
WITH mine AS (
  SELECT term_id FROM cases_caseterm WHERE case_id = %s
  UNION ALL SELECT root_cause_id FROM cases_case WHERE id = %s AND root_cause_id IS NOT NULL
),
shared AS (
  SELECT other.case_id, w.weight, w.importance
  FROM mine JOIN benchmark_weight w ON w.term_id = mine.term_id
  JOIN cases_caseterm other ON other.term_id = mine.term_id
  UNION ALL
  SELECT c.id, w.weight, w.importance
  FROM mine JOIN benchmark_weight w ON w.term_id = mine.term_id JOIN cases_case c ON c.root_cause_id = mine.term_id
)
SELECT case_id, SUM(weight) FROM shared WHERE case_id <> %s
GROUP BY case_id HAVING SUM(importance) >= 3 ORDER BY 2 DESC LIMIT 10
"""


# The same page, asked of the database


@dataclass(frozen=True)
class InSql(Selection):
    """Counts by one GROUP BY for each facet."""

    query: QueryDict = field(default_factory=QueryDict)

    def counts(self, name: str) -> dict[str, int]:
        return counted(self.query, name, self.catalog.labels)


def list_in_sql(request: HttpRequest) -> HttpResponse:
    """Answer a list as django-filter and the ORM do it, with the template and the stored cards of the real one."""
    present = catalog.current()
    case_filter = CaseFilter(request.GET, present.labels)
    state = State(case_filter, InSql(present, query=request.GET), "/en/cases/", "en")
    page = Paginator(case_filter.qs.values_list("number", flat=True), PER_PAGE).get_page(1)
    page.object_list = cards(list(page.object_list), present.labels, "en")
    context = {
        "filter": case_filter,
        "chips": state.chips,
        "orders": state.orders(),
        **beside(state),
        **listing(page, ""),
        **in_both_languages("en", "list"),
    }
    return render(request, "cases/list.html", context)


urlpatterns = [path("en/in-sql/", list_in_sql), path("", include("incidentlib.urls"))]


# What is measured


def measure() -> None:
    measure_start()
    present = catalog.current()
    with override_settings(ROOT_URLCONF=__name__), patch("cases.facets.FACETS", SEVEN):
        measure_list(Client())
    measure_lists(Client(), present)
    measure_search(present)
    measure_figures(Client(), present)
    measure_counts(present)
    measure_near(present)
    measure_export()
    measure_changes(present)


def measure_start() -> None:
    """Fill the catalog in a process of its own, whose memory holds nothing else."""
    command = [sys.executable, "-m", "tests.benchmarks.start", json.dumps(connection.settings_dict, default=str)]
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    seconds, megabytes, at_most = told["seconds"], told["megabytes"], 80 if told["cases"] > 20_000 else 40
    report("catalog, from nothing to the first list, by the clock", f"{seconds:.2f} s")
    of_cpu = told["of_cpu"]
    report("catalog, from nothing to the first list, CPU", f"{of_cpu:.2f} s", "<= 1 s", met=of_cpu <= 1)
    report("catalog, memory kept", f"{megabytes:.0f} MB", f"<= {at_most} MB", met=megabytes <= at_most)
    report("catalog, peak while it was filled", f"{told['peak']:.0f} MB")


def measure_list(client: Client) -> None:
    """Take both in turns, so that both meet the same load of the machine."""
    ours, sql = [], []
    for address in ("/en/cases/", "/en/in-sql/"):
        client.get(f"{address}?{ASKED}")
    for _ in range(5):
        ours += [milliseconds(lambda: client.get(f"/en/cases/?{ASKED}")) for _ in range(5)]
        sql += [milliseconds(lambda: client.get(f"/en/in-sql/?{ASKED}")) for _ in range(2)]
    compare("list, two filters, 7 facets", ours, sql, least=20)


def measure_lists(client: Client, present: Catalog) -> None:
    chance = random.Random(1)  # noqa: S311  (no secret)
    words = [(name, word) for name in SEVEN for word in present.totals[name]]
    drawn = [chance.sample(words, chance.randint(0, 3)) for _ in range(60)]
    queries = ["&".join(f"{name}={word}" for name, word in pairs) for pairs in drawn]
    queries += [f"sort=longest&page={page}" for page in (1, 2, 40)] + ["date_after=2020&repair_min=60&sort=oldest"]
    # Each three times: other programs on this machine are no part of what a list costs.
    times = [min(milliseconds(lambda: client.get(f"/en/cases/?{query}")) for _ in range(3)) for query in queries]  # noqa: B023  (called at once)
    report_times("64 different lists, all facets, not kept", times, most=15)


def measure_search(present: Catalog) -> None:
    """Search without the page around it: the cases of the first page, in order, with how many there are in all."""
    for order, most in (("newest", 20), ("relevance", 80)):
        times = quickest([f"q={words}&sort={order}" for words in SEARCHED], present)
        report_times(f"{len(times)} searches, first page and count, {order}", times, most=most)
    measure_search_in_sql(present)
    times = quickest([f'q="{word}"' for word in ABSENT], present)
    report_times("search for exactly a word that is nowhere", times, most=5)
    for script, word in (("Latin", "xylophones"), ("Hangul", "물레방앗간")):
        once = milliseconds(lambda: first_page(present, f"q={word}"))  # noqa: B023  (called at once)
        report(f"the first of these in a process, {script} words are read", f"{once:.1f} ms")
    times = quickest([f"q={word}" for word in ABSENT], present)
    report_times("search for a word that is nowhere or misspelt", times, most=5)
    times = [milliseconds(lambda: first_page(present, f"q=dns {word}")) for word in ABSENT]  # noqa: B023  (called at once)
    report("search for two words, one of them nowhere", f"{statistics.median(times):.1f} ms")


def measure_search_in_sql(present: Catalog) -> None:
    """Take the searches newest first beside the same index asked for a count and a page, as without a catalog."""
    glossary = current_glossary()
    ours, sql = [], []
    for words in SEARCHED:
        asked = engines.All(tuple(within(term, ANYWHERE) for term in terms(words, glossary)))
        ours.append(min(milliseconds(lambda: first_page(present, f"q={words}&sort=newest")) for _ in range(3)))  # noqa: B023  (called at once)
        sql.append(min(milliseconds(lambda: first_page_in_sql(engines.written(asked))) for _ in range(3)))  # noqa: B023  (called at once)
    report("the slowest of them newest first: catalog, SQL", f"{max(ours):.1f} ms, {max(sql):.1f} ms")


def first_page_in_sql(question: str) -> tuple[int, list[int]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) {FOUND[connection.vendor]}", [question])
        (count,) = cursor.fetchone()
        page = f"SELECT number {FOUND[connection.vendor]} ORDER BY date_first DESC, number DESC LIMIT {PER_PAGE}"
        cursor.execute(page, [question])
        return count, [number for (number,) in cursor.fetchall()]


def quickest(queries: list[str], present: Catalog) -> list[float]:
    """Return what each costs: the least of five rounds, since other programs on this machine are no part of that."""
    rounds = [[milliseconds(lambda: first_page(present, query)) for query in queries] for _ in range(5)]  # noqa: B023  (called at once)
    return list(map(min, *rounds))


def first_page(present: Catalog, query: str) -> tuple[int, list[int]]:
    selection = CaseFilter(QueryDict(query), present.labels).select(present)
    return len(selection.numbers), list(selection.numbers[:PER_PAGE])


def measure_figures(client: Client, present: Catalog) -> None:
    """Ask for pages of figures that were not made before: trends of each field, and the page of each component."""
    pages = {
        "trends of a field": [f"/en/trends/?domain={word}" for word in present.totals["domain"]],
        "page of a component": [f"/en/topics/component/{word}/" for word in present.totals["component"]],
    }
    for name, paths in pages.items():
        times = [milliseconds(lambda: client.get(path)) for path in paths]  # noqa: B023  (called at once)
        report(name, f"{statistics.median(times):.1f} ms, 95 of 100: {percentile(times, 95):.1f}")


def measure_counts(present: Catalog) -> None:
    query = QueryDict(ASKED)
    case_filter = CaseFilter(query, present.labels)

    def ours() -> dict[str, dict[str, int]]:
        selection = case_filter.select(present)
        return {name: dict(selection.counts(name)) for name in SEVEN}

    def sql() -> dict[str, dict[str, int]]:
        return {name: counted(query, name, present.labels) for name in SEVEN}

    equal = ours() == sql()
    times = [milliseconds(ours) for _ in range(20)], [milliseconds(sql) for _ in range(5)]
    compare("all counts of 7 facets", *times, least=25)
    report("the same counts from both", str(equal), "True", met=equal)


def measure_near(present: Catalog) -> None:
    numbers = list(present.index.places)[:: max(len(present.index.places) // 300, 1)]
    fresh = Catalog(present.index, present.labels)
    near_to(fresh, numbers[0])
    ours = [milliseconds(lambda number=number: near_to(fresh, number)) for number in numbers]  # type: ignore[misc]
    middle, slow = statistics.median(ours), percentile(ours, 95)
    report("similar cases, median", f"{middle:.2f} ms", "<= 1 ms", met=middle <= 1)
    report("similar cases, 95 of 100", f"{slow:.2f} ms", "<= 10 ms", met=slow <= 10)
    write_weights(fresh)
    ids = dict(Case.objects.filter(number__in=numbers[:15]).values_list("number", "pk"))
    sql = [milliseconds(lambda pk=pk: near_in_sql(pk)) for pk in ids.values()]  # type: ignore[misc]
    compare("similar cases", ours, sql, least=25)


def write_weights(present: Catalog) -> None:
    weights = [
        (term.id, round(PRECISION * LISTS[name][0] * present.rarity(name, term.slug)), LISTS[name][0])
        for (name, _), term in present.labels.terms.items()
        if name in LISTS and present.words[name].get(term.slug) and term.slug not in NOT_KNOWN
    ]
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE benchmark_weight (term_id bigint PRIMARY KEY, weight bigint, importance int)")
        cursor.executemany("INSERT INTO benchmark_weight VALUES (%s, %s, %s)", weights)


def near_in_sql(case_id: int) -> list[tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(NEAR, [case_id, case_id, case_id])
        return list(cursor.fetchall())


def measure_export() -> None:
    numbers = list(Case.objects.order_by("-number").values_list("number", flat=True)[:200])
    each = milliseconds(lambda: spliced(numbers)) / len(numbers)
    report("similar cases of an export, each", f"{each:.2f} ms")


def measure_changes(present: Catalog) -> None:
    """Move the oldest case to the end, which every set of cases must follow."""
    number = present.index.columns.numbers[0]
    row = rows_of([number])[number]._replace(first_day=800_000, last_day=800_000)
    moved = [milliseconds(lambda: changed(present.index, LastChange(), [number], {number: row})) for _ in range(5)]
    same = rows_of([number])
    kept = [milliseconds(lambda: changed(present.index, LastChange(), [number], same)) for _ in range(5)]
    report("one case edited, catalog brought up to date", f"{statistics.median(kept):.1f} ms")
    report("one case moved in time, catalog brought up to date", f"{statistics.median(moved):.1f} ms")
    filling = milliseconds(lambda: filled(LastChange()))
    words = milliseconds(lambda: Catalog(present.index, current_labels()).totals)
    report("catalog filled anew; its words counted", f"{filling:.0f} ms; {words:.1f} ms")


def compare(name: str, ours: list[float], sql: list[float], least: float) -> None:
    one, other = statistics.median(ours), statistics.median(sql)
    report(f"{name}: catalog, SQL", f"{one:.2f} ms, {other:.1f} ms", f">= {least} x", met=other >= least * one)
    report(f"{name}: SQL / catalog", f"{other / one:.0f} x")


def report_times(name: str, times: list[float], most: float) -> None:
    slow = percentile(times, 95)
    told = f"{statistics.median(times):.1f} ms, 95 of 100: {slow:.1f}"
    report(name, told, f"95 of 100 <= {most} ms", met=slow <= most)
