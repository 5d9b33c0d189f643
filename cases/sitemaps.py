"""What programs read of the site first: which pages there are (robots.txt, sitemaps), and what it is (llms.txt).

Django's sitemaps would reverse each address in each language for every request, and tell their alternates for all
languages or none; here the languages of each case come from the catalog.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from xml.sax.saxutils import escape, quoteattr

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cases import catalog
from cases.answers import answered, etag, public
from cases.catalog import OLDEST, Catalog, Selection
from cases.catalog.bits import bits_of
from cases.catalog.rows import TOLD
from cases.chronology import changed_at
from cases.document import LANGUAGES, Language, case_id
from cases.facets import TOPICS
from cases.rendering.addresses import address

# Each case has an address in each language; a sitemap may hold 50,000 addresses, and is read sooner when it is small.
CASES_IN_ONE = 5_000
OPENING = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
OVERVIEWS = ("list", "topics", "orgs", "about", "api")
MEDIA_TYPE = "application/xml; charset=utf-8"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Name all sitemaps."""
    now = catalog.versions()
    return answered(request, etag(now, request.path), lambda: _index(catalog.at(now)))


def _index(present: Catalog) -> HttpResponse:
    count = -(-present.published.bit_count() // CASES_IN_ONE)
    paths = [reverse("cases:sitemap-pages")]
    paths += [reverse("cases:sitemap-cases", kwargs={"number": number}) for number in range(1, count + 1)]
    body = "".join(f"<sitemap><loc>{escape(settings.SITE_URL + path)}</loc></sitemap>\n" for path in paths)
    return _xml(f"<sitemapindex {NAMESPACE}>\n{body}</sitemapindex>\n")


@require_safe
def pages(request: HttpRequest) -> HttpResponse:
    """Name the overviews, and the topics and organisations that have a case."""
    now = catalog.versions()
    return answered(request, etag(now, request.path), lambda: _urlset(_pages(catalog.at(now))))


@require_safe
def cases(request: HttpRequest, number: int) -> HttpResponse:
    """Name some of the cases, in the languages in which each is told."""
    now = catalog.versions()
    return answered(request, etag(now, request.path), lambda: _urlset(_cases(catalog.at(now), number)))


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Keep robots out of what is for people with an account, and tell them of the rest."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in (*settings.DESK_PREFIXES, "/language/"))]
    lines += ["", f"Sitemap: {settings.SITE_URL}{reverse('cases:sitemap')}", ""]
    return public(HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8"))


@require_safe
def llms(request: HttpRequest) -> HttpResponse:
    """Tell language models what this site is and where to find what."""
    context = {
        "site_url": settings.SITE_URL,
        "license_name": settings.CONTENT_LICENSE_NAME,
        "license_url": settings.CONTENT_LICENSE_URL,
    }
    tag = etag(catalog.versions())
    make = partial(render, request, "cases/llms.txt", context, content_type="text/plain; charset=utf-8")
    return answered(request, tag, make)


# What there is


def _pages(present: Catalog) -> Iterator[str]:
    days = _by_day(present)
    for name in OVERVIEWS:
        yield _page(_addresses(name), None)
    for list_name in TOPICS:
        for slug, members in present.words.get(list_name, {}).items():
            if members & present.published:
                yield _page(_addresses("topic", list=list_name, slug=slug), _last_day(members, days))
    for slug, members in present.words["org"].items():
        if members & present.published:
            yield _page(_addresses("org", slug=slug), _last_day(members, days))


def _by_day(present: Catalog) -> list[tuple[str, int]]:
    """Return the published cases that last changed on each day, the newest day first."""
    numbers, places = sorted(Selection(present).numbers), present.index.places
    by_day: dict[str, list[int]] = defaultdict(list)
    for number, at in changed_at(numbers).items():
        if number in places:
            by_day[_day(at)].append(places[number])
    size = len(present.index.columns)
    return [(day, bits_of(by_day[day], size) & present.published) for day in sorted(by_day, reverse=True)]


def _last_day(members: int, days: Iterable[tuple[str, int]]) -> str | None:
    return next((day for day, changed in days if changed & members), None)


def _cases(present: Catalog, wanted: int) -> Iterator[str]:
    listing = Selection(present, order=OLDEST).numbers
    numbers = listing[(wanted - 1) * CASES_IN_ONE : wanted * CASES_IN_ONE] if wanted > 0 else []
    if not numbers:
        raise Http404
    changed, patterns = changed_at(sorted(numbers)), _addresses("case", id="IL-0001")
    for number in numbers:
        at = changed.get(number)
        urls = {language: url.replace("IL-0001", case_id(number)) for language, url in patterns.items()}
        yield _page({one: urls[one] for one in _told(present, number)}, _day(at) if at else None)


def _told(present: Catalog, number: int) -> Sequence[Language]:
    """Return the languages in which a case is told; all where none is told whole."""
    marks = present.index.columns.marks[present.index.places[number]]
    return [language for language in LANGUAGES if marks & TOLD[language]] or LANGUAGES


def _addresses(name: str, **arguments: str) -> dict[Language, str]:
    return {language: address(name, language, **arguments) for language in LANGUAGES}


# How it is written


def _page(paths: Mapping[Language, str], day: str | None) -> str:
    """Write one page: an entry for each of its languages, each naming all of them."""
    without_language = next(iter(paths.values()))[len("/en") :]
    alternates = "".join(_alternate(language, path) for language, path in paths.items())
    alternates += _alternate("x-default", without_language)
    changed = f"<lastmod>{day}</lastmod>" if day else ""
    return "".join(
        f"<url><loc>{escape(settings.SITE_URL + path)}</loc>{changed}{alternates}</url>\n" for path in paths.values()
    )


def _alternate(language: str, path: str) -> str:
    return f'<xhtml:link rel="alternate" hreflang="{language}" href={quoteattr(settings.SITE_URL + path)}/>'


def _urlset(entries: Iterable[str]) -> HttpResponse:
    return _xml(f'<urlset {NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n{"".join(entries)}</urlset>\n')


def _xml(text: str) -> HttpResponse:
    return HttpResponse(OPENING + text, content_type=MEDIA_TYPE)


def _day(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).date().isoformat()
