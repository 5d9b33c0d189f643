"""Making the stored HTML of many cases: a fixed number of queries a batch, whatever its size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import transaction
from django.db.models import F

from cases.document import LANGUAGES, CaseDocument
from cases.labels import Labels, current_labels
from cases.models import Case, Edition, StoredCase
from cases.standing import Standing, standings

from .pages import render_card, render_case
from .stamps import stamp

BATCH = 100
COLUMNS = ("stamp", "card_en", "card_ko", "article_en", "article_ko")


@dataclass(frozen=True)
class _Batch:
    """The cases of one batch with all that their pages are made from."""

    rows: list[StoredCase]
    documents: dict[int, CaseDocument]
    standings: dict[int, Standing]


def store_rendered(numbers: Iterable[int]) -> int:
    """Render the cards and articles of these cases and keep them; return how many cases were rendered.

    A case that is published anew meanwhile keeps its new row: whoever published it renders it.
    """
    labels = current_labels()
    return sum(_store(batch, labels) for batch in _batches(numbers))


def _store(numbers: Sequence[int], labels: Labels) -> int:
    batch = _read(numbers)
    rows = [_rendered(row, batch, labels) for row in batch.rows]
    with transaction.atomic():
        locked = StoredCase.objects.select_for_update().filter(number__in=numbers)
        present = dict(locked.values_list("number", "sequence"))
        unchanged = [row for row in rows if present.get(row.number) == row.sequence]
        StoredCase.objects.bulk_update(unchanged, COLUMNS, batch_size=BATCH)
    return len(unchanged)


def _read(numbers: Sequence[int]) -> _Batch:
    stored = list(StoredCase.objects.filter(number__in=numbers).only("case_id", "number", "sequence"))
    cases = list(Case.objects.filter(number__in=[row.number for row in stored]))
    editions = Edition.objects.filter(case__in=cases, number=F("case__edition_number")).select_related("case")
    documents = {edition.case.number: edition.document() for edition in editions}
    return _Batch(stored, documents, standings(cases))


def _rendered(row: StoredCase, batch: _Batch, labels: Labels) -> StoredCase:
    document, standing = batch.documents[row.number], batch.standings[row.number]
    row.stamp = stamp(labels.wording)
    for language in LANGUAGES:
        setattr(row, f"card_{language}", render_card(document, standing, labels, language))
        setattr(row, f"article_{language}", render_case(document, standing, labels, language))
    return row


def _batches(numbers: Iterable[int]) -> Iterator[list[int]]:
    waiting = iter(dict.fromkeys(numbers))
    while batch := list(islice(waiting, BATCH)):
        yield batch
