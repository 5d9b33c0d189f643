"""How a manuscript is found, locked and continued: what all acts share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from cases.document import LANGUAGES, CaseDocument, DocumentError, case_id, read_document
from cases.fields import scopes_changed
from cases.models import Case, Edition, Person
from review import notices
from review.log import record
from review.models import Event, Manuscript, Revision, RevisionAuthor
from review.permissions import Act, Standing, can
from review.states import keep_states

from .refusals import Conflict, Refused, require

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def person_of(user: User) -> Person:
    """Return the public name that a user acts under, making it from the account at the first act."""
    person = Person.objects.filter(user=user).first()
    if person is not None:
        return person
    name = user.get_full_name() or user.get_username()
    if Person.objects.filter(name=name).exists():
        name = f"{name} ({user.get_username()})"
    return Person.objects.create(name=name, user=user)


@dataclass(frozen=True)
class Current:
    """What an editor opens: the newest document and the number of its revision, even if that is still to be taken in.

    ``manuscript`` is None for a published case that nobody has edited yet, ``case`` for one never published.
    """

    number: int
    document: CaseDocument
    revision_number: int
    manuscript: Manuscript | None
    case: Case | None = None


def current(number: int) -> Current | None:
    """Find what is to be edited under a number, without writing anything; None when there is nothing."""
    manuscript = Manuscript.objects.select_related("head", "live", "case").filter(number=number).first()
    unknown = unknown_edition(number, manuscript)
    if manuscript is None or manuscript.head is None:
        return Current(number, unknown.document(), 1, None, unknown.case) if unknown else None
    if unknown is not None:
        return Current(number, unknown.document(), manuscript.head.number + 1, manuscript, unknown.case)
    return Current(number, manuscript.head.document(), manuscript.head.number, manuscript, manuscript.case)


def unknown_edition(number: int, manuscript: Manuscript | None) -> Edition | None:
    """Return the current edition when it did not come from this manuscript (an import)."""
    editions = Edition.objects.filter(case__number=number, number=F("case__edition_number"))
    if manuscript is not None and manuscript.live_edition is not None:
        editions = editions.exclude(number=manuscript.live_edition)
    found = editions.values_list("pk", flat=True).first()
    return Edition.objects.select_related("case").get(pk=found) if found is not None else None


def locked(number: int) -> tuple[Manuscript, Revision]:
    """Lock the manuscript of a number for this transaction, first taking in an edition it does not know."""
    # A write, not a mere lock: it takes SQLite's write lock, too, before anything is read.
    Manuscript.objects.filter(number=number).update(number=number)
    manuscript = Manuscript.objects.select_related("head").filter(number=number).first()
    unknown = unknown_edition(number, manuscript)
    if unknown is not None and manuscript is None:
        # Of two people who begin at the same moment, one makes the row and the other waits for it.
        new = {"created_at": timezone.now(), "case": unknown.case, **columns(unknown.document())}
        Manuscript.objects.get_or_create(number=number, defaults=new)
        manuscript = Manuscript.objects.select_for_update().get(number=number)
        unknown = unknown_edition(number, manuscript)
    if unknown is not None and manuscript is not None:
        manuscript = take_in(manuscript, unknown)
    if manuscript is None or manuscript.head is None:
        raise Refused(_("There is no case %(id)s.") % {"id": case_id(number)})
    return manuscript, manuscript.head


def take_in(manuscript: Manuscript, edition: Edition) -> Manuscript:
    """Make an edition that came from elsewhere the newest, live revision, with its writers as authors."""
    document = edition.document()
    versions = list(edition.language_versions.select_related("written_by"))
    writers = {version.language: [version.written_by] for version in versions if version.written_by is not None}
    persons = {person for found in writers.values() for person in found}
    author = next(iter(persons), None)
    note = _("Edition %(number)s, taken in") % {"number": edition.number}
    before, was = manuscript.head, manuscript.kept_states
    revision = add_revision(manuscript, document, author, note=note, edition_number=edition.number)
    changed = scopes_changed(before.document(), document) if before else {"facts", *writers}
    add_authors(revision, {scope: writers.get(scope, persons) for scope in changed})
    set_live(manuscript, revision, edition)
    if author is not None:
        event = record(author, Event.Verb.TOOK_IN, number=manuscript.number, revision_number=revision.number, note=note)
        notices.became_stale(event, manuscript, was)
    return manuscript


def numbered(document: CaseDocument, number: int) -> CaseDocument:
    """Put a document under a number; refuse one that would then speak of itself as another case."""
    if document.id == case_id(number):
        return document
    try:
        return read_document(document.model_copy(update={"id": case_id(number)}).text())
    except DocumentError as error:
        raise Refused(error.problems[0].text(_)) from None


def columns(document: CaseDocument) -> dict[str, object]:
    title = document.title
    return {"org": document.org, "title_en": title.en, "title_ko": title.ko, "changed_at": timezone.now()}


def add_revision(
    manuscript: Manuscript,
    document: CaseDocument,
    author: Person | None,
    *,
    base: Revision | None = None,
    note: str = "",
    edition_number: int | None = None,
) -> Revision:
    """Append a revision and make it the head, if the head is still the one that was read."""
    head = manuscript.head
    text = document.text()
    revision = Revision.objects.create(
        manuscript=manuscript,
        number=head.number + 1 if head else 1,
        author=author,
        base=base or head,
        note=note[:500],
        text=text,
        sha256=Revision.digest(text),
        edition_number=edition_number,
        created_at=timezone.now(),
    )
    unchanged = Manuscript.objects.filter(pk=manuscript.pk, head=head)
    if unchanged.update(head=revision, **columns(document)) != 1:
        raise Conflict(_("Somebody else saved at the same moment."))
    manuscript.head = revision
    keep_draft_flag(manuscript)
    keep_states(manuscript)
    return revision


def add_authors(revision: Revision, persons: Mapping[str, Iterable[Person]]) -> None:
    RevisionAuthor.objects.bulk_create(
        RevisionAuthor(revision=revision, scope=scope, person=person)
        for scope, found in persons.items()
        for person in set(found)
    )


def authors_up_to(revision: Revision, scope: str) -> set[Person]:
    """Return everybody who changed a scope up to and including a revision."""
    rows = RevisionAuthor.objects.filter(
        revision__manuscript=revision.manuscript_id, revision__number__lte=revision.number, scope=scope
    )
    return {row.person for row in rows.select_related("person")}


def require_scopes(user: User, manuscript: Manuscript, scopes: Collection[str]) -> None:
    standing = Standing.of(user)
    if not scopes and not any(standing.writes(language) for language in LANGUAGES):
        # Claims and archive copies are neither text nor facts: whoever may write anything may keep them.
        require(can(user, Act.EDIT_FACTS, manuscript, standing=standing))
    if "facts" in scopes:
        require(can(user, Act.EDIT_FACTS, manuscript, standing=standing))
    for language in LANGUAGES:
        if language in scopes:
            require(can(user, Act.EDIT_TEXT, manuscript, language, standing=standing))


def set_live(manuscript: Manuscript, revision: Revision, edition: Edition) -> None:
    """Note which revision readers see, and as which edition."""
    manuscript.case, manuscript.live, manuscript.live_edition = edition.case, revision, edition.number
    manuscript.save(update_fields=["case", "live", "live_edition"])
    keep_draft_flag(manuscript)


def keep_draft_flag(manuscript: Manuscript) -> None:
    """Tell the public side whether there is newer text on the desk: an import must not overtake it."""
    if manuscript.case_id is not None:
        Case.objects.filter(pk=manuscript.case_id).update(has_draft=manuscript.has_draft)
