"""The public past and present of a case: editions, what is known of each language, changes, and what readers fetch."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from cases.document import CaseDocument, read_document

from .case import Case
from .people import Person


class Edition(models.Model):
    """One published state of a case: numbered, public, permanent (the database refuses to change or delete it)."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="editions", verbose_name=_("case"))
    number = models.PositiveIntegerField(_("number"))
    text = models.TextField(_("document"))
    note = models.TextField(_("note"), blank=True)
    published_at = models.DateTimeField(_("published"), null=True)

    class Meta:
        verbose_name = _("edition")
        verbose_name_plural = _("editions")
        ordering = ("case", "number")
        constraints = (
            models.UniqueConstraint(fields=["case", "number"], name="edition_number_once_in_a_case"),
            models.CheckConstraint(condition=Q(number__gte=1), name="edition_number_is_positive"),
        )

    def __str__(self) -> str:
        return f"{self.case_id}/{self.number}"

    def document(self) -> CaseDocument:
        return read_document(self.text)


class LanguageVersion(models.Model):
    """What is known of one language of one edition. Rewritten while the edition is the current one, frozen after."""

    class State(models.TextChoices):
        MISSING = "missing", _("Missing")
        DRAFT = "draft", _("Not reviewed")
        IN_REVIEW = "in-review", _("In review")
        CHANGES_REQUESTED = "changes-requested", _("Changes requested")
        APPROVED = "approved", _("Approved")
        STALE = "stale", _("Newer than its review")

    edition = models.ForeignKey(Edition, models.CASCADE, related_name="language_versions", verbose_name=_("edition"))
    language = models.CharField(_("language"), max_length=2)
    state = models.CharField(_("state"), max_length=20, choices=State)
    written_by = models.ForeignKey(
        Person, models.PROTECT, null=True, related_name="written_versions", verbose_name=_("written by")
    )
    reviewed_by = models.ForeignKey(
        Person, models.PROTECT, null=True, related_name="reviewed_versions", verbose_name=_("reviewed by")
    )
    reviewed_at = models.DateTimeField(_("reviewed"), null=True)
    override = models.BooleanField(_("four eyes overridden"), default=False)
    override_reason = models.TextField(_("reason of the override"), blank=True)
    stale_fields = models.JSONField(default=list)
    # What an import says of a review that was not given here.
    elsewhere_by = models.CharField(_("reviewed elsewhere by"), max_length=300, null=True)
    elsewhere_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("language version")
        verbose_name_plural = _("language versions")
        ordering = ("edition", "language")
        constraints = (
            models.UniqueConstraint(fields=["edition", "language"], name="language_once_in_an_edition"),
            models.CheckConstraint(condition=Q(language__in=["en", "ko"]), name="language_is_en_or_ko"),
            models.CheckConstraint(
                condition=Q(state__in=["missing", "draft", "in-review", "changes-requested", "approved", "stale"]),
                name="language_state",
            ),
            models.CheckConstraint(
                condition=Q(reviewed_by__isnull=True, reviewed_at__isnull=True)
                | Q(reviewed_by__isnull=False, reviewed_at__isnull=False),
                name="reviewer_comes_with_a_time",
            ),
            models.CheckConstraint(
                condition=~Q(state="approved") | Q(reviewed_by__isnull=False), name="approved_by_somebody"
            ),
            models.CheckConstraint(
                condition=Q(override=True)
                | Q(written_by__isnull=True)
                | Q(reviewed_by__isnull=True)
                | ~Q(written_by=F("reviewed_by")),
                name="reviewer_is_not_the_writer",
            ),
            models.CheckConstraint(condition=Q(override=False) | ~Q(override_reason=""), name="override_has_a_reason"),
        )

    def __str__(self) -> str:
        return f"{self.edition_id} {self.language}: {self.state}"


def random_token() -> int:
    return secrets.randbits(63)


class Change(models.Model):
    """One line of the public log: what happened to a case, numbered without gaps over the whole library.

    ``token`` tells it from another change that had the same number: one that was undone, or one of a copy of the
    library that was put back since.
    """

    class Kind(models.TextChoices):
        PUBLISHED = "published"
        IMPORTED = "imported"
        REVIEWED = "reviewed"
        WITHDRAWN = "withdrawn"
        MERGED = "merged"
        RESTORED = "restored"
        REMOVED = "removed"
        # The editors changed what stands beside it.
        PAIRED = "paired"
        # Another case was merged into this one, or stands for itself again: its ``aliases`` are others now.
        ALIASES = "aliases"

    sequence = models.PositiveBigIntegerField(unique=True)
    number = models.PositiveIntegerField(db_index=True)
    kind = models.CharField(max_length=10, choices=Kind)
    at = models.DateTimeField()
    token = models.PositiveBigIntegerField(default=random_token, editable=False)

    class Meta:
        ordering = ("sequence",)
        indexes = (models.Index(fields=["at", "sequence"], name="change_by_time"),)

    def __str__(self) -> str:
        return f"{self.sequence} {self.kind} {self.number}"


class Counter(models.Model):
    """A number that only grows: the last case number, the last change, the versions of the words."""

    name = models.CharField(max_length=20, primary_key=True)
    value = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"


class StoredCase(models.Model):
    """What readers fetch of a published case, in one row: cards and articles as HTML, the public JSON as text.

    ``stamp`` says for which site address, templates and vocabulary the HTML was made; one that does not fit means:
    render in memory. The small columns come first, so that a list does not read the large ones.
    """

    case = models.OneToOneField(Case, models.CASCADE, primary_key=True, related_name="stored")
    number = models.PositiveIntegerField(unique=True)
    sequence = models.PositiveBigIntegerField()
    stamp = models.CharField(max_length=64, default="")
    card_en = models.TextField(default="")
    card_ko = models.TextField(default="")
    json = models.TextField()
    article_en = models.TextField(default="")
    article_ko = models.TextField(default="")

    def __str__(self) -> str:
        return f"{self.number} ({self.stamp})"
