"""What search engines read of a page besides its text: JSON-LD in the words of schema.org."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language, write_instant, write_json
from cases.document.shape import Source
from cases.labels import Labels
from cases.models import LanguageVersion, Person
from cases.standing import Standing
from cases.telling import Told, beginning, plain, tell

from .addresses import full_address

# Nothing in a text may end the script element or begin a comment in it.
INERT = str.maketrans({"<": "\\u003C", ">": "\\u003E", "&": "\\u0026"})
LISTS = ("domain", "components", "symptoms", "contributing")
LIST_NAMES = {"components": "component", "symptoms": "symptom"}
Data = dict[str, Any]


def script(data: Mapping[str, Any]) -> SafeString:
    """Return data as an element that browsers never run."""
    text = write_json({"@context": "https://schema.org", **data}).translate(INERT)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # noqa: S308  (inert)


def dataset(language: Language) -> Data:
    """Describe the whole library. The language must be the active one."""
    return {
        "@type": "Dataset",
        "@id": library_id(),
        "name": "IncidentLib",
        "description": _(
            "A library of production incidents in English and Korean, for people who keep systems running."
        ),
        "url": full_address("list", language),
        "inLanguage": ["en", "ko"],
        "isAccessibleForFree": True,
        "creator": publisher(),
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": form, "contentUrl": full_address(name, language)}
            for name, form in (("api-export-jsonl", "application/jsonl"), ("api-export-csv", "text/csv"))
        ],
        **_license(),
    }


def library_id() -> str:
    return f"{settings.SITE_URL}/#library"


def publisher() -> Data:
    return {
        "@type": "Organization",
        "@id": f"{settings.SITE_URL}/#publisher",
        "name": "IncidentLib",
        "url": settings.SITE_URL,
    }


def _license() -> Data:
    return {"license": settings.CONTENT_LICENSE_URL} if settings.CONTENT_LICENSE_URL else {}


def case_data(document: CaseDocument, standing: Standing, labels: Labels, language: Language) -> Data:
    """Describe the page of a case, and where it stands in the site."""
    described = Described(document, standing, labels, language)
    return {"@graph": [described.article(), described.breadcrumbs()]}


@dataclass(frozen=True)
class Described:
    """One case for one language. The language must be the active one."""

    document: CaseDocument
    standing: Standing
    labels: Labels
    language: Language

    @property
    def url(self) -> str:
        return full_address("case", self.language, id=self.document.id)

    @property
    def title(self) -> Told:
        return tell(self.document.title, self.language) or Told(self.document.id)

    @property
    def version(self) -> LanguageVersion | None:
        """What is known of the text that is shown, which may be that of the other language."""
        return self.standing.versions.get(self.title.language or self.language)

    def article(self) -> Data:
        document, summary = self.document, tell(self.document.summary, self.language)
        return {
            "@type": "TechArticle",
            "@id": f"{self.url}#{document.id}",
            "url": self.url,
            "identifier": document.id,
            "headline": plain(self.title.text),
            "description": beginning(summary),
            "inLanguage": self.title.language,
            **self._dates(),
            **self._people(),
            "publisher": publisher(),
            "isPartOf": {"@id": library_id()},
            "isAccessibleForFree": True,
            **_license(),
            "about": [self._org(), *self._terms()],
            "isBasedOn": [_source(source) for source in document.sources],
            **self._translation(),
        }

    def _dates(self) -> Data:
        changed = self.standing.published_at
        first = self.standing.first_published_at or changed
        dates = {"datePublished": first and write_instant(first), "dateModified": changed and write_instant(changed)}
        return {name: date for name, date in dates.items() if date} | {"version": str(self.standing.edition or "")}

    def _people(self) -> Data:
        """Name the people who wrote and reviewed. A program cannot be an author there: it is named in words."""
        page: Data = {"@type": "WebPage", "@id": self.url}
        version = self.version
        writer = version.written_by if version else None
        if version and version.reviewed_by and version.reviewed_at and version.state == LanguageVersion.State.APPROVED:
            page |= {"reviewedBy": _person(version.reviewed_by), "lastReviewed": version.reviewed_at.date().isoformat()}
        told: Data = {"mainEntityOfPage": page, "author": publisher()}
        if writer is None:
            return told
        if writer.kind == Person.Kind.AGENT:
            return {**told, "creditText": _("Written by {name}, a program").format(name=writer.name)}
        return {**told, "author": _person(writer)}

    def _org(self) -> Data:
        org = self.labels.org(self.document.org)
        told: Data = {"@type": "Organization", "name": org.name(self.language).text}
        return {**told, "url": org.homepage} if org.homepage else told

    def _terms(self) -> list[Data]:
        cause = self.document.root_cause
        named = [("root_cause", cause)] if cause else []
        named += [(LIST_NAMES.get(key, key), slug) for key in LISTS for slug in getattr(self.document, key)]
        return [self._term(list_name, slug) for list_name, slug in named]

    def _term(self, list_name: str, slug: str) -> Data:
        label = self.labels.term(list_name, slug)
        url = full_address("topic", self.language, list=list_name, slug=label.slug)
        return {"@type": "DefinedTerm", "name": label.name(self.language).text, "termCode": label.slug, "url": url}

    def _translation(self) -> Data:
        others = [one for one in self.document.languages if one != self.title.language]
        urls = [full_address("case", one, id=self.document.id) for one in others]
        return {"workTranslation": {"@id": f"{urls[0]}#{self.document.id}"}} if urls else {}

    def breadcrumbs(self) -> Data:
        org = self.labels.org(self.document.org)
        steps = [(_("Cases"), full_address("list", self.language))]
        if org.slug:
            steps.append((org.name(self.language).text, full_address("org", self.language, slug=org.slug)))
        return {"@type": "BreadcrumbList", "itemListElement": _steps([*steps, (self.document.id, self.url)])}


def _steps(steps: Sequence[tuple[str, str]]) -> list[Data]:
    return [
        {"@type": "ListItem", "position": position, "name": name, "item": url}
        for position, (name, url) in enumerate(steps, 1)
    ]


def _person(person: Person) -> Data:
    return {"@type": "Person", "name": person.name}


def _source(source: Source) -> Data:
    told = {
        "name": source.title,
        "inLanguage": source.language,
        "datePublished": source.published_at and write_instant(source.published_at),
        "archivedAt": source.archived,
        "publisher": source.publisher and {"@type": "Organization", "name": source.publisher},
    }
    return {"@type": "WebPage", "url": source.url, **{key: value for key, value in told.items() if value}}
