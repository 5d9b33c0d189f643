"""The controlled words: terms, organisations, glossary, library checks. Edited in the admin, in both languages."""

from __future__ import annotations

import re
import unicodedata
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from modeltranslation.manager import MultilingualManager

from cases.document import Language

SLUG = RegexValidator(r"^[a-z0-9]+(?:-[a-z0-9]+)*\Z", _("Use lower-case Latin letters, digits and single hyphens."))
WEB = models.Q(homepage="") | models.Q(homepage__startswith="https://") | models.Q(homepage__startswith="http://")


def folded(name: str) -> str:
    """Reduce a name to what makes it the same name: "Open AI", "OpenAI" and "open-ai" are all ``openai``."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", name).casefold()) or name.casefold()


class Term(models.Model):
    """A controlled word of one list, such as ``component:service-discovery``."""

    class List(models.TextChoices):
        DOMAIN = "domain", _("Domain")
        ROOT_CAUSE = "root_cause", _("Root cause")
        COMPONENT = "component", _("Component")
        SYMPTOM = "symptom", _("Symptom")
        CONTRIBUTING = "contributing", _("Contributing factor")
        SEVERITY = "severity", _("Severity")
        SOURCE_KIND = "source_kind", _("Kind of source")
        DATE_KIND = "date_kind", _("Kind of date")
        DETECTION_METHOD = "detection_method", _("Way of detection")
        REMEDIATION_KIND = "remediation_kind", _("Kind of remediation")
        TIMELINE_EVENT = "timeline_event", _("Kind of event")
        RELATION = "relation", _("Relation")
        CLAIM_BASIS = "claim_basis", _("Basis of a claim")
        DATE_PRECISION = "date_precision", _("Precision of a date")

    list = models.CharField(_("list"), max_length=20, choices=List)
    slug = models.CharField(_("slug"), max_length=80, validators=[SLUG])
    label = models.CharField(_("label"), max_length=100, blank=True, null=True)
    definition = models.TextField(_("definition"), blank=True, null=True)
    known = models.BooleanField(_("known"), default=True, help_text=_("Unset for a slug that only an import has used."))
    replaced_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="replaces", verbose_name=_("replaced by")
    )
    position = models.PositiveIntegerField(_("position"), default=0)

    # Made by modeltranslation.
    label_en: str | None
    label_ko: str | None
    definition_en: str | None
    definition_ko: str | None

    objects: ClassVar[MultilingualManager[Term]] = MultilingualManager()

    class Meta:
        verbose_name = _("term")
        verbose_name_plural = _("terms")
        ordering = ("list", "position", "slug")
        constraints = (
            models.UniqueConstraint(fields=["list", "slug"], name="term_once_in_its_list"),
            models.CheckConstraint(condition=~models.Q(slug=""), name="term_has_a_slug"),
            models.CheckConstraint(condition=~models.Q(replaced_by=models.F("id")), name="term_not_its_own_successor"),
        )

    def __str__(self) -> str:
        return f"{self.list}:{self.slug}"

    def clean(self) -> None:
        """Refuse a successor of another list and a circle of successors."""
        successor, seen = self.replaced_by, {self.pk}
        if successor is not None and successor.list != self.list:
            raise ValidationError({"replaced_by": _("The replacing term must be of the same list.")})
        while successor is not None:
            if successor.pk in seen:
                raise ValidationError({"replaced_by": _("The terms replace each other in a circle.")})
            seen.add(successor.pk)
            successor = successor.replaced_by

    def name(self, language: Language) -> str:
        """Return the label in a language, else in the other one, else the slug."""
        labels = (self.label_en, self.label_ko) if language == "en" else (self.label_ko, self.label_en)
        return labels[0] or labels[1] or self.slug


class Org(models.Model):
    """An organisation. ``name`` is what documents write; ``label`` is how each language calls it."""

    slug = models.CharField(_("slug"), max_length=80, unique=True, validators=[SLUG])
    name = models.CharField(_("name"), max_length=200, unique=True)
    folded = models.CharField(max_length=200, unique=True, editable=False)
    label = models.CharField(_("label"), max_length=200, blank=True, null=True)
    homepage = models.CharField(_("homepage"), max_length=500, blank=True, validators=[URLValidator(["http", "https"])])

    # Made by modeltranslation.
    label_en: str | None
    label_ko: str | None

    objects: ClassVar[MultilingualManager[Org]] = MultilingualManager()

    class Meta:
        verbose_name = _("organisation")
        verbose_name_plural = _("organisations")
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(Lower("slug"), name="org_slug_once_whatever_its_case"),
            models.CheckConstraint(condition=~models.Q(slug="") & ~models.Q(name=""), name="org_has_slug_and_name"),
            models.CheckConstraint(condition=WEB, name="org_homepage_is_on_the_web"),
        )

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Keep one organisation from being entered twice under two spellings."""
        self.folded = folded(self.name)
        same_spelling = models.Q(folded=self.folded) | models.Q(aliases__folded=self.folded)
        taken = Org.objects.exclude(pk=self.pk).filter(same_spelling)
        if same := taken.first():
            raise ValidationError({"name": _("This is a spelling of %(org)s.") % {"org": same.name}})

    def told(self, language: Language) -> str:
        """Return what a reader of this language calls the organisation."""
        return (self.label_en if language == "en" else self.label_ko) or self.name


class OrgAlias(models.Model):
    """Another spelling or a former name of an organisation."""

    org = models.ForeignKey(Org, models.CASCADE, related_name="aliases", verbose_name=_("organisation"))
    alias = models.CharField(_("alias"), max_length=200)
    folded = models.CharField(max_length=200, unique=True, editable=False)

    class Meta:
        verbose_name = _("alias")
        verbose_name_plural = _("aliases")
        ordering = ("alias",)

    def __str__(self) -> str:
        return self.alias

    def clean(self) -> None:
        """Keep one spelling from meaning two organisations."""
        self.folded = folded(self.alias)
        same = OrgAlias.objects.exclude(pk=self.pk).filter(folded=self.folded).select_related("org").first()
        org = same.org if same else Org.objects.exclude(pk=self.org_id).filter(folded=self.folded).first()
        if org is not None:
            raise ValidationError({"alias": _("This is a spelling of %(org)s.") % {"org": org.name}})


class GlossaryTerm(models.Model):
    """How a technical word is said in Korean: the preferred form, others that are allowed, and forbidden ones."""

    en = models.JSONField(_("English forms"), default=list)
    ko = models.CharField(_("preferred Korean"), max_length=100, unique=True)
    ko_allowed = models.JSONField(_("allowed Korean forms"), default=list, blank=True)
    ko_forbidden = models.JSONField(_("forbidden Korean forms"), default=list, blank=True)

    class Meta:
        verbose_name = _("glossary term")
        verbose_name_plural = _("glossary terms")
        ordering = ("ko",)

    def __str__(self) -> str:
        return f"{', '.join(self.en)}: {self.ko}"


class GlossaryName(models.Model):
    """A Latin name in Korean text; its reading decides which particle follows."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    reading_ko = models.CharField(_("reading in Korean"), max_length=100, blank=True)
    keep_latin = models.BooleanField(_("keep in Latin letters"), default=True)

    class Meta:
        verbose_name = _("name in the glossary")
        verbose_name_plural = _("names in the glossary")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Check(models.Model):
    """A library check: an "am I exposed?" question tied to terms, shown with every case that has one of them."""

    class Risk(models.TextChoices):
        READ_ONLY = "read-only", _("Only reads")
        DISRUPTIVE = "disruptive", _("May disturb the system")

    slug = models.CharField(_("slug"), max_length=80, unique=True, validators=[SLUG])
    question = models.TextField(_("question"), null=True)
    why = models.TextField(_("why it matters"), blank=True, null=True)
    how = models.TextField(_("how to find out"), blank=True, null=True)
    command = models.TextField(_("command"), blank=True)
    bad_answer = models.TextField(_("what a bad answer looks like"), blank=True, null=True)
    risk = models.CharField(_("risk"), max_length=20, choices=Risk, default=Risk.READ_ONLY)
    terms = models.ManyToManyField(Term, related_name="checks", verbose_name=_("terms"))
    position = models.PositiveIntegerField(_("position"), default=0)

    # Made by modeltranslation.
    question_en: str | None
    question_ko: str | None
    why_en: str | None
    why_ko: str | None
    how_en: str | None
    how_ko: str | None
    bad_answer_en: str | None
    bad_answer_ko: str | None

    objects: ClassVar[MultilingualManager[Check]] = MultilingualManager()

    class Meta:
        verbose_name = _("library check")
        verbose_name_plural = _("library checks")
        ordering = ("position", "slug")

    def __str__(self) -> str:
        return self.slug
