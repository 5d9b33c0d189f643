"""Figures in words for one language: what comes along with a set of cases, how long things took, what was promised."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cases.catalog import Catalog
from cases.charts import Row, lasting
from cases.document import Language
from cases.formatting import duration_code, duration_words
from cases.models import Term
from cases.narrowing import Lists
from cases.rendering.times import When
from cases.statistics import LEAST_TOLD, Counted, Times
from cases.telling import Shown, Told

MOST_COMPANIONS = 8


@dataclass(frozen=True)
class Companion(Shown):
    """A word that comes along, and the list of the cases that have both."""

    label: Told
    cases: int
    url: str


@dataclass(frozen=True)
class Companions(Shown):
    """The words of one list that come along most often; ``others`` is how many more there are."""

    name: str
    label: str
    words: Sequence[Companion]
    others: int


@dataclass(frozen=True)
class TimesShown(Shown):
    """A time in words. ``median`` is None where too few cases tell it; ``source`` says from how many it is."""

    label: str
    median: When | None
    lower: When | None
    upper: When | None
    source: str
    bars: Sequence[Row]


def term_named(catalog: Catalog, name: str, language: Language) -> Callable[[str], str]:
    """Return what gives the label of a word of a list as plain text."""
    return lambda slug: catalog.labels.term(name, slug).name(language).text


def companions(
    catalog: Catalog,
    counted: Mapping[str, Sequence[Counted]],
    url: Callable[[str, str], str],
    own: tuple[str, str],
    language: Language,
) -> list[Companions]:
    """Say which words come along with the cases of one word (``own``: list, slug); ``url`` leads to those with both."""
    found = []
    for name, words in counted.items():
        others = [one for one in words if (name, one.word) != own]
        shown = [
            Companion(catalog.labels.term(name, one.word).name(language), one.cases, url(name, one.word))
            for one in others[:MOST_COMPANIONS]
        ]
        if shown:
            found.append(Companions(name, str(Term.List(name).label), shown, len(others) - len(shown)))
    return found


def times_shown(times: Times, name: str, label: str, language: Language, lists: Lists) -> TimesShown:
    """Say a time (``detect`` or ``repair``). The language must be the active one."""
    lower, median, upper = (
        When(duration_words(seconds, language), duration_code(seconds)) if seconds is not None else None
        for seconds in (times.lower, times.median, times.upper)
    )
    return TimesShown(label, median, lower, upper, source_words(times), lasting(times, name, language, lists))


def source_words(times: Times) -> str:
    """Say of how many cases a time is known, and that the others do not tell it."""
    if times.known < LEAST_TOLD:
        few = ngettext(
            "Told by {known} of {total} case: too few to say what is typical.",
            "Told by {known} of {total} cases: too few to say what is typical.",
            times.total,
        )
        return few.format(known=times.known, total=times.total)
    source = _("From {known} of {total} cases.").format(known=times.known, total=times.total)
    if not times.unknown:
        return source
    rest = ngettext("{number} case does not tell it.", "{number} cases do not tell it.", times.unknown)
    return f"{source} {rest.format(number=times.unknown)}"
