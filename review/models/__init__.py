"""The tables of everything behind sign-in."""

from .comments import Comment, Thread
from .events import Event
from .manuscripts import Manuscript, Revision, RevisionAuthor, WorkingCopy
from .notices import Notice, NoticePreference
from .people import ADMINISTRATOR, GROUPS, PUBLISHER, WRITER, LanguageRole

__all__ = [
    "ADMINISTRATOR",
    "GROUPS",
    "PUBLISHER",
    "WRITER",
    "Comment",
    "Event",
    "LanguageRole",
    "Manuscript",
    "Notice",
    "NoticePreference",
    "Revision",
    "RevisionAuthor",
    "Thread",
    "WorkingCopy",
]
