"""Atom: the cases that are new in the library, those that changed, and either of a filter, in each language."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.http import require_safe

from cases import catalog
from cases.answers import FeedLink, answered, etag, feed_links, language_of, open_to_all, other, problem, unchanged
from cases.catalog import Catalog, Versions
from cases.chronology import Past, chronology, newest, pasts
from cases.document import Language, Pair, case_id
from cases.filters import CaseFilter
from cases.labels import Labels
from cases.models import Case, Change, Term
from cases.rendering.addresses import full_address
from cases.telling import Told, plain, tell

MOST_ENTRIES = 50
# A library without any case has not changed yet.
NEVER = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
CATEGORIES = (Term.List.DOMAIN, Term.List.COMPONENT, Term.List.SYMPTOM, Term.List.CONTRIBUTING)
# A feed has an order of its own.
NO_FILTER = "sort"


@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """Tell of cases when they appear in the library."""
    return open_to_all(_answer(request, "new"))


@require_safe
def changed(request: HttpRequest) -> HttpResponse:
    """Tell of cases each time they change after that."""
    return open_to_all(_answer(request, "changed"))


def _answer(request: HttpRequest, kind: str) -> HttpResponse:
    now = catalog.versions()
    tag = etag(now, request.get_full_path())
    if same := unchanged(request, tag):
        return same
    present = catalog.at(now)
    case_filter = CaseFilter(request.GET, present.labels)
    if problems := [*_unknown(request, case_filter), *case_filter.problems]:
        return problem(400, "Bad Request", " ".join(problems))
    return answered(request, tag, lambda: _feed(language_of(request), kind, case_filter, present, now))


def _unknown(request: HttpRequest, case_filter: CaseFilter) -> Iterator[str]:
    for name in request.GET:
        if name not in case_filter.filters or name == NO_FILTER:
            yield _("There is no such filter: {name}.").format(name=name)


def _feed(language: Language, kind: str, case_filter: CaseFilter, present: Catalog, now: Versions) -> HttpResponse:
    orders = chronology(now.last)
    order = orders.appeared if kind == "new" else orders.changed
    numbers = newest(case_filter.select(present), order, MOST_ENTRIES)
    links = {link.kind: link for link in feed_links(language, case_filter.chosen)}
    others = {link.kind: link for link in feed_links(other(language), case_filter.chosen)}
    feed = LibraryFeed(
        title=xml_text(" · ".join([links[kind].title, *_asked(case_filter, language)])),
        link=links[kind].page,
        description=None,
        subtitle=_("Production incidents of cloud and internet services, told from the providers' own sources."),
        language=language,
        author_name="IncidentLib",
        author_link=settings.SITE_URL,
        feed_url=links[kind].url,
        feed_guid=links[kind].url,
        feed_copyright=_rights(),
        other=others[kind],
        other_language=other(language),
        changed_at=_last_change(now),
    )
    for entry in _entries(numbers, present.labels, language):
        feed.add_item(**entry.item(kind))
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


def _rights() -> str | None:
    name, url = settings.CONTENT_LICENSE_NAME, settings.CONTENT_LICENSE_URL
    return f"{name} {url}".strip() or None


def _last_change(now: Versions) -> dt.datetime:
    last = Change.objects.filter(sequence=now.last.sequence).first()
    return last.at if last else NEVER


def _asked(case_filter: CaseFilter, language: Language) -> Iterator[str]:
    """Name what a feed was asked for, for its title."""
    labels = case_filter.labels
    for name, values in case_filter.chosen.items():
        if name == "org":
            words = [labels.orgs_by_slug[value].name(language).text for value in values]
        else:
            words = [labels.term(name, value).name(language).text for value in values]
        yield f"{case_filter.filters[name].label}: {', '.join(words)}"


def xml_text(text: str) -> str:
    """Leave out what XML has no way to write."""
    return NO_XML.sub("", text)


# Entries


def _entries(numbers: Sequence[int], labels: Labels, language: Language) -> Iterator[Entry]:
    """Give the entries in the order of the numbers, in four queries."""
    told = pasts(numbers)
    rows = Case.objects.filter(number__in=numbers).select_related("org", "root_cause")
    found = {case.number: case for case in rows.prefetch_related("case_terms__term")}
    for number in numbers:
        if number in found and number in told:
            yield Entry(found[number], told[number], labels, language)


@dataclass(frozen=True)
class Entry:
    """One case in a feed of one language. The language must be the active one."""

    case: Case
    past: Past
    labels: Labels
    language: Language

    @property
    def id(self) -> str:
        return case_id(self.case.number)

    @property
    def url(self) -> str:
        return full_address("case", self.language, id=self.id)

    @cached_property
    def title(self) -> Told:
        return self._tell("title") or Told(self.id)

    def _tell(self, field: str) -> Told | None:
        pair = Pair.model_construct(en=self.case.told(field, "en"), ko=self.case.told(field, "ko"))
        return tell(pair, self.language)

    def item(self, kind: str) -> Mapping[str, Any]:
        """Return the entry as Django's feeds take it. An entry of the changed is one change, not one case."""
        change = f"#change-{self.past.last.sequence}" if kind == "changed" else ""
        summary = self._tell("summary")
        return {
            "title": xml_text(f"{self.id} {self._org()}: {plain(self.title.text)}"),
            "link": self.url,
            "description": xml_text(f"{self._news() if change else ''}{summary.prose if summary else ''}"),
            "unique_id": f"{self.url}{change}",
            "pubdate": self.past.first.at,
            "updateddate": self.past.last.at,
            "categories": [xml_text(category) for category in self._categories()],
            "language": self.title.language if self.title.is_other else None,
            "links": self._links(),
        }

    def _org(self) -> str:
        return self.labels.org(self.case.org.name).name(self.language).text

    def _news(self) -> str:
        """Say in a paragraph what the last change was."""
        edition = _("Edition {number} was published.").format(number=self.case.edition_number)
        words: dict[str, str] = {
            Change.Kind.PUBLISHED: edition,
            Change.Kind.IMPORTED: edition,
            Change.Kind.REVIEWED: _("What is known of its review has changed."),
            Change.Kind.RESTORED: _("It is back in the library."),
        }
        other = _("What is known of the case has changed.")
        return f"<p>{words.get(self.past.last.kind, other)}</p>"

    def _categories(self) -> Iterator[str]:
        yield self._org()
        if self.case.root_cause:
            yield self._label(self.case.root_cause)
        for one in self.case.case_terms.all():
            if one.term.list in CATEGORIES:
                yield self._label(one.term)

    def _label(self, term: Term) -> str:
        return self.labels.term(term.list, term.slug).name(self.language).text

    def _links(self) -> list[dict[str, str]]:
        edition = full_address("edition", self.language, id=self.id, number=str(self.case.edition_number))
        markdown = full_address("markdown", self.language, id=self.id)
        return [
            {"rel": "alternate", "type": "text/markdown", "hreflang": self.language, "href": markdown},
            {"rel": "alternate", "type": "application/json", "href": full_address("api-case", "en", id=self.id)},
            {"rel": "related", "type": "text/html", "hreflang": self.language, "href": edition},
        ]


# The document


class LibraryFeed(Atom1Feed):
    """Django's Atom with what it leaves out: the other language, the licence as a link, the language of an entry."""

    feed: dict[str, Any]

    def latest_post_date(self) -> dt.datetime:
        return super().latest_post_date() if self.items else self.feed["changed_at"]

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        super().add_root_elements(handler)
        link: FeedLink = self.feed["other"]
        language = self.feed["other_language"]
        handler.addQuickElement(
            "link", "", {"rel": "alternate", "type": "application/atom+xml", "hreflang": language, "href": link.url}
        )
        if settings.CONTENT_LICENSE_URL:
            handler.addQuickElement("link", "", {"rel": "license", "href": settings.CONTENT_LICENSE_URL})

    def item_attributes(self, item: Mapping[str, Any]) -> dict[str, str]:
        return {"xml:lang": item["language"]} if item["language"] else {}

    def add_item_elements(self, handler: SimplerXMLGenerator, item: Mapping[str, Any]) -> None:
        super().add_item_elements(handler, dict(item))
        for link in item["links"]:
            handler.addQuickElement("link", "", link)
