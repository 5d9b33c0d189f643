"""Publishing, withdrawing and merging: the acts that readers see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cases import publishing
from cases.document import LANGUAGES, CaseDocument, Language, case_id
from cases.models import Case, Edition, LanguageVersion, Person
from cases.rendering import store_rendered
from cases.words import Words
from review import notices
from review.log import record
from review.models import Event, Manuscript, Revision, RevisionAuthor
from review.permissions import Act, can
from review.policy import obstacles

from .manuscripts import locked, person_of, set_live
from .refusals import Conflict, Refused, given, require

if TYPE_CHECKING:
    from django.contrib.auth.models import User


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


def approved_languages(_revision: Revision) -> set[Language]:
    """Return the languages whose text, as this revision has it, a reviewer has approved: none until reviews exist."""
    return set()


def language_versions(revision: Revision, document: CaseDocument) -> dict[Language, LanguageVersion]:
    """Say what is known of each language of a revision that is being published."""
    versions = {}
    for language in LANGUAGES:
        if language not in document.languages:
            versions[language] = LanguageVersion(state=LanguageVersion.State.MISSING)
            continue
        versions[language] = LanguageVersion(state=LanguageVersion.State.DRAFT, written_by=_writer(revision, language))
    return versions


def _writer(revision: Revision, language: Language) -> Person | None:
    """Return who last wrote in a language, up to this revision."""
    rows = RevisionAuthor.objects.filter(
        revision__manuscript=revision.manuscript_id, revision__number__lte=revision.number, scope=language
    )
    last = rows.select_related("person").order_by("-revision__number", "-pk").first()
    return last.person if last else None


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
    with transaction.atomic():
        manuscript, _head = locked(number)
        require(can(user, act, manuscript))
        try:
            move()
        except publishing.WrongStatus:
            raise Conflict(_("The case is not where this page believed it to be. Reload the page.")) from None
        event = record(person_of(user), verb, number=number, note=note, about=about)
        if verb is Event.Verb.WITHDREW:
            notices.withdrawn(event, manuscript)
