"""The items of a case, one table for each list of the document; ``cases.publishing`` writes and replaces them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from modeltranslation.manager import MultilingualManager

from .case import Case
from .vocabulary import Term


class Item(models.Model):
    """What every item has: its case, a uid that never changes meaning, and its place in the list."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="%(class)ss")
    uid = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()

    class Meta:
        abstract = True
        ordering = ("position",)
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.UniqueConstraint(fields=["case", "uid"], name="%(class)s_uid_once_in_a_case"),
        )

    def __str__(self) -> str:
        return self.uid


class Source(Item):
    """An address that the case cites."""

    url = models.CharField(max_length=2000)
    kind = models.ForeignKey(Term, models.PROTECT, related_name="+")
    archived = models.CharField(max_length=2000, null=True)
    title = models.CharField(max_length=300, null=True)
    publisher = models.CharField(max_length=300, null=True)
    language = models.CharField(max_length=35, null=True)
    published_at = models.DateTimeField(null=True)
    fetched_at = models.DateTimeField(null=True)
    machine_translated = models.BooleanField(default=False)
    state = models.CharField(max_length=10, null=True)

    class Meta(Item.Meta):
        abstract = False
        constraints = (
            *Item.Meta.constraints,
            models.CheckConstraint(
                condition=Q(url__startswith="https://") | Q(url__startswith="http://"), name="source_is_on_the_web"
            ),
            models.CheckConstraint(
                condition=Q(archived__isnull=True)
                | Q(archived__startswith="https://")
                | Q(archived__startswith="http://"),
                name="source_archive_is_on_the_web",
            ),
        )


class Event(Item):
    """Something that happened at a time, UTC, known to the minute, day, month or year."""

    at = models.DateTimeField()
    precision = models.CharField(max_length=6)
    kind = models.ForeignKey(Term, models.PROTECT, related_name="+")
    text = models.TextField(null=True)
    source = models.ForeignKey(Source, models.CASCADE, null=True, related_name="+")

    objects: ClassVar[MultilingualManager[Event]] = MultilingualManager()

    class Meta(Item.Meta):
        abstract = False


class Window(Item):
    """A span of time in which users were affected."""

    start = models.DateTimeField()
    end = models.DateTimeField(null=True)
    region = models.TextField(null=True)

    objects: ClassVar[MultilingualManager[Window]] = MultilingualManager()

    class Meta(Item.Meta):
        abstract = False
        constraints = (
            *Item.Meta.constraints,
            models.CheckConstraint(
                condition=Q(end__isnull=True) | Q(end__gte=models.F("start")), name="window_ends_after_its_start"
            ),
        )


class Remediation(Item):
    """Something that was done to end the incident."""

    text = models.TextField(null=True)
    kind = models.ForeignKey(Term, models.PROTECT, null=True, related_name="+")

    objects: ClassVar[MultilingualManager[Remediation]] = MultilingualManager()

    class Meta(Item.Meta):
        abstract = False


class ActionItem(Item):
    """Something that the organisation promised to do afterwards."""

    text = models.TextField(null=True)
    status = models.CharField(max_length=10, null=True)

    objects: ClassVar[MultilingualManager[ActionItem]] = MultilingualManager()

    class Meta(Item.Meta):
        abstract = False


class Claim(Item):
    """A quotation that supports one statement of the case."""

    path = models.CharField(max_length=200)
    language = models.CharField(max_length=2, null=True)
    anchor = models.TextField(null=True)
    source = models.ForeignKey(Source, models.CASCADE, related_name="+")
    quote = models.TextField()
    prefix = models.TextField(null=True)
    suffix = models.TextField(null=True)
    basis = models.CharField(max_length=10)
    value = models.TextField(null=True)
    chosen = models.BooleanField()
    note = models.TextField(null=True)

    objects: ClassVar[MultilingualManager[Claim]] = MultilingualManager()

    class Meta(Item.Meta):
        abstract = False
        constraints = (
            *Item.Meta.constraints,
            models.CheckConstraint(
                condition=Q(language__isnull=True) | Q(language__in=["en", "ko"]), name="claim_language"
            ),
        )


class CaseCheck(Item):
    """A check that belongs to this case alone."""

    question = models.TextField(null=True)
    how = models.TextField(null=True)
    command = models.TextField(null=True)
    applies_to = models.JSONField(default=list)
    risk = models.CharField(max_length=20)

    objects: ClassVar[MultilingualManager[CaseCheck]] = MultilingualManager()

    class Meta(Item.Meta):
        abstract = False
