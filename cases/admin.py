"""The admin: words, organisations, checks and persons are edited here; cases and editions can only be looked at.

Cases are written on the desk. Plain ``TranslationAdmin``: modeltranslation's tabs load scripts from elsewhere.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import F, Prefetch, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from modeltranslation.admin import TranslationAdmin

from cases.document import LANGUAGES, Language, case_id, case_number
from cases.models import (
    Case,
    Check,
    Edition,
    GlossaryName,
    GlossaryTerm,
    LanguageVersion,
    Org,
    OrgAlias,
    Person,
    Term,
)
from cases.publishing import touch_vocabulary


class WordAdmin(TranslationAdmin[Any]):
    """Base of what public pages print: a change here makes pages that were rendered before out of date."""

    def save_related(self, request: HttpRequest, form: ModelForm[Any], formsets: Any, change: bool) -> None:  # noqa: FBT001  (Django's signature)
        super().save_related(request, form, formsets, change)
        touch_vocabulary()

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        touch_vocabulary()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        super().delete_queryset(request, queryset)
        touch_vocabulary()


@admin.register(Term)
class TermAdmin(WordAdmin):
    list_display = ("slug", "list", "label_en", "label_ko", "known", "replaced_by")
    list_filter = ("list", "known")
    list_select_related = ("replaced_by",)
    search_fields = ("slug", "label_en", "label_ko")
    autocomplete_fields = ("replaced_by",)
    fields = ("list", "slug", "label", "definition", "known", "replaced_by", "position")

    def get_readonly_fields(self, _request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Keep the name that documents use: a slug is replaced by another term, never renamed."""
        return ("list", "slug") if obj is not None else ()


class OrgAliasInline(admin.TabularInline[OrgAlias, Org]):
    model = OrgAlias
    extra = 1


@admin.register(Org)
class OrgAdmin(WordAdmin):
    list_display = ("name", "slug", "label_en", "label_ko", "homepage")
    search_fields = ("name", "slug", "label_en", "label_ko", "aliases__alias")
    fields = ("slug", "name", "label", "homepage")
    inlines = (OrgAliasInline,)

    def get_readonly_fields(self, _request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Keep the name that documents use; a new name of an organisation is its label, an old one its alias."""
        return ("name",) if obj is not None else ()


@admin.register(Check)
class CheckAdmin(WordAdmin):
    list_display = ("slug", "question_en", "question_ko", "risk")
    list_filter = ("risk",)
    search_fields = ("slug", "question_en", "question_ko", "command")
    autocomplete_fields = ("terms",)
    fields = ("slug", "question", "why", "how", "command", "bad_answer", "risk", "terms", "position")


@admin.register(GlossaryTerm)
class GlossaryTermAdmin(admin.ModelAdmin[GlossaryTerm]):
    list_display = ("ko", "en", "ko_allowed", "ko_forbidden")
    search_fields = ("ko", "en")


@admin.register(GlossaryName)
class GlossaryNameAdmin(admin.ModelAdmin[GlossaryName]):
    list_display = ("name", "reading_ko", "keep_latin")
    search_fields = ("name", "reading_ko")


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin[Person]):
    list_display = ("name", "kind", "owner", "user")
    list_filter = ("kind",)
    list_select_related = ("owner", "user")
    search_fields = ("name",)
    autocomplete_fields = ("owner",)
    # Whose account acts under a name is settled on the people page of the desk, where it is logged.
    readonly_fields = ("user",)

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Persons stay: their names stand under what they wrote. A name may be replaced."""
        return False


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Base of what can be looked at but is changed only by publishing."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


def _told(version: LanguageVersion | None) -> str:
    """Say in one cell where a language stands: state, writer, reviewer, when."""
    if version is None:
        return ""
    parts = [str(version.get_state_display())]
    if version.written_by:
        parts.append(_("written by %(name)s") % {"name": version.written_by.name})
    if version.reviewed_by and version.reviewed_at:
        told = {"name": version.reviewed_by.name, "date": version.reviewed_at.date().isoformat()}
        parts.append(_("reviewed by %(name)s on %(date)s") % told)
    return " · ".join(str(part) for part in parts)


class StateFilter(admin.SimpleListFilter):
    """Filters cases by the state of one language of their current edition."""

    language: Language

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[str, Any]]:
        return list(LanguageVersion.State.choices)

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        return queryset.filter(
            editions__number=F("edition_number"),
            editions__language_versions__language=self.language,
            editions__language_versions__state=self.value(),
        )


class EnglishStateFilter(StateFilter):
    title = _("English")
    parameter_name = "state_en"
    language = "en"


class KoreanStateFilter(StateFilter):
    title = _("Korean")
    parameter_name = "state_ko"
    language = "ko"


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin):
    list_display = ("id_text", "title_en", "title_ko", "org", "date_first", "english", "korean", "status", "page")
    list_filter = ("status", "example", "has_draft", EnglishStateFilter, KoreanStateFilter, "org")
    list_select_related = ("org",)
    list_per_page = 50
    search_fields = ("title_en", "title_ko", "org__name", "org__aliases__alias")
    ordering = ("-number",)
    fields = (
        "id_text", "page", "org", "title_en", "title_ko", "summary_en", "summary_ko", "date_first", "severity",
        "root_cause", "status", "edition_number", "updated_at", "english", "korean", "example", "has_draft",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        versions = LanguageVersion.objects.filter(edition__number=F("edition__case__edition_number"))
        current = Edition.objects.filter(number=F("case__edition_number")).defer("text")
        return (
            super()
            .get_queryset(request)
            .prefetch_related(
                Prefetch("editions", current, to_attr="current"),
                Prefetch("current__language_versions", versions.select_related("written_by", "reviewed_by")),
            )
        )

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> tuple[Any, bool]:
        """Find a case by its number first."""
        try:
            return queryset.filter(number=case_number(search_term.strip().upper())), False
        except ValueError:
            return super().get_search_results(request, queryset, search_term)

    @admin.display(description=_("number"), ordering="number")
    def id_text(self, case: Case) -> str:
        return case.id_text

    @admin.display(description=_("English"))
    def english(self, case: Case) -> str:
        return _told(_version(case, "en"))

    @admin.display(description=_("Korean"))
    def korean(self, case: Case) -> str:
        return _told(_version(case, "ko"))

    @admin.display(description=_("public page"))
    def page(self, case: Case) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("cases:case", kwargs={"id": case.id_text}), case.id_text)


def _version(case: Any, language: Language) -> LanguageVersion | None:
    found = [version for edition in case.current for version in edition.language_versions.all()]
    return next((version for version in found if version.language == language), None)


class LanguageVersionInline(admin.TabularInline[LanguageVersion, Edition]):
    model = LanguageVersion
    fields = (
        "language", "state", "written_by", "reviewed_by", "reviewed_at", "override", "override_reason", "elsewhere_by",
    )  # fmt: skip
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


@admin.register(Edition)
class EditionAdmin(ReadOnlyAdmin):
    list_display = ("case_id_text", "number", "published_at", "note", *(f"state_{language}" for language in LANGUAGES))
    list_filter = ("published_at", "language_versions__state")
    search_fields = ("case__title_en", "case__title_ko", "note")
    date_hierarchy = "published_at"
    ordering = ("-published_at", "-pk")
    fields = ("case", "number", "published_at", "note", "text")
    readonly_fields = fields
    inlines = (LanguageVersionInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Edition]:
        versions = LanguageVersion.objects.select_related("written_by", "reviewed_by")
        rows = super().get_queryset(request).select_related("case")
        return rows.prefetch_related(Prefetch("language_versions", versions))

    @admin.display(description=_("case"), ordering="case__number")
    def case_id_text(self, edition: Edition) -> str:
        return case_id(edition.case.number)

    @admin.display(description=_("English"))
    def state_en(self, edition: Edition) -> str:
        return _told(next((v for v in edition.language_versions.all() if v.language == "en"), None))

    @admin.display(description=_("Korean"))
    def state_ko(self, edition: Edition) -> str:
        return _told(next((v for v in edition.language_versions.all() if v.language == "ko"), None))
