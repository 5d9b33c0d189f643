"""What a reader may be about to type: cases, organisations and terms that begin like it, in either language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Literal, TypeVar

from django.db.models import Q

from cases.catalog import Catalog
from cases.catalog.bits import newest
from cases.document import Language, Pair, case_id
from cases.labels import Label, Labels, OrgLabel
from cases.models import Case, Term
from cases.telling import Told, tell

from .engines import All, Any, Phrase, Question, ask
from .finding import LONGEST_QUERY
from .index import TITLE, standing_in, within
from .terms import terms
from .tokens import JOINTS, STOP_WORDS, WHOLE, normal, pairs, stems

MOST_OF_A_KIND = 5
SHORTEST = 2
LISTS = (Term.List.DOMAIN, Term.List.ROOT_CAUSE, Term.List.COMPONENT, Term.List.SYMPTOM, Term.List.CONTRIBUTING)
DIGITS = re.compile(r"(?:il[-_ ]?)?([0-9]{1,9})", re.IGNORECASE)
DIGITS_OF_A_NUMBER, MOST_DIGITS = 4, 9
WORD = re.compile(r"[a-z0-9]+|[가-힣]+")

Kind = Literal["case", "org", "term"]
# Something with the forms of its names: each as it is behind a blank, and without blanks.
Word = TypeVar("Word")
Named = Sequence[tuple[Word, Sequence[tuple[str, str]]]]


@dataclass(frozen=True)
class Suggestion:
    """``name`` is the slug of an organisation, ``list:slug`` of a term or a case number."""

    kind: Kind
    name: str
    label: Told


def suggest(text: str, language: Language, catalog: Catalog) -> list[Suggestion]:
    """Return at most five of each kind, cases first; nothing for a single letter. Costs two queries."""
    start = " ".join(normal(text[:LONGEST_QUERY]).split())
    if len(start) < SHORTEST:
        return []
    names = _names(catalog.labels)
    return [
        *_cases(text[:LONGEST_QUERY], language, catalog),
        *_first(_orgs(start, language, names.orgs)),
        *_first(_terms(start, language, names.terms)),
    ]


def _first(found: Iterable[Suggestion]) -> list[Suggestion]:
    return sorted(found, key=lambda one: one.label.text.casefold())[:MOST_OF_A_KIND]


# Names, as they are compared: worked out once for each version of the words


@dataclass(frozen=True)
class Names:
    """The organisations and terms that can be suggested."""

    orgs: Named[OrgLabel]
    terms: Named[Label]


@lru_cache(maxsize=2)
def _names(labels: Labels) -> Names:
    return Names(
        [(org, _forms(org.written, org.names.en, org.names.ko)) for org in labels.orgs.values() if org.slug],
        [
            (term, _forms(term.names.en, term.names.ko, term.slug.replace("-", " ")))
            for term in labels.terms.values()
            if term.list in LISTS and term.known and not term.replaced_by
        ],
    )


def _forms(*names: str | None) -> list[tuple[str, str]]:
    told = dict.fromkeys(normal(name) for name in names if name)
    return [(f" {name}", name.replace(" ", "")) for name in told]


def _begins(start: str, forms: Iterable[tuple[str, str]]) -> bool:
    """Tell whether one of the names, or a word in it, begins like this; blanks in compounds do not count."""
    word, together = f" {start}", start.replace(" ", "")
    return any(word in name or joined.startswith(together) for name, joined in forms)


def _orgs(start: str, language: Language, names: Named[OrgLabel]) -> Iterator[Suggestion]:
    for org, forms in names:
        if _begins(start, forms):
            yield Suggestion("org", str(org.slug), org.name(language))


def _terms(start: str, language: Language, names: Named[Label]) -> Iterator[Suggestion]:
    for term, forms in names:
        if _begins(start, forms):
            yield Suggestion("term", f"{term.list}:{term.slug}", term.name(language))


# Cases


def _cases(text: str, language: Language, catalog: Catalog) -> list[Suggestion]:
    """Return the newest cases whose number or title begins like this."""
    digits = DIGITS.fullmatch(text.strip())
    wanted = _numbered(digits[1]) if digits else Q(number__in=_newest_titled(text, catalog))
    cases = Case.objects.filter(wanted, status=Case.Status.PUBLISHED).order_by("-date_first", "-number")
    rows = cases.values_list("number", "title_en", "title_ko")[:MOST_OF_A_KIND]
    titles = [(number, tell(Pair.model_construct(en=en, ko=ko), language)) for number, en, ko in rows]
    return [Suggestion("case", case_id(number), title or Told(case_id(number))) for number, title in titles]


def _newest_titled(text: str, catalog: Catalog) -> list[int]:
    """Return the numbers of the few newest cases of what may be thousands."""
    index = catalog.index
    found = reduce(or_, map(index.with_ids, ask(_titled(text))), 0)
    return [index.columns.numbers[place] for place in newest(found & catalog.published, 0, MOST_OF_A_KIND)]


def _numbered(digits: str) -> Q:
    """Find the numbers that begin with these digits as they are written: 05 means IL-0500 to IL-0599."""
    value = int(digits)
    wanted = Q(number=value)
    for length in range(max(len(digits), DIGITS_OF_A_NUMBER), MOST_DIGITS + 1):
        if length == DIGITS_OF_A_NUMBER or not digits.startswith("0"):
            room: int = 10 ** (length - len(digits))
            wanted |= Q(number__range=(value * room, (value + 1) * room - 1))
    return wanted


def _titled(text: str) -> list[Question]:
    """Ask for titles with all words, of which the last may go on; its end is no josa yet."""
    *before, last = JOINTS.sub(" ", normal(text)).split() or [""]
    asked = terms(" ".join(before))
    begun = [word for word in WORD.findall(last) if word not in STOP_WORDS]
    if not begun:
        return []
    complete = [within(term, TITLE) for term in (*asked, *terms(" ".join(begun[:-1])))]
    word = begun[-1]
    starts: list[Question] = [Phrase((TITLE + (word if word.isascii() else WHOLE + word),), is_start=True)]
    if word.isascii():
        starts += [standing_in(TITLE, [stem]) for stem in stems([word])]
    elif len(word) > SHORTEST:
        starts.append(standing_in(TITLE, pairs(word)))
    return [All((*complete, Any(tuple(starts))))]
