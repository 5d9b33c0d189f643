"""Loading the words that ship with the product: terms, glossary, organisations, library checks, persons.

Rows that exist already keep what an administrator made of them; only what is new is added.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q

from cases.models import Check, GlossaryName, GlossaryTerm, Org, OrgAlias, Person, Term, folded
from cases.publishing import touch_vocabulary

DATA = Path(__file__).parent / "data"


@transaction.atomic
def load_vocabulary(folder: Path = DATA) -> Counter[str]:
    """Add what the files of ``folder`` hold and the tables do not; give the number of new rows of each kind."""
    added = Counter(
        terms=_load_terms(_read(folder / "vocabulary.json")),
        glossary=_load_glossary(_read(folder / "glossary.json")),
        organisations=_load_orgs(_read(folder / "orgs.json")),
        checks=_load_checks(_read(folder / "checks.json")),
        persons=_load_persons(_read(folder / "persons.json")),
    )
    if added.total():
        touch_vocabulary()
    return added


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _pairs(raw: dict[str, Any], *names: str) -> dict[str, str | None]:
    return {f"{name}_{language}": raw[name][language] for name in names for language in ("en", "ko")}


def _load_terms(lists: dict[str, list[dict[str, Any]]]) -> int:
    """Add terms; a slug that an import used before it was known becomes known, with its label."""
    there = {(term.list, term.slug): term for term in Term.objects.all()}
    new, named = [], 0
    for list_name, terms in lists.items():
        for position, raw in enumerate(terms):
            values = {**_pairs(raw, "label", "definition"), "position": position, "known": True}
            term = there.get((list_name, raw["slug"]))
            if term is None:
                new.append(Term(list=list_name, slug=raw["slug"], **values))
            elif not term.known:
                named += Term.objects.filter(pk=term.pk).update(**values)
    Term.objects.bulk_create(new)
    return len(new) + named


def _load_glossary(raw: dict[str, Any]) -> int:
    known = set(GlossaryTerm.objects.values_list("ko", flat=True))
    terms = [GlossaryTerm(**term) for term in raw["terms"] if term["ko"] not in known]
    named = set(GlossaryName.objects.values_list("name", flat=True))
    names = [
        GlossaryName(name=name["name"], reading_ko=name["reading_ko"] or "", keep_latin=name["keep_latin"])
        for name in raw["names"]
        if name["name"] not in named
    ]
    GlossaryTerm.objects.bulk_create(terms)
    GlossaryName.objects.bulk_create(names)
    return len(terms) + len(names)


def _load_orgs(orgs: list[dict[str, Any]]) -> int:
    added = 0
    for raw in orgs:
        labels = {"label_en": raw["name_en"], "label_ko": raw["name_ko"]}
        defaults = {"slug": raw["slug"], "name": raw["name"], "homepage": raw.get("homepage") or "", **labels}
        org, is_new = Org.objects.get_or_create(folded=folded(raw["name"]), defaults=defaults)
        added += is_new
        for alias in raw["aliases"]:
            if folded(alias) != org.folded:
                OrgAlias.objects.get_or_create(folded=folded(alias), defaults={"org": org, "alias": alias})
    return added


def _load_checks(checks: list[dict[str, Any]]) -> int:
    added = 0
    for position, raw in enumerate(checks):
        values = _pairs(raw, "question", "why", "how", "bad_answer")
        plain = {"command": raw["command"] or "", "risk": raw["risk"], "position": position}
        check, is_new = Check.objects.get_or_create(slug=raw["slug"], defaults={**values, **plain})
        if is_new:
            wanted = Q()
            for name in raw["applies_to"]:
                list_name, slug = name.split(":")
                wanted |= Q(list=list_name, slug=slug)
            check.terms.set(Term.objects.filter(wanted))
        added += is_new
    return added


def _load_persons(persons: list[dict[str, str]]) -> int:
    found = [Person.objects.get_or_create(name=raw["name"], defaults={"kind": raw["kind"]}) for raw in persons]
    return sum(is_new for _, is_new in found)
