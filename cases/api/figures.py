"""Figures of any cases, topics with what their cases have in common, and the checks that follow from them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from ninja import Query

from cases import catalog
from cases.answers import GONE, problem, public
from cases.catalog import Catalog, Selection
from cases.checking import STACK, Applying, applying, cases_with_checks, own_checks
from cases.document import case_id, write_json
from cases.document.problems import gettext_noop, printable
from cases.facets import TOPICS
from cases.labels import Label
from cases.lists import SUMMARY, texts
from cases.queries import asked, meant
from cases.statistics import cases_of, profile, trends
from cases.vocab import pair

from .application import Address, give, reads
from .shapes import (
    ChecksAnswer,
    ExportQuery,
    Problem,
    StackQuery,
    StatsAnswer,
    TopicAnswer,
    TopicFigures,
    TopicsAnswer,
)

NEWEST, MOST_BEHIND, MOST_OWN = 5, 10, 100
UNTOLD = "untold"


@reads(
    Address(
        "topics",
        "api-topics",
        "Words",
        gettext_noop("All topics"),
        gettext_noop("The words that cases are described with, in both languages, each with its number of cases."),
        "topics",
        {200: TopicsAnswer},
    )
)
def topics(request: HttpRequest) -> HttpResponseBase:
    now = catalog.versions()

    def text() -> str:
        present = catalog.at(now)
        known = [(name.value, slug) for name in TOPICS for slug in present.words.get(name, {})]
        return write_json({"topics": [_topic(present, present.labels.term(*one)) for one in known]})

    return give(request, now, "topics", text)


@reads(
    Address(
        "topics/{list}/{slug}",
        "api-topic",
        "Words",
        gettext_noop("One topic"),
        gettext_noop(
            "What the cases of a topic have in common: causes, components, symptoms, years, times in seconds and what "
            "was promised, with the newest cases."
        ),
        "topics/component/service-discovery",
        {200: TopicAnswer, 308: None, 404: Problem},
    )
)
def topic(request: HttpRequest, list: str, slug: str) -> HttpResponseBase:  # noqa: A002  (the name that addresses give it)
    now = catalog.versions()
    present = catalog.at(now)
    if list not in TOPICS or (list, slug) not in present.labels.terms:
        word = meant(slug, {one: one for one in present.words.get(list, {})})
        hint = f" Did you mean {word!r}?" if word else ""
        return problem(404, "Not Found", f"There is no topic {printable(f'{list}/{slug}')!r}.{hint}")
    term = present.labels.term(list, slug)
    if term.slug != slug:
        return _moved(term)
    return give(request, now, ("topic", list, slug), lambda: _topic_text(present, term))


def _moved(term: Label) -> HttpResponse:
    address = reverse("cases:api-topic", kwargs={"list": term.list, "slug": term.slug})
    return public(HttpResponse(status=308, headers={"Location": address}), control=GONE)


def _topic(present: Catalog, term: Label) -> dict[str, Any]:
    return {
        "list": term.list,
        "slug": term.slug,
        "label": pair(term.names),
        "definition": pair(term.definition),
        "url": f"{settings.SITE_URL}/topics/{term.list}/{term.slug}",
        "cases": present.totals.get(term.list, {}).get(term.slug, 0),
    }


def _topic_text(present: Catalog, term: Label) -> str:
    selection = Selection(present, {term.list: cases_of(present, term.list, term.slug)})
    found = profile(present, selection.cases)
    figures = TopicFigures(
        years=found.years,
        companions=found.companions,
        detection=found.detection,
        repair=found.repair,
        action_items={status or UNTOLD: count for status, count in found.follow_ups.items()},
        unfinished=found.unfinished,
    )
    newest = texts(present, selection.numbers[:NEWEST], SUMMARY)[1]
    head = f'"topic":{write_json(_topic(present, term))},"figures":{figures.model_dump_json()}'
    return f'{{{head},"newest":[{",".join(newest)}]}}'


@reads(
    Address(
        "stats",
        "api-stats",
        "Figures",
        gettext_noop("Figures of all cases, or of some"),
        gettext_noop(
            "How many cases there are by year, by cause, component and symptom, and how long detection and repair "
            "took, in seconds. Filters apply."
        ),
        "stats?component=service-discovery",
        {200: StatsAnswer},
        ExportQuery,
    )
)
def stats(request: HttpRequest, query: Query[ExportQuery]) -> HttpResponseBase:
    now = catalog.versions()

    def text() -> str:
        present = catalog.at(now)
        case_filter = asked(query.model_dump(), present.labels)
        found = trends(case_filter.select(present), case_filter.chosen)
        return StatsAnswer.model_validate(found).model_dump_json()

    return give(request, now, request.get_full_path(), text)


@reads(
    Address(
        "checks",
        "api-checks",
        "Figures",
        gettext_noop("Is it in my cluster too?"),
        gettext_noop(
            "What to ask of one's own systems, for what they are made of: checks of the library with the cases behind "
            "them, and checks that single cases brought along. Without words: all of them."
        ),
        "checks?component=service-discovery",
        {200: ChecksAnswer},
        StackQuery,
    )
)
def checks(request: HttpRequest, query: Query[StackQuery]) -> HttpResponseBase:
    now = catalog.versions()

    def text() -> str:
        present = catalog.at(now)
        words = asked(query.model_dump(), present.labels).applied
        stack = [f"{name}:{word}" for name in STACK for word in words.get(name, ())]
        library = [_library_check(present, one) for one in applying(present, stack)]
        return write_json({"library": library, "own": _own_checks(present, stack)})

    return give(request, now, request.get_full_path(), text)


def _library_check(present: Catalog, one: Applying) -> dict[str, Any]:
    behind = Selection(present, {"check": one.cases}).numbers
    check = one.check
    return {
        "slug": check.slug,
        "question": pair(check.question),
        "why": pair(check.why),
        "how": pair(check.how),
        "command": check.command or None,
        "bad_answer": pair(check.bad_answer),
        "risk": check.risk,
        "terms": sorted(check.terms),
        "shared": list(one.shared),
        "total": len(behind),
        "cases": [case_id(number) for number in behind[:MOST_BEHIND]],
    }


def _own_checks(present: Catalog, stack: list[str]) -> list[dict[str, Any]]:
    numbers = Selection(present, {"checks": cases_with_checks(present, stack)}).numbers[:MOST_OWN]
    found = own_checks(numbers, stack, present.labels)
    return [
        {
            "id": case_id(check.number),
            "uid": check.uid,
            "question": pair(check.question),
            "how": pair(check.how),
            "command": check.command or None,
            "risk": check.risk,
            "applies_to": list(check.applies_to),
        }
        for number in numbers
        for check in found.get(number, ())
    ]
