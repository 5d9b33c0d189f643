"""Who may do what. One function answers, with the reason that a disabled button shows; nothing else decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from cases.document import LANGUAGES, Language
from cases.models import Case, Person

from .answers import APPROVING, DECIDING, OF_A_LANGUAGE, YES, Act, Answer, no
from .four_eyes import independent
from .models import ADMINISTRATOR, PUBLISHER, WRITER, LanguageRole, Manuscript
from .models.comments import blocking
from .states import States, states_of
from .transitions import NOT_THE_SUBMITTER, fits, submitted

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

__all__ = ["Act", "Answer", "Standing", "can"]


@dataclass(frozen=True)
class Standing:
    """What a person holds: groups, and roles as (role, language)."""

    groups: frozenset[str]
    roles: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, user: User | AnonymousUser) -> Standing:
        """Read what a user holds. Superusers are administrators; a deactivated account holds nothing.

        A program that was given nothing of its own may write what its owner may write at this moment.
        """
        return cls.of_all([user])[user.pk] if user.is_authenticated else NOTHING

    @classmethod
    def of_all(cls, users: Collection[User]) -> dict[int, Standing]:
        """Read what several users hold, by their ids: in two statements, and more for each program."""
        groups: defaultdict[int, set[str]] = defaultdict(set)
        roles: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
        for pk, name in User.groups.through.objects.filter(user__in=users).values_list("user", "group__name"):
            groups[pk].add(name)
        for pk, role, language in LanguageRole.objects.filter(user__in=users).values_list("user", "role", "language"):
            roles[pk].add((role, language))
        return {user.pk: cls._holding(user, groups[user.pk], roles[user.pk]) for user in users}

    @classmethod
    def _holding(cls, user: User, groups: set[str], roles: set[tuple[str, str]]) -> Standing:
        if not user.is_active:
            return NOTHING
        if user.is_superuser:
            groups = groups | {ADMINISTRATOR}
        own = cls(frozenset(groups), frozenset(roles))
        return own if own.has_part() else cls._lent_to(user)

    @classmethod
    def _lent_to(cls, user: User) -> Standing:
        """Return what the owner of a program lends it; nothing for people."""
        program = Person.objects.filter(user=user.pk, kind=Person.Kind.AGENT).select_related("owner__user").first()
        owner = program.owner.user if program is not None and program.owner is not None else None
        return cls.of(owner).lent() if owner is not None else NOTHING

    def lent(self) -> Standing:
        """Reduce what somebody holds to what a program of theirs may do: write and submit, never decide."""
        groups = {WRITER} if self.is_any_of(WRITER, PUBLISHER, ADMINISTRATOR) else set()
        return Standing(frozenset(groups), frozenset(("translator", one) for one in LANGUAGES if self.writes(one)))

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


NOTHING = Standing(frozenset(), frozenset())
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
    Act.PAIR: ((PUBLISHER, ADMINISTRATOR), _("Only publishers choose related cases.")),
    Act.MANAGE: ((ADMINISTRATOR,), _("Only administrators manage people.")),
    Act.OVERRIDE: ((ADMINISTRATOR,), _("Only administrators set the rule of four eyes aside.")),
}
NOT_REVIEWER = {
    "en": _("You do not review English here. Ask an administrator for the role."),
    "ko": _("You do not review Korean here. Ask an administrator for the role."),
}
PROGRAM = _("A program may write and submit, but never decides.")
BLOCKED = _("An open comment must be settled before this text is approved.")
NOT_PUBLIC = _("This case is withdrawn or merged. Undo that first.")
NOT_THEIR_LANGUAGE = {
    "en": _("You do not write in English here. Ask an administrator for the role."),
    "ko": _("You do not write in Korean here. Ask an administrator for the role."),
}
NOT_THEIR_BLOCK = _("Only who opened this blocking thread, a reviewer of its language or a publisher resolves it.")
ARCHIVED = _("This draft is archived. Reopen it first.")
NOT_TO_TAKE = {
    "en": _("You have no part in the English texts here. Ask an administrator for a role."),
    "ko": _("You have no part in the Korean texts here. Ask an administrator for a role."),
}
NOT_TO_ASSIGN = _("Only reviewers of the language and publishers assign work to others.")
ASSIGNING = {Act.TAKE, Act.ASSIGN}
WHILE_ARCHIVED = {Act.SEE, Act.REOPEN, Act.CREATE, Act.MANAGE}


def can(
    user: User | AnonymousUser,
    act: Act,
    manuscript: Manuscript | None = None,
    language: Language | None = None,
    standing: Standing | None = None,
    states: States | None = None,
) -> Answer:
    """Say whether a user may do something, to a manuscript and in a language where the act has one.

    ``standing`` and ``states`` save reading them again where one page asks several times.
    """
    standing = standing or Standing.of(user)
    if not standing.has_part():
        return no(NO_PART, "no-role")
    if manuscript is not None and manuscript.archived_at is not None and act not in WHILE_ARCHIVED:
        return no(ARCHIVED, "archived")
    if act in {Act.SEE, Act.COMMENT}:
        return YES
    if act in ASSIGNING or act is Act.RESOLVE_BLOCKING:
        return _can_settle(act, manuscript, language, standing)
    if act is Act.EDIT_TEXT or act in OF_A_LANGUAGE:
        return _can_with_text(user, act, manuscript, _named(language), standing, states)
    groups, reason = NEEDS[act]
    return _fits(act, manuscript) if standing.is_any_of(*groups) else no(reason, "no-role")


def _can_settle(act: Act, manuscript: Manuscript | None, language: Language | None, standing: Standing) -> Answer:
    """Answer for closing others' threads, and for handing out work."""
    if act is Act.RESOLVE_BLOCKING:
        return YES if standing.settles(language) else no(NOT_THEIR_BLOCK, "no-role")
    return _can_assign(act, manuscript, _named(language), standing)


def _can_assign(act: Act, manuscript: Manuscript | None, language: Language, standing: Standing) -> Answer:
    """Answer for handing out work: one's own to whoever has a part in the language, others' to reviewers of it."""
    everywhere = standing.is_any_of(PUBLISHER, ADMINISTRATOR)
    if act is Act.TAKE and not (everywhere or standing.writes(language)):
        return no(NOT_TO_TAKE[language], "no-role")
    if act is Act.ASSIGN and not (everywhere or ("reviewer", language) in standing.roles):
        return no(NOT_TO_ASSIGN, "no-role")
    return YES if _is_open(manuscript) else no(NOT_PUBLIC, "not-public")


def _is_open(manuscript: Manuscript | None) -> bool:
    """Tell whether a case is neither withdrawn nor merged."""
    return manuscript is None or manuscript.case is None or manuscript.case.status == Case.Status.PUBLISHED


def _named(language: Language | None) -> Language:
    if language is None:
        message = "an act on a text needs a language"
        raise ValueError(message)
    return language


def _fits(act: Act, manuscript: Manuscript | None) -> Answer:
    """Say whether an act fits where the manuscript is now."""
    if manuscript is None:
        return YES
    published = manuscript.case_id is not None
    if act is Act.ARCHIVE and published:
        return no(_("A published case is withdrawn, not archived."), "unfit")
    if act is Act.REOPEN and manuscript.archived_at is None:
        return no(_("This draft is not archived."), "unfit")
    if act in {Act.WITHDRAW, Act.MERGE} and not published:
        return no(_("This case was never published."), "unfit")
    return YES


def _can_with_text(
    user: User | AnonymousUser,
    act: Act,
    manuscript: Manuscript | None,
    language: Language,
    standing: Standing,
    states: States | None,
) -> Answer:
    """Answer for an act on the text of a language: the role first, then where the text is, then four eyes."""
    answer = _has_part_in(user, act, language, standing)
    if not answer or act is Act.EDIT_TEXT:
        return answer
    if manuscript is None:
        return YES if states is None else fits(act, states[language])
    if not _is_open(manuscript):
        return no(NOT_PUBLIC, "not-public")
    if states is None and manuscript.head is not None:
        states = states_of(manuscript, manuscript.head.document())
    if states is None:
        return YES
    return fits(act, states[language]) and _as_person(user, act, manuscript, language, standing, states)


def _as_person(
    user: User | AnonymousUser,
    act: Act,
    manuscript: Manuscript,
    language: Language,
    standing: Standing,
    states: States,
) -> Answer:
    """Answer for an act that fits: is it this person's to do, and does nothing stand against it."""
    if act is Act.WITHDRAW_SUBMISSION:
        is_theirs = standing.is_any_of(PUBLISHER, ADMINISTRATOR) or submitted(user, states[language])  # type: ignore[arg-type]  # signed in
        return YES if is_theirs else no(NOT_THE_SUBMITTER, "no-role")
    if act not in APPROVING:
        return YES
    if blocking(manuscript, language):
        return no(BLOCKED, "blocking-comment")
    return independent(user, act, manuscript, language, states)  # type: ignore[arg-type]  # signed in


def _has_part_in(user: User | AnonymousUser, act: Act, language: Language, standing: Standing) -> Answer:
    if act in DECIDING:
        if Person.objects.filter(user=user.pk, kind=Person.Kind.AGENT).exists():
            return no(PROGRAM, "program")
        publishes = act is Act.WITHDRAW_APPROVAL and standing.is_any_of(PUBLISHER, ADMINISTRATOR)
        return YES if publishes or ("reviewer", language) in standing.roles else no(NOT_REVIEWER[language], "no-role")
    publishes = act is not Act.EDIT_TEXT and standing.is_any_of(PUBLISHER)
    may = publishes or standing.writes(language) or act is Act.WITHDRAW_SUBMISSION
    return YES if may else no(NOT_THEIR_LANGUAGE[language], "no-role")
