"""What "cite this" and the links for programs on the page of a case say. The files themselves: ``cases.citing``."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from cases.document import CaseDocument, Language
from cases.formatting import date_words, instant_code
from cases.standing import Standing
from cases.telling import Shown, Told, tell

from .addresses import address, full_address
from .times import When

# The endings of addresses, and what people call what is found there.
FORMATS = {"bib": "BibTeX", "ris": "RIS", "json": "CSL-JSON"}


@dataclass(frozen=True)
class CitationFile(Shown):
    name: str
    url: str


@dataclass(frozen=True)
class Citation(Shown):
    """``url`` is the edition's own address, which always shows what was cited; a draft has no edition and no date."""

    id: str
    title: Told
    edition: int | None
    date: When | None
    url: str
    files: list[CitationFile]
    history: str
    json: str
    markdown: str
    similar: str
    license: str
    license_url: str


def citation(document: CaseDocument, standing: Standing, language: Language) -> Citation:
    case, edition, published = document.id, standing.edition, standing.published_at
    return Citation(
        id=case,
        title=tell(document.title, language) or Told(case),
        edition=edition,
        date=When(date_words(published.date(), "day", language), instant_code(published, "minute"))
        if published
        else None,
        url=edition_url(case, edition, language) if edition else "",
        files=[CitationFile(name, address("cite", language, id=case, form=form)) for form, name in FORMATS.items()],
        history=address("history", language, id=case),
        json=full_address("api-case", language, id=case),
        markdown=full_address("markdown", language, id=case),
        similar=full_address("api-similar", language, id=case),
        license=settings.CONTENT_LICENSE_NAME,
        license_url=settings.CONTENT_LICENSE_URL,
    )


def edition_url(case: str, edition: int, language: Language) -> str:
    """Return the permanent address of one edition of a case."""
    return full_address("edition", language, id=case, number=str(edition))
