"""Search of its own for Korean and English: tokens kept with each case, found by SQLite or PostgreSQL alike."""

from .finding import LONGEST_QUERY, Found, find
from .snippets import Snippet, snippet
from .suggesting import Suggestion, suggest

__all__ = ["LONGEST_QUERY", "Found", "Snippet", "Suggestion", "find", "snippet", "suggest"]
