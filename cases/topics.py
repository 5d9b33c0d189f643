"""The pages of terms and of organisations: their cases, with what these have in common, and the lists of them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cases import catalog, collecting
from cases.answers import answered, etag, in_both_languages, language_of, moved
from cases.catalog import Catalog
from cases.charts import MOST_YEARS, ticks, years_alone
from cases.checking import STACK, cases_with_checks, own_checks
from cases.document import Language
from cases.document.text import is_korean
from cases.facets import TOPICS, State
from cases.figures import companions, times_shown
from cases.filters import CaseFilter
from cases.labels import Label, OrgLabel
from cases.models import OrgAlias, Term
from cases.narrowing import Lists, with_query
from cases.rendering.addresses import address
from cases.rendering.exposure import Question, library_question
from cases.statistics import Profile, cases_of, profile
from cases.views import cards_page, listing, paged

MOST_LESSONS, MOST_CHECKS, MOST_RECURRENCES, MOST_PROMISES = 5, 5, 10, 5
MOST_LIBRARY_CHECKS = 10


@dataclass(frozen=True)
class Subject:
    """What a page is about: the cases with one word of a list, or of one organisation."""

    catalog: Catalog
    name: str
    slug: str
    language: Language

    @property
    def path(self) -> str:
        if self.name == "org":
            return address("org", self.language, slug=self.slug)
        return address("topic", self.language, list=self.name, slug=self.slug)

    @property
    def asked(self) -> Mapping[str, list[str]]:
        return {self.name: [self.slug]}

    @property
    def lists(self) -> Lists:
        return Lists(self.asked, self.language)

    @property
    def cases(self) -> int:
        return cases_of(self.catalog, self.name, self.slug)

    def url(self, name: str, word: str) -> str:
        """Return the list of the cases with another word too.

        Two words of one list would mean either in a list of cases, so there the page of the first is narrowed.
        """
        return with_query(self.path, {name: [word]}) if name == self.name else self.lists.url({name: word})


# One organisation


@require_safe
def org(request: HttpRequest, slug: str) -> HttpResponse:
    language, now = language_of(request), catalog.versions()
    present = catalog.at(now)
    found = present.labels.orgs_by_slug.get(slug.lower())
    if found is None:
        raise Http404
    if slug != found.slug:
        return moved(request, address("org", language, slug=slug.lower()))
    return answered(request, etag(now, request.get_full_path()), lambda: org_page(request, present, found))


def org_page(request: HttpRequest, present: Catalog, found: OrgLabel) -> HttpResponse:
    language = language_of(request)
    subject = Subject(present, "org", str(found.slug), language)
    shown = subject_context(request, subject)
    context = {
        "section": "orgs",
        "org": found,
        "org_label": found.name(language).text,
        "aliases": list(OrgAlias.objects.filter(org__slug=subject.slug).values_list("alias", flat=True)),
        "follow_ups_url": with_query(address("follow-ups", language), {**subject.asked, "status": ["open"]}),
        **shown,
        **in_both_languages(language, "org", shown["query"], slug=subject.slug),
    }
    return render(request, "cases/org.html", context)


# One term


@require_safe
def topic(request: HttpRequest, list: str, slug: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    language, now = language_of(request), catalog.versions()
    present = catalog.at(now)
    if list not in TOPICS or (list, slug.lower()) not in present.labels.terms:
        raise Http404
    term = present.labels.term(list, slug.lower())
    if term.slug != slug:
        return moved(request, address("topic", language, list=list, slug=term.slug))
    return answered(request, etag(now, request.get_full_path()), lambda: topic_page(request, present, term))


def topic_page(request: HttpRequest, present: Catalog, term: Label) -> HttpResponse:
    language, list_name, slug = language_of(request), term.list, term.slug
    subject = Subject(present, list_name, slug, language)
    shown = subject_context(request, subject)
    name, meaning = term.name(language), term.meaning(language)
    context = {
        "section": "topics",
        "term": term,
        "label": name.text,
        "label_told": name,
        "definition": meaning.text if meaning else "",
        "definition_told": meaning,
        "list_label": Term.List(list_name).label,
        **shown,
        **in_both_languages(language, "topic", shown["query"], list=list_name, slug=slug),
    }
    return render(request, "cases/topic.html", context)


# What both pages show


def subject_context(request: HttpRequest, subject: Subject) -> dict[str, Any]:
    """Return the cases of a page, narrowed by what else is asked for; its first page begins with the figures."""
    language = subject.language
    case_filter = CaseFilter(request.GET, subject.catalog.labels)
    found = case_filter.select(subject.catalog)
    selection = replace(found, asked={**found.asked, "subject": subject.cases})
    state = State(case_filter, selection, subject.path, language)
    page = cards_page(selection, request.GET.get("page", ""), language, case_filter.found)
    query = state.url(case_filter.chosen).removeprefix(subject.path)
    is_first = page.number == 1 and not case_filter.chosen
    return {
        "chips": state.chips,
        "clear_url": subject.path,
        "problems": case_filter.problems,
        "figures": figures(subject) if is_first and page.paginator.count else None,
        "query": paged(query, page),
        **listing(page),
    }


def figures(subject: Subject) -> dict[str, Any]:
    """Work out all that stands above the cases, in a fixed number of queries."""
    language, lists = subject.language, subject.lists
    found = profile(subject.catalog, subject.cases)
    own = (subject.name, subject.slug)
    return {
        "total": found.total,
        "list_url": lists.url(),
        "trends_url": with_query(address("trends", language), subject.asked),
        "years": years_alone(found.years, _("Cases"), lists),
        "ticks": ticks([year.word for year in found.years[-MOST_YEARS:]]),
        "times": [
            times_shown(found.detection, "detect", _("Time to detect"), language, lists),
            times_shown(found.repair, "repair", _("Time to repair"), language, lists),
        ],
        "companions": companions(subject.catalog, found.companions, subject.url, own, language),
        "promises": found.follow_ups,
        "unfinished": found.unfinished,
        "promised": sum(found.follow_ups.values()),
        **collected(subject, found),
    }


def collected(subject: Subject, found: Profile) -> dict[str, Any]:
    """Gather lessons and checks, and for an organisation what came back and what is not seen done."""
    present, language, is_org = subject.catalog, subject.language, subject.name == "org"
    term = f"{subject.name}:{subject.slug}"
    stack = [] if is_org else [term]
    taught, checked = collecting.taught(present, found.cases), cases_with_checks(present, stack)
    checked &= found.cases if is_org else checked
    unfinished = collecting.unfinished(present, found.cases) if is_org else 0
    recurring = found.cases & present.index.recurring if is_org else 0
    lessons, checks, promises, recurrences = (
        collecting.newest(present, cases, most)
        for cases, most in (
            (taught, MOST_LESSONS), (checked, MOST_CHECKS), (unfinished, MOST_PROMISES), (recurring, MOST_RECURRENCES)
        )
    )  # fmt: skip
    earlier = {number: present.index.recurrence_of[number] for number in recurrences}
    named = {*lessons, *checks, *promises, *recurrences, *earlier.values()}
    cases = collecting.links(named, present, language)
    return {
        "lessons": collecting.lessons_shown(lessons, collecting.lessons(lessons), cases, language),
        "lessons_total": taught.bit_count(),
        "library_checks": [] if is_org else library_checks(present, term, language),
        "checks": collecting.checks_shown(checks, own_checks(checks, stack, present.labels), cases, language),
        "checks_total": checked.bit_count(),
        "checks_url": with_query(address("checks", language), subject.asked) if subject.name in STACK else "",
        "open_promises": collecting.promises_shown(
            promises, collecting.promises(promises, collecting.UNFINISHED), cases, language
        ),
        "open_promises_total": unfinished.bit_count(),
        "recurrences": collecting.recurrences_shown(recurrences, earlier, cases),
        "recurrences_total": recurring.bit_count(),
    }


def library_checks(present: Catalog, term: str, language: Language) -> list[Question]:
    found = present.labels.checks_for([term])
    return [library_question(check, (), present.labels, language) for check, _ in found[:MOST_LIBRARY_CHECKS]]


# All of them


@require_safe
def orgs(request: HttpRequest) -> HttpResponse:
    now = catalog.versions()
    return answered(request, etag(now, language_of(request)), lambda: orgs_page(request, catalog.at(now)))


def orgs_page(request: HttpRequest, present: Catalog) -> HttpResponse:
    language = language_of(request)
    counts, known = present.totals["org"], present.labels.orgs_by_slug
    names = {slug: known[slug].name(language).text for slug in counts}
    context = {
        "section": "orgs",
        "orgs": [
            {"slug": slug, "label": name, "url": address("org", language, slug=slug), "count": counts[slug]}
            for slug, name in sorted(names.items(), key=lambda item: alphabetical(item[1], language))
        ],
        **in_both_languages(language, "orgs"),
    }
    return render(request, "cases/orgs.html", context)


def alphabetical(name: str, language: Language) -> tuple[bool, str]:
    """Order names with those in the reader's own script first, the same on every database."""
    return is_korean(name[:1]) != (language == "ko"), name.casefold()


@require_safe
def topics(request: HttpRequest) -> HttpResponse:
    now = catalog.versions()
    return answered(request, etag(now, language_of(request)), lambda: topics_page(request, catalog.at(now)))


def topics_page(request: HttpRequest, present: Catalog) -> HttpResponse:
    language = language_of(request)
    context = {
        "section": "topics",
        "lists": [
            {"name": one.value, "label": one.label, "terms": counted_terms(present, one.value, language)}
            for one in TOPICS
        ],
        **in_both_languages(language, "topics"),
    }
    return render(request, "cases/topics.html", context)


def counted_terms(present: Catalog, name: str, language: Language) -> list[dict[str, Any]]:
    """Give the terms of a list; one that nobody explained and no case has is left out."""
    counts = present.totals.get(name, {})
    terms = [present.labels.term(name, slug) for slug in present.words.get(name, ())]
    return [
        {
            "slug": term.slug,
            "label": term.name(language).name,
            "url": address("topic", language, list=term.list, slug=term.slug),
            "count": counts.get(term.slug, 0),
            "known": term.known,
        }
        for term in terms
        if term.known or term.slug in counts
    ]
