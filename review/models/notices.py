"""What people are told about: their inbox, and how they want it mailed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from cases.models import Person

from .comments import Thread
from .events import Event


class Notice(models.Model):
    """One thing in somebody's inbox. The same thing done again by the same person soon after only counts up."""

    class Kind(models.TextChoices):
        MENTION = "mention", _("Somebody calls me in a comment")
        REPLY = "reply", _("An answer in a thread I wrote in")
        COMMENT = "comment", _("A comment on a case I wrote in")
        ASSIGNED = "assigned", _("A case is assigned to me")
        REVIEW_WANTED = "review-wanted", _("A review is wanted in my language")
        DECISION = "decision", _("A decision on a text I wrote or submitted")
        BECAME_STALE = "became-stale", _("A text I translated or reviewed is out of date")
        PUBLISHED = "published", _("A case I wrote in is published")
        SAVED = "saved", _("Somebody else changes a text I wrote")
        WITHDRAWN = "withdrawn", _("A case I wrote in is withdrawn")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20, choices=Kind)
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")  # the newest of those counted
    actor = models.ForeignKey(Person, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(null=True)
    thread = models.ForeignKey(Thread, models.PROTECT, null=True, related_name="+")
    languages = models.JSONField(default=list)  # those that became stale; no other event is about more than its own
    count = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-at", "-pk")
        constraints = (models.UniqueConstraint(fields=["user", "event"], name="notice_once_for_an_event"),)
        indexes = (models.Index(fields=["user", "read_at"], name="notice_unread"),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.event_id}"


class NoticePreference(models.Model):
    """How somebody wants notices mailed. Who never chose gets each at once, in both languages."""

    class Mail(models.TextChoices):
        AT_ONCE = "at-once", _("A mail for each notice")
        DAILY = "daily", _("One mail a day")
        NEVER = "never", _("No mail")

    class Language(models.TextChoices):
        BOTH = "", _("Both languages")
        ENGLISH = "en", _("English")
        KOREAN = "ko", _("Korean")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_preference")
    mail = models.CharField(max_length=10, choices=Mail, default=Mail.AT_ONCE)
    language = models.CharField(max_length=2, choices=Language, blank=True)
    not_mailed = models.JSONField(default=list)  # kinds that stay in the inbox

    def __str__(self) -> str:
        return f"{self.user_id} {self.mail}"
