"""Terms and organisations as documents name them: found, or made when an import uses one that is not known yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.text import slugify

from cases.document import CaseDocument, Problem
from cases.document.problems import gettext_noop
from cases.models import Org, OrgAlias, Term, folded

if TYPE_CHECKING:
    from collections.abc import Iterator

# key of the document: list of its terms
TERM_LISTS = {
    "domain": Term.List.DOMAIN,
    "components": Term.List.COMPONENT,
    "symptoms": Term.List.SYMPTOM,
    "contributing": Term.List.CONTRIBUTING,
}
TERM_KEYS = {
    "severity": Term.List.SEVERITY,
    "date_kind": Term.List.DATE_KIND,
    "root_cause": Term.List.ROOT_CAUSE,
    "detection_method": Term.List.DETECTION_METHOD,
}


def terms_of(document: CaseDocument) -> Iterator[tuple[str, str, str]]:
    """Give (key, list, slug) for every term that a document names."""
    for key, list_name in TERM_KEYS.items():
        slug = getattr(document, key)
        if slug is not None:
            yield key, list_name, slug
    for key, list_name in TERM_LISTS.items():
        yield from ((key, list_name, slug) for slug in getattr(document, key))
    yield from (("sources", Term.List.SOURCE_KIND, source.kind) for source in document.sources)
    yield from (("timeline", Term.List.TIMELINE_EVENT, event.kind) for event in document.timeline.events)
    yield from (
        ("remediation", Term.List.REMEDIATION_KIND, item.kind) for item in document.remediation if item.kind is not None
    )
    for check in document.checks:
        named = (term.partition(":") for term in check.applies_to)
        yield from (("checks", list_name, slug) for list_name, _, slug in named if list_name in Term.List)


class Words:
    """The whole vocabulary and all spellings of organisations, read once and kept for one run of work."""

    def __init__(self) -> None:
        rows = Term.objects.values_list("list", "slug", "id")
        self.term_ids: dict[tuple[str, str], int] = {(list_name, slug): pk for list_name, slug, pk in rows}
        self.orgs: dict[str, Org] = {org.folded: org for org in Org.objects.all()}
        self.orgs |= {alias.folded: alias.org for alias in OrgAlias.objects.select_related("org")}

    def canonical(self, document: CaseDocument) -> tuple[CaseDocument, list[Problem]]:
        """Write an alias of an organisation as its name, and warn of that and of every unknown term."""
        warnings = []
        org = self.orgs.get(folded(document.org))
        if org is not None and org.name != document.org:
            message = gettext_noop("{alias} is written {name} here")
            warnings.append(Problem(("org",), "alias", message, {"alias": document.org, "name": org.name}))
            document = document.model_copy(update={"org": org.name})
        for key, list_name, slug in terms_of(document):
            if (list_name, slug) not in self.term_ids:
                message = gettext_noop("{slug} is not in the vocabulary; it is kept as an unknown term")
                warnings.append(Problem((key,), "unknown_term", message, {"slug": slug}))
        return document, warnings

    def learn(self, document: CaseDocument, org_slug: str | None = None) -> bool:
        """Make the organisation and the terms of a document that do not exist yet; tell if there were any."""
        is_new = False
        for _, list_name, slug in terms_of(document):
            if (list_name, slug) not in self.term_ids:
                term = Term.objects.create(list=list_name, slug=slug, known=False)
                self.term_ids[list_name, slug] = term.pk
                is_new = True
        if folded(document.org) not in self.orgs:
            self.orgs[folded(document.org)] = new_org(document.org, org_slug)
            is_new = True
        return is_new

    def org(self, name: str) -> Org:
        return self.orgs[folded(name)]

    def term_id(self, list_name: str, slug: str) -> int:
        return self.term_ids[list_name, slug]


def new_org(name: str, slug: str | None) -> Org:
    """Make an organisation. A name without Latin letters needs ``slug``; else it becomes ``org-`` and a number."""
    wanted = slugify(slug or "") or slugify(name) or "org"
    taken = set(Org.objects.filter(Q(slug=wanted) | Q(slug__startswith=f"{wanted}-")).values_list("slug", flat=True))
    number = 1
    slug = wanted if wanted != "org" else "org-1"
    while slug in taken:
        number += 1
        slug = f"{wanted}-{number}"
    return Org.objects.create(slug=slug[:80], name=name, folded=folded(name))
