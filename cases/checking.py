"""Which checks apply to a reader's systems, and the cases behind each: those of the library and those of single cases.

A stack is told in the words of two lists, as ``list:slug`` of terms in force; an empty one means every check.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from cases.catalog import Catalog
from cases.document import Pair
from cases.labels import Labels, LibraryCheck
from cases.models import CaseCheck

# What a stack is made of: components, and the fields and platforms that cases call their domain.
STACK = ("component", "domain")


@dataclass(frozen=True)
class Applying:
    """A check of the library, the words of the stack that it is tied to, and the set of cases behind it."""

    check: LibraryCheck
    shared: tuple[str, ...]
    cases: int


@dataclass(frozen=True)
class OwnCheck:
    """A check that one case brought along."""

    number: int
    uid: str
    question: Pair
    how: Pair
    command: str
    risk: str
    applies_to: tuple[str, ...]


def applying(catalog: Catalog, stack: Collection[str]) -> list[Applying]:
    """Return the checks of the library that apply, those that share most words with the stack first."""
    labels = catalog.labels
    found = labels.checks_for(stack) if stack else [(check, list[str]()) for check in labels.checks]
    return [Applying(check, tuple(shared), behind(catalog, check, shared)) for check, shared in found]


def behind(catalog: Catalog, check: LibraryCheck, shared: Iterable[str]) -> int:
    """Return the cases that show why to ask: with two words of the check, or with one where none has two.

    Where the check shares words with a stack, one of them must be among these.
    """
    labels, once, twice = catalog.labels, 0, 0
    for term in {labels.resolved(term) for term in check.terms}:
        cases = _cases(catalog, term)
        once, twice = once | cases, twice | once & cases
    within = reduce(or_, (_cases(catalog, term) for term in shared), 0) or once
    return twice & within or within


def _cases(catalog: Catalog, term: str) -> int:
    list_name, _, slug = term.partition(":")
    return catalog.words.get(list_name, {}).get(slug, 0)


def cases_with_checks(catalog: Catalog, stack: Collection[str]) -> int:
    """Return the cases that brought a check along which applies."""
    of_terms = catalog.checked
    return reduce(or_, (of_terms.get(term, 0) for term in stack or of_terms), 0)


def own_checks(numbers: Collection[int], stack: Collection[str], labels: Labels) -> Mapping[int, list[OwnCheck]]:
    """Read the checks of some cases that apply, by case, in one query."""
    rows = CaseCheck.objects.filter(case__number__in=numbers).select_related("case").order_by("case_id", "position")
    found: dict[int, list[OwnCheck]] = {}
    for row in rows:
        applies_to = tuple(dict.fromkeys(labels.resolved(term) for term in row.applies_to))
        if not stack or not set(stack).isdisjoint(applies_to):
            found.setdefault(row.case.number, []).append(_own(row, applies_to))
    return found


def _own(row: CaseCheck, applies_to: tuple[str, ...]) -> OwnCheck:
    return OwnCheck(
        number=row.case.number,
        uid=row.uid,
        question=Pair(en=row.question_en, ko=row.question_ko),  # type: ignore[attr-defined]  # made by modeltranslation
        how=Pair(en=row.how_en, ko=row.how_ko),  # type: ignore[attr-defined]
        command=row.command or "",
        risk=row.risk,
        applies_to=applies_to,
    )
