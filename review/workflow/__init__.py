"""Every act of the desk that changes something: short, guarded, in one transaction, logged in the same one.

Each takes who acts and, where text is at stake, the revision that person was looking at. A refusal is an exception
that says why; nothing half-done is ever kept.
"""

from .assigning import assign, unassign
from .drafts import Saved, archive, create, reopen, restore, save
from .manuscripts import Current, current, person_of
from .pairing import pair, unpair
from .publication import merge_into, publish, undo_merge, undo_withdrawal, withdraw
from .refusals import Conflict, Denied, NoBase, Refused, noted, require
from .review import Seen, approve, reaffirm, request_changes, submit, withdraw_approval, withdraw_submission

__all__ = [
    "Conflict",
    "Current",
    "Denied",
    "NoBase",
    "Refused",
    "Saved",
    "Seen",
    "approve",
    "archive",
    "assign",
    "create",
    "current",
    "merge_into",
    "noted",
    "pair",
    "person_of",
    "publish",
    "reaffirm",
    "reopen",
    "request_changes",
    "require",
    "restore",
    "save",
    "submit",
    "unassign",
    "undo_merge",
    "undo_withdrawal",
    "unpair",
    "withdraw",
    "withdraw_approval",
    "withdraw_submission",
]
