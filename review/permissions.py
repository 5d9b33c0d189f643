"""Who may do what. One function answers, with the reason that a disabled button shows; nothing else decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from cases.document import Language

from .models import ADMINISTRATOR, PUBLISHER, WRITER, LanguageRole, Manuscript

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User
    from django.utils.functional import _StrPromise as StrPromise


class Act(StrEnum):
    SEE = "see"
    CREATE = "create"
    EDIT_FACTS = "edit-facts"
    EDIT_TEXT = "edit-text"
    RESTORE = "restore"
    ARCHIVE = "archive"
    REOPEN = "reopen"
    PUBLISH = "publish"
    WITHDRAW = "withdraw"
    MERGE = "merge"
    MANAGE = "manage"
    COMMENT = "comment"
    # To close what somebody else said must be settled before an approval.
    RESOLVE_BLOCKING = "resolve-blocking"


@dataclass(frozen=True)
class Answer:
    """Whether an act is allowed, and if not, why not, in words for the person who asked."""

    ok: bool
    reason: str | StrPromise = ""

    def __bool__(self) -> bool:
        return self.ok


@dataclass(frozen=True)
class Standing:
    """What a person holds: groups, and roles as (role, language)."""

    groups: frozenset[str]
    roles: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, user: User | AnonymousUser) -> Standing:
        """Read what a user holds. Superusers are administrators; a deactivated account holds nothing."""
        if not user.is_authenticated or not user.is_active:
            return cls(frozenset(), frozenset())
        groups = set(user.groups.values_list("name", flat=True))
        if user.is_superuser:
            groups.add(ADMINISTRATOR)
        roles = LanguageRole.objects.filter(user=user).values_list("role", "language")
        return cls(frozenset(groups), frozenset(roles))

    def has_part(self) -> bool:
        return bool(self.groups or self.roles)

    def is_any_of(self, *groups: str) -> bool:
        return bool(self.groups & set(groups))

    def writes(self, language: Language) -> bool:
        """Writers write in the languages they hold; translators and reviewers in theirs; administrators in both."""
        if ADMINISTRATOR in self.groups:
            return True
        held = {role for role, held_language in self.roles if held_language == language}
        return bool(held & {"translator", "reviewer"}) or (WRITER in self.groups and "writer" in held)

    def settles(self, language: Language | None) -> bool:
        """Reviewers close blocking threads of their language (of both, any reviewer), publishers all of them."""
        reviewed = {held_language for role, held_language in self.roles if role == "reviewer"}
        return self.is_any_of(PUBLISHER, ADMINISTRATOR) or bool(reviewed & {language} if language else reviewed)


YES = Answer(ok=True)
NO_PART = _("You have no role here yet. Ask an administrator for one.")
NEEDS = {
    Act.CREATE: ((WRITER, PUBLISHER, ADMINISTRATOR), _("Only writers and publishers create cases.")),
    Act.EDIT_FACTS: ((WRITER, PUBLISHER, ADMINISTRATOR), _("Only writers and publishers change facts.")),
    Act.RESTORE: ((WRITER, ADMINISTRATOR), _("Only writers restore an older revision.")),
    Act.ARCHIVE: ((WRITER, PUBLISHER, ADMINISTRATOR), _("Only writers and publishers archive drafts.")),
    Act.REOPEN: ((WRITER, PUBLISHER, ADMINISTRATOR), _("Only writers and publishers reopen drafts.")),
    Act.PUBLISH: ((PUBLISHER, ADMINISTRATOR), _("Only publishers publish.")),
    Act.WITHDRAW: ((PUBLISHER, ADMINISTRATOR), _("Only publishers withdraw cases.")),
    Act.MERGE: ((PUBLISHER, ADMINISTRATOR), _("Only publishers merge cases.")),
    Act.MANAGE: ((ADMINISTRATOR,), _("Only administrators manage people.")),
}
NOT_THEIR_LANGUAGE = {
    "en": _("You do not write in English here. Ask an administrator for the role."),
    "ko": _("You do not write in Korean here. Ask an administrator for the role."),
}
NOT_THEIR_BLOCK = _("Only who opened this blocking thread, a reviewer of its language or a publisher resolves it.")
ARCHIVED = _("This draft is archived. Reopen it first.")
WHILE_ARCHIVED = {Act.SEE, Act.REOPEN, Act.CREATE, Act.MANAGE}


def can(
    user: User | AnonymousUser,
    act: Act,
    manuscript: Manuscript | None = None,
    language: Language | None = None,
    standing: Standing | None = None,
) -> Answer:
    """Say whether a user may do something, to a manuscript and in a language where the act has one.

    ``standing`` saves reading it again where one page asks several times.
    """
    standing = standing or Standing.of(user)
    if not standing.has_part():
        return Answer(ok=False, reason=NO_PART)
    if manuscript is not None and manuscript.archived_at is not None and act not in WHILE_ARCHIVED:
        return Answer(ok=False, reason=ARCHIVED)
    if act in {Act.EDIT_TEXT, Act.RESOLVE_BLOCKING}:
        return _in_language(standing, act, language)
    if act in {Act.SEE, Act.COMMENT}:
        return YES
    groups, reason = NEEDS[act]
    if not standing.is_any_of(*groups):
        return Answer(ok=False, reason=reason)
    return _fits(act, manuscript)


def _in_language(standing: Standing, act: Act, language: Language | None) -> Answer:
    """Say whether somebody may do what a role in a language allows."""
    if act is Act.RESOLVE_BLOCKING:
        return YES if standing.settles(language) else Answer(ok=False, reason=NOT_THEIR_BLOCK)
    if language is None:
        message = "editing a text needs a language"
        raise ValueError(message)
    return YES if standing.writes(language) else Answer(ok=False, reason=NOT_THEIR_LANGUAGE[language])


def _fits(act: Act, manuscript: Manuscript | None) -> Answer:
    """Say whether an act fits where the manuscript is now."""
    if manuscript is None:
        return YES
    published = manuscript.case_id is not None
    if act is Act.ARCHIVE and published:
        return Answer(ok=False, reason=_("A published case is withdrawn, not archived."))
    if act is Act.REOPEN and manuscript.archived_at is None:
        return Answer(ok=False, reason=_("This draft is not archived."))
    if act in {Act.WITHDRAW, Act.MERGE} and not published:
        return Answer(ok=False, reason=_("This case was never published."))
    return YES
