"""What a reader may be about to type: organisations, terms and cases that begin like it, in either language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from django.db.models import Q

from cases.document import Language, Pair, case_id
from cases.labels import Labels
from cases.models import Case, Term
from cases.telling import Told, tell

from . import engines
from .engines import All, Any, Question, ask
from .finding import LONGEST_QUERY
from .index import TITLE
from .terms import terms
from .tokens import JOINTS, STOP_WORDS, WHOLE, normal, pairs, stems

MOST_OF_A_KIND = 5
SHORTEST = 2
LISTS = (Term.List.DOMAIN, Term.List.ROOT_CAUSE, Term.List.COMPONENT, Term.List.SYMPTOM, Term.List.CONTRIBUTING)
DIGITS = re.compile(r"(?:il[-_ ]?)?([0-9]{1,9})", re.IGNORECASE)
DIGITS_OF_A_NUMBER, MOST_DIGITS = 4, 9
WORD = re.compile(r"[a-z0-9]+|[가-힣]+")

Kind = Literal["org", "term", "case"]


@dataclass(frozen=True)
class Suggestion:
    """``name`` is the slug of an organisation, ``list:slug`` of a term or a case number."""

    kind: Kind
    name: str
    label: Told


def suggest(text: str, language: Language, labels: Labels) -> list[Suggestion]:
    """Return at most five of each kind; nothing for a single letter."""
    start = " ".join(normal(text[:LONGEST_QUERY]).split())
    if len(start) < SHORTEST:
        return []
    named = [*_first(_orgs(start, language, labels)), *_first(_terms(start, language, labels))]
    return [*named, *_cases(text[:LONGEST_QUERY], language)]


def _first(found: Iterable[Suggestion]) -> list[Suggestion]:
    return sorted(found, key=lambda one: one.label.text.casefold())[:MOST_OF_A_KIND]


def _begins(start: str, names: Iterable[str | None]) -> bool:
    """Tell whether one of the names, or a word in it, begins like this; blanks in compounds do not count."""
    told = [normal(name) for name in names if name]
    together = start.replace(" ", "")
    return any(f" {start}" in f" {name}" or name.replace(" ", "").startswith(together) for name in told)


def _orgs(start: str, language: Language, labels: Labels) -> Iterator[Suggestion]:
    for org in labels.orgs.values():
        if org.slug and _begins(start, (org.written, org.names.en, org.names.ko)):
            yield Suggestion("org", org.slug, org.name(language))


def _terms(start: str, language: Language, labels: Labels) -> Iterator[Suggestion]:
    for (list_name, slug), term in labels.terms.items():
        if list_name not in LISTS or term.replaced_by or not term.known:
            continue
        if _begins(start, (term.names.en, term.names.ko, slug.replace("-", " "))):
            yield Suggestion("term", f"{list_name}:{slug}", term.name(language))


# Cases


def _cases(text: str, language: Language) -> list[Suggestion]:
    digits = DIGITS.fullmatch(text.strip())
    wanted = _numbered(digits[1]) if digits else Q(pk__in={case for _, case in ask(_titled(text))})
    cases = Case.objects.filter(wanted, status=Case.Status.PUBLISHED).order_by("-date_first", "-number")
    rows = cases.values_list("number", "title_en", "title_ko")[:MOST_OF_A_KIND]
    titles = [(number, tell(Pair.model_construct(en=en, ko=ko), language)) for number, en, ko in rows]
    return [Suggestion("case", case_id(number), title or Told(case_id(number))) for number, title in titles]


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
    complete = [
        Any(tuple(_in_title(phrase) for phrase in term.phrases)) for term in (*asked, *terms(" ".join(begun[:-1])))
    ]
    word = begun[-1]
    starts = [_in_title((word if word.isascii() else WHOLE + word,), is_start=True)]
    if word.isascii():
        starts += [_in_title((stem,)) for stem in stems([word])]
    elif len(word) > SHORTEST:
        starts.append(_in_title(pairs(word)))
    return [All((*complete, Any(tuple(starts))))]


def _in_title(phrase: tuple[str, ...], *, is_start: bool = False) -> engines.Phrase:
    return engines.Phrase(tuple(TITLE + token for token in phrase), is_start)
