"""What people of the desk say to each other about a text: threads beside it, never inside it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from cases.models import Person

from .manuscripts import Manuscript, Revision

LONGEST_PATH = 200
LONGEST_QUOTE = 500
# How many characters before and after a quotation tell it from the same words elsewhere.
AROUND = 30


class Thread(models.Model):
    """A question or remark with its answers. It outlives the text it is about."""

    class Concerned(models.TextChoices):
        ENGLISH = "en", _("English")
        KOREAN = "ko", _("Korean")
        BOTH = "*", _("Both languages")

    manuscript = models.ForeignKey(Manuscript, models.PROTECT, related_name="threads")
    # The text that is to become right; for what holds up approvals, not for who sees the thread: everybody does.
    language = models.CharField(_("language"), max_length=2, choices=Concerned)
    # A field as in cases/fields.py, an item, or empty: the case as a whole.
    path = models.CharField(_("place"), max_length=LONGEST_PATH, blank=True)
    quote = models.CharField(_("quotation"), max_length=LONGEST_QUOTE, blank=True)
    prefix = models.CharField(max_length=AROUND, blank=True)
    suffix = models.CharField(max_length=AROUND, blank=True)
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="+", verbose_name=_("revision"))
    blocking = models.BooleanField(_("holds up the approval"), default=False)
    opened_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    resolved_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(condition=Q(language__in=["en", "ko", "*"]), name="thread_language"),
            models.CheckConstraint(
                condition=Q(resolved_by__isnull=True, resolved_at__isnull=True)
                | Q(resolved_by__isnull=False, resolved_at__isnull=False),
                name="thread_resolved_by_somebody",
            ),
        )

    def __str__(self) -> str:
        return f"thread {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.resolved_at is None


class Comment(models.Model):
    """One thing said (the database refuses to change or delete it)."""

    thread = models.ForeignKey(Thread, models.PROTECT, related_name="comments")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+", verbose_name=_("person"))
    text = models.TextField(_("comment"))
    at = models.DateTimeField(_("when"))

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"comment {self.pk}"


def blocking(manuscript: Manuscript, language: str) -> list[Thread]:
    """Return the open threads that keep a language from being approved, whether or not their text still stands."""
    concerned = Thread.objects.filter(manuscript=manuscript, language__in=[language, Thread.Concerned.BOTH])
    return list(concerned.filter(blocking=True, resolved_at=None).select_related("opened_by", "revision"))
