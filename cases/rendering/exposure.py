"""The questions of "is it in my cluster too?": the case's own checks and those of the library that share its terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language, Pair
from cases.formatting import listed
from cases.labels import Labels, LibraryCheck
from cases.telling import Shown, Told, tell

from .templates import render

MOST_OF_THE_LIBRARY = 6


@dataclass(frozen=True)
class Question(Shown):
    """One check. ``html`` is its texts; ``shared`` says which terms it has in common with what is looked at."""

    anchor: str
    question: Told | None
    why: Told | None = None
    how: Told | None = None
    bad_answer: Told | None = None
    command: str = ""
    risk: str = ""
    is_disruptive: bool = False
    shared: str = ""
    html: str = ""


class Questions:
    """Finds the checks of one case and writes them for one language."""

    def __init__(self, document: CaseDocument, labels: Labels, language: Language) -> None:
        self.document = document
        self.labels = labels
        self.language: Language = language

    def all(self) -> list[Question]:
        found = self._nearest()
        return [*self._own(), *(library_question(check, terms, self.labels, self.language) for check, terms in found)]

    def _own(self) -> Iterator[Question]:
        for check in self.document.checks:
            yield own_question(check, f"check-{check.uid}", self.language)

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


class CheckOfCase(Protocol):
    """A check that a case brought along, as its document or the tables have it."""

    @property
    def question(self) -> Pair: ...
    @property
    def how(self) -> Pair | None: ...
    @property
    def command(self) -> str | None: ...
    @property
    def risk(self) -> str: ...


def own_question(check: CheckOfCase, anchor: str, language: Language) -> Question:
    return _written(anchor, {"question": check.question, "how": check.how}, check.command, check.risk, language)


def library_question(check: LibraryCheck, terms: Iterable[str], labels: Labels, language: Language) -> Question:
    """Write a check of the library, with the words (``list:slug``) that it shares with what is looked at."""
    question: Question | None = labels.written_checks.get((check.slug, language))
    if question is None:
        texts = {name: getattr(check, name) for name in ("question", "why", "how", "bad_answer")}
        question = _written(f"library-check-{check.slug}", texts, check.command, check.risk, language)
        labels.written_checks[check.slug, language] = question
    names = [labels.term(*term.split(":", 1)).name(language).text for term in terms]
    return replace(question, shared=listed(names, language))


def _written(
    anchor: str, texts: Mapping[str, Pair | None], command: str | None, risk: str, language: Language
) -> Question:
    told: dict[str, Any] = {name: tell(pair, language) for name, pair in texts.items()}
    question = Question(
        anchor, **told, command=command or "", risk=risk_words(risk), is_disruptive=risk == "disruptive"
    )
    return replace(question, html=render("_check_texts", language, {"check": question}))


def risk_words(risk: str) -> str:
    return _("May disturb the system") if risk == "disruptive" else _("Only reads")
