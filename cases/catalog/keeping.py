"""The catalog that this process has in memory, and how it comes up to date: once for each change, for all threads."""

from __future__ import annotations

from threading import Lock

from cases.labels import current_labels

from .catalog import Catalog
from .index import Index, changed, filled
from .rows import rows_of
from .versions import Versions, changes_since, versions

# With more changed cases than these, reading everything anew is faster.
MOST_CHANGED = 100

_lock = Lock()
_kept: Catalog | None = None


def kept() -> Catalog | None:
    """Return what is in memory, which may be out of date."""
    return _kept


def current() -> Catalog:
    """Return the present catalog. Costs one query; whoever has read the versions already calls ``at``."""
    return at(versions())


def at(wanted: Versions) -> Catalog:
    """Return the catalog of these versions, or a newer one that another thread has made already."""
    global _kept  # noqa: PLW0603  (the one thing that a process remembers; replaced whole, under a lock)
    catalog = _kept
    if catalog is not None and _is_at(catalog, wanted):
        return catalog
    with _lock:
        if _kept is None or not _is_at(_kept, wanted):
            _kept = _moved_on(_kept, wanted)
        return _kept


def forget() -> None:
    """Fill the catalog again when it is next asked for."""
    global _kept  # noqa: PLW0603
    _kept = None


def _is_at(catalog: Catalog, wanted: Versions) -> bool:
    return catalog.index.last == wanted.last and catalog.labels.version == wanted.vocabulary


def _moved_on(catalog: Catalog | None, wanted: Versions) -> Catalog:
    index = _index(catalog.index if catalog else None, wanted)
    if catalog is not None and index is catalog.index and catalog.labels.version > wanted.vocabulary:
        return catalog
    return Catalog(index, current_labels(wanted.vocabulary))


def _index(index: Index | None, wanted: Versions) -> Index:
    """Apply what has changed since, or read everything where the log does not lead on from what is in memory.

    The rows may be newer than the version under which they are kept; the changes are then applied once more.
    """
    if index is None:
        return filled(wanted.last)
    if index.last == wanted.last:
        return index
    changes = changes_since(index.last, MOST_CHANGED)
    if changes is None:
        return filled(wanted.last)
    if not changes:
        return index
    numbers = dict.fromkeys(number for _, number in changes)
    return changed(index, changes[-1][0], numbers, rows_of(numbers))
