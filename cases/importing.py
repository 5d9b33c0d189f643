"""Taking cases in from files: read, compare with what is stored, publish in batches; one bad case stops no other."""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from cases.document import (
    LANGUAGES,
    MOST_BYTES,
    CaseDocument,
    DocumentError,
    LanguageReview,
    Problem,
    Reading,
    case_number,
    read_case,
    read_json,
)
from cases.document.problems import gettext_noop, printable, problem
from cases.models import Case, Change, Edition, LanguageVersion, Person
from cases.publishing import Publication, publish
from cases.words import Words

BATCH = 500
LINE_FILES = {".jsonl", ".ndjson"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a case stands in the input; ``line`` is None for a file that is one case."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Note:
    """One thing to say of one place: an error, or a warning."""

    place: Place
    problem: Problem
    is_error: bool

    def text(self) -> str:
        return f"{self.place}: {'error' if self.is_error else 'warning'}: {self.problem.text()}"


@dataclass
class Report:
    """What became of each case, counted, and what there is to say."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[Note] = field(default_factory=list)

    def refuse(self, place: Place, problems: Iterable[Problem]) -> None:
        self.counts["refused"] += 1
        self.notes += [Note(place, found, is_error=True) for found in problems]

    def warn(self, place: Place, problems: Iterable[Problem]) -> None:
        self.notes += [Note(place, found, is_error=False) for found in problems]


# Files


def case_texts(paths: Iterable[Path]) -> Iterator[tuple[Place, bytes | Problem]]:
    """Give each case of files and folders as bytes, one at a time, however large a JSON Lines file is."""
    for path in paths:
        if path.is_dir():
            found = [file for file in path.rglob("*") if file.suffix in {".json", *LINE_FILES}]
            yield from case_texts(sorted(found))
        elif not path.is_file():
            yield Place(str(path)), problem((), "no_file", gettext_noop("there is no such file"))
        elif path.suffix in LINE_FILES:
            yield from _lines(path)
        else:
            with path.open("rb") as file:
                yield Place(str(path)), file.read(MOST_BYTES + 1)


def _lines(path: Path) -> Iterator[tuple[Place, bytes]]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MOST_BYTES + 1):
            number += 1
            rest = line
            while not rest.endswith(b"\n") and (rest := file.readline(MOST_BYTES)):
                pass
            if line.strip():
                yield Place(str(path), number), line if len(line) > MOST_BYTES else line.rstrip(b"\r\n")


# Cases


@dataclass(frozen=True)
class _Found:
    place: Place
    raw: dict[str, Any]
    number: int


class Importer:
    """Imports cases in batches. ``run`` may be called once for each input; numbers are remembered between calls."""

    def __init__(self, *, trust_reviews: bool = False, dry_run: bool = False) -> None:
        self.trust_reviews = trust_reviews
        self.dry_run = dry_run
        self.report = Report()
        self.words = Words()
        self.persons: dict[str, Person] = {}
        self.first_places: dict[int, Place] = {}

    def run(self, texts: Iterable[tuple[Place, bytes | Problem]]) -> Iterator[int]:
        """Import everything; give after each batch how many cases were looked at."""
        found = self._read(texts)
        looked_at = 0
        while batch := list(islice(found, BATCH)):
            with _uncollected():
                self._take(batch)
            looked_at += len(batch)
            yield looked_at

    def _read(self, texts: Iterable[tuple[Place, bytes | Problem]]) -> Iterator[_Found]:
        for place, data in texts:
            try:
                raw = _raw(data)
                number = _number(raw)
                self._only_once(place, number)
            except DocumentError as error:
                self.report.refuse(place, error.problems)
                continue
            yield _Found(place, raw, number)

    def _only_once(self, place: Place, number: int) -> None:
        first = self.first_places.setdefault(number, place)
        if first is not place:
            message = gettext_noop("the same number stands in this run before, at {first}")
            raise DocumentError([problem(("id",), "number_twice", message, first=first)])

    def _take(self, batch: list[_Found]) -> None:
        numbers = [found.number for found in batch]
        current = Edition.objects.filter(case__number__in=numbers, number=F("case__edition_number"))
        stored = dict(current.values_list("case__number", "text"))
        drafts = set(Case.objects.filter(number__in=numbers, has_draft=True).values_list("number", flat=True))
        wanted = []
        for found in batch:
            try:
                publication = self._publication(found, stored.get(found.number), has_draft=found.number in drafts)
            except DocumentError as error:
                self.report.refuse(found.place, error.problems)
                continue
            if publication is None:
                self.report.counts["unchanged"] += 1
            else:
                wanted.append((found, publication))
        self._publish(wanted, set(stored))

    def _publication(self, found: _Found, stored: str | None, *, has_draft: bool) -> Publication | None:
        """Make what is to be published of one case; None when it is what is stored already."""
        known = json.loads(stored) if stored is not None else None
        reading = read_case(found.raw, known)
        document, warnings = self.words.canonical(reading.document)
        if stored is not None and document.text() == stored:
            return None
        if has_draft:
            message = gettext_noop("has a draft on the desk: publish or archive that first")
            raise DocumentError([problem(("id",), "has_draft", message)])
        self.report.warn(found.place, [*reading.warnings, *warnings])
        if known is not None:
            self.report.warn(found.place, [*_emptied(known, document), *_ignored(reading)])
        return self._with_record(reading, document, is_new=known is None)

    def _with_record(self, reading: Reading, document: CaseDocument, *, is_new: bool) -> Publication:
        record = reading.record
        reviews = record.language_reviews(document.languages)
        trusted = self.trust_reviews and is_new
        versions = {
            language: self._version(reviews.of(language), trusted=trusted, present=language in document.languages)
            for language in LANGUAGES
        }
        if not is_new:
            return Publication(document, versions, Change.Kind.IMPORTED, updated_at=timezone.now())
        keeps_time = "updated_at" in reading.told_keys
        return Publication(
            document,
            versions,
            Change.Kind.IMPORTED,
            edition=record.edition,
            published_at=record.published_at,
            updated_at=record.updated_at if keeps_time else timezone.now(),
            org_slug=reading.org_slug,
            columns=_status_columns(reading),
        )

    def _version(self, review: LanguageReview, *, trusted: bool, present: bool) -> LanguageVersion:
        """Make what is known of one language: a reviewer counts only when the file is trusted."""
        if not present:
            return LanguageVersion(state=LanguageVersion.State.MISSING)
        writer = self._person(review.written_by)
        if not trusted:
            return LanguageVersion(
                state=LanguageVersion.State.DRAFT,
                written_by=writer,
                elsewhere_by=review.reviewed_by,
                elsewhere_at=review.reviewed_at,
            )
        reviewer = self._person(review.reviewed_by)
        approved_by_nobody = review.state in ("approved", "missing") and reviewer is None
        own = reviewer is not None and reviewer == writer
        return LanguageVersion(
            state=LanguageVersion.State.DRAFT if approved_by_nobody else review.state,
            written_by=writer,
            reviewed_by=reviewer,
            reviewed_at=review.reviewed_at,
            override=own,
            override_reason="imported with its review" if own else "",
            stale_fields=review.stale_fields,
        )

    def _person(self, name: str | None) -> Person | None:
        if name is None:
            return None
        if name not in self.persons:
            self.persons[name] = Person.objects.get_or_create(name=name)[0]
        return self.persons[name]

    def _publish(self, wanted: list[tuple[_Found, Publication]], existing: set[int]) -> None:
        """Publish a batch; when the database refuses it, case by case, so that only the bad ones stay out."""
        if not wanted:
            return
        try:
            self._publish_all([publication for _, publication in wanted])
        except DatabaseError as error:
            self._start_over()
            if len(wanted) == 1:
                message = gettext_noop("the database refuses it: {reason}")
                reason = printable(str(error).splitlines()[0], 200)
                self.report.refuse(wanted[0][0].place, [problem((), "refused", message, reason=reason)])
                return
            for one in wanted:
                self._publish([one], existing)
            return
        for found, _ in wanted:
            self.report.counts["changed" if found.number in existing else "new"] += 1

    def _publish_all(self, publications: list[Publication]) -> None:
        with transaction.atomic():
            publish(publications, self.words)
            if self.dry_run:
                transaction.set_rollback(True)
        if self.dry_run:
            self._start_over()

    def _start_over(self) -> None:
        """Forget the terms, organisations and persons that a transaction made which was undone."""
        self.words, self.persons = Words(), {}


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let the garbage collector wait: what a batch makes lives as long as the batch, and none of it is a cycle."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _raw(data: bytes | Problem) -> Any:
    if isinstance(data, Problem):
        raise DocumentError([data])
    return read_json(data)


def _number(raw: Any) -> int:
    if not isinstance(raw, dict):
        message = gettext_noop("a case must be a JSON object; several cases go into a .jsonl file, one a line")
        raise DocumentError([problem((), "not_an_object", message)])
    try:
        return case_number(raw["id"])
    except (KeyError, TypeError, ValueError):
        message = gettext_noop("must be a case number: IL- and at least four digits, as in IL-0560")
        raise DocumentError([problem(("id",), "bad_number", message)]) from None


def _status_columns(reading: Reading) -> dict[str, Any]:
    """Return the columns of a withdrawal or a merge that a file tells of."""
    record = reading.record
    if record.status == "withdrawn" and record.withdrawn is not None:
        reason = record.withdrawn.reason
        columns = {f"withdrawn_reason_{language}": reason and reason.told(language) for language in LANGUAGES}
        return {"status": Case.Status.WITHDRAWN, "withdrawn_at": record.withdrawn.at, **columns}
    if record.status == "merged" and record.merged_into is not None:
        return {"status": Case.Status.MERGED, "merged_into": case_number(record.merged_into)}
    return {}


def _emptied(known: dict[str, Any], document: CaseDocument) -> list[Problem]:
    """List every non-empty part of the stored document that the new one leaves empty."""
    before, after = _parts(known), _parts(document.model_dump(mode="json"))
    message = gettext_noop("is emptied by this import")
    return [problem(path, "emptied", message) for path, value in before.items() if value and not after.get(path)]


def _parts(document: dict[str, Any]) -> dict[tuple[str, ...], Any]:
    parts: dict[tuple[str, ...], Any] = {}
    for key, value in document.items():
        if isinstance(value, dict):
            parts |= {(key, name): part for name, part in value.items()}
        else:
            parts[key,] = value
    return parts


def _ignored(reading: Reading) -> list[Problem]:
    told = sorted(reading.told_keys - {"review", "updated_at"})
    if not told:
        return []
    message = gettext_noop("these keys are kept only for a new number and are ignored: {keys}")
    return [problem((), "record_ignored", message, keys=", ".join(told))]
