"""All public cases in the memory of each process, one integer for each word: filters, counts, pages, similar cases.

It is filled from ``CatalogRow``, which publishing writes, and comes up to date within the request that sees a change.
"""

from .catalog import NO, YES, Catalog
from .index import Index
from .keeping import at, current, forget, kept
from .measure import Measure
from .near import EDITORS, MOST, Near
from .paging import Key, behind, key_of
from .rows import FOLLOW_UPS, TAUGHT, write_rows
from .selection import LONGEST, NEWEST, OLDEST, RELEVANCE, SHORTEST, Listing, Matches, Selection
from .versions import VERSIONS, LastChange, Versions, versions, versions_quickly

__all__ = [
    "EDITORS",
    "FOLLOW_UPS",
    "LONGEST",
    "MOST",
    "NEWEST",
    "NO",
    "OLDEST",
    "RELEVANCE",
    "SHORTEST",
    "TAUGHT",
    "VERSIONS",
    "YES",
    "Catalog",
    "Index",
    "Key",
    "LastChange",
    "Listing",
    "Matches",
    "Measure",
    "Near",
    "Selection",
    "Versions",
    "at",
    "behind",
    "current",
    "forget",
    "kept",
    "key_of",
    "versions",
    "versions_quickly",
    "write_rows",
]
