"""The log of the desk: one event for each act, in its transaction, chained so that no line can be changed later."""

from __future__ import annotations

import hashlib

from django.db import models
from django.utils.translation import gettext_lazy as _

from cases.document import write_instant, write_json
from cases.models import Person


class Event(models.Model):
    """Who did what to which case. The chain covers ids, not names, so that a name can be replaced."""

    class Verb(models.TextChoices):
        CREATED = "created", _("created the case")
        TOOK_IN = "took-in", _("took in an edition")
        SAVED = "saved", _("saved")
        RESTORED = "restored", _("restored an older revision")
        ARCHIVED = "archived", _("archived the draft")
        REOPENED = "reopened", _("reopened the draft")
        PUBLISHED = "published", _("published")
        WITHDREW = "withdrew", _("withdrew the case")
        UNDID_WITHDRAWAL = "undid-withdrawal", _("put the case back")
        MERGED = "merged", _("merged the case")
        UNDID_MERGE = "undid-merge", _("undid the merge")
        PINNED = "pinned", _("pinned a related case")
        KEPT_APART = "kept-apart", _("kept a similar case apart")
        UNPAIRED = "unpaired", _("took back a choice of related cases")
        COMMENTED = "commented", _("wrote a comment")
        RESOLVED_THREAD = "resolved-thread", _("resolved a thread of comments")
        REOPENED_THREAD = "reopened-thread", _("took up a thread of comments again")
        SUBMITTED = "submitted", _("submitted for review")
        WITHDREW_SUBMISSION = "withdrew-submission", _("took the submission back")
        APPROVED = "approved", _("approved")
        REAFFIRMED = "reaffirmed", _("reaffirmed")
        REQUESTED_CHANGES = "requested-changes", _("requested changes")
        WITHDREW_APPROVAL = "withdrew-approval", _("withdrew the approval")
        ASSIGNED = "assigned", _("assigned")
        UNASSIGNED = "unassigned", _("ended the assignment")
        INVITED = "invited", _("invited a person")
        RENEWED_INVITATION = "renewed-invitation", _("made a new link for a person")
        CHANGED_ROLES = "changed-roles", _("changed the roles of a person")
        RENAMED = "renamed", _("changed the public name of a person")
        DEACTIVATED = "deactivated", _("deactivated an account")
        REACTIVATED = "reactivated", _("reactivated an account")
        CREATED_PROGRAM = "created-program", _("created a program")
        MADE_TOKEN = "made-token", _("made a token for a program")
        REVOKED_TOKEN = "revoked-token", _("revoked a token of a program")

    class Channel(models.TextChoices):
        DESK = "desk", _("desk")
        COMMAND = "command", _("command")
        API = "api", "API"

    sequence = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField(_("when"))
    person = models.ForeignKey(Person, models.PROTECT, related_name="events", verbose_name=_("person"))
    verb = models.CharField(_("act"), max_length=20, choices=Verb)
    number = models.PositiveIntegerField(_("case"), null=True, db_index=True)
    language = models.CharField(_("language"), max_length=2, blank=True)
    revision_number = models.PositiveIntegerField(_("revision"), null=True)
    note = models.TextField(_("note"), blank=True)
    channel = models.CharField(_("door"), max_length=10, choices=Channel, default=Channel.DESK)
    # The person, case or edition that the act was about, where the columns above do not say it.
    about = models.CharField(max_length=60, blank=True)
    # What was done to many cases by one click has one batch.
    batch = models.CharField(max_length=20, blank=True)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("-sequence",)

    def __str__(self) -> str:
        return f"{self.sequence} {self.verb}"

    def chained(self) -> str:
        """Compute the hash that this event must have, from its own columns and the event before it."""
        told = [
            self.previous_hash,
            self.sequence,
            write_instant(self.at),
            self.person_id,
            self.verb,
            self.number,
            self.language,
            self.revision_number,
            self.note,
            self.channel,
            self.about,
            # Added later: an event without one keeps the hash that it was written with.
            *filter(None, [self.batch]),
        ]
        return hashlib.sha256(write_json(told).encode()).hexdigest()
