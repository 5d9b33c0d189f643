"""How a case is cited: BibTeX, RIS and CSL-JSON, each with its own rules for what a text may hold. No requests here."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from cases.document import Language, Reading
from cases.labels import Labels
from cases.rendering.citation import edition_url
from cases.telling import Told, plain, tell

LIBRARY = "IncidentLib"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
LANGUAGE_NAMES = {"en": "english", "ko": "korean"}
# BibTeX counts braces whatever stands before them, so a lone one must not be written as itself.
LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "$%&#_"},
})  # fmt: skip


@dataclass(frozen=True)
class Reference:
    """What every form of a reference says. ``language`` is that of the title; ``url`` is the edition's own."""

    id: str
    edition: int
    title: str
    summary: str
    org: str
    language: Language
    published: dt.date | None
    url: str

    @classmethod
    def of(cls, reading: Reading, labels: Labels, language: Language) -> Reference:
        document, record = reading.document, reading.record
        title = tell(document.title, language) or Told(document.id, language)
        summary = tell(document.summary, language)
        return cls(
            id=document.id,
            edition=record.edition,
            title=plain(title.text),
            summary=" ".join(plain(summary.text).split()) if summary else "",
            org=labels.org(document.org).name(language).text,
            language=title.language or language,
            published=record.published_at.date() if record.published_at else None,
            url=edition_url(document.id, record.edition, language),
        )

    @property
    def key(self) -> str:
        """A name that no other edition or language has."""
        return f"{self.id}-{self.edition}-{self.language}"

    @property
    def note(self) -> str:
        return f"{_('Texts:')} {settings.CONTENT_LICENSE_NAME}" if settings.CONTENT_LICENSE_NAME else ""


def bibtex(reference: Reference) -> str:
    published = reference.published
    fields = {
        "author": f"{{{LIBRARY}}}",
        "title": f"{{{reference.title.translate(LATEX)}}}",
        "howpublished": f"{LIBRARY}, case {reference.id}, edition {reference.edition}",
        "number": reference.id,
        "version": str(reference.edition),
        "keywords": reference.org.translate(LATEX),
        "language": LANGUAGE_NAMES[reference.language],
        "note": reference.note.translate(LATEX),
        "url": reference.url,
    }
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value]
    if published:
        lines += [f"  year = {{{published.year}}},\n", f"  month = {MONTHS[published.month - 1]},\n"]
        lines.append(f"  date = {{{published.isoformat()}}},\n")
    return f"@misc{{{reference.key},\n{''.join(lines)}}}\n"


def ris(reference: Reference) -> str:
    published = reference.published
    fields = [
        ("TY", "ELEC"),
        ("ID", reference.key),
        ("AU", LIBRARY),
        ("TI", reference.title),
        ("PY", str(published.year) if published else ""),
        ("DA", f"{published:%Y/%m/%d}" if published else ""),
        ("ET", str(reference.edition)),
        ("M1", reference.id),
        ("PB", LIBRARY),
        ("AB", reference.summary),
        ("KW", reference.org),
        ("LA", reference.language),
        ("N1", reference.note),
        ("UR", reference.url),
    ]
    lines = [f"{tag}  - {value}\r\n" for tag, value in fields if value]
    return "".join(lines) + "ER  - \r\n"


def csl(reference: Reference) -> str:
    published = reference.published
    fields: dict[str, Any] = {
        "id": reference.key,
        "type": "webpage",
        "title": reference.title,
        "author": [{"literal": LIBRARY}],
        "container-title": LIBRARY,
        "publisher": LIBRARY,
        "number": reference.id,
        "version": str(reference.edition),
        "issued": {"date-parts": [[published.year, published.month, published.day]]} if published else None,
        "abstract": reference.summary,
        "keyword": reference.org,
        "language": reference.language,
        "note": reference.note,
        "URL": reference.url,
    }
    kept = {name: value for name, value in fields.items() if value}
    return json.dumps([kept], ensure_ascii=False, indent=1) + "\n"
