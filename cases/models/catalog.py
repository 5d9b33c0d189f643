"""What the catalog in each process is filled from; ``cases.catalog`` writes it when a case is published."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from .case import Case


class CatalogRow(models.Model):
    """One case in a few integers, so that a hundred thousand of them are read in less than a second.

    ``words`` holds the ids of its terms and, after a ``k``, of those that its own checks apply to; ``related`` the
    numbers that the editors call related; both parted by blanks. Days are counted from the first of January of the
    year 1. A case that is not published keeps a row for what leads on from it, without words, marks or organisation.
    """

    case = models.OneToOneField(Case, models.CASCADE, primary_key=True, related_name="catalog_row")
    number = models.PositiveIntegerField(unique=True)
    first_day = models.PositiveIntegerField()
    last_day = models.PositiveIntegerField()
    repair_seconds = models.PositiveBigIntegerField(default=0)
    detect_seconds = models.PositiveBigIntegerField(default=0)
    # How many action items of each status it has, as ``cases.catalog.rows`` packs them.
    follow_ups = models.PositiveBigIntegerField(default=0)
    # A sum of the marks of ``cases.catalog.rows``.
    marks = models.PositiveSmallIntegerField(default=0)
    org_id = models.BigIntegerField(default=0)
    words = models.TextField(default="")
    related = models.TextField(default="")
    recurrence_of = models.PositiveIntegerField(null=True)
    merged_into = models.PositiveIntegerField(null=True)

    objects: ClassVar[models.Manager[CatalogRow]] = models.Manager()

    def __str__(self) -> str:
        return f"{self.number}: {self.words}"
