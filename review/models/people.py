"""What people may do with a language, beside the groups that say what they may do at all."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

WRITER, PUBLISHER, ADMINISTRATOR = "writer", "publisher", "administrator"
GROUPS = (WRITER, PUBLISHER, ADMINISTRATOR)


class LanguageRole(models.Model):
    """A person's part in one language. A writer's languages are those that the writer may write in."""

    class Role(models.TextChoices):
        WRITER = "writer", _("Writer")
        TRANSLATOR = "translator", _("Translator")
        REVIEWER = "reviewer", _("Reviewer")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="language_roles")
    language = models.CharField(_("language"), max_length=2, choices=[("en", _("English")), ("ko", _("Korean"))])
    role = models.CharField(_("role"), max_length=10, choices=Role)

    class Meta:
        verbose_name = _("role in a language")
        verbose_name_plural = _("roles in languages")
        constraints = (
            models.UniqueConstraint(fields=["user", "language", "role"], name="language_role_once"),
            models.CheckConstraint(condition=Q(language__in=["en", "ko"]), name="language_role_language"),
            models.CheckConstraint(
                condition=Q(role__in=["writer", "translator", "reviewer"]), name="language_role_is_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id}: {self.role} ({self.language})"
