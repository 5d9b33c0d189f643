"""The desk's tables in the admin: manuscripts, revisions and events can be looked at, never changed there."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from cases.admin import ReadOnlyAdmin
from cases.document import case_id
from review.models import Event, LanguageRole, Manuscript, Revision


def desk_link(number: int) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse("review:manuscript", args=[case_id(number)]), case_id(number))


@admin.register(Manuscript)
class ManuscriptAdmin(ReadOnlyAdmin):
    list_display = ("id_text", "org", "title_en", "title_ko", "head", "live", "live_edition", "changed_at", "on_desk")
    list_filter = ("archived_at", "changed_at")
    list_select_related = ("head", "live")
    search_fields = ("org", "title_en", "title_ko")
    fields = ("id_text", "org", "title_en", "title_ko", "head", "live", "live_edition", "archived_at", "created_at")
    readonly_fields = fields
    ordering = ("-changed_at",)

    @admin.display(description=_("number"), ordering="number")
    def id_text(self, manuscript: Manuscript) -> str:
        return manuscript.id_text

    @admin.display(description=_("desk"))
    def on_desk(self, manuscript: Manuscript) -> SafeString:
        return desk_link(manuscript.number)


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    list_display = ("manuscript", "number", "author", "note", "created_at", "on_desk")
    list_filter = ("created_at",)
    search_fields = ("note", "author__name", "manuscript__title_en", "manuscript__title_ko")
    fields = ("manuscript", "number", "author", "base", "note", "edition_number", "created_at", "sha256", "text")
    readonly_fields = fields
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Revision]:
        return super().get_queryset(request).select_related("manuscript", "author", "base")

    @admin.display(description=_("desk"))
    def on_desk(self, revision: Revision) -> SafeString:
        return desk_link(revision.manuscript.number)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("sequence", "at", "person", "verb", "case", "language", "revision_number", "note", "channel")
    list_filter = ("verb", "channel", "at")
    list_select_related = ("person",)
    search_fields = ("note", "person__name")
    date_hierarchy = "at"

    @admin.display(description=_("case"), ordering="number")
    def case(self, event: Event) -> SafeString | str:
        return desk_link(event.number) if event.number else ""


@admin.register(LanguageRole)
class LanguageRoleAdmin(ReadOnlyAdmin):
    """Roles are given on the people page of the desk, where each change is logged."""

    list_display = ("user", "language", "role")
    list_filter = ("language", "role")
    list_select_related = ("user",)
    search_fields = ("user__username",)


class AccountAdmin(ReadOnlyAdmin):
    """Accounts are invited, given roles and deactivated on the people page of the desk, where each act is logged."""

    list_display = ("username", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "groups")
    search_fields = ("username", "email")
    fields = ("username", "email", "is_active", "is_staff", "is_superuser", "groups", "last_login", "date_joined")
    readonly_fields = fields


admin.site.unregister(Group)
admin.site.unregister(User)
admin.site.register(User, AccountAdmin)
