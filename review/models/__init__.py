"""The tables of everything behind sign-in."""

from .decisions import Decision, Submission
from .events import Event
from .manuscripts import Manuscript, Revision, RevisionAuthor, WorkingCopy
from .people import ADMINISTRATOR, GROUPS, PUBLISHER, WRITER, LanguageRole

__all__ = [
    "ADMINISTRATOR",
    "GROUPS",
    "PUBLISHER",
    "WRITER",
    "Decision",
    "Event",
    "LanguageRole",
    "Manuscript",
    "Revision",
    "RevisionAuthor",
    "Submission",
    "WorkingCopy",
]
