"""Creating, saving, restoring and archiving: the acts of people who write."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cases import publishing
from cases.document import LANGUAGES, CaseDocument
from cases.fields import scopes_changed, texts
from review import notices
from review.log import record
from review.merge import merge
from review.models import Event, Manuscript, Revision
from review.permissions import Act, Standing, can

from .manuscripts import add_authors, add_revision, authors_up_to, columns, locked, numbered, person_of, require_scopes
from .refusals import Conflict, NoBase, Refused, given, noted, refusals_noted, require

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True)
class Saved:
    """What a save did: the newest revision, whether this save made it, and the fields that came from others."""

    manuscript: Manuscript
    revision: Revision
    is_new: bool
    merged_fields: list[str] = field(default_factory=list)


@transaction.atomic
def create(user: User, document: CaseDocument, note: str = "") -> Saved:
    """Start a new case under the next number. The id in ``document`` does not matter."""
    standing = Standing.of(user)
    with noted(user, Act.CREATE):
        require(can(user, Act.CREATE, standing=standing))
    number = publishing.next_number()
    document = numbered(document, number)
    for language in LANGUAGES:
        if texts(document, language):
            require(can(user, Act.EDIT_TEXT, language=language, standing=standing))
    person = person_of(user)
    manuscript = Manuscript.objects.create(number=number, created_at=timezone.now(), **columns(document))
    revision = add_revision(manuscript, document, person, note=note)
    scopes = ["facts", *(language for language in LANGUAGES if texts(document, language))]
    add_authors(revision, {scope: [person] for scope in scopes})
    record(person, Event.Verb.CREATED, number=number, revision_number=1, note=note)
    return Saved(manuscript, revision, is_new=True)


@refusals_noted(Act.EDIT_TEXT)
@transaction.atomic
def save(user: User, number: int, document: CaseDocument, base_number: int | None, note: str = "") -> Saved:
    """Save a document that was made from revision ``base_number``, merging with what others saved since.

    Saving what is already there makes no revision. Raises ``NoBase``, ``Conflict`` or ``PermissionDenied``.
    """
    if base_number is None:
        raise NoBase(_("This form does not say which revision it was made from. Reload the page."))
    manuscript, head = locked(number)
    base = manuscript.revisions.filter(number=base_number).first()
    if base is None:
        raise Conflict(_("There is no revision %(number)s of this case.") % {"number": base_number}, head=head)
    merged = merge(base.document(), head.document(), numbered(document, number))
    if merged.document is None:
        raise Conflict(_("Somebody else changed the same fields."), merged, head)
    scopes = scopes_changed(head.document(), merged.document)
    if merged.document == head.document():
        return Saved(manuscript, head, is_new=False)
    require_scopes(user, manuscript, scopes)
    person = person_of(user)
    was = manuscript.kept_states
    revision = add_revision(manuscript, merged.document, person, base=base, note=note)
    add_authors(revision, {scope: [person] for scope in scopes})
    event = record(person, Event.Verb.SAVED, number=number, revision_number=revision.number, note=note)
    notices.saved(event, revision, scopes, was)
    return Saved(manuscript, revision, is_new=True, merged_fields=list(merged.taken_from_theirs))


@refusals_noted(Act.RESTORE)
@transaction.atomic
def restore(user: User, number: int, revision_number: int, base_number: int | None) -> Saved:
    """Make the text of an older revision the newest one; its authors come along."""
    manuscript, head = locked(number)
    require(can(user, Act.RESTORE, manuscript))
    if base_number != head.number:
        raise Conflict(_("The draft has changed since this page was opened."), head=head)
    old = manuscript.revisions.filter(number=revision_number).first()
    if old is None:
        raise Refused(_("There is no revision %(number)s of this case.") % {"number": revision_number})
    document = old.document()
    if document == head.document():
        return Saved(manuscript, head, is_new=False)
    scopes = scopes_changed(head.document(), document)
    require_scopes(user, manuscript, scopes)
    person = person_of(user)
    note = _("Restored revision %(number)s") % {"number": revision_number}
    was = manuscript.kept_states
    revision = add_revision(manuscript, document, person, base=head, note=note)
    add_authors(revision, {scope: {person, *authors_up_to(old, scope)} for scope in scopes})
    about = f"revision {revision_number}"
    told = {"revision_number": revision.number, "note": note, "about": about}
    notices.saved(record(person, Event.Verb.RESTORED, number=number, **told), revision, scopes, was)
    return Saved(manuscript, revision, is_new=True)


@refusals_noted(Act.ARCHIVE)
@transaction.atomic
def archive(user: User, number: int, reason: str) -> None:
    """Put a draft that was never published aside."""
    _set_archived(user, number, reason, Act.ARCHIVE)


@refusals_noted(Act.REOPEN)
@transaction.atomic
def reopen(user: User, number: int, reason: str) -> None:
    """Take an archived draft up again."""
    _set_archived(user, number, reason, Act.REOPEN)


def _set_archived(user: User, number: int, reason: str, act: Act) -> None:
    manuscript, head = locked(number)
    require(can(user, act, manuscript))
    reason = given(reason)
    at = timezone.now() if act is Act.ARCHIVE else None
    Manuscript.objects.filter(pk=manuscript.pk).update(archived_at=at)
    verb = Event.Verb.ARCHIVED if act is Act.ARCHIVE else Event.Verb.REOPENED
    record(person_of(user), verb, number=number, revision_number=head.number, note=reason)
