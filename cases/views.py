"""The public pages. Each answers from its address alone, in the language of its address, and writes nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import add
from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import is_valid_path
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.views.decorators.http import require_safe

from cases import catalog, stored
from cases.answers import (
    GONE,
    answered,
    by_reader,
    etag,
    forgiven_number,
    forgiven_path,
    in_both_languages,
    is_local,
    language_of,
    moved,
    public,
)
from cases.catalog import Catalog, Selection, Versions
from cases.document import LANGUAGES, Language, Pair, case_id
from cases.document.text import is_korean
from cases.facets import PERIOD, REPAIR, TOPICS, State
from cases.filters import CaseFilter
from cases.labels import Label, Labels, OrgLabel
from cases.models import Case, OrgAlias, Term
from cases.rendering import RELATED_MARK, render_article, render_card, render_related, stamp
from cases.rendering.addresses import address
from cases.search import Found, Snippet, snippet
from cases.stored import FetchedCase
from cases.telling import tell

PER_PAGE = 25
DESCRIPTION_LENGTH = 200
PAGE_NUMBER = re.compile(r"[0-9]{1,9}")


# Addresses without a language


@require_safe
def choose_language(request: HttpRequest, path: str = "") -> HttpResponse:
    return by_reader(request, forgiven_path(path) if path else "")


@require_safe
def switch_language(request: HttpRequest, language: Language) -> HttpResponse:
    """Remember the language that a reader chose, and show the page they came from in it."""
    wanted = request.GET.get("next", "")
    response = HttpResponseRedirect(wanted if is_local(wanted) else address("list", language))
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def forgive(request: HttpRequest, path: str) -> HttpResponse:
    """Send on from an address below a language that lacks its slash, and has its number written another way."""
    wanted = f"/{language_of(request)}/{forgiven_path(path)}"
    if not is_valid_path(wanted):
        raise Http404
    return moved(request, wanted)


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    return public(HttpResponse("User-agent: *\nDisallow:\n", content_type="text/plain"))


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return public(HttpResponseRedirect(address("list", language_of(request))))


# One case


@require_safe
def case(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    language, number = language_of(request), forgiven_number(id)
    if id != case_id(number):
        return moved(request, address("case", language, id=case_id(number)))
    found = stored.fetch(number, "article_ko" if language == "ko" else "article_en")
    if found is None:
        raise Http404
    if found.merged_into is not None:
        return moved(request, address("case", language, id=case_id(found.merged_into)))
    if found.status != Case.Status.PUBLISHED:
        return withdrawn(request, found, language)
    tag = etag(found.versions, language, found.sequence)
    return answered(request, tag, lambda: case_page(request, found, language))


def case_page(request: HttpRequest, found: FetchedCase, language: Language) -> HttpResponse:
    title, summary = tell(found.title, language), tell(found.summary, language)
    present = [one for one in LANGUAGES if found.title.told(one) and found.summary.told(one)]
    labels = found.labels
    related = render_related(found.neighbours, language, labels, found.chain)
    context = {
        "section": "cases",
        "article": mark_safe(article(found, labels, language).replace(RELATED_MARK, related)),  # noqa: S308  (our HTML)
        "page_title": f"{found.id} {title.text if title else ''}",
        "description": Truncator(summary.text if summary else "").chars(DESCRIPTION_LENGTH),
        **in_both_languages(language, "case", present=present or LANGUAGES, id=found.id),
    }
    return render(request, "cases/case.html", context)


def article(found: FetchedCase, labels: Labels, language: Language) -> str:
    """Return the stored article, or one made now where that was made for other templates or words."""
    if found.text and found.stamp == stamp(labels.wording):
        return found.text
    document, standing = stored.contents([found.number])[found.number]
    return render_article(document, standing, labels, language)


def withdrawn(request: HttpRequest, found: FetchedCase, language: Language) -> HttpResponse:
    row = Case.objects.get(number=found.number)
    reason = Pair.model_construct(en=row.told("withdrawn_reason", "en"), ko=row.told("withdrawn_reason", "ko"))
    context = {
        "section": "cases",
        "id": found.id,
        "withdrawn_at": row.withdrawn_at,
        "reason": told.prose if (told := tell(reason, language)) else "",
        **in_both_languages(language, "case", id=found.id),
    }
    return public(render(request, "cases/withdrawn.html", context, status=410), control=GONE)


# Lists of cases


@require_safe
def case_list(request: HttpRequest) -> HttpResponse:
    now = catalog.versions()
    return answered(request, etag(now, request.get_full_path()), lambda: list_page(request, now))


def list_page(request: HttpRequest, now: Versions) -> HttpResponse:
    language, query = language_of(request), request.GET
    present = catalog.at(now)
    case_filter = CaseFilter(query, present.labels)
    state = State(case_filter, case_filter.select(present), address("list", language), language)
    page = cards_page(state.selection, query.get("page", ""), language, case_filter.found)
    state_query = state.url(case_filter.chosen).removeprefix(state.path)
    context = {
        "section": "cases",
        "filter": case_filter,
        "query": case_filter.applied.get("q") or state.typed("q"),
        "problems": case_filter.problems,
        "chips": state.chips,
        "ways_out": [] if page.object_list else state.ways_out,
        "clear_url": state.path,
        "literal_url": state.literal_url,
        "orders": state.orders(),
        "kept": state.carried("q"),
        "carried_by_order": state.carried("sort"),
        **beside(state),
        **listing(page, state_query),
        **in_both_languages(language, "list", paged(state_query, page.number)),
    }
    return render(request, "cases/list.html", context)


def beside(state: State) -> dict[str, Any]:
    """Return what narrows a list: the facets, the boxes, and the switch that leaves examples out."""
    return {
        "filter_count": state.filter_count,
        "facets": state.facets(),
        "examples": state.examples,
        "period": state.boxes(PERIOD),
        "repair": state.boxes(REPAIR),
        "boxes_are_open": state.boxes_are_open,
        "carried_by_boxes": state.carried(*PERIOD, *REPAIR),
    }


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
    language, slug = language_of(request), str(found.slug)
    page = cards_page(with_word(present, "org", slug), request.GET.get("page", ""), language)
    context = {
        "section": "orgs",
        "org": found,
        "org_label": found.name(language).text,
        "aliases": list(OrgAlias.objects.filter(org__slug=slug).values_list("alias", flat=True)),
        **listing(page),
        **in_both_languages(language, "org", paged("", page.number), slug=slug),
    }
    return render(request, "cases/org.html", context)


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
    page = cards_page(with_word(present, list_name, slug), request.GET.get("page", ""), language)
    name, meaning = term.name(language), term.meaning(language)
    context = {
        "section": "topics",
        "term": term,
        "label": name.text,
        "label_told": name,
        "definition": meaning.text if meaning else "",
        "definition_told": meaning,
        "list_label": Term.List(list_name).label,
        **listing(page),
        **in_both_languages(language, "topic", paged("", page.number), list=list_name, slug=slug),
    }
    return render(request, "cases/topic.html", context)


def with_word(present: Catalog, name: str, word: str) -> Selection:
    """Return the cases with one value of a facet."""
    return Selection(present, {name: present.words.get(name, {}).get(word, 0)})


def cards_page(selection: Selection, wanted: str, language: Language, found: Found | None = None) -> Page[Any]:
    """Return one page of cards; a number that is none means the first page, one too large the last."""
    pages = Paginator(selection.numbers, PER_PAGE)
    number = int(wanted) if PAGE_NUMBER.fullmatch(wanted) else 1
    page: Page[Any] = pages.page(min(max(number, 1), pages.num_pages))
    numbers = list(page.object_list)
    page.object_list = cards(numbers, selection.catalog.labels, language)
    if found is not None:
        page.object_list = list(map(add, page.object_list, snippets(numbers, found, language)))
    return page


def snippets(numbers: Sequence[int], found: Found, language: Language) -> list[SafeString]:
    """Return for each case the passage that was found, with the hits marked."""
    contents = stored.contents(numbers)
    passages = [snippet(contents[number][0], found.terms, language) for number in numbers]
    return [_snippet_html(passage, language) for passage in passages]


def _snippet_html(passage: Snippet, language: Language) -> SafeString:
    text = format_html_join(
        "", "{}", ((format_html("<mark>{}</mark>", text) if hit else text,) for text, hit in passage.pieces)
    )
    if passage.language == language:
        return format_html('<p class="snippet">{}</p>', text)
    return format_html('<p class="snippet" lang="{}">{}</p>', passage.language, text)


def cards(numbers: Sequence[int], labels: Labels, language: Language) -> list[SafeString]:
    """Return the stored cards of cases, and make those that were made for other templates or words."""
    fitting, found = stamp(labels.wording), stored.cards(numbers, language)
    outdated = [number for number, (stamped, _) in found.items() if stamped != fitting]
    contents = stored.contents(outdated) if outdated else {}
    made = {number: render_card(*content, labels, language) for number, content in contents.items()}
    return [mark_safe(made.get(number, found[number][1])) for number in numbers if number in found]  # noqa: S308  (our own HTML)


def listing(page: Page[Any], query: str = "") -> dict[str, Any]:
    """Return what shows one page of a list. Its links hold what applies, not all that somebody sent."""
    return {
        "page": page,
        "cards": page.object_list,
        "total": page.paginator.count,
        "previous_url": paged(query, page.number - 1) or "?",
        "next_url": paged(query, page.number + 1),
    }


def paged(query: str, number: int) -> str:
    """Add the number of a page to a query, unless it is the first."""
    if number <= 1:
        return query
    return f"{query}{'&' if query else '?'}page={number}"


# Overviews


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
    counts = present.totals.get(name, {})
    terms = [present.labels.term(name, slug) for slug in present.words.get(name, ())]
    return [
        {
            "slug": term.slug,
            "label": term.name(language).name,
            "url": address("topic", language, list=name, slug=term.slug),
            "count": counts.get(term.slug, 0),
            "known": term.known,
        }
        for term in terms
    ]


# Pages of words


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return words(request, "about", catalog.versions())


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    return words(request, "api", catalog.versions())


def words(request: HttpRequest, name: str, now: Versions) -> HttpResponse:
    language = language_of(request)
    context = {"section": name, "site_url": settings.SITE_URL, **in_both_languages(language, name)}
    return answered(request, etag(now, language), lambda: render(request, f"cases/{name}.html", context))
