"""Public names: who wrote and who reviewed. Accounts are ``auth.User``; a person may exist without one."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _


class Person(models.Model):
    """A public name, human or agent. An agent's work counts as its owner's."""

    class Kind(models.TextChoices):
        HUMAN = "human", _("Human")
        AGENT = "agent", _("Agent (a program)")

    name = models.CharField(_("public name"), max_length=200, unique=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.HUMAN)
    owner = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="agents", verbose_name=_("owner of the agent")
    )
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="person",
        verbose_name=_("account"),
    )

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("persons")
        ordering = ("name",)
        constraints = (
            models.CheckConstraint(condition=~models.Q(name=""), name="person_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(owner__isnull=True) | models.Q(kind="agent"), name="only_agents_have_an_owner"
            ),
            models.CheckConstraint(condition=~models.Q(owner=models.F("id")), name="person_not_its_own_owner"),
        )

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.owner is not None and (self.kind != self.Kind.AGENT or self.owner.kind != self.Kind.HUMAN):
            raise ValidationError({"owner": _("Only an agent has an owner, and the owner is a human.")})
