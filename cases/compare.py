"""What differs between two documents, field by field, and inside a text word by word. No Django models."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal, cast

from cases.document import CaseDocument

from .fields import ITEM_LISTS, FieldValue, by_item, fields, language_of, woven

Fields = Mapping[str, FieldValue]

# Texts of no language of ours, yet long enough to be read word by word.
PLAIN_TEXTS = (".command", ".quote", ".prefix", ".suffix", ".anchor")

# Every unit takes the blanks before it along, and the units of a text make the whole text.
MARKS = r"\u0300-\u036f\u200d\ufe00-\ufe0f"
PARAGRAPH = re.compile(r"\n*[^\n]+|\n+")
TOKEN = re.compile(rf"\s*(?:[\w{MARKS}]+|[^\w\s][{MARKS}]*)|\s+")
# What is seen as one character: a letter with its marks, an old Hangul syllable with its vowel and final.
CLUSTER = re.compile(rf".[{MARKS}\u1160-\u11ff]*", re.DOTALL)
DIGITS = re.compile(r"\d+")
# Pairs of equal tokens and pairs of replaced words beyond which a text counts as rewritten: it would take too long.
MOST_EQUAL_PAIRS = 200_000
MOST_REPLACED_PAIRS = 2_500


@dataclass(frozen=True)
class Piece:
    kind: Literal["same", "removed", "added"]
    text: str


@dataclass(frozen=True)
class Change:
    """One difference. An item added, removed or moved has its ``positions`` before and after, the first being 1.

    ``item`` is all that an added or removed item tells; ``pieces`` is only there for texts.
    """

    path: str
    kind: Literal["changed", "added", "removed", "moved"]
    before: FieldValue = None
    after: FieldValue = None
    pieces: list[Piece] = field(default_factory=list)
    positions: tuple[int | None, int | None] = (None, None)
    item: Fields = field(default_factory=dict)


# Documents


def compare(before: CaseDocument, after: CaseDocument) -> list[Change]:
    """List what differs, in the order of the document."""
    was, now = by_item(fields(before)), by_item(fields(after))
    changes: list[Change] = []
    for path in now[""]:
        if path in ITEM_LISTS:
            changes += _item_changes(path, was, now)
        else:
            changes += _field_changes({path: was[""][path]}, {path: now[""][path]})
    return changes


def _field_changes(was: Fields, now: Fields) -> Iterator[Change]:
    for path, after in now.items():
        before = was[path]
        if before != after:
            marked = pieces(cast("str | None", before), cast("str | None", after)) if is_text(path) else []
            yield Change(path, "changed", before, after, marked)


def is_text(path: str) -> bool:
    """Tell whether a field is running text, whose changes are marked word by word."""
    return language_of(path) is not None or path.endswith(PLAIN_TEXTS)


def _item_changes(path: str, was: Mapping[str, Fields], now: Mapping[str, Fields]) -> Iterator[Change]:
    old, new = cast("list[str]", was[""][path]), cast("list[str]", now[""][path])
    places = {uid: (_position(old, uid), _position(new, uid)) for uid in woven(new, old)}
    moved = _moved(old, new)
    for uid, positions in places.items():
        item = f"{path}[{uid}]"
        if uid not in new:
            yield Change(item, "removed", positions=positions, item=_told(was[item]))
        elif uid not in old:
            yield Change(item, "added", positions=positions, item=_told(now[item]))
        else:
            if uid in moved:
                yield Change(item, "moved", positions=positions)
            yield from _field_changes(was[item], now[item])


def _position(order: list[str], uid: str) -> int | None:
    return order.index(uid) + 1 if uid in order else None


def _told(item: Fields) -> Fields:
    return {path: value for path, value in item.items() if value is not None}


def _moved(old: list[str], new: list[str]) -> set[str]:
    """Find the fewest items that must have moved: those outside a longest run that kept its order."""
    kept = [uid for uid in new if uid in old]
    ends: list[int] = []
    lengths = []
    for at in map(old.index, kept):
        length = bisect_left(ends, at)
        ends[length : length + 1] = [at]
        lengths.append(length)
    moved, wanted = set(), len(ends) - 1
    for uid, length in zip(reversed(kept), reversed(lengths), strict=True):
        if length == wanted:
            wanted -= 1
        else:
            moved.add(uid)
    return moved


# Texts


def pieces(before: str | None, after: str | None) -> list[Piece]:
    """Mark what was removed and added; the pieces make both texts again, in NFC. No text counts as an empty one."""
    was, now = (unicodedata.normalize("NFC", text or "") for text in (before, after))
    return _tidied(_by_paragraph(was, now))


def _by_paragraph(before: str, after: str) -> Iterator[Piece]:
    for same, was, now in _blocks(PARAGRAPH.findall(before), PARAGRAPH.findall(after)):
        if same:
            yield from _pairwise(was, now)
        else:
            yield from _by_word("".join(was), "".join(now))


def _by_word(before: str, after: str) -> Iterator[Piece]:
    for same, was, now in _blocks(TOKEN.findall(before), TOKEN.findall(after)):
        if same:
            yield from _pairwise(was, now)
        else:
            yield from _replaced(was, now)


def _blocks(was: list[str], now: list[str]) -> Iterator[tuple[bool, list[str], list[str]]]:
    """Align units by their words, blanks aside: blocks of equal ones (True) and of others, in turn."""
    old, new = [unit.strip() for unit in was], [unit.strip() for unit in now]
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    yield True, was[:start], now[:start]
    counts = Counter(old)
    if sum(counts[unit] for unit in new) > MOST_EQUAL_PAIRS:
        yield False, was[start : start + len(old)], now[start : start + len(new)]
    else:
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            yield tag == "equal", was[start + a : start + b], now[start + c : start + d]
    yield True, was[len(was) - end :], now[len(now) - end :]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the equal elements at the beginning of both."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _pairwise(was: list[str], now: list[str]) -> Iterator[Piece]:
    for one, other in zip(was, now, strict=True):
        if one == other:
            yield Piece("same", one)
        else:
            yield from _inside(one, other)


def _replaced(was: list[str], now: list[str]) -> Iterator[Piece]:
    """Pair the words that are forms of one another and mark what differs inside; mark the others whole."""
    if len(was) * len(now) > MOST_REPLACED_PAIRS:
        was, now = ["".join(was)], ["".join(now)]
    done = 0
    for word in was:
        at = next((at for at in range(done, len(now)) if _alike(word, now[at])), None)
        if at is None:
            yield Piece("removed", word)
        else:
            yield Piece("added", "".join(now[done:at]))
            yield from _inside(word, now[at])
            done = at + 1
    yield Piece("added", "".join(now[done:]))


def _alike(one: str, other: str) -> bool:
    """Tell whether two words have half of the longer one in common. A number with another digit is another number."""
    one, other = one.strip(), other.strip()
    if one[:1] != other[:1] and one[-1:] != other[-1:]:
        return False
    start = _common(one, other)
    end = _common(one[start:][::-1], other[start:][::-1])
    return 2 * (start + end) >= max(len(one), len(other)) and DIGITS.findall(one) == DIGITS.findall(other)


def _inside(one: str, other: str) -> Iterator[Piece]:
    """Mark the middle that differs, never more than one place, so that a word does not fall apart."""
    old, new = CLUSTER.findall(one), CLUSTER.findall(other)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    yield Piece("same", "".join(old[:start]))
    yield Piece("removed", "".join(old[start : len(old) - end]))
    yield Piece("added", "".join(new[start : len(new) - end]))
    yield Piece("same", "".join(old[len(old) - end :]))


@dataclass
class _Run:
    """What stayed, then what was removed and added behind it."""

    same: str = ""
    removed: str = ""
    added: str = ""

    def takes_in(self, follower: _Run) -> bool:
        """Tell whether what stayed between two replaced parts is too short to be worth an interruption."""
        sizes = (max(len(run.removed), len(run.added)) for run in (self, follower))
        is_replaced = (self.removed or follower.removed) and (self.added or follower.added)
        return bool(is_replaced) and 2 * len(follower.same) <= min(sizes)


def _tidied(marked: Iterator[Piece]) -> list[Piece]:
    """Put what was removed before what was added, and join what hardly anything parts."""
    runs = [_Run()]
    for piece in marked:
        last = runs[-1]
        if piece.kind == "same" and piece.text and (last.removed or last.added):
            runs.append(_Run(piece.text))
        else:
            setattr(last, piece.kind, getattr(last, piece.kind) + piece.text)
    joined = runs[:1]
    for run in runs[1:]:
        if joined[-1].takes_in(run):
            joined[-1].removed += run.same + run.removed
            joined[-1].added += run.same + run.added
        else:
            joined.append(run)
    found = [piece for run in joined for piece in _pieces_of(run)]
    return [piece for piece in found if piece.text]


def _pieces_of(run: _Run) -> tuple[Piece, ...]:
    """Give the pieces of a run; blanks that begin both what was removed and what was added stayed."""
    both = run.removed[: _common(run.removed, run.added)]
    blanks = len(both) - len(both.lstrip())
    same = Piece("same", run.same + both[:blanks])
    return same, Piece("removed", run.removed[blanks:]), Piece("added", run.added[blanks:])
