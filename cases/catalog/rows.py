"""The rows that the catalog is filled from: written in the transaction that publishes, read without making objects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import F

from cases.document import LANGUAGES, Language
from cases.models import (
    ActionItem,
    Case,
    CaseCheck,
    CaseTerm,
    CatalogRow,
    LanguageVersion,
    RelatedNumber,
    Source,
    Term,
)

MARKS = tuple(1 << place for place in range(8))
PUBLISHED, EXAMPLE, ENGLISH, KOREAN, REVIEWED, TIMED, NOTICED, TAUGHT = MARKS
TOLD: dict[Language, int] = {"en": ENGLISH, "ko": KOREAN}
BATCH = 5_000
COLUMNS = (
    "case_id, number, first_day, last_day, repair_seconds, detect_seconds, follow_ups, marks, org_id, words, related,"
    " recurrence_of, merged_into"
)  # fmt: skip
# What can be known of something promised; how many of each a case has, one behind the other in as many digits.
FOLLOW_UPS = ("planned", "underway", "done", "dropped", None)
FOLLOW_UP_DIGITS = 9  # a document has at most 400 action items
# Stands where checks apply to no term that there is.
NO_TERM = 0


# Writing


def write_rows(cases: Sequence[Case]) -> None:
    """Write the rows of cases anew, in a fixed number of queries whatever their number."""
    published = [case for case in cases if case.status == Case.Status.PUBLISHED]
    words, related, reviewed = _words(published), _related(published), _reviewed(published)
    follow_ups = _follow_ups(published)
    rows = [_row(case) for case in cases]
    for row in rows:
        if row.case.status == Case.Status.PUBLISHED:
            row.org_id = row.case.org_id
            row.words = " ".join(words[row.pk])
            row.related = " ".join(related[row.pk])
            row.marks = _marks(row.case) + REVIEWED * (row.pk in reviewed)
            row.repair_seconds = row.case.resolve_seconds or 0
            row.detect_seconds = row.case.detect_seconds or 0
            row.follow_ups = follow_ups[row.pk]
    CatalogRow.objects.filter(case__in=cases).delete()
    CatalogRow.objects.bulk_create(rows)


def _row(case: Case) -> CatalogRow:
    return CatalogRow(
        case=case,
        number=case.number,
        first_day=case.date_first.toordinal(),
        last_day=case.date_last.toordinal(),
        recurrence_of=case.recurrence_of,
        merged_into=case.merged_into,
    )


def _marks(case: Case) -> int:
    told = sum(TOLD[one] for one in LANGUAGES if case.told("title", one) and case.told("summary", one))
    times = TIMED * (case.resolve_seconds is not None) + NOTICED * (case.detect_seconds is not None)
    taught = TAUGHT * any(case.told("lessons", one) for one in LANGUAGES)
    return PUBLISHED + EXAMPLE * case.example + times + taught + told


def _words(cases: Sequence[Case]) -> dict[int, list[str]]:
    found: dict[int, list[int | None]] = {
        case.pk: [case.root_cause_id, case.severity_id, case.detection_method_id] for case in cases
    }
    for case_id, term_id in CaseTerm.objects.filter(case__in=cases).values_list("case_id", "term_id"):
        found[case_id].append(term_id)
    for case_id, kind_id in Source.objects.filter(case__in=cases).values_list("case_id", "kind_id"):
        found[case_id].append(kind_id)
    checked = _checked(cases)
    return {
        case_id: [str(one) for one in dict.fromkeys(terms) if one] + [check_word(one) for one in checked[case_id]]
        for case_id, terms in found.items()
    }


def _checked(cases: Sequence[Case]) -> dict[int, list[int]]:
    """Return for each case with checks of its own the terms that they apply to, ``NO_TERM`` where that is none."""
    named: dict[int, list[str]] = defaultdict(list)
    for case_id, terms in CaseCheck.objects.filter(case__in=cases).values_list("case_id", "applies_to"):
        named[case_id] += terms
    slugs = {term.partition(":")[2] for terms in named.values() for term in terms}
    known = Term.objects.filter(slug__in=slugs).values_list("list", "slug", "pk") if slugs else ()
    ids = {f"{list_name}:{slug}": pk for list_name, slug, pk in known}
    applied = {case_id: [ids[term] for term in dict.fromkeys(terms) if term in ids] for case_id, terms in named.items()}
    return defaultdict(list, {case_id: found or [NO_TERM] for case_id, found in applied.items()})


def _follow_ups(cases: Sequence[Case]) -> dict[int, int]:
    found: dict[int, int] = defaultdict(int)
    for case_id, status in ActionItem.objects.filter(case__in=cases).values_list("case_id", "status"):
        found[case_id] += 1 << FOLLOW_UP_DIGITS * FOLLOW_UPS.index(status)
    return found


def _related(cases: Sequence[Case]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for case_id, number in RelatedNumber.objects.filter(case__in=cases).values_list("case_id", "number"):
        found[case_id].append(str(number))
    return found


def _reviewed(cases: Sequence[Case]) -> set[int]:
    """Return the cases in which every present language is approved."""
    current = LanguageVersion.objects.filter(
        edition__case__in=cases, edition__number=F("edition__case__edition_number")
    )
    present = current.exclude(state=LanguageVersion.State.MISSING).values_list("edition__case_id", "state")
    approved, others = set[int](), set[int]()
    for case_id, state in present:
        (approved if state == LanguageVersion.State.APPROVED else others).add(case_id)
    return approved - others


# Reading


class Row(NamedTuple):
    case_id: int
    number: int
    first_day: int
    last_day: int
    repair_seconds: int
    detect_seconds: int
    follow_ups: int
    marks: int
    org_id: int
    words: str
    related: str
    recurrence_of: int | None
    merged_into: int | None

    @property
    def all_words(self) -> set[str]:
        """The words of a case as an index names them, the organisation among them."""
        return {*self.words.split(), org_word(self.org_id)} if self.org_id else set()


# Where a plain tuple has what sets are made of.
NUMBER: Final = 1
ORG: Final = 8
WORDS: Final = 9
EARLIER: Final = 11
TARGET: Final = 12


def org_word(org_id: int) -> str:
    """Name an organisation apart from the term of the same id."""
    return f"o{org_id}"


def check_word(term_id: int) -> str:
    """Name what a case's own checks apply to apart from what the case itself is about."""
    return f"k{term_id}"


def all_rows() -> Iterator[Sequence[Row]]:
    """Give all rows in the order of their places, in batches, as the plain tuples that the database driver makes."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {COLUMNS} FROM cases_catalogrow ORDER BY first_day, number")  # noqa: S608  (fixed text)
        while batch := cursor.fetchmany(BATCH):
            yield batch


def rows_of(numbers: Iterable[int]) -> dict[int, Row]:
    wanted = CatalogRow.objects.filter(number__in=list(numbers))
    return {row[1]: Row(*row) for row in wanted.values_list(*COLUMNS.split(", "))}
