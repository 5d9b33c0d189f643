"""The rows that the catalog is filled from: written in the transaction that publishes, read without making objects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db import connection
from django.db.models import F

from cases.document import LANGUAGES, Language
from cases.models import Case, CaseTerm, CatalogRow, LanguageVersion, RelatedNumber, Source
from cases.models.bulk import insert

PUBLISHED, EXAMPLE, ENGLISH, KOREAN, REVIEWED, TIMED = MARKS = tuple(1 << place for place in range(6))
TOLD: dict[Language, int] = {"en": ENGLISH, "ko": KOREAN}
BATCH = 5_000
COLUMNS = (
    "case_id, number, first_day, last_day, repair_seconds, marks, org_id, words, related, recurrence_of, merged_into"
)  # fmt: skip


# Writing


def write_rows(cases: Sequence[Case]) -> None:
    """Write the rows of cases anew, in four queries and two statements whatever their number."""
    published = [case for case in cases if case.status == Case.Status.PUBLISHED]
    words, related, reviewed = _words(published), _related(published), _reviewed(published)
    CatalogRow.objects.filter(case__in=cases).delete()
    insert(
        CatalogRow,
        COLUMNS.split(", "),
        (
            _row(case, words.get(case.pk, ()), related.get(case.pk, ()), is_reviewed=case.pk in reviewed)
            for case in cases
        ),
    )


def _row(case: Case, words: Iterable[str], related: Iterable[str], *, is_reviewed: bool) -> Row:
    is_published = case.status == Case.Status.PUBLISHED
    return Row(
        case_id=case.pk,
        number=case.number,
        first_day=case.date_first.toordinal(),
        last_day=case.date_last.toordinal(),
        repair_seconds=(case.resolve_seconds or 0) if is_published else 0,
        marks=_marks(case) + REVIEWED * is_reviewed if is_published else 0,
        org_id=case.org_id if is_published else 0,
        words=" ".join(words),
        related=" ".join(related),
        recurrence_of=case.recurrence_of,
        merged_into=case.merged_into,
    )


def _marks(case: Case) -> int:
    told = sum(TOLD[one] for one in LANGUAGES if case.told("title", one) and case.told("summary", one))
    return PUBLISHED + EXAMPLE * case.example + TIMED * (case.resolve_seconds is not None) + told


def _words(cases: Sequence[Case]) -> dict[int, list[str]]:
    found: dict[int, list[int | None]] = {
        case.pk: [case.root_cause_id, case.severity_id, case.detection_method_id] for case in cases
    }
    for case_id, term_id in CaseTerm.objects.filter(case__in=cases).values_list("case_id", "term_id"):
        found[case_id].append(term_id)
    for case_id, kind_id in Source.objects.filter(case__in=cases).values_list("case_id", "kind_id"):
        found[case_id].append(kind_id)
    return {case_id: [str(one) for one in dict.fromkeys(terms) if one] for case_id, terms in found.items()}


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


def org_word(org_id: int) -> str:
    """Name an organisation apart from the term of the same id."""
    return f"o{org_id}"


def all_rows() -> Iterator[Sequence[Row]]:
    """Give all rows in the order of their places, in batches, as the plain tuples that the database driver makes."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {COLUMNS} FROM cases_catalogrow ORDER BY first_day, number")  # noqa: S608  (fixed text)
        while batch := cursor.fetchmany(BATCH):
            yield batch


def rows_of(numbers: Iterable[int]) -> dict[int, Row]:
    wanted = CatalogRow.objects.filter(number__in=list(numbers))
    return {row[1]: Row(*row) for row in wanted.values_list(*COLUMNS.split(", "))}
