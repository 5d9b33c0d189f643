"""Cursors: where an answer goes on, as one word that programs hand back and need not understand."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence

from cases.document import write_json

LONGEST = 200
MOST = 2**63


def write_cursor(kind: str, numbers: Sequence[int]) -> str:
    """Write whole numbers as a cursor. ``kind`` tells the cursors of one list from those of another."""
    told = write_json([kind, *numbers]).encode()
    return base64.urlsafe_b64encode(told).decode().rstrip("=")


def read_cursor(kind: str, text: str) -> tuple[int, ...]:
    """Read the numbers of a cursor of this kind. Raises ValueError for anything that ``write_cursor`` did not write."""
    numbers = _numbers(kind, text) if len(text) <= LONGEST else None
    if numbers is None or write_cursor(kind, numbers) != text:
        raise ValueError(text)
    return numbers


def _numbers(kind: str, text: str) -> tuple[int, ...] | None:
    try:
        told = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return None
    if not isinstance(told, list) or told[:1] != [kind]:
        return None
    numbers = told[1:]
    return tuple(numbers) if all(type(one) is int and -MOST < one < MOST for one in numbers) else None
