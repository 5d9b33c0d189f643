"""The pages of terms and of organisations: their cases, with what these have in common, and the lists of them all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cases import catalog
from cases.answers import answered, etag, feed_links, in_both_languages, language_of, moved
from cases.catalog import Catalog
from cases.document import Language
from cases.document.text import is_korean
from cases.facets import TOPICS, State
from cases.filters import CaseFilter
from cases.labels import Label, OrgLabel
from cases.models import OrgAlias, Term
from cases.rendering.addresses import address, with_query
from cases.subjects import Subject, figures
from cases.views import cards_page, listing, paged

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
        "feeds": feed_links(language, subject.asked),
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
        "feeds": feed_links(language, subject.asked),
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
        "query": paged(query, page.number),
        **listing(page, query),
    }


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
