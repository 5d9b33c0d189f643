"""A published case: the row that lists, filters and the admin read. Its items are in ``items``, its past elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from modeltranslation.manager import MultilingualManager

from cases.document import Language, case_id

from .vocabulary import Org, Term

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


def _term(list_name: str, name: StrPromise, *, null: bool = False) -> models.ForeignKey[Any, Any]:
    choices = {"list": list_name}
    return models.ForeignKey(
        Term, models.PROTECT, related_name="+", null=null, limit_choices_to=choices, verbose_name=name
    )


class Case(models.Model):
    """One published case. Texts are read and written as ``title_en`` and ``title_ko``, never as ``title``."""

    class Status(models.TextChoices):
        PUBLISHED = "published", _("Published")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        MERGED = "merged", _("Merged")

    number = models.PositiveIntegerField(_("number"), unique=True)
    org = models.ForeignKey(Org, models.PROTECT, related_name="cases", verbose_name=_("organisation"))
    title = models.CharField(_("title"), max_length=300, null=True)
    summary = models.TextField(_("summary"), null=True)
    trigger = models.TextField(_("trigger"), null=True)
    detection = models.TextField(_("detection"), null=True)
    lessons = models.TextField(_("lessons"), null=True)
    symptoms_text = models.TextField(_("symptoms"), null=True)
    impact_scope = models.TextField(_("scope"), null=True)
    impact_users = models.TextField(_("users"), null=True)
    impact_region = models.TextField(_("region"), null=True)
    # The period in which the date lies: both are the date itself when it is known to the day.
    date_first = models.DateField(_("date"))
    date_last = models.DateField()
    date_precision = models.CharField(max_length=5)
    date_kind = _term("date_kind", _("kind of date"))
    severity = _term("severity", _("severity"))
    root_cause = _term("root_cause", _("root cause"), null=True)
    detection_method = _term("detection_method", _("way of detection"), null=True)
    # As the document says them; the seconds beside them are computed and null where they cannot be counted.
    detected_after = models.CharField(max_length=300, null=True)
    resolved_after = models.CharField(max_length=300, null=True)
    detect_seconds = models.PositiveBigIntegerField(null=True)
    resolve_seconds = models.PositiveBigIntegerField(null=True)
    docs = models.JSONField(default=list)
    recurrence_of = models.PositiveIntegerField(null=True, db_index=True)
    example = models.BooleanField(_("example"), default=False)
    # Record, not content.
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.PUBLISHED)
    edition_number = models.PositiveIntegerField(_("edition"), default=1)
    updated_at = models.DateTimeField(_("updated"), null=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_reason = models.TextField(_("reason of the withdrawal"), null=True)
    merged_into = models.PositiveIntegerField(null=True)
    has_draft = models.BooleanField(_("has a draft"), default=False)

    # Made by modeltranslation; the other texts are read by ``told``.
    title_en: str | None
    title_ko: str | None

    objects: ClassVar[MultilingualManager[Case]] = MultilingualManager()

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        ordering = ("-date_first", "-number")
        indexes = (
            models.Index(F("date_first").desc(), F("number").desc(), name="case_newest_first"),
            # Few are merged, and every publication asks for those that are merged into it.
            models.Index("merged_into", name="case_merged_into", condition=Q(merged_into__isnull=False)),
        )
        constraints = (
            models.CheckConstraint(condition=Q(number__gte=1), name="case_number_is_positive"),
            models.CheckConstraint(
                condition=Q(title_en__isnull=False) | Q(title_ko__isnull=False), name="case_has_a_title"
            ),
            models.CheckConstraint(
                condition=Q(summary_en__isnull=False) | Q(summary_ko__isnull=False), name="case_has_a_summary"
            ),
            models.CheckConstraint(condition=Q(date_last__gte=F("date_first")), name="case_dates_in_order"),
            models.CheckConstraint(
                condition=Q(date_precision__in=["day", "month", "year"]), name="case_date_precision"
            ),
            models.CheckConstraint(
                condition=Q(recurrence_of__isnull=True) | ~Q(recurrence_of=F("number")),
                name="case_not_its_own_recurrence",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("number")),
                name="case_not_merged_into_itself",
            ),
            models.CheckConstraint(
                condition=Q(status="published", withdrawn_at__isnull=True, merged_into__isnull=True)
                | Q(status="withdrawn", withdrawn_at__isnull=False, merged_into__isnull=True)
                | Q(status="merged", withdrawn_at__isnull=True, merged_into__isnull=False),
                name="case_status_tells_what_is_set",
            ),
        )

    def __str__(self) -> str:
        return f"{self.id_text} {self.title_en or self.title_ko}"

    @property
    def id_text(self) -> str:
        return case_id(self.number)

    def told(self, field: str, language: Language) -> str | None:
        """Return a translated field in exactly this language."""
        value: str | None = getattr(self, f"{field}_{language}")
        return value


class CaseTerm(models.Model):
    """A term of one of the lists of a case (domain, component, symptom, contributing), in the document's order."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="case_terms")
    term = models.ForeignKey(Term, models.PROTECT, related_name="case_terms")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("position",)
        constraints = (models.UniqueConstraint(fields=["term", "case"], name="term_once_in_a_case"),)

    def __str__(self) -> str:
        return f"{self.case_id}: {self.term_id}"


class RelatedNumber(models.Model):
    """A case that the editors call related; its number may not exist here yet."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="related_numbers")
    number = models.PositiveIntegerField()
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("position",)
        constraints = (models.UniqueConstraint(fields=["case", "number"], name="related_once"),)

    def __str__(self) -> str:
        return f"{self.case_id} → {case_id(self.number)}"
