"""What the editors say of two cases beside what their words have in common."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from cases.document import Pair, case_id


class Pairing(models.Model):
    """Two cases that the editors pin to each other, or keep apart although they look alike; seen from both sides.

    It holds numbers, the smaller one first: a case may be withdrawn and come back. What a document itself names as
    related or as a recurrence stays as it has it.
    """

    class Verdict(models.TextChoices):
        PIN = "pin", _("Worth reading together")
        VETO = "veto", _("Not similar")

    first = models.PositiveIntegerField()
    second = models.PositiveIntegerField(db_index=True)
    verdict = models.CharField(_("verdict"), max_length=4, choices=Verdict)
    note_en = models.CharField(_("note, in English"), max_length=300, null=True)
    note_ko = models.CharField(_("note, in Korean"), max_length=300, null=True)

    objects: ClassVar[models.Manager[Pairing]] = models.Manager()

    class Meta:
        verbose_name = _("pair of cases")
        verbose_name_plural = _("pairs of cases")
        ordering = ("first", "second")
        constraints = (
            models.UniqueConstraint(fields=["first", "second"], name="pair_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="pair_smaller_number_first"),
            models.CheckConstraint(condition=Q(verdict__in=["pin", "veto"]), name="pair_verdict"),
            models.CheckConstraint(
                condition=Q(note_en__isnull=False) | Q(note_ko__isnull=False), name="pair_has_a_note"
            ),
        )

    def __str__(self) -> str:
        return f"{case_id(self.first)} {self.verdict} {case_id(self.second)}"

    @property
    def note(self) -> Pair:
        return Pair.model_construct(en=self.note_en, ko=self.note_ko)

    def beside(self, number: int) -> int:
        """Return the other one of the two."""
        return self.first if number == self.second else self.second
