"""The page "Is it in my cluster too?": which checks apply to a reader's systems; also as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cases import catalog, collecting
from cases.answers import answered, etag, in_both_languages, json_answer, language_of
from cases.catalog import Catalog, Selection, Versions
from cases.checking import STACK, Applying, applying, cases_with_checks, own_checks
from cases.checks_taken import MOST_CASES, Taken, as_json, written
from cases.collecting import CaseLine
from cases.document import Language, write_json
from cases.filters import CaseFilter
from cases.models import Term
from cases.rendering.addresses import address, with_query
from cases.rendering.exposure import Question, library_question
from cases.similarity import fetch_links, read_links
from cases.telling import Shown, Told
from cases.views import page_of, paged, turns

PER_PAGE = 20
MOST_BEHIND = 5


@dataclass(frozen=True)
class Choice(Shown):
    """A word that a stack can have; ``checks`` says how many checks of the library are tied to it."""

    list: str
    slug: str
    label: Told
    checks: int
    is_chosen: bool


@dataclass(frozen=True)
class Choices(Shown):
    name: str
    label: str
    words: Sequence[Choice]


@dataclass(frozen=True)
class Answer(Shown):
    """A check of the library that applies, the newest cases behind it, and how many there are in all."""

    question: Question
    cases: Sequence[CaseLine]
    total: int


@dataclass(frozen=True)
class Asked:
    """A stack as an address tells it, and the checks that apply to it."""

    filter: CaseFilter
    catalog: Catalog
    language: Language

    @classmethod
    def read(cls, request: HttpRequest, present: Catalog) -> Asked:
        values = QueryDict(mutable=True)
        for name in STACK:
            values.setlist(name, request.GET.getlist(name))
        return cls(CaseFilter(values, present.labels), present, language_of(request))

    @cached_property
    def stack(self) -> list[str]:
        return [f"{name}:{slug}" for name in STACK for slug in self.filter.chosen.get(name, ())]

    @cached_property
    def applying(self) -> list[Applying]:
        return applying(self.catalog, self.stack)

    @cached_property
    def own(self) -> int:
        """The cases that brought checks along which apply."""
        return cases_with_checks(self.catalog, self.stack)

    @property
    def query(self) -> str:
        return with_query("", self.filter.chosen)

    def choices(self) -> list[Choices]:
        """Return the words that can be chosen: all that are explained, and those chosen already."""
        labels, tied = self.catalog.labels, self.catalog.labels.checks_of_term
        return [
            Choices(
                name,
                str(Term.List(name).label),
                [
                    Choice(name, slug, term.name(self.language), len(tied.get(f"{name}:{slug}", ())), is_chosen)
                    for slug in self.catalog.words.get(name, ())
                    for term in [labels.term(name, slug)]
                    for is_chosen in [slug in self.filter.chosen.get(name, ())]
                    if term.known or is_chosen
                ],
            )
            for name in STACK
        ]

    def taken(self) -> Taken:
        """Return everything, to be written as a file."""
        numbers = collecting.newest(self.catalog, self.own, MOST_CASES)
        behind = self.behind()
        named = {*numbers, *(number for of_check in behind.values() for number in of_check)}
        return Taken(
            language=self.language,
            labels=self.catalog.labels,
            stack=self.stack,
            query=self.query,
            applying=self.applying,
            behind=behind,
            own=own_checks(numbers, self.stack, self.catalog.labels),
            own_total=self.own.bit_count(),
            cases=read_links(fetch_links(named)),
        )

    def behind(self) -> dict[str, list[int]]:
        """Return the newest cases behind each check of the library."""
        return {one.check.slug: collecting.newest(self.catalog, one.cases, MOST_BEHIND) for one in self.applying}

    def answers(self, cases: Mapping[int, CaseLine], behind: Mapping[str, Sequence[int]]) -> list[Answer]:
        return [
            Answer(
                library_question(one.check, one.shared, self.catalog.labels, self.language),
                [cases[number] for number in behind[one.check.slug] if number in cases],
                one.cases.bit_count(),
            )
            for one in self.applying
        ]


@require_safe
def checks(request: HttpRequest) -> HttpResponse:
    now = catalog.versions()
    return answered(request, etag(now, request.get_full_path()), lambda: checks_page(request, now))


def checks_page(request: HttpRequest, now: Versions) -> HttpResponse:
    asked = Asked.read(request, catalog.at(now))
    language, labels = asked.language, asked.catalog.labels
    page = page_of(Selection(asked.catalog, {"own": asked.own}).numbers, request.GET.get("page", ""), PER_PAGE)
    numbers, behind = list(page.object_list), asked.behind()
    named = {*numbers, *(number for of_check in behind.values() for number in of_check)}
    cases = collecting.links(named, asked.catalog, language)
    page.object_list = collecting.checks_shown(numbers, own_checks(numbers, asked.stack, labels), cases, language)
    context = {
        "section": "checks",
        "choices": asked.choices(),
        "stack": [labels.term(*term.split(":", 1)).name(language) for term in asked.stack],
        "clear_url": address("checks", language),
        "answers": asked.answers(cases, behind),
        "own": page.object_list,
        "own_total": page.paginator.count,
        **turns(page, asked.query),
        "problems": asked.filter.problems,
        "markdown_url": address("checks-markdown", language) + asked.query,
        "json_url": address("checks-json", language) + asked.query,
        **in_both_languages(language, "checks", paged(asked.query, page.number)),
    }
    return render(request, "cases/checks.html", context)


# To take along


@require_safe
def checks_markdown(request: HttpRequest) -> HttpResponse:
    now = catalog.versions()
    return answered(request, etag(now, request.get_full_path()), lambda: markdown_answer(request, now))


def markdown_answer(request: HttpRequest, now: Versions) -> HttpResponse:
    asked = Asked.read(request, catalog.at(now))
    text = written(asked.taken())
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


@require_safe
def checks_json(request: HttpRequest) -> HttpResponse:
    now = catalog.versions()
    return answered(request, etag(now, request.get_full_path()), lambda: json_of(request, now))


def json_of(request: HttpRequest, now: Versions) -> HttpResponse:
    return json_answer(write_json(as_json(Asked.read(request, catalog.at(now)).taken())))
