"""All public cases in the memory of each process, one integer for each word: filters, counts, pages, similar cases.

It is filled from ``CatalogRow``, which publishing writes, and comes up to date within the request that sees a change.
"""

from .catalog import NO, YES, Catalog
from .index import Index
from .keeping import at, current, forget, kept
from .near import MOST, Near
from .rows import write_rows
from .selection import LONGEST, NEWEST, OLDEST, RELEVANCE, SHORTEST, Listing, Matches, Selection
from .versions import VERSIONS, LastChange, Versions, versions

__all__ = [
    "LONGEST",
    "MOST",
    "NEWEST",
    "NO",
    "OLDEST",
    "RELEVANCE",
    "SHORTEST",
    "VERSIONS",
    "YES",
    "Catalog",
    "Index",
    "LastChange",
    "Listing",
    "Matches",
    "Near",
    "Selection",
    "Versions",
    "at",
    "current",
    "forget",
    "kept",
    "versions",
    "write_rows",
]
