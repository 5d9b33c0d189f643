"""Search of its own for Korean and English: tokens kept with each case, found by SQLite or PostgreSQL alike."""

from .finding import Found, find
from .snippets import Snippet, snippet
from .suggesting import Suggestion, suggest

__all__ = ["Found", "Snippet", "Suggestion", "find", "snippet", "suggest"]
