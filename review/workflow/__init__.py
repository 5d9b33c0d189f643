"""Every act of the desk that changes something: short, guarded, in one transaction, logged in the same one.

Each takes who acts and, where text is at stake, the revision that person was looking at. A refusal is an exception
that says why; nothing half-done is ever kept.
"""

from .drafts import Saved, archive, create, reopen, restore, save
from .manuscripts import Current, current, person_of
from .publication import merge_into, publish, undo_merge, undo_withdrawal, withdraw
from .refusals import Conflict, NoBase, Refused, require

__all__ = [
    "Conflict",
    "Current",
    "NoBase",
    "Refused",
    "Saved",
    "archive",
    "create",
    "current",
    "merge_into",
    "person_of",
    "publish",
    "reopen",
    "require",
    "restore",
    "save",
    "undo_merge",
    "undo_withdrawal",
    "withdraw",
]
