"""What pages of terms and organisations say of their cases as a whole: figures, and what was gathered from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from cases import collecting
from cases.catalog import Catalog
from cases.charts import MOST_YEARS, ticks, years_alone
from cases.checking import STACK, cases_with_checks, own_checks
from cases.collecting import CaseLine
from cases.document import Language
from cases.figures import companions, times_shown
from cases.narrowing import Lists
from cases.rendering.addresses import address, with_query
from cases.rendering.exposure import Question, library_question
from cases.statistics import Profile, cases_of, profile

# How many of each have room; pages say where there are more.
MOST = {"lessons": 5, "checks": 5, "promises": 5, "recurrences": 10}
MOST_LIBRARY_CHECKS = 10


@dataclass(frozen=True)
class Subject:
    """What a page is about: the cases with one word of a list, or of one organisation."""

    catalog: Catalog
    name: str
    slug: str
    language: Language

    @property
    def path(self) -> str:
        if self.name == "org":
            return address("org", self.language, slug=self.slug)
        return address("topic", self.language, list=self.name, slug=self.slug)

    @property
    def asked(self) -> Mapping[str, list[str]]:
        return {self.name: [self.slug]}

    @property
    def lists(self) -> Lists:
        return Lists(self.asked, self.language)

    @property
    def cases(self) -> int:
        return cases_of(self.catalog, self.name, self.slug)

    def url(self, name: str, word: str) -> str:
        """Return the list of the cases with another word too.

        Two words of one list would mean either in a list of cases, so there the page of the first is narrowed.
        """
        return with_query(self.path, {name: [word]}) if name == self.name else self.lists.url({name: word})

    @property
    def is_org(self) -> bool:
        return self.name == "org"

    @property
    def term(self) -> str:
        return f"{self.name}:{self.slug}"


def figures(subject: Subject) -> dict[str, Any]:
    """Work out all that stands above the cases, in a fixed number of queries. The language must be the active one."""
    language, lists = subject.language, subject.lists
    found = profile(subject.catalog, subject.cases)
    return {
        "total": found.total,
        "list_url": lists.url(),
        "trends_url": with_query(address("trends", language), subject.asked),
        "years": years_alone(found.years, _("Cases"), lists),
        "ticks": ticks([year.word for year in found.years[-MOST_YEARS:]]),
        "times": [
            times_shown(found.detection, "detect", _("Time to detect"), language, lists),
            times_shown(found.repair, "repair", _("Time to repair"), language, lists),
        ],
        "companions": companions(
            subject.catalog, found.companions, subject.url, (subject.name, subject.slug), language
        ),
        **Gathering(subject, found).shown(),
    }


class Gathering:
    """Reads lessons and checks, and for an organisation what came back and what is not seen done."""

    def __init__(self, subject: Subject, found: Profile) -> None:
        self.subject = subject
        self.found = found
        self.catalog = subject.catalog
        self.stack = [] if subject.is_org else [subject.term]

    @cached_property
    def sets(self) -> Mapping[str, int]:
        """The cases from which each thing is gathered."""
        present, cases = self.catalog, self.found.cases
        sets = {"lessons": collecting.taught(present, cases), "checks": cases_with_checks(present, self.stack)}
        if self.subject.is_org:
            sets["checks"] &= cases
            sets["promises"] = collecting.unfinished(present, cases)
            sets["recurrences"] = cases & present.index.recurring
        return sets

    @cached_property
    def newest(self) -> Mapping[str, list[int]]:
        return {name: collecting.newest(self.catalog, cases, MOST[name]) for name, cases in self.sets.items()}

    @cached_property
    def earlier(self) -> Mapping[int, int]:
        """The number that each recurrence is one of."""
        return {number: self.catalog.index.recurrence_of[number] for number in self.newest.get("recurrences", ())}

    @cached_property
    def lines(self) -> Mapping[int, CaseLine]:
        numbers = {number for newest in self.newest.values() for number in newest} | set(self.earlier.values())
        return collecting.links(numbers, self.catalog, self.subject.language)

    def shown(self) -> dict[str, Any]:
        totals = {f"{name}_total": cases.bit_count() for name, cases in self.sets.items()}
        return {**totals, **self.lessons(), **self.checks(), **(self.of_org() if self.subject.is_org else {})}

    def lessons(self) -> dict[str, Any]:
        numbers, language = self.newest["lessons"], self.subject.language
        return {"lessons": collecting.lessons_shown(numbers, collecting.lessons(numbers), self.lines, language)}

    def checks(self) -> dict[str, Any]:
        numbers, subject = self.newest["checks"], self.subject
        checks = own_checks(numbers, self.stack, self.catalog.labels)
        return {
            "library_checks": self.library_checks(),
            "checks": collecting.checks_shown(numbers, checks, self.lines, subject.language),
            "checks_url": with_query(address("checks", subject.language), subject.asked)
            if subject.name in STACK
            else "",
        }

    def library_checks(self) -> list[Question]:
        labels = self.catalog.labels
        found = labels.checks_for(self.stack)[:MOST_LIBRARY_CHECKS]
        return [library_question(check, (), labels, self.subject.language) for check, _terms in found]

    def of_org(self) -> dict[str, Any]:
        numbers = self.newest["promises"]
        promises = collecting.promises(numbers, collecting.UNFINISHED)
        return {
            "promised": sum(self.found.follow_ups.values()),
            "unfinished": self.found.unfinished,
            "open_promises": collecting.promises_shown(numbers, promises, self.lines, self.subject.language),
            "recurrences": collecting.recurrences_shown(self.newest["recurrences"], self.earlier, self.lines),
        }
