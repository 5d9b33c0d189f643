"""The review state of each language of a text, found by comparing documents: what was read with what is there now.

Nothing here decides or remembers. The columns ``state_en`` and ``state_ko`` of a manuscript are a cache for queues;
``keep_states`` alone writes them, and ``manage.py check_states`` compares them with the truth.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from django.utils import timezone

from cases.document import LANGUAGES, CaseDocument, Language, write_json
from cases.fields import facts, texts
from cases.models import LanguageVersion

from .models import Decision, Manuscript, Revision, Submission
from .policy import OTHER, missing_fields, named

State = LanguageVersion.State


@dataclass(frozen=True)
class LanguageState:
    """Where one language stands. ``approval`` is the one in force, whether or not it has read this very text.

    ``approvals`` are all since the last refusal or withdrawal, the one in force last.
    ``read`` is the last approval that nobody took back, even if changes were asked for since: what a reviewer knows.
    ``missing_words`` names the ``missing_fields`` for a person.
    ``stale_fields`` are the paths of the counterpart and of facts that moved since the approval read them.
    """

    language: Language
    state: State
    last: Decision | None = None
    approvals: Sequence[Decision] = ()
    read: Decision | None = None
    submission: Submission | None = None
    stale_fields: Sequence[str] = ()
    missing_fields: Sequence[str] = ()
    missing_words: str = ""

    @property
    def approval(self) -> Decision | None:
        return self.approvals[-1] if self.approvals else None

    @property
    def last_id(self) -> int:
        """The id of the last decision, 0 when there is none: what a page posts back."""
        return self.last.pk if self.last is not None else 0


States = Mapping[Language, LanguageState]


def states_of(manuscript: Manuscript | None, document: CaseDocument) -> States:
    """Find the states of the newest text; a published case that nobody edited yet has no decisions."""
    if manuscript is None:
        return {language: language_state(document, language, (), None) for language in LANGUAGES}
    decisions, submissions = _told(manuscript, manuscript.head)
    return {
        language: language_state(document, language, decisions[language], submissions[language])
        for language in LANGUAGES
    }


def approved(states: States) -> set[Language]:
    return {language for language, one in states.items() if one.state == State.APPROVED}


def states_at(revision: Revision) -> States:
    """Find the states of the text of one revision, which may be older than the newest.

    A later approval counts for it only if it has read exactly this; a later refusal, if it was about the same text.
    """
    document = revision.document()
    decisions, submissions = _told(revision.manuscript, revision)
    return {
        language: language_state(
            document,
            language,
            [one for one in decisions[language] if _is_about(one, revision, document)],
            submissions[language],
            last=next(reversed(decisions[language]), None),
        )
        for language in LANGUAGES
    }


def language_state(
    document: CaseDocument,
    language: Language,
    decisions: Sequence[Decision],
    submission: Submission | None,
    last: Decision | None = None,
) -> LanguageState:
    """Apply the table of states: the first rule that holds. ``decisions`` are in their order."""
    latest = next(reversed(decisions), None)
    last = last or latest
    approvals = list(takewhile(lambda decision: decision.approves, reversed(decisions)))[::-1]
    known: dict[str, Any] = {"last": last, "approvals": approvals, "read": _last_read(decisions)}
    known["missing_fields"] = missing = missing_fields(document, language)
    known["missing_words"] = named(document, missing)
    if language not in document.languages:
        return LanguageState(language, State.MISSING, **known)
    own = texts(document, language)
    if _is_open(submission, last) and own == texts(submission.revision.document(), language):  # type: ignore[union-attr]  # open ones exist
        return LanguageState(language, State.IN_REVIEW, submission=submission, **known)
    if latest is None or own != texts(latest.revision.document(), language):
        return LanguageState(language, State.DRAFT, **known)
    if latest.verdict == Decision.Verdict.REQUEST_CHANGES:
        return LanguageState(language, State.CHANGES_REQUESTED, **known)
    if not approvals:
        return LanguageState(language, State.DRAFT, **known)
    moved = moved_fields(latest.revision.document(), document, language)
    return LanguageState(language, State.STALE if moved else State.APPROVED, stale_fields=moved, **known)


def _last_read(decisions: Sequence[Decision]) -> Decision | None:
    """Return the last approval that was not withdrawn."""
    withdrawn = Decision.Verdict.WITHDRAW_APPROVAL
    kept = takewhile(lambda decision: decision.verdict != withdrawn, reversed(decisions))
    return next((decision for decision in kept if decision.approves), None)


def moved_fields(read: CaseDocument, now: CaseDocument, language: Language) -> list[str]:
    """Name the texts of the other language and the facts that differ from what an approval has read."""
    other = OTHER[language]
    return _differing(texts(read, other), texts(now, other)) + _differing(facts(read), facts(now))


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [path for path in {**after, **before} if before.get(path) != after.get(path)]


def shown_hash(document: CaseDocument, language: Language) -> str:
    """Hash exactly what a reviewer of a language is shown: own text, counterpart text, facts."""
    told = [language, texts(document, language), texts(document, OTHER[language]), facts(document)]
    return hashlib.sha256(write_json(told).encode()).hexdigest()


def _told(manuscript: Manuscript, *read: Revision | None) -> tuple[dict[Language, list[Decision]], dict[Language, Any]]:
    """Read the decisions on a manuscript and its last submissions, by language; ``read`` are revisions at hand.

    What is about the same revision shares it, so that its text is read and parsed once.
    """
    known = {revision.pk: revision for revision in read if revision is not None}
    decisions = _by_language(manuscript.decisions, known)
    submissions = _by_language(manuscript.submissions, known)
    return decisions, {language: next(reversed(found), None) for language, found in submissions.items()}


def _by_language(told: Any, known: dict[int, Revision]) -> dict[Language, list[Any]]:
    found: dict[Language, list[Any]] = {language: [] for language in LANGUAGES}
    for row in told.select_related("revision", "person").defer("revision__text").order_by("pk"):
        row.revision = known.setdefault(row.revision_id, row.revision)
        found[row.language].append(row)
    return found


def _is_open(submission: Submission | None, last: Decision | None) -> bool:
    if submission is None or submission.kind != Submission.Kind.SUBMIT:
        return False
    return submission.after_id == (last.pk if last is not None else None)


def _is_about(decision: Decision, revision: Revision, document: CaseDocument) -> bool:
    if decision.revision.number <= revision.number:
        return True
    read = decision.revision.document()
    language: Any = decision.language  # en or ko by a CHECK
    if texts(read, language) != texts(document, language):
        return False
    return not (decision.approves and moved_fields(read, document, language))


# The cache


def keep_states(manuscript: Manuscript) -> States:
    """Write the cached states of a manuscript, and since when they are so; return the states."""
    assert manuscript.head is not None  # noqa: S101  (only a manuscript without any revision has none)
    found = states_of(manuscript, manuscript.head.document())
    columns: dict[str, Any] = {}
    for language in _outdated(manuscript, found):
        columns |= {f"state_{language}": found[language].state, f"state_{language}_at": timezone.now()}
    if columns:
        Manuscript.objects.filter(pk=manuscript.pk).update(**columns)
        for name, value in columns.items():
            setattr(manuscript, name, value)
    return found


def wrong_states() -> list[str]:
    """Compare every cached state with the truth; say in one line each what is wrong."""
    found = []
    for manuscript in Manuscript.objects.select_related("head").exclude(head=None).iterator():
        if manuscript.head is None:
            continue
        true = states_of(manuscript, manuscript.head.document())
        for language in LANGUAGES:
            cached = getattr(manuscript, f"state_{language}")
            if cached != true[language].state:
                found.append(f"{manuscript.id_text} {language}: {cached} is kept, {true[language].state} is true")
    return found


def _outdated(manuscript: Manuscript, found: States) -> list[Language]:
    """Return the languages whose cached state is not the true one, or has no date yet."""
    cached = Manuscript.objects.values("state_en", "state_ko", "state_en_at", "state_ko_at").get(pk=manuscript.pk)
    return [
        language
        for language in LANGUAGES
        if cached[f"state_{language}"] != found[language].state or cached[f"state_{language}_at"] is None  # type: ignore[literal-required]  # columns by language
    ]
