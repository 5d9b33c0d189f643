"""The tables of everything behind sign-in."""

from .assignments import Assignment
from .comments import Comment, Thread
from .decisions import Decision, Submission
from .events import Event
from .manuscripts import Manuscript, Revision, RevisionAuthor, WorkingCopy
from .notices import Notice, NoticePreference
from .people import ADMINISTRATOR, GROUPS, PUBLISHER, WRITER, LanguageRole
from .tokens import KeptCreation, Token

__all__ = [
    "ADMINISTRATOR",
    "GROUPS",
    "PUBLISHER",
    "WRITER",
    "Assignment",
    "Comment",
    "Decision",
    "Event",
    "KeptCreation",
    "LanguageRole",
    "Manuscript",
    "Notice",
    "NoticePreference",
    "Revision",
    "RevisionAuthor",
    "Submission",
    "Thread",
    "Token",
    "WorkingCopy",
]
