"""Which drafts the desk shows: lists of the home page, and the search over everything in work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F, Q, QuerySet

from cases.document import Language, case_number
from cases.models import Case, LanguageVersion, Org, Person, folded

from .models import Manuscript
from .policy import obstacles

MOST = 20
# How many of the newest drafts are tested against the policy of the site.
TESTED = 50


def with_draft() -> QuerySet[Manuscript]:
    """Manuscripts with text that readers do not see yet, the newest first."""
    drafts = Manuscript.objects.filter(archived_at__isnull=True).filter(Q(live=None) | ~Q(head=F("live")))
    return drafts.select_related("head", "head__author", "case").order_by("-changed_at")


@dataclass(frozen=True)
class Home:
    """What a person finds on coming to the desk."""

    mine: Iterable[Manuscript]
    changed: Iterable[Manuscript]
    ready: Sequence[Manuscript]
    archived: Iterable[Manuscript]


def home(person: Person) -> Home:
    """Gather the lists of the home page in a fixed number of queries."""
    drafts = with_draft()
    newest = Manuscript.objects.filter(archived_at__isnull=True).select_related("head", "head__author", "case")
    archived = Manuscript.objects.filter(archived_at__isnull=False).select_related("head", "head__author", "case")
    return Home(
        mine=drafts.filter(revisions__author=person).distinct()[:MOST],
        changed=newest.order_by("-changed_at")[:MOST],
        ready=ready_to_publish()[:MOST],
        archived=archived.order_by("-archived_at")[:MOST],
    )


def ready_to_publish() -> list[Manuscript]:
    """Find the drafts that fit the policy of the site, among the newest ones."""
    return [manuscript for manuscript in with_draft()[:TESTED] if _is_ready(manuscript)]


def _is_ready(manuscript: Manuscript) -> bool:
    states: dict[Language, str] = {"en": manuscript.state_en, "ko": manuscript.state_ko}
    approved = [language for language, state in states.items() if state == LanguageVersion.State.APPROVED]
    return manuscript.head is not None and not obstacles(manuscript.head.document(), approved)


def unedited(text: str) -> QuerySet[Case]:
    """Find published cases that nobody has edited on the desk yet, as ``search`` finds the others."""
    found = Case.objects.filter(manuscript=None).select_related("org").order_by("-number")
    try:
        return found.filter(number=case_number(text.strip().upper()))
    except ValueError:
        pass
    titles = Q()
    for word in text.split()[:10]:
        titles &= Q(title_en__icontains=word) | Q(title_ko__icontains=word) | Q(org__name__icontains=word)
    return found.filter(titles | Q(org__folded=folded(text)) | Q(org__aliases__folded=folded(text))).distinct()[:MOST]


def search(text: str) -> QuerySet[Manuscript]:
    """Find manuscripts by number, by any spelling of the organisation, or by words of the title in either language."""
    found = Manuscript.objects.select_related("head", "head__author", "case").order_by("-changed_at")
    try:
        return found.filter(number=case_number(text.strip().upper()))
    except ValueError:
        pass
    orgs = Org.objects.filter(Q(folded=folded(text)) | Q(aliases__folded=folded(text))).values("name")
    titles = Q()
    for word in text.split()[:10]:
        titles &= Q(title_en__icontains=word) | Q(title_ko__icontains=word) | Q(org__icontains=word)
    return found.filter(titles | Q(org__in=orgs))
