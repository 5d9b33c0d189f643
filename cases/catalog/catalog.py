"""The sets of cases under the words in force: what lists, facets, topics and similar cases are answered from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import TypeVar

from django.utils.safestring import SafeString

from cases.document import LANGUAGES, Language
from cases.labels import Labels

from .bits import is_in
from .index import Index
from .near import Near, near_to
from .rows import EXAMPLE, NO_TERM, PUBLISHED, REVIEWED, TOLD, check_word, org_word

YES, NO = "yes", "no"
# How many cases' neighbours are remembered: their pages are asked for again and again.
MOST_REMEMBERED = 5_000
# How many texts of cases are: some five kilobytes each.
MOST_TEXTS = 2_000

Key = TypeVar("Key")
Text = TypeVar("Text")


@dataclass(frozen=True, eq=False)
class Catalog:
    """One state of the library in memory, with the words that belong to it. It asks the database nothing."""

    index: Index
    labels: Labels
    # What values are called, as HTML; whoever shows them keeps it here, where it ends with the words it was made from.
    labels_shown: dict[tuple[str, str, Language], SafeString] = field(default_factory=dict)
    # What stands beside a text of a case, by number and name of the text: its neighbours and its recurrences.
    beside: dict[tuple[int, str], tuple[str, ...]] = field(default_factory=dict)
    # What programs are told of a case in a list, by number.
    summaries: dict[int, str] = field(default_factory=dict)
    _near: dict[int, list[Near]] = field(default_factory=dict)

    @property
    def published(self) -> int:
        return self.index.marked(PUBLISHED)

    @property
    def examples(self) -> int:
        return self.index.marked(EXAMPLE)

    @cached_property
    def words(self) -> Mapping[str, Mapping[str, int]]:
        """The cases of each value of each facet, all values that there can be, in the order of the vocabulary."""
        found: dict[str, dict[str, int]] = self._terms()
        by_slug = sorted((org.slug, org.id) for org in self.labels.orgs.values() if org.slug)
        found["org"] = {slug: self.index.words.get(org_word(org_id), 0) for slug, org_id in by_slug}
        found["available_in"] = {language: self.index.marked(TOLD[language]) for language in LANGUAGES}
        reviewed = self.index.marked(REVIEWED)
        found["reviewed"] = {YES: reviewed, NO: self.published ^ reviewed}
        found["examples"] = {YES: self.examples, NO: self.published ^ self.examples}
        return found

    def _terms(self) -> dict[str, dict[str, int]]:
        """The cases of each term in force; those of the terms that it replaced are among them."""
        found: dict[str, dict[str, int]] = {}
        for term in self.labels.terms.values():
            if not term.replaced_by:
                found.setdefault(term.list, {})[term.slug] = self.index.words.get(str(term.id), 0)
        for term in self.labels.terms.values():
            in_force, cases = self.labels.term(term.list, term.slug).slug, self.index.words.get(str(term.id), 0)
            if term.replaced_by and cases:
                of_list = found.setdefault(term.list, {})
                of_list[in_force] = of_list.get(in_force, 0) | cases
        return found

    @cached_property
    def checked(self) -> Mapping[str, int]:
        """The cases of whose own checks one applies to a term, by ``list:slug`` of the term in force.

        Those whose checks apply to no term are under "".
        """
        found: dict[str, int] = {"": self.index.words.get(check_word(NO_TERM), 0)}
        for term in self.labels.terms.values():
            if cases := self.index.words.get(check_word(term.id), 0):
                name = self.labels.resolved(f"{term.list}:{term.slug}")
                found[name] = found.get(name, 0) | cases
        return found

    @cached_property
    def totals(self) -> Mapping[str, Mapping[str, int]]:
        """How many cases each value has, nothing else being asked for."""
        return {
            name: {word: count for word, cases in words.items() if (count := cases.bit_count())}
            for name, words in self.words.items()
        }

    def counts(self, name: str, among: int) -> Mapping[str, int]:
        """Count the cases of each value of a facet among some; values without any are left out."""
        if among == self.published:
            return self.totals.get(name, {})
        if name == "org":
            return self._org_counts(among)
        words = self.words.get(name, {})
        return {word: count for word, cases in words.items() if (count := (cases & among).bit_count())}

    def _org_counts(self, among: int) -> Mapping[str, int]:
        """Count by going through the cases once: each has one organisation, and there are too many of these."""
        org_ids = self.index.columns.org_ids
        counts = Counter(compress(org_ids, is_in(among, len(org_ids))))
        known = self.labels.orgs_by_slug
        return {slug: counts[known[slug].id] for slug in self.words["org"] if counts[known[slug].id]}

    def rarity(self, name: str, word: str) -> float:
        """Tell how much this word says of a case: the fewer cases have it, the more. It stays until the next change."""
        return math.log1p(self.published.bit_count() / max(self.words[name][word].bit_count(), 1))

    def near(self, number: int) -> list[Near]:
        """Return the cases near a published one, best first."""
        found = self._near.get(number)
        if found is None:
            if len(self._near) >= MOST_REMEMBERED:
                self._near.clear()
            found = self._near[number] = near_to(self, number)
        return found

    def remember(self, memory: dict[Key, Text], key: Key, text: Text) -> None:
        """Keep in one of the memories what readers are told of a case; it ends with this state of the library."""
        if len(memory) >= MOST_TEXTS:
            memory.clear()
        memory[key] = text

    def chain(self, number: int) -> list[int]:
        """Return the published cases that one is a recurrence of or that recurred from it, oldest first."""
        seen, ahead = {number}, [number]
        while ahead:
            new = self.index.recurrences.get(ahead.pop(), set()) - seen
            seen |= new
            ahead += new
        places = [self.index.places[other] for other in seen - {number} if other in self.index.places]
        return [self.index.columns.numbers[place] for place in sorted(places) if self.published >> place & 1]
