"""What people ask of reviewers and what reviewers decide, pinned to the revision that was read. Rows are permanent."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from cases.models import Person

from .manuscripts import Manuscript, Revision

LANGUAGE_CHOICES = [("en", _("English")), ("ko", _("Korean"))]


class Decision(models.Model):
    """What a reviewer decided about one language, having read one revision.

    ``shown`` is a hash of exactly what was on the page: own text, counterpart text and facts. It is proof, not state:
    states come from comparing documents (states.py).
    """

    class Verdict(models.TextChoices):
        APPROVE = "approve", _("approved")
        REAFFIRM = "reaffirm", _("reaffirmed")
        REQUEST_CHANGES = "request-changes", _("requested changes")
        WITHDRAW_APPROVAL = "withdraw-approval", _("withdrew the approval")

    manuscript = models.ForeignKey(Manuscript, models.PROTECT, related_name="decisions", verbose_name=_("manuscript"))
    language = models.CharField(_("language"), max_length=2, choices=LANGUAGE_CHOICES)
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="decisions", verbose_name=_("revision read"))
    verdict = models.CharField(_("verdict"), max_length=20, choices=Verdict)
    person = models.ForeignKey(Person, models.PROTECT, related_name="decisions", verbose_name=_("person"))
    note = models.TextField(_("note"), blank=True)
    shown = models.CharField(max_length=64)
    override = models.BooleanField(_("four eyes overridden"), default=False)
    override_reason = models.TextField(_("reason of the override"), blank=True)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(condition=Q(language__in=["en", "ko"]), name="decision_language"),
            models.CheckConstraint(
                condition=Q(verdict__in=["approve", "reaffirm", "request-changes", "withdraw-approval"]),
                name="decision_verdict",
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=["approve", "reaffirm"]) | ~Q(note=""), name="decision_against_has_a_note"
            ),
            models.CheckConstraint(
                condition=Q(override=False, override_reason="")
                | (Q(override=True, verdict__in=["approve", "reaffirm"]) & ~Q(override_reason="")),
                name="decision_override_has_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.language}: {self.verdict}"

    @property
    def approves(self) -> bool:
        return self.verdict in {self.Verdict.APPROVE, self.Verdict.REAFFIRM}


class Submission(models.Model):
    """Asking for a review of one language, or taking that back; the newest row counts until somebody decides.

    ``after`` is the last decision there was, so "newer than the last decision" asks no clock.
    """

    class Kind(models.TextChoices):
        SUBMIT = "submit", _("submitted")
        WITHDRAW = "withdraw", _("withdrew the submission")

    manuscript = models.ForeignKey(Manuscript, models.PROTECT, related_name="submissions", verbose_name=_("manuscript"))
    language = models.CharField(_("language"), max_length=2, choices=LANGUAGE_CHOICES)
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="+", verbose_name=_("revision"))
    kind = models.CharField(_("act"), max_length=10, choices=Kind)
    after = models.ForeignKey(Decision, models.PROTECT, null=True, related_name="+", verbose_name=_("last decision"))
    person = models.ForeignKey(Person, models.PROTECT, related_name="+", verbose_name=_("person"))
    note = models.TextField(_("note"), blank=True)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(condition=Q(language__in=["en", "ko"]), name="submission_language"),
            models.CheckConstraint(condition=Q(kind__in=["submit", "withdraw"]), name="submission_kind"),
        )

    def __str__(self) -> str:
        return f"{self.language}: {self.kind}"
