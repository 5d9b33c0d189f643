"""Making the stored HTML of many cases: a fixed number of queries a batch, whatever its size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import connection, transaction
from django.db.models import F

from cases.document import LANGUAGES, CaseDocument, read_document
from cases.labels import Labels, current_labels
from cases.models import Case, Edition, StoredCase
from cases.standing import Standing, standings

from .pages import render_card, render_case
from .stamps import stamp

BATCH = 100
COLUMNS = ("stamp", "card_en", "article_en", "card_ko", "article_ko")
# A row that was written anew since its sequence was read belongs to whoever wrote it. In the order of numbers, so that
# two who render never wait for each other.
KEEP = f"""
UPDATE cases_storedcase SET {", ".join(f"{column} = %s" for column in COLUMNS)}
WHERE number = %s AND sequence = %s"""  # noqa: S608  (fixed text)


@dataclass(frozen=True)
class _Batch:
    """The cases of one batch with all that their pages are made from."""

    sequences: dict[int, int]
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
    rows: list[tuple[str | int, ...]] = [
        (*_rendered(number, batch, labels), number, sequence) for number, sequence in batch.sequences.items()
    ]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(KEEP, rows)
        return int(cursor.rowcount)


def _read(numbers: Sequence[int]) -> _Batch:
    stored = StoredCase.objects.filter(number__in=numbers).order_by("number")
    sequences = dict(stored.values_list("number", "sequence"))
    cases = list(Case.objects.filter(number__in=sequences))
    editions = Edition.objects.filter(case__in=cases, number=F("case__edition_number"))
    texts = editions.values_list("case__number", "text")
    documents = {number: read_document(text) for number, text in texts}
    return _Batch(sequences, documents, standings(cases))


def _rendered(number: int, batch: _Batch, labels: Labels) -> Iterator[str]:
    """Give the values of ``COLUMNS``."""
    document, standing = batch.documents[number], batch.standings[number]
    yield stamp(labels.wording)
    for language in LANGUAGES:
        yield render_card(document, standing, labels, language)
        yield render_case(document, standing, labels, language)


def _batches(numbers: Iterable[int]) -> Iterator[list[int]]:
    waiting = iter(dict.fromkeys(numbers))
    while batch := list(islice(waiting, BATCH)):
        yield batch
