"""The questions of "is it in my cluster too?": the case's own checks and those of the library that share its terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language, Pair
from cases.formatting import listed
from cases.labels import Labels, LibraryCheck
from cases.telling import Shown, tell

from .templates import render

MOST_OF_THE_LIBRARY = 6


@dataclass(frozen=True)
class Question(Shown):
    """One check. ``shared`` says in words which terms it has in common with the case ("" for the case's own)."""

    anchor: str
    html: SafeString
    shared: str = ""


class Questions:
    """Finds the checks of one case and writes them for one language."""

    def __init__(self, document: CaseDocument, labels: Labels, language: Language) -> None:
        self.document = document
        self.labels = labels
        self.language: Language = language

    def all(self) -> list[Question]:
        return [*self._own(), *(self._of_library(*found) for found in self._nearest())]

    def _own(self) -> Iterator[Question]:
        for check in self.document.checks:
            told = {"question": check.question, "how": check.how}
            yield Question(f"check-{check.uid}", _written(told, check.command, check.risk, self.language))

    def _nearest(self) -> list[tuple[LibraryCheck, list[str]]]:
        """Take the checks that share two terms or more; one common term alone counts only where nothing is nearer."""
        found = self.labels.checks_for(self._terms())
        near = [(check, terms) for check, terms in found if len(terms) > 1]
        return (near or found)[:MOST_OF_THE_LIBRARY]

    def _terms(self) -> list[str]:
        document = self.document
        lists = {
            "root_cause": [document.root_cause] if document.root_cause else [],
            "component": document.components,
            "contributing": document.contributing,
            "symptom": document.symptoms,
            "domain": document.domain,
        }
        return [self.labels.resolved(f"{name}:{slug}") for name, slugs in lists.items() for slug in slugs]

    def _of_library(self, check: LibraryCheck, terms: list[str]) -> Question:
        names = [self.labels.term(*term.split(":", 1)).name(self.language).text for term in terms]
        html = self.labels.written_checks.get((check.slug, self.language))
        if html is None:
            told = {name: getattr(check, name) for name in ("question", "why", "how", "bad_answer")}
            html = _written(told, check.command, check.risk, self.language)
            self.labels.written_checks[check.slug, self.language] = html
        return Question(f"library-check-{check.slug}", html, listed(names, self.language))


def _written(texts: Mapping[str, Pair | None], command: str | None, risk: str, language: Language) -> SafeString:
    check = {name: tell(pair, language) for name, pair in texts.items()}
    told = {"command": command or "", "risk": risk_words(risk), "is_disruptive": risk == "disruptive"}
    return render("_check", language, {"check": {**check, **told}})


def risk_words(risk: str) -> str:
    return _("May disturb the system") if risk == "disruptive" else _("Only reads")
