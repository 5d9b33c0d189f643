"""The cases near a case, each with the reason why; made when the page is served, since other cases come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from cases.catalog import EDITORS
from cases.document import Language, Pair, case_id
from cases.formatting import listed
from cases.labels import Labels
from cases.telling import Shown, Told, tell

from .addresses import address
from .times import When, dated

if TYPE_CHECKING:
    from cases.similarity import Neighbour  # it needs our words, so it is known here by name only

REASONS = {
    "recurrence-of": gettext_noop("the same incident came back"),
    "editor-related": gettext_noop("chosen by the editors"),
    "same-root-cause": gettext_noop("same cause"),
    "shared-component": gettext_noop("shared {terms}"),
    "shared-domain": gettext_noop("shared {terms}"),
    "same-symptom": gettext_noop("same symptom: {terms}"),
    "shared-contributing": gettext_noop("same contributing factor: {terms}"),
}
# What the heading of a group says already.
SAID = frozenset({"recurrence-of", EDITORS})
MOST_PHRASES = 20_000
# Terms that are names: they keep their capital inside a line.
NAMES = frozenset({"azure", "kubernetes"})


@dataclass(frozen=True)
class RelatedCase(Shown):
    id: str
    url: str
    org: Told
    date: When
    title: Told
    reasons: str
    note: Told | None


@dataclass(frozen=True)
class RelatedGroup(Shown):
    """Cases that stand beside one for the same kind of reason."""

    slug: str
    name: str
    cases: list[RelatedCase]


def related_groups(
    near: Sequence[Neighbour], chain: Sequence[Neighbour], labels: Labels, language: Language
) -> list[RelatedGroup]:
    """Part what came back, what the editors chose and what is computed. The language must be the active one."""
    known, in_chain = {row.number: row for row in near}, {row.number for row in chain}
    others = [row for row in near if row.number not in in_chain]
    groups = (
        ("chain", _("The same incident at other times"), [known.get(row.number, row) for row in chain]),
        ("chosen", _("Chosen by the editors"), [row for row in others if row.by_editor]),
        ("alike", _("With the most in common"), [row for row in others if not row.by_editor]),
    )
    return [
        RelatedGroup(slug, name, [related_case(row, labels, language) for row in rows])
        for slug, name, rows in groups
        if rows
    ]


def related_case(row: Neighbour, labels: Labels, language: Language) -> RelatedCase:
    """Work out one line: why it stands here besides what its group says. The language must be the active one."""
    computed = [(kind, terms) for kind, terms in row.reasons if kind not in SAID]
    number = case_id(row.number)
    return RelatedCase(
        id=number,
        url=address("case", language, id=number),
        org=labels.org(row.org_name).name(language),
        date=dated(row.date_first, row.date_precision, language),
        title=tell(Pair.model_construct(en=row.title_en, ko=row.title_ko), language) or Told(number),
        reasons=reasons_text(computed, None, labels, language),
        note=tell(row.note, language),
    )


def reasons_text(
    reasons: Sequence[tuple[str, Sequence[str]]], note: Pair | None, labels: Labels, language: Language
) -> str:
    """Say all reasons in one line, with the note of the editors where they wrote it in this language.

    The language must be the active one.
    """
    said = [
        f"{words}: {told}" if kind == EDITORS and note and (told := note.told(language)) else words
        for kind, terms in reasons
        if (words := reason_words(kind, terms, labels, language))
    ]
    return " · ".join(said)


def reason_words(kind: str, terms: Sequence[str], labels: Labels, language: Language) -> str:
    """Say one reason, such as "shared service discovery". The language must be the active one.

    The labels remember it: an export says the same few thousand phrases for each of its cases.
    """
    key = (kind, tuple(terms), language)
    said = labels.phrases.get(key)
    if said is None:
        if len(labels.phrases) >= MOST_PHRASES:
            labels.phrases.clear()
        said = labels.phrases[key] = _said(kind, terms, labels, language)
    return said


def _said(kind: str, terms: Sequence[str], labels: Labels, language: Language) -> str:
    if kind not in REASONS:
        return labels.term("relation", kind).name(language).text
    return _(REASONS[kind]).format(terms=listed([_inside_a_line(term, labels, language) for term in terms], language))


def _inside_a_line(term: str, labels: Labels, language: Language) -> str:
    """Write a label without its capital, unless it is a name or an abbreviation."""
    list_name, _separator, slug = term.partition(":")
    word = labels.term(list_name, slug).name(language).text
    is_name = slug in NAMES or word[1:] != word[1:].lower()
    return word if is_name else word[:1].lower() + word[1:]
