"""The private working life of a case: its manuscript, every saved state of it, and what people are typing."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from cases.document import CaseDocument, case_id, read_document
from cases.models import Case, LanguageVersion, Person

State = LanguageVersion.State


class Manuscript(models.Model):
    """The working life of one number. ``head`` is the newest revision, ``live`` the one that readers see."""

    number = models.PositiveIntegerField(_("number"), unique=True)
    case = models.OneToOneField(Case, models.PROTECT, null=True, related_name="manuscript", verbose_name=_("case"))
    head = models.ForeignKey("Revision", models.PROTECT, null=True, related_name="+", verbose_name=_("newest revision"))
    live = models.ForeignKey("Revision", models.PROTECT, null=True, related_name="+", verbose_name=_("live revision"))
    live_edition = models.PositiveIntegerField(_("live edition"), null=True)
    archived_at = models.DateTimeField(_("archived"), null=True)
    created_at = models.DateTimeField(_("created"))
    # Of the newest revision, for lists and searches of the desk.
    org = models.CharField(_("organisation"), max_length=300)
    title_en = models.CharField(_("English title"), max_length=300, null=True)
    title_ko = models.CharField(_("Korean title"), max_length=300, null=True)
    changed_at = models.DateTimeField(_("changed"))
    # A cache for queues, written only by states.keep_states and verified by `manage.py check_states`.
    state_en = models.CharField(_("English"), max_length=20, choices=State, default=State.DRAFT, db_index=True)
    state_ko = models.CharField(_("Korean"), max_length=20, choices=State, default=State.DRAFT, db_index=True)
    state_en_at = models.DateTimeField(_("English since"), null=True)
    state_ko_at = models.DateTimeField(_("Korean since"), null=True)

    class Meta:
        verbose_name = _("manuscript")
        verbose_name_plural = _("manuscripts")
        ordering = ("-changed_at",)
        constraints = (
            models.CheckConstraint(
                condition=Q(archived_at__isnull=True) | Q(case__isnull=True), name="only_unpublished_work_is_archived"
            ),
            models.CheckConstraint(
                condition=Q(live__isnull=True) | Q(case__isnull=False), name="live_revision_belongs_to_a_case"
            ),
        )

    def __str__(self) -> str:
        return self.id_text

    @property
    def id_text(self) -> str:
        return case_id(self.number)

    @property
    def kept_states(self) -> dict[str, str]:
        """Return the cached state of each language."""
        return {"en": self.state_en, "ko": self.state_ko}

    @property
    def has_draft(self) -> bool:
        """Tell whether there is text that readers do not see yet."""
        return self.head_id != self.live_id


class Revision(models.Model):
    """One saved state of a manuscript (the database refuses to change or delete it)."""

    manuscript = models.ForeignKey(Manuscript, models.PROTECT, related_name="revisions", verbose_name=_("manuscript"))
    number = models.PositiveIntegerField(_("number"))
    author = models.ForeignKey(Person, models.PROTECT, null=True, related_name="revisions", verbose_name=_("author"))
    base = models.ForeignKey("self", models.PROTECT, null=True, related_name="+", verbose_name=_("base"))
    note = models.CharField(_("note"), max_length=500, blank=True)
    text = models.TextField(_("document"))
    sha256 = models.CharField(max_length=64)
    # Set when this revision is an edition that came from elsewhere, such as an import.
    edition_number = models.PositiveIntegerField(_("edition taken in"), null=True)
    created_at = models.DateTimeField(_("saved"))

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ("manuscript", "number")
        constraints = (
            models.UniqueConstraint(fields=["manuscript", "number"], name="revision_number_once_in_a_manuscript"),
        )

    def __str__(self) -> str:
        return f"r{self.number}"

    def document(self) -> CaseDocument:
        return read_document(self.text)

    @staticmethod
    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()


class RevisionAuthor(models.Model):
    """Who changed what in a revision: the text of a language, or the facts. Restoring brings earlier authors along."""

    class Scope(models.TextChoices):
        ENGLISH = "en", _("English")
        KOREAN = "ko", _("Korean")
        FACTS = "facts", _("Facts")

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="authors")
    scope = models.CharField(max_length=5, choices=Scope)
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["revision", "scope", "person"], name="revision_author_once_in_a_scope"),
            models.CheckConstraint(condition=Q(scope__in=["en", "ko", "facts"]), name="revision_author_scope"),
        )

    def __str__(self) -> str:
        return f"{self.scope}: {self.person_id}"


class WorkingCopy(models.Model):
    """What one person has typed in one tab and not saved: private, and never part of the history.

    ``fields`` is the form as it was posted (JSON); ``sequence`` keeps a late request from overwriting a newer one.
    ``number`` is null for a case that has none yet.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="working_copies")
    number = models.PositiveIntegerField(null=True)
    tab = models.CharField(max_length=40)
    base_number = models.PositiveIntegerField(null=True)
    fields = models.TextField()
    changed_fields = models.JSONField(default=list)
    sequence = models.PositiveBigIntegerField(default=0)
    updated_at = models.DateTimeField()

    class Meta:
        ordering = ("-updated_at",)
        constraints = (models.UniqueConstraint(fields=["user", "tab"], name="working_copy_once_in_a_tab"),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.number} {self.tab}"
