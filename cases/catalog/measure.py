"""A number for each case, as one set of cases for each binary digit: ranges and the largest without a loop of cases."""

from __future__ import annotations

from array import array
from functools import reduce
from operator import or_

from .bits import slices
from .rows import FOLLOW_UP_DIGITS, FOLLOW_UPS


class Measure:
    """Numbers of the cases in ``known``; the others have none and are never found."""

    def __init__(self, values: array[int], known: int) -> None:
        self.digits = slices(values)
        self.known = known

    def at_least(self, value: int) -> int:
        """Return the cases with this number or a larger one."""
        larger, equal = self._compared(value)
        return larger | equal

    def at_most(self, value: int) -> int:
        return self.known ^ self._compared(value)[0]

    def _compared(self, value: int) -> tuple[int, int]:
        """Return the cases with a larger number, and those with this one."""
        larger, equal = 0, 0 if value >> len(self.digits) else self.known
        for place in range(len(self.digits) - 1, -1, -1):
            with_digit = equal & self.digits[place]
            if value >> place & 1:
                equal = with_digit
            else:
                larger |= with_digit
                equal ^= with_digit
        return larger, equal

    def foremost(self, cases: int, count: int, *, largest: bool) -> int:
        """Return those of the cases with the largest or smallest numbers: so many, or more where some are equal."""
        sure, tied, missing = 0, cases & self.known, count
        for digit in reversed(self.digits):
            with_digit = tied & digit
            better = with_digit if largest else tied ^ with_digit
            if (size := better.bit_count()) >= missing:
                tied = better
            else:
                sure |= better
                tied ^= better
                missing -= size
        return sure | tied

    def nth(self, cases: int, rank: int) -> int:
        """Return the number that stands at a rank among those of the cases, the smallest at 0."""
        tied, value = cases & self.known, 0
        for place in range(len(self.digits) - 1, -1, -1):
            with_digit = tied & self.digits[place]
            without = tied ^ with_digit
            if (count := without.bit_count()) > rank:
                tied = without
            else:
                tied, rank, value = with_digit, rank - count, value | 1 << place
        return value


class FollowUps:
    """How many promises of each status the cases have, from the counts that a row holds one behind the other."""

    def __init__(self, packed: array[int]) -> None:
        digits = slices(packed)
        self.digits = {
            status: digits[FOLLOW_UP_DIGITS * at : FOLLOW_UP_DIGITS * (at + 1)] for at, status in enumerate(FOLLOW_UPS)
        }

    def count(self, status: str | None, cases: int) -> int:
        return sum((digit & cases).bit_count() << place for place, digit in enumerate(self.digits[status]))

    def cases(self, status: str | None) -> int:
        """Return the cases with a promise of this status."""
        return reduce(or_, self.digits[status], 0)
