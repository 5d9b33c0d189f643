"""The address of the list behind a figure: what is asked for already, and one or two things more.

A list found there has as many cases as the figure says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cases.document import Language
from cases.rendering.addresses import address, with_query
from cases.statistics import MINUTE, Bucket

More = Mapping[str, str]


@dataclass(frozen=True)
class Lists:
    """The lists of cases within a query, whose values are ``chosen``."""

    chosen: Mapping[str, Sequence[str]]
    language: Language

    def url(self, *more: More) -> str:
        """Return the list that is asked for these things too; each takes the place of what its name had."""
        asked = {name: list(values) for name, values in self.chosen.items() if name != "sort"}
        for values in more:
            asked |= {name: [value] for name, value in values.items()}
        return with_query(address("list", self.language), asked)

    def in_year(self, year: str) -> More:
        """Ask for one year, of which a period asked for already may leave a part."""
        after, before = self._first("date_after"), self._first("date_before")
        return {
            "date_after": after if after[:4] == year else year,
            "date_before": before if before[:4] == year else year,
        }

    def lasting(self, name: str, bucket: Bucket) -> More:
        """Ask for a time (``detect`` or ``repair``) within a bucket and within what is asked for already."""
        least, most = f"{name}_min", f"{name}_max"
        asked = {least: str(max(bucket.least // MINUTE, int(self._first(least) or 0)))}
        if bucket.below is not None:
            asked[most] = str(bucket.below // MINUTE - 1)
        if self._first(most):
            asked[most] = min(self._first(most), asked.get(most, self._first(most)), key=int)
        return asked

    def _first(self, name: str) -> str:
        return next(iter(self.chosen.get(name, ())), "")
