"""The public pages. Each answers from its address alone, in the language of its address, and writes nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from operator import add
from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from cases import catalog, stored
from cases.answers import (
    GONE,
    answered,
    by_reader,
    etag,
    feed_links,
    forgiven_number,
    forgiven_path,
    in_both_languages,
    is_local,
    language_of,
    moved,
    public,
)
from cases.catalog import Selection, Versions
from cases.document import LANGUAGES, Language, Pair, case_id
from cases.facets import BOXES, DETECTION, PERIOD, REPAIR, State
from cases.filters import CaseFilter
from cases.labels import Labels
from cases.models import Case
from cases.rendering import (
    HEAD_MARK,
    RELATED_MARK,
    dataset,
    render_card,
    render_case,
    script,
    stamp,
)
from cases.rendering.addresses import SOME_ID, address
from cases.search import Found, Snippet, snippet
from cases.stored import FetchedCase
from cases.telling import beginning, plain, tell

PER_PAGE = 25
# Stand in the page around a case where its own words belong.
ARTICLE_MARK, TITLE_MARK, DESCRIPTION_MARK = "<!-- article -->", "<!-- title -->", "<!-- description -->"
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
    if not _leads_on(wanted):
        raise Http404
    return moved(request, wanted)


def _leads_on(path: str) -> bool:
    """Tell whether there is a page at a path, not just this forgiveness once more."""
    try:
        return resolve(path).func is not forgive
    except Resolver404:
        return False


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
    return answered(request, tag, lambda: case_page(found, language))


def case_page(found: FetchedCase, language: Language) -> HttpResponse:
    """Put a case into the page around it, which is the same for all cases told in the same languages."""
    title, summary = tell(found.title, language), tell(found.summary, language)
    present = tuple(one for one in LANGUAGES if found.title.told(one) and found.summary.told(one))
    body, _, head = article(found, found.labels, language).partition(HEAD_MARK)
    above, _, below = body.partition(RELATED_MARK)
    told = {
        SOME_ID: found.id,
        TITLE_MARK: escape(f"{found.id} {plain(title.text) if title else ''}"),
        DESCRIPTION_MARK: escape(beginning(summary)),
        HEAD_MARK: head,
        ARTICLE_MARK: f"{above}{found.related(language)}{below}",
    }
    around = _around_case.__wrapped__ if settings.DEBUG else _around_case
    return HttpResponse("".join([told.get(part, part) for part in around(language, present or LANGUAGES)]))


@lru_cache(maxsize=8)
def _around_case(language: Language, present: Sequence[Language]) -> list[str]:
    """Return what stands around every case, parted where something of the case itself belongs, with the marks."""
    context = {
        "section": "cases",
        "article": SafeString(ARTICLE_MARK),
        "head": SafeString(HEAD_MARK),
        "page_title": SafeString(TITLE_MARK),
        "description": SafeString(DESCRIPTION_MARK),
        **in_both_languages(language, "case", present=present, id=SOME_ID),
    }
    marks = f"{SOME_ID}|{TITLE_MARK}|{DESCRIPTION_MARK}|{HEAD_MARK}|{ARTICLE_MARK}"
    return re.split(f"({marks})", render_to_string("cases/case.html", context))


def article(found: FetchedCase, labels: Labels, language: Language) -> str:
    """Return the stored article with its head, or one made now where that was made for other templates or words."""
    if found.text and found.stamp == stamp(labels.wording):
        return found.text
    document, standing = stored.contents([found.number])[found.number]
    return render_case(document, standing, labels, language)


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
        "trends_url": address("trends", language) + state_query,
        "literal_url": state.literal_url,
        "orders": state.orders(),
        "kept": state.carried("q"),
        "carried_by_order": state.carried("sort"),
        **beside(state),
        **listing(page, state_query),
        **in_both_languages(language, "list", paged(state_query, page.number)),
        "feeds": feed_links(language, case_filter.chosen),
    }
    return render(request, "cases/list.html", context)


def beside(state: State) -> dict[str, Any]:
    """Return what narrows a list: the facets, the boxes, and the switch that leaves examples out."""
    return {
        "filter_count": state.filter_count,
        "facets": state.facets(),
        "examples": state.examples,
        "period": state.boxes(PERIOD),
        "detection": state.boxes(DETECTION),
        "repair": state.boxes(REPAIR),
        "boxes_are_open": state.boxes_are_open,
        "carried_by_boxes": state.carried(*BOXES),
    }


def cards_page(selection: Selection, wanted: str, language: Language, found: Found | None = None) -> Page[Any]:
    """Return one page of cards."""
    page = page_of(selection.numbers, wanted)
    numbers = list(page.object_list)
    page.object_list = cards(numbers, selection.catalog.labels, language)
    if found is not None:
        page.object_list = list(map(add, page.object_list, snippets(numbers, found, language)))
    return page


def page_of(numbers: Sequence[int], wanted: str, per_page: int = PER_PAGE) -> Page[Any]:
    """Return one page of a listing; a number that is none means the first page, one too large the last."""
    pages = Paginator(numbers, per_page)
    number = int(wanted) if PAGE_NUMBER.fullmatch(wanted) else 1
    return pages.page(min(max(number, 1), pages.num_pages))


def snippets(numbers: Sequence[int], found: Found, language: Language) -> list[SafeString]:
    """Return for each case the passage that was found, with the hits marked."""
    documents = stored.documents(numbers)
    passages = [snippet(documents[number], found.terms, language) for number in numbers]
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


def listing(page: Page[Any], query: str) -> dict[str, Any]:
    """Return what shows one page of cards."""
    return {"cards": page.object_list, **turns(page, query)}


def turns(page: Page[Any], query: str) -> dict[str, Any]:
    """Return what shows one page of anything. Its links hold what applies, not all that somebody sent."""
    return {
        "page": page,
        "total": page.paginator.count,
        "previous_url": paged(query, page.number - 1) or "?",
        "next_url": paged(query, page.number + 1),
    }


def paged(query: str, number: int) -> str:
    """Add the number of a page to a query, unless it is the first."""
    if number <= 1:
        return query
    return f"{query}{'&' if query else '?'}page={number}"


# Pages of words


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    language = language_of(request)
    context = {
        "section": "about",
        "site_url": settings.SITE_URL,
        **in_both_languages(language, "about"),
        "head": script(dataset(language)),
    }
    return answered(request, etag(catalog.versions(), language), lambda: render(request, "cases/about.html", context))
