"""The questions of "is it in my cluster too?": the case's own checks and those of the library that share its terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from django.utils.translation import gettext as _

from cases.document import CaseDocument, Language, Pair
from cases.formatting import listed
from cases.labels import Labels, LibraryCheck
from cases.telling import Shown, Told, tell

MOST_OF_THE_LIBRARY = 6


@dataclass(frozen=True)
class Question(Shown):
    """One check. ``shared`` says in words which terms it has in common with the case ("" for the case's own)."""

    anchor: str
    question: Told | None
    why: Told | None
    how: Told | None
    command: str
    bad_answer: Told | None
    risk: str
    is_disruptive: bool
    shared: str


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
    return Question(
        anchor=anchor,
        question=tell(check.question, language),
        why=None,
        how=tell(check.how, language),
        command=check.command or "",
        bad_answer=None,
        risk=risk_words(check.risk),
        is_disruptive=check.risk == "disruptive",
        shared="",
    )


def library_question(check: LibraryCheck, terms: Iterable[str], labels: Labels, language: Language) -> Question:
    """Write a check of the library, with the words (``list:slug``) that it shares with what is looked at."""
    names = [labels.term(*term.split(":", 1)).name(language).text for term in terms]
    return Question(
        anchor=f"library-check-{check.slug}",
        question=tell(check.question, language),
        why=tell(check.why, language),
        how=tell(check.how, language),
        command=check.command,
        bad_answer=tell(check.bad_answer, language),
        risk=risk_words(check.risk),
        is_disruptive=check.risk == "disruptive",
        shared=listed(names, language),
    )


def risk_words(risk: str) -> str:
    return _("May disturb the system") if risk == "disruptive" else _("Only reads")
