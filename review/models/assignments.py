"""Whose work a language of a case is: one person at a time, until a day or until it is given back."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from cases.models import Person

from .decisions import LANGUAGE_CHOICES
from .manuscripts import Manuscript


class Assignment(models.Model):
    """Who works on a language of a case. Rows change hands; the log keeps who assigned what to whom.

    ``until`` is the last day (UTC) on which it counts; read rows through ``assignments.of``, which leaves out the rest.
    """

    manuscript = models.ForeignKey(Manuscript, models.PROTECT, related_name="assignments")
    language = models.CharField(_("language"), max_length=2, choices=LANGUAGE_CHOICES)
    person = models.ForeignKey(Person, models.PROTECT, related_name="assignments", verbose_name=_("person"))
    by = models.ForeignKey(Person, models.PROTECT, related_name="+", verbose_name=_("assigned by"))
    at = models.DateTimeField(_("when"))
    until = models.DateField(_("until"), null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["manuscript", "language"], name="one_assignment_of_a_language"),
            models.CheckConstraint(condition=Q(language__in=["en", "ko"]), name="assignment_language"),
        )

    def __str__(self) -> str:
        return f"{self.language}: {self.person_id}"
