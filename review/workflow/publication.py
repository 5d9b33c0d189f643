"""Publishing, withdrawing and merging: the acts that readers see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cases import publishing
from cases.document import LANGUAGES, CaseDocument, Language, case_id
from cases.models import Case, Change, Edition, LanguageVersion, Person
from cases.rendering import store_rendered
from cases.words import Words
from review import notices
from review.log import record
from review.models import Event, Manuscript, Revision, RevisionAuthor
from review.permissions import Act, can
from review.policy import obstacles
from review.states import LanguageState, approved, states_at

from .manuscripts import locked, person_of, set_live
from .refusals import Conflict, Refused, given, noted, refusals_noted, require

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@refusals_noted(Act.PUBLISH)
def publish(user: User, number: int, revision_number: int, head_number: int, note: str = "") -> Edition:
    """Publish one revision by its number; ``head_number`` is the newest one the person knew of.

    The pages are rendered after the transaction, so a reader waits for none of it.
    """
    with transaction.atomic():
        manuscript, head = locked(number)
        require(can(user, Act.PUBLISH, manuscript))
        if head.number != head_number:
            raise Conflict(_("The draft has changed since this page was opened."), head=head)
        revision = manuscript.revisions.filter(number=revision_number).first()
        if revision is None:
            raise Refused(_("There is no revision %(number)s of this case.") % {"number": revision_number})
        edition = _publish(manuscript, revision, person_of(user), note)
    store_rendered([number])
    return edition


def _publish(manuscript: Manuscript, revision: Revision, person: Person, note: str) -> Edition:
    document = revision.document()
    if found := obstacles(document, approved_languages(revision)):
        raise Refused(" ".join(found))
    if manuscript.live_id == revision.pk:
        raise Refused(_("This revision is what readers see already."))
    case = manuscript.case
    if case is not None and case.status != Case.Status.PUBLISHED:
        raise Refused(_("This case is withdrawn or merged. Undo that first."))
    words = Words()
    document, _warnings = words.canonical(document)
    now = timezone.now()
    publication = publishing.Publication(
        document, language_versions(revision, document), note=note, published_at=now, updated_at=now
    )
    case = publishing.publish([publication], words)[0]
    edition = Edition.objects.select_related("case").get(case=case, number=case.edition_number)
    set_live(manuscript, revision, edition)
    about = f"edition {case.edition_number}"
    event = record(
        person, Event.Verb.PUBLISHED, number=manuscript.number, revision_number=revision.number, note=note, about=about
    )
    notices.published(event, manuscript)
    return edition


def approved_languages(revision: Revision) -> set[Language]:
    """Return the languages whose text, as this revision has it, an approval in force has read."""
    return approved(states_at(revision))


def language_versions(revision: Revision, document: CaseDocument) -> dict[Language, LanguageVersion]:
    """Say what is known of each language of a revision that is being published or that readers see."""
    states = states_at(revision)
    return {
        language: _version(revision, states[language])
        if language in document.languages
        else LanguageVersion(state=LanguageVersion.State.MISSING)
        for language in LANGUAGES
    }


def _version(revision: Revision, state: LanguageState) -> LanguageVersion:
    """Name the last writer of the text that is shown, and the newest approver of it who is somebody else."""
    is_as_read = state.state in {LanguageVersion.State.APPROVED, LanguageVersion.State.STALE}
    read = state.approval.revision.number if is_as_read and state.approval is not None else revision.number
    writer = _writer(revision, state.language, min(read, revision.number))
    version = LanguageVersion(state=state.state, written_by=writer, stale_fields=list(state.stale_fields))
    for approval in reversed(state.approvals):
        if approval.override or approval.person != writer:
            version.reviewed_by, version.reviewed_at = approval.person, approval.at
            version.override, version.override_reason = approval.override, approval.override_reason
            break
    return version


def _writer(revision: Revision, language: Language, up_to: int) -> Person | None:
    """Return who last wrote in a language, up to a revision."""
    rows = RevisionAuthor.objects.filter(
        revision__manuscript=revision.manuscript_id, revision__number__lte=up_to, scope=language
    )
    last = rows.select_related("person").order_by("-revision__number", "-pk").first()
    return last.person if last else None


REWRITTEN = ("state", "written_by", "reviewed_by", "reviewed_at", "stale_fields", "override", "override_reason")


def tell_readers(manuscript: Manuscript) -> bool:
    """Rewrite what the live edition says of its languages; tell whether that changed anything.

    The caller holds the transaction and renders afterwards. What an import said of a language that nobody has decided
    on here stays as it was.
    """
    live, case = manuscript.live, manuscript.case
    if live is None or case is None or manuscript.live_edition is None or case.status != Case.Status.PUBLISHED:
        return False
    true = language_versions(live, live.document())
    decided = set(manuscript.decisions.values_list("language", flat=True))
    rows = LanguageVersion.objects.filter(edition__case=case, edition__number=manuscript.live_edition)
    kept = [row for row in rows if live.edition_number is None or row.language in decided]
    changed = [row for row in kept if _rewritten(row, true)]
    if changed:
        LanguageVersion.objects.bulk_update(changed, REWRITTEN)
        publishing.log_changes([(manuscript.number, Change.Kind.REVIEWED)])
        publishing.refresh([manuscript.number])
    return bool(changed)


def _rewritten(row: LanguageVersion, true: Mapping[Language, LanguageVersion]) -> bool:
    """Write into a row what is true of its language; tell whether it said anything else."""
    wanted = next(version for language, version in true.items() if language == row.language)
    differing = [name for name in REWRITTEN if getattr(row, name) != getattr(wanted, name)]
    for name in differing:
        setattr(row, name, getattr(wanted, name))
    return bool(differing)


def withdraw(user: User, number: int, reason: dict[Language, str | None]) -> None:
    """Take a published case back; the reason is shown at its address."""
    if not any(reason.values()):
        raise Refused(_("Say why: a reason is needed."))
    note = reason.get("en") or reason.get("ko") or ""
    _move(user, number, Act.WITHDRAW, Event.Verb.WITHDREW, note, lambda: publishing.withdraw(number, reason))


def undo_withdrawal(user: User, number: int, reason: str) -> None:
    """Put a withdrawn case back."""
    reason = given(reason)
    _move(user, number, Act.WITHDRAW, Event.Verb.UNDID_WITHDRAWAL, reason, lambda: publishing.undo_withdrawal(number))
    store_rendered([number])


def merge_into(user: User, number: int, target: int, reason: str) -> None:
    """Make a case lead to another one that tells the same incident."""
    reason = given(reason)
    about = case_id(target)
    _move(user, number, Act.MERGE, Event.Verb.MERGED, reason, lambda: publishing.merge(number, target), about=about)
    store_rendered([target])


def undo_merge(user: User, number: int, reason: str) -> None:
    """Let a merged case stand for itself again."""
    reason = given(reason)
    _move(user, number, Act.MERGE, Event.Verb.UNDID_MERGE, reason, lambda: publishing.undo_merge(number))
    store_rendered([number])


def _move(
    user: User, number: int, act: Act, verb: Event.Verb, note: str, move: Callable[[], None], *, about: str = ""
) -> None:
    with noted(user, act, number), transaction.atomic():
        manuscript, _head = locked(number)
        require(can(user, act, manuscript))
        try:
            move()
        except publishing.WrongStatus:
            raise Conflict(_("The case is not where this page believed it to be. Reload the page.")) from None
        event = record(person_of(user), verb, number=number, note=note, about=about)
        if verb is Event.Verb.WITHDREW:
            notices.withdrawn(event, manuscript)
