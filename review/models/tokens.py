"""How programs prove who they are: tokens of a machine account, and what was created with them."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from cases.models import Person

from .manuscripts import Manuscript


class Token(models.Model):
    """A secret with which a program may write drafts; only its hash is kept, so nobody can read it here.

    ``start`` is how it begins, to tell it from others. Every token may read drafts; ``scopes`` is what else it may.
    """

    class Scope(models.TextChoices):
        CREATE = "create", _("Start new cases")
        REVISE = "revise", _("Save new revisions of cases")
        SUBMIT = "submit", _("Submit texts for review")

    program = models.ForeignKey(Person, models.PROTECT, related_name="tokens", verbose_name=_("program"))
    name = models.CharField(_("name"), max_length=100)
    start = models.CharField(max_length=12)
    sha256 = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"))
    last_used_at = models.DateTimeField(_("last used"), null=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="token_expires_after_it_was_made"),
        )

    def __str__(self) -> str:
        return f"token {self.pk}"

    def is_in_force(self, at: dt.datetime) -> bool:
        return self.revoked_at is None and at < self.expires_at


class KeptCreation(models.Model):
    """A case that a program created under a key of its own, so that sending the same twice makes one case."""

    token = models.ForeignKey(Token, models.PROTECT, related_name="creations")
    key = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64)
    manuscript = models.ForeignKey(Manuscript, models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["token", "key"], name="creation_once_for_a_key"),)

    def __str__(self) -> str:
        return f"{self.token_id} {self.key}"
