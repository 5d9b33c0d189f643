"""What waits for somebody: one list for each kind of work, each in a fixed number of queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from cases.document import LANGUAGES, Language, case_id
from cases.models import Case, LanguageVersion

from .finding import ready_to_publish
from .four_eyes import selves
from .models import Decision, Manuscript, RevisionAuthor

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.utils.functional import _StrPromise as StrPromise

State = LanguageVersion.State
# A list shows this many, the oldest first; its count tells of more.
MOST = 100
UNREVIEWED = (State.DRAFT, State.IN_REVIEW, State.CHANGES_REQUESTED, State.STALE)


@dataclass(frozen=True)
class Wanted:
    """Which part of the work a person asked for."""

    languages: Sequence[Language] = tuple(LANGUAGES)
    org: str = ""


@dataclass(frozen=True)
class Item:
    """One language of one case that waits, since when. ``language`` is None when the whole case does."""

    id: str
    org: str
    title_en: str | None
    title_ko: str | None
    language: Language | None
    since: dt.datetime | None


@dataclass(frozen=True)
class Line:
    """One list of the queue."""

    slug: str
    name: str | StrPromise
    items: Sequence[Item]
    count: int


def lines(user: User, wanted: Wanted) -> list[Line]:
    """Gather every list of the queue for one person."""
    own = selves(user)
    reviews, sent_back = _waiting(State.IN_REVIEW, wanted), _waiting(State.CHANGES_REQUESTED, wanted)
    written = _written(own, [*reviews, *sent_back])
    not_mine = [one for one in reviews if not written.get((one[0].pk, one[1]))]
    mine = [one for one in sent_back if written.get((one[0].pk, one[1]))]
    ready = [(manuscript, None) for manuscript in ready_to_publish() if _is_wanted(manuscript, wanted)]
    return [
        _line("review", _("Review wanted"), not_mine),
        _line_of(State.STALE, _("Stale: newer text or facts beside it"), wanted),
        _line_of(State.MISSING, _("Missing"), wanted),
        _line("changes", _("Changes requested of me"), mine),
        _line("ready", _("Ready to publish"), ready),
        _unreviewed(wanted),
    ]


def review_order(user: User, language: Language) -> list[str]:
    """Give the ids of the cases that wait for this person's review of a language, in the order of the queue."""
    wanted = Wanted((language,))
    reviews = _waiting(State.IN_REVIEW, wanted)
    written = _written(selves(user), reviews)
    own_first = [one for one in reviews if not written.get((one[0].pk, language))]
    return [manuscript.id_text for manuscript, _language in [*own_first, *_waiting(State.STALE, wanted)]]


Waiting = tuple[Manuscript, "Language | None"]


def _waiting(state: State, wanted: Wanted, most: int | None = None) -> list[Waiting]:
    """Find the languages in a state, the longest waiting first."""
    found: list[Waiting] = []
    for language in wanted.languages:
        rows = _in_state(state, wanted, language).order_by(f"state_{language}_at", "number")
        found += [(manuscript, language) for manuscript in rows[:most]]
    return sorted(found, key=lambda one: str(since(*one)))


def _in_state(state: State, wanted: Wanted, language: Language) -> QuerySet[Manuscript]:
    return _open(wanted).filter(**{f"state_{language}": state})


def _open(wanted: Wanted) -> QuerySet[Manuscript]:
    in_work = Manuscript.objects.filter(archived_at=None).filter(Q(case=None) | Q(case__status=Case.Status.PUBLISHED))
    return in_work.filter(org=wanted.org) if wanted.org else in_work


def _is_wanted(manuscript: Manuscript, wanted: Wanted) -> bool:
    return not wanted.org or manuscript.org == wanted.org


def _written(own: set[int], waiting: Iterable[Waiting]) -> dict[tuple[int, str | None], bool]:
    """Tell for which languages of these manuscripts one of the names wrote since the approval in force."""
    manuscripts = {manuscript.pk for manuscript, _language in waiting}
    decisions = Decision.objects.filter(manuscript__in=manuscripts).order_by("pk")
    read: dict[tuple[int, str], int] = {}
    for decision in decisions.select_related("revision").defer("revision__text"):
        number = decision.revision.number if decision.approves else 0
        read[decision.manuscript_id, decision.language] = number
    authors = RevisionAuthor.objects.filter(revision__manuscript__in=manuscripts, person__in=own)
    rows = authors.values_list("revision__manuscript", "scope", "revision__number")
    return {(pk, scope): True for pk, scope, number in rows if number > read.get((pk, scope), 0)}


def since(manuscript: Manuscript, language: Language | None) -> dt.datetime | None:
    at: Any = getattr(manuscript, f"state_{language}_at") if language else manuscript.changed_at
    return at if isinstance(at, dt.datetime) else None


def _line_of(state: State, name: str | StrPromise, wanted: Wanted) -> Line:
    count = sum(_in_state(state, wanted, language).count() for language in wanted.languages)
    return _line(str(state), name, _waiting(state, wanted, MOST), count)


def _line(slug: str, name: str | StrPromise, waiting: Sequence[Waiting], count: int | None = None) -> Line:
    items = [
        Item(one.id_text, one.org, one.title_en, one.title_ko, language, since(one, language))
        for one, language in waiting[:MOST]
    ]
    return Line(slug, name, items, len(waiting) if count is None else count)


def _unreviewed(wanted: Wanted) -> Line:
    """List what readers see and nobody has approved as it is; that includes cases nobody edited here."""
    rows = LanguageVersion.objects.filter(
        edition__number=F("edition__case__edition_number"),
        edition__case__status=Case.Status.PUBLISHED,
        edition__case__example=False,
        language__in=wanted.languages,
        state__in=UNREVIEWED,
    )
    if wanted.org:
        rows = rows.filter(edition__case__org__name=wanted.org)
    found = rows.select_related("edition__case__org").defer("edition__text").order_by("edition__published_at")
    items = []
    for row in found[:MOST]:
        case, language = row.edition.case, next(one for one in LANGUAGES if one == row.language)
        title_en, title_ko = case.told("title", "en"), case.told("title", "ko")
        at = row.edition.published_at
        items.append(Item(case_id(case.number), case.org.name, title_en, title_ko, language, at))
    return Line("public", _("Public but unreviewed"), items, rows.count())


def matrix(wanted: Wanted, state: str = "") -> QuerySet[Manuscript]:
    """Find cases in work for the table of cases and languages, newest change first."""
    rows = _open(wanted).order_by("-changed_at")
    if state:
        found = Q(pk__in=[])
        for language in wanted.languages:
            found |= Q(**{f"state_{language}": state})
        rows = rows.filter(found)
    return rows
