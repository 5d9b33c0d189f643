"""Whether an incident may be here already: the same source address, or the same organisation at the same date."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from rapidfuzz import fuzz, process

from cases.document import CaseDocument, case_id
from cases.models import Case, Org, OrgAlias, Source, folded
from review.models import Manuscript

MOST_SHOWN = 5
MOST_ADDRESSES = 50
# How alike (of 100) two names must be for the question whether they mean the same organisation.
ALIKE = 85


@dataclass(frozen=True)
class Sought:
    """What is compared: of a case that is being written. ``number`` is its own, which does not count."""

    org: str
    date: dt.date | None
    addresses: tuple[str, ...]
    number: int | None = None

    @classmethod
    def of(cls, document: CaseDocument, number: int | None) -> Sought:
        addresses = tuple(source.url for source in document.sources)
        return cls(document.org, document.date, addresses, number)


@dataclass(frozen=True)
class Duplicate:
    """A case or a draft that may tell the same incident, and why."""

    id: str
    title_en: str | None
    title_ko: str | None
    reason: str


def duplicates(sought: Sought) -> list[Duplicate]:
    """Find what may be the same incident, by address first. A case is named once."""
    found: dict[int, Duplicate] = {}
    for number, title_en, title_ko, reason in (*_by_address(sought), *_by_org_and_date(sought)):
        if number != sought.number:
            found.setdefault(number, Duplicate(case_id(number), title_en, title_ko, reason))
    return list(found.values())[:MOST_SHOWN]


Found = Iterator[tuple[int, str | None, str | None, str]]


def _by_address(sought: Sought) -> Found:
    wanted = {spelling for url in sought.addresses[:MOST_ADDRESSES] for spelling in spellings(url)}
    if not wanted:
        return
    reason = _("cites the same source")
    cited = Source.objects.filter(url__in=wanted).values_list("case__number", "case__title_en", "case__title_ko")
    yield from ((*row, reason) for row in cited.distinct())
    written = Q()
    for url in wanted:
        written |= Q(head__text__contains=f'"url":{json.dumps(url, ensure_ascii=False)}')
    yield from ((*row, reason) for row in _drafts().filter(written).values_list("number", "title_en", "title_ko"))


def _by_org_and_date(sought: Sought) -> Found:
    if not sought.org or sought.date is None:
        return
    reason = _("same organisation and date")
    org = org_of(sought.org)
    if org is not None:
        cases = Case.objects.filter(org=org, date_first__lte=sought.date, date_last__gte=sought.date)
        yield from ((*row, reason) for row in cases.values_list("number", "title_en", "title_ko"))
    names = [sought.org, *([org.name] if org else [])]
    drafts = _drafts().filter(org__in=names, head__text__contains=f'"date":"{sought.date}"')
    yield from ((*row, reason) for row in drafts.values_list("number", "title_en", "title_ko"))


def _drafts() -> QuerySet[Manuscript]:
    return Manuscript.objects.filter(archived_at__isnull=True).filter(Q(live=None) | ~Q(head=F("live")))


def spellings(url: str) -> set[str]:
    """Give the addresses that lead to the same page as far as anybody can tell from the address."""
    rest = url.partition("#")[0].partition("://")[2]
    if not rest:
        return set()
    return {f"{scheme}://{rest.rstrip('/')}{end}" for scheme in ("http", "https") for end in ("", "/")}


@dataclass(frozen=True)
class OrgAdvice:
    """What is known of a name of an organisation: the name to write, or names that look like it."""

    written: str
    name: str | None
    similar: list[str]


def advice_on(org: str) -> OrgAdvice | None:
    """Say whether a name is an alias or unknown; None when it is written as it should be, or not at all."""
    if not org.strip():
        return None
    known = org_of(org)
    if known is not None:
        return None if known.name == org else OrgAdvice(org, known.name, [])
    names = list(Org.objects.values_list("name", flat=True))
    similar = process.extract(org, names, scorer=fuzz.WRatio, score_cutoff=ALIKE, limit=3, processor=folded)
    return OrgAdvice(org, None, [match[0] for match in similar])


def org_of(name: str) -> Org | None:
    """Find an organisation by its name or any other spelling of it."""
    found = Org.objects.filter(folded=folded(name)).first()
    if found is not None:
        return found
    alias = OrgAlias.objects.filter(folded=folded(name)).select_related("org").first()
    return alias.org if alias else None
