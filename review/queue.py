"""What waits for somebody: one list for each kind of work, each in a fixed number of queries.

A row names the revision, the last decision and the assignment that it shows, so that an act on many rows can post them
back. Published cases that nobody has edited here are found beside the manuscripts, as what readers are told of them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from cases.document import LANGUAGES, Language, case_id
from cases.models import Case, LanguageVersion

from .answers import Act
from .assignments import holding, of_all
from .finding import ready_to_publish
from .four_eyes import selves
from .models import Assignment, Decision, Manuscript, RevisionAuthor

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.utils.functional import _StrPromise as StrPromise

State = LanguageVersion.State
# A list shows this many, the oldest first; its count tells of more.
MOST = 100
UNREVIEWED = (State.DRAFT, State.IN_REVIEW, State.CHANGES_REQUESTED, State.STALE)
NOBODY, MINE = "nobody", "me"


@dataclass(frozen=True)
class Wanted:
    """Which part of the work a person asked for.

    ``days``: what has waited at least so long. ``assigned``: ``me``, ``nobody`` or, empty, whoever's work it is.
    """

    languages: Sequence[Language] = tuple(LANGUAGES)
    org: str = ""
    days: int = 0
    assigned: str = ""
    own: Collection[int] = field(default_factory=frozenset)

    @property
    def before(self) -> dt.datetime:
        return timezone.now() - dt.timedelta(days=self.days)


@dataclass(frozen=True)
class Item:
    """One language of one case that waits, since when. ``language`` is None when the whole case does.

    ``manuscript`` is None for a published case that nobody has edited here; its text is the first revision then.
    """

    number: int
    org: str
    title_en: str | None
    title_ko: str | None
    language: Language | None
    since: dt.datetime | None
    manuscript: int | None = None
    revision: int = 1
    decision: int = 0
    assignment: Assignment | None = None

    @property
    def id(self) -> str:
        return case_id(self.number)

    @property
    def row(self) -> str:
        """Say what the row shows, for a form that acts on many (bulk.py reads it)."""
        person = self.assignment.person_id if self.assignment is not None else 0
        return f"{self.number}:{self.language or ''}:{self.revision}:{self.decision}:{person}"


ACTS: Mapping[str, frozenset[Act]] = {
    "review": frozenset({Act.APPROVE, Act.TAKE}),
    str(State.STALE): frozenset({Act.APPROVE, Act.TAKE}),
    str(State.MISSING): frozenset({Act.TAKE}),
    "changes": frozenset({Act.SUBMIT, Act.TAKE}),
    "ready": frozenset({Act.PUBLISH}),
    "public": frozenset({Act.SUBMIT, Act.APPROVE, Act.TAKE}),
}


@dataclass(frozen=True)
class Line:
    """One list of the queue; ``acts`` make sense for many of its rows at once (to take is to assign)."""

    slug: str
    name: str | StrPromise
    items: Sequence[Item]
    count: int

    @property
    def acts(self) -> frozenset[Act]:
        return ACTS[self.slug]


def lines(wanted: Wanted) -> list[Line]:
    """Gather every list of the queue for one person, whose names ``wanted.own`` holds."""
    reviews, sent_back = _waiting(State.IN_REVIEW, wanted), _waiting(State.CHANGES_REQUESTED, wanted)
    written = _written(wanted.own, [*reviews, *sent_back])
    found = [
        _line(
            "review", _("Review wanted"), [one for one in reviews if not written.get((one.manuscript, one.language))]
        ),
        _line_of(State.STALE, _("Stale: newer text or facts beside it"), wanted),
        _missing(wanted),
        _line(
            "changes",
            _("Changes requested of me"),
            [one for one in sent_back if (one.manuscript, one.language) in written],
        ),
        _line("ready", _("Ready to publish"), _ready(wanted)),
        _unreviewed(wanted),
    ]
    return _with_what_they_show(found)


def review_order(user: User, language: Language) -> list[str]:
    """Give the ids of the cases that wait for this person's review of a language, in the order of the queue."""
    wanted = Wanted((language,))
    reviews = _waiting(State.IN_REVIEW, wanted)
    written = _written(selves(user), reviews)
    own_first = [one for one in reviews if not written.get((one.manuscript, language))]
    return [one.id for one in [*own_first, *_waiting(State.STALE, wanted)]]


# Manuscripts


def _waiting(state: State, wanted: Wanted, most: int | None = None) -> list[Item]:
    """Find the languages in a state, the longest waiting first."""
    found: list[Item] = []
    for language in wanted.languages:
        rows = _in_state(state, wanted, language).order_by(f"state_{language}_at", "number")
        found += [_item(manuscript, language) for manuscript in rows[:most]]
    return sorted(found, key=lambda one: str(one.since))


def _in_state(state: State, wanted: Wanted, language: Language) -> QuerySet[Manuscript]:
    found = in_work(wanted).filter(**{f"state_{language}": state}).select_related("head").defer("head__text")
    if wanted.days:
        found = found.filter(**{f"state_{language}_at__lte": wanted.before})
    return found.filter(assigned_as(wanted, [language]))


def in_work(wanted: Wanted) -> QuerySet[Manuscript]:
    """Find the manuscripts that are neither archived nor of a case that was withdrawn or merged."""
    found = Manuscript.objects.filter(archived_at=None).filter(Q(case=None) | Q(case__status=Case.Status.PUBLISHED))
    return found.filter(org=wanted.org) if wanted.org else found


def assigned_as(wanted: Wanted, languages: Sequence[Language]) -> Q:
    """Ask for what is this person's work, or nobody's, in one of these languages."""
    held = holding().filter(manuscript=OuterRef("pk"), language__in=languages)
    if wanted.assigned == MINE:
        return Q(Exists(held.filter(person__in=wanted.own)))
    return ~Q(Exists(held)) if wanted.assigned == NOBODY else Q()


def _item(manuscript: Manuscript, language: Language | None) -> Item:
    at: Any = getattr(manuscript, f"state_{language}_at") if language else manuscript.changed_at
    return Item(
        number=manuscript.number,
        org=manuscript.org,
        title_en=manuscript.title_en,
        title_ko=manuscript.title_ko,
        language=language,
        since=at if isinstance(at, dt.datetime) else None,
        manuscript=manuscript.pk,
        revision=manuscript.head.number if manuscript.head is not None else 1,
    )


def _written(own: Collection[int], waiting: Iterable[Item]) -> Mapping[tuple[int | None, str | None], bool]:
    """Tell for which languages of these manuscripts one of the names wrote since the approval in force."""
    manuscripts = {one.manuscript for one in waiting}
    decisions = Decision.objects.filter(manuscript__in=manuscripts).order_by("pk")
    read: dict[tuple[int, str], int] = {}
    for decision in decisions.select_related("revision").defer("revision__text"):
        number = decision.revision.number if decision.approves else 0
        read[decision.manuscript_id, decision.language] = number
    authors = RevisionAuthor.objects.filter(revision__manuscript__in=manuscripts, person__in=own)
    rows = authors.values_list("revision__manuscript", "scope", "revision__number")
    return {(pk, scope): True for pk, scope, number in rows if number > read.get((pk, scope), 0)}


def _ready(wanted: Wanted) -> list[Item]:
    ready = [one for one in ready_to_publish() if not wanted.org or one.org == wanted.org]
    if wanted.assigned:
        kept = in_work(wanted).filter(assigned_as(wanted, wanted.languages), pk__in=[one.pk for one in ready])
        pks = set(kept.values_list("pk", flat=True))
        ready = [one for one in ready if one.pk in pks]
    return [_item(one, None) for one in ready if not wanted.days or one.changed_at <= wanted.before]


# Published cases


def _versions(wanted: Wanted, states: Collection[str]) -> QuerySet[LanguageVersion]:
    """Find what readers are told of languages in some states, of cases that are public."""
    rows = LanguageVersion.objects.filter(
        edition__number=F("edition__case__edition_number"),
        edition__case__status=Case.Status.PUBLISHED,
        edition__case__example=False,
        language__in=wanted.languages,
        state__in=states,
    )
    if wanted.org:
        rows = rows.filter(edition__case__org__name=wanted.org)
    if wanted.days:
        rows = rows.filter(edition__published_at__lte=wanted.before)
    if wanted.assigned:
        held = holding().filter(manuscript__case=OuterRef("edition__case"), language=OuterRef("language"))
        is_mine = wanted.assigned == MINE
        rows = rows.filter(Exists(held.filter(person__in=wanted.own))) if is_mine else rows.filter(~Exists(held))
    ordered = rows.select_related("edition__case__org", "edition__case__manuscript__head")
    return ordered.defer("edition__text", "edition__case__manuscript__head__text").order_by("edition__published_at")


def _version_item(row: LanguageVersion) -> Item:
    case, language = row.edition.case, next(one for one in LANGUAGES if one == row.language)
    manuscript = getattr(case, "manuscript", None)
    at = row.edition.published_at
    item = Item(case.number, case.org.name, case.told("title", "en"), case.told("title", "ko"), language, at)
    if manuscript is None or manuscript.head is None:
        return item
    return replace(item, manuscript=manuscript.pk, revision=manuscript.head.number)


def _unreviewed(wanted: Wanted) -> Line:
    """List what readers see and nobody has approved as it is; that includes cases nobody edited here."""
    rows = _versions(wanted, UNREVIEWED)
    return _line("public", _("Public but unreviewed"), [_version_item(row) for row in rows[:MOST]], rows.count())


# Lists


def _missing(wanted: Wanted) -> Line:
    """List the languages that are missing, of manuscripts and of published cases that nobody has edited here."""
    line, unedited = _line_of(State.MISSING, _("Languages not there yet"), wanted), _versions(wanted, [State.MISSING])
    unedited = unedited.filter(edition__case__manuscript=None)
    items = [*line.items, *(_version_item(row) for row in unedited[:MOST])]
    return replace(
        line, items=sorted(items, key=lambda one: str(one.since))[:MOST], count=line.count + unedited.count()
    )


def _line_of(state: State, name: str | StrPromise, wanted: Wanted) -> Line:
    count = sum(_in_state(state, wanted, language).count() for language in wanted.languages)
    return _line(str(state), name, _waiting(state, wanted, MOST), count)


def _line(slug: str, name: str | StrPromise, items: Sequence[Item], count: int | None = None) -> Line:
    return Line(slug, name, items[:MOST], len(items) if count is None else count)


def _with_what_they_show(found: Sequence[Line]) -> list[Line]:
    """Add to each row the last decision and the assignment that it shows, in two queries."""
    pks = {one.manuscript for line in found for one in line.items if one.manuscript is not None}
    rows = Decision.objects.filter(manuscript__in=pks).order_by("pk").values_list("manuscript", "language", "pk")
    last = {(manuscript, language): pk for manuscript, language, pk in rows}
    held = of_all(pks)

    def shown(one: Item) -> Item:
        key: Any = (one.manuscript, one.language)
        return replace(one, decision=last.get(key, 0), assignment=held.get(key))

    return [replace(line, items=[shown(one) for one in line.items]) for line in found]
