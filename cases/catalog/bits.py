"""Sets of cases as integers: bit n is the case at place n, in the order of first days, then numbers."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Sequence
from itertools import compress

# For each of the eight bits of a byte: every byte becomes the digit of that bit.
DIGITS = [bytes(ord("1") if byte >> bit & 1 else ord("0") for byte in range(256)) for bit in range(8)]
ONES = b"01" + bytes(254)
IS_ONE = bytes(byte == ord("1") for byte in range(256))


def bits_of(places: Collection[int], size: int) -> int:
    """Return the set of places, all below ``size``."""
    if len(places) < size // 50:
        few = bytearray(size // 8 + 1)
        for place in places:
            few[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(few, "little")
    # A byte for each place takes less for each case, and more for the whole.
    many = bytearray(size + 1)
    for place in places:
        many[place] = 1
    return _bits(many)


def bits_at(places: Sequence[int], keys: Collection[int], size: int) -> int:
    """Return the set of the places that stand at the keys, without a list of them. Raises ``IndexError``."""
    if len(keys) < size // 50:
        return bits_of([places[key] for key in keys], size)
    many = bytearray(size + 1)
    for key in keys:
        many[places[key]] = 1
    return _bits(many)


def _bits(marks: bytearray) -> int:
    marks.reverse()
    return int(marks.translate(ONES), 2)


def places_of(bits: int) -> list[int]:
    """Return the places of a set, lowest first."""
    return list(compress(range(bits.bit_length()), is_in(bits, 0)))


def is_in(bits: int, size: int) -> bytes:
    """Return a byte for each place, at least ``size``: 1 where the set has it, else 0."""
    return format(bits, f"0{size}b").encode()[::-1].translate(IS_ONE)


def newest(bits: int, start: int, stop: int) -> list[int]:
    """Return the places from the highest down: those at ``start`` up to ``stop`` of that order."""
    rest, found = _without_highest(bits, start), list[int]()
    while rest and len(found) < stop - start:
        place = rest.bit_length() - 1
        found.append(place)
        rest ^= 1 << place
    return found


def _without_highest(bits: int, count: int) -> int:
    """Take the ``count`` highest places away. Halving finds where they end, since counting bits is cheap."""
    if count <= 0:
        return bits
    low, high = 0, bits.bit_length()
    while low < high:
        middle = (low + high + 1) // 2
        if (bits >> middle).bit_count() >= count:
            low = middle
        else:
            high = middle - 1
    return bits & ((1 << low) - 1)


def opened(bits: int, place: int) -> int:
    """Make room for a new case at a place: all from there on move up by one."""
    above = bits >> place
    return above << (place + 1) | bits & ((1 << place) - 1) if above else bits


def closed(bits: int, place: int) -> int:
    """Take a case away: all after it move down by one."""
    above = bits >> place
    return above >> 1 << place | bits & ((1 << place) - 1) if above else bits


def slices(values: array[int]) -> list[int]:
    """Return for each binary digit of the values, the lowest first, the set of places that have it.

    The bytes of the array are taken apart by the interpreter's own loops: 2 ms for a hundred thousand values.
    """
    raw, step = _little_endian(values), values.itemsize
    columns = [raw[byte::step][::-1] for byte in range((max(values, default=0).bit_length() + 7) // 8)]
    return [int(column.translate(DIGITS[bit]), 2) for column in columns for bit in range(8)]


def _little_endian(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()
