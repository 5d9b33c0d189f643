"""The one writer of published cases: tables, edition, language versions, stored row, catalog, search and change.

All in one transaction. Import and desk both call ``publish``. What readers see is made from these rows, so nothing
else may write them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from cases.catalog import write_rows
from cases.document import LANGUAGES, CaseDocument, Language, case_id, compose, write_json
from cases.mapping import load
from cases.models import Case, Change, Counter, Edition, LanguageVersion, Org, Pairing, StoredCase
from cases.models.bulk import insert
from cases.models.published import random_token
from cases.search import index
from cases.standing import Standing, aliases_of, standings
from cases.words import Words

# Numbers for examples: the counter passes over them.
EXAMPLES = range(9000, 10000)
EDITION = ("case_id", "number", "text", "note", "published_at")
VERSION = (
    "edition_id", "language", "state", "written_by_id", "reviewed_by_id", "reviewed_at", "override", "override_reason",
    "stale_fields", "elsewhere_by", "elsewhere_at",
)  # fmt: skip
HTML = ("stamp", "card_en", "card_ko", "article_en", "article_ko")


@dataclass(frozen=True)
class Publication:
    """One document to publish, with what is known of each of its languages.

    ``versions`` are unsaved rows without an edition. ``edition`` is set only when an import restores a case that does
    not exist here; ``updated_at`` None means that nobody knows.
    """

    document: CaseDocument
    versions: Mapping[Language, LanguageVersion]
    kind: Change.Kind = Change.Kind.PUBLISHED
    note: str = ""
    edition: int | None = None
    published_at: dt.datetime | None = None
    updated_at: dt.datetime | None = None
    org_slug: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)


def publish(publications: Sequence[Publication], words: Words) -> list[Case]:
    """Publish documents as the next edition of their cases, all or nothing. Numbers must be distinct."""
    with transaction.atomic():
        documents = [publication.document for publication in publications]
        learned = [words.learn(publication.document, publication.org_slug) for publication in publications]
        if any(learned):
            Counter.objects.filter(name="vocabulary").update(value=F("value") + 1)
        numbers = [document.number for document in documents]
        _reserve(numbers)
        targets = _merge_targets(numbers)
        cases = load(documents, words, _records(publications))
        _write_editions(cases, publications)
        log_changes([(publication.document.number, publication.kind) for publication in publications])
        _store(cases, publications, words)
        _tell_targets((targets ^ _merge_targets(numbers)) - set(numbers))
        return cases


def next_number() -> int:
    """Give out the next case number; it is never given out again. The caller holds the transaction."""
    counter = Counter.objects.select_for_update().get(name="case")
    number = counter.value + 1 if counter.value + 1 not in EXAMPLES else EXAMPLES.stop
    Counter.objects.filter(name="case").update(value=number)
    return number


def touch_vocabulary() -> None:
    """Note that a label, a definition or a check changed: pages made before are made again."""
    Counter.objects.filter(name__in=("vocabulary", "wording")).update(value=F("value") + 1)


def _reserve(numbers: Iterable[int]) -> None:
    """Raise the counter of case numbers to the highest one used, so that it is never given out."""
    highest = max((number for number in numbers if number not in EXAMPLES), default=0)
    Counter.objects.filter(name="case", value__lt=highest).update(value=highest)


def _records(publications: Sequence[Publication]) -> list[dict[str, Any]]:
    numbers = [publication.document.number for publication in publications]
    editions = dict(Case.objects.filter(number__in=numbers).values_list("number", "edition_number"))
    return [
        {
            "edition_number": editions[number] + 1 if number in editions else publication.edition or 1,
            "updated_at": publication.updated_at,
            **publication.columns,
        }
        for number, publication in zip(numbers, publications, strict=True)
    ]


def _write_editions(cases: Sequence[Case], publications: Sequence[Publication]) -> None:
    now = timezone.now()
    editions = [
        Edition(
            case=case,
            number=case.edition_number,
            text=publication.document.text(),
            note=publication.note,
            published_at=publication.published_at or now,
        )
        for case, publication in zip(cases, publications, strict=True)
    ]
    insert(Edition, EDITION, map(attrgetter(*EDITION), editions))
    current = Edition.objects.filter(case__in=cases, number=F("case__edition_number"))
    ids = dict(current.values_list("case_id", "id"))
    rows = []
    for edition, publication in zip(editions, publications, strict=True):
        edition.pk = ids[edition.case_id]
        for language in LANGUAGES:
            version = publication.versions[language]
            version.edition, version.language = edition, language
            rows.append(version)
    insert(LanguageVersion, VERSION, map(attrgetter(*VERSION), rows))


def log_changes(changes: Sequence[tuple[int, Change.Kind]]) -> None:
    """Note (case number, kind) in the public log, numbered without gaps: the counter row is locked until the end."""
    Counter.objects.filter(name="change").update(value=F("value") + len(changes))
    first = Counter.objects.get(name="change").value - len(changes) + 1
    now = timezone.now()
    insert(
        Change,
        ("sequence", "number", "kind", "at", "token"),
        ((sequence, number, kind.value, now, random_token()) for sequence, (number, kind) in enumerate(changes, first)),
    )


def _merge_targets(numbers: Sequence[int]) -> set[int]:
    """Return the cases that some of these are merged into: their ``aliases`` follow."""
    rows = Case.objects.filter(number__in=numbers, merged_into__isnull=False)
    return {case.merged_into for case in rows.only("merged_into") if case.merged_into is not None}


def _tell_targets(numbers: set[int]) -> None:
    """Note that the ``aliases`` of these cases changed, for whoever keeps a copy of them, and write their rows."""
    if numbers:
        log_changes([(number, Change.Kind.ALIASES) for number in sorted(numbers)])
        refresh(numbers)


def refresh(numbers: Iterable[int]) -> None:
    """Write the stored rows of cases again whose content is the same but that stand elsewhere now.

    A case that is not published any more loses its row, one that is published again gets it back.
    """
    cases = list(Case.objects.filter(number__in=list(numbers)).select_related("org"))
    published = [case for case in cases if case.status == Case.Status.PUBLISHED]
    current = Edition.objects.filter(case__in=published, number=F("case__edition_number"))
    documents = {edition.case_id: edition.document() for edition in current}
    where = standings(published)
    texts = {case: public_json(documents[case.pk], where[case.number], case.org) for case in published}
    _replace_rows(cases, texts)
    index.forget(case for case in cases if case not in texts)
    index.write(published, (documents[case.pk] for case in published))


def _replace_rows(cases: Sequence[Case], texts: Mapping[Case, str]) -> None:
    sequence = Counter.objects.get(name="change").value
    StoredCase.objects.filter(case__in=cases).delete()
    blank = [""] * len(HTML)
    rows = ((case.pk, case.number, sequence, text, *blank) for case, text in texts.items())
    insert(StoredCase, ("case_id", "number", "sequence", "json", *HTML), rows)
    write_rows(cases)


def withdraw(number: int, reason: Mapping[Language, str | None]) -> None:
    """Take a published case back: its address says so, with the reason, and lists forget it."""
    columns: dict[str, Any] = {f"withdrawn_reason_{language}": reason.get(language) for language in LANGUAGES}
    columns |= {"status": Case.Status.WITHDRAWN, "withdrawn_at": timezone.now()}
    _move(number, Case.Status.PUBLISHED, columns, Change.Kind.WITHDRAWN)


def undo_withdrawal(number: int) -> None:
    """Put a withdrawn case back as it was."""
    columns: dict[str, Any] = {f"withdrawn_reason_{language}": None for language in LANGUAGES}
    columns |= {"status": Case.Status.PUBLISHED, "withdrawn_at": None}
    _move(number, Case.Status.WITHDRAWN, columns, Change.Kind.RESTORED)


def merge(number: int, target: int) -> None:
    """Make a case point at another, published one; its address leads there."""
    if not Case.objects.filter(number=target, status=Case.Status.PUBLISHED).exclude(number=number).exists():
        raise WrongStatus
    columns = {"status": Case.Status.MERGED, "merged_into": target}
    _move(number, Case.Status.PUBLISHED, columns, Change.Kind.MERGED)


def undo_merge(number: int) -> None:
    """Let a merged case stand for itself again."""
    _move(number, Case.Status.MERGED, {"status": Case.Status.PUBLISHED, "merged_into": None}, Change.Kind.RESTORED)


class WrongStatus(ValueError):
    """The case is not where the act needs it to be."""


def _move(number: int, status: Case.Status, columns: Mapping[str, Any], kind: Change.Kind) -> None:
    """Move a case from one status to another, if it still is where it was believed to be."""
    with transaction.atomic():
        targets = _merge_targets([number])
        if Case.objects.filter(number=number, status=status).update(**columns) != 1:
            raise WrongStatus
        log_changes([(number, kind)])
        refresh([number])
        _tell_targets(targets ^ _merge_targets([number]))


def _store(cases: Sequence[Case], publications: Sequence[Publication], words: Words) -> None:
    """Write the rows that readers fetch; their articles are made by ``rendering`` afterwards."""
    aliases = aliases_of(case.number for case in cases)
    told = zip(cases, publications, strict=True)
    shown = {case: publication for case, publication in told if case.status == Case.Status.PUBLISHED}
    texts: dict[Case, str] = {}

    def documents() -> Iterator[CaseDocument]:
        """Write the public text of a case while PostgreSQL takes in what search needs of the one before."""
        for case, publication in shown.items():
            published_at = next(iter(publication.versions.values())).edition.published_at
            standing = Standing.of(case, published_at, publication.versions.values(), aliases.get(case.number, ()))
            texts[case] = public_json(publication.document, standing, words.org(publication.document.org))
            yield publication.document

    index.forget(case for case in cases if case not in shown)
    index.write(list(shown), documents())
    _replace_rows(cases, texts)


def public_json(document: CaseDocument, standing: Standing, org: Org) -> str:
    """Write the public JSON of a case, without the keys that depend on other cases."""
    computed = {"url": f"{settings.SITE_URL}/cases/{case_id(document.number)}", "org_slug": org.slug}
    return write_json(compose(document, standing.as_json(), computed))


def remove_examples(*, dry_run: bool = False) -> tuple[int, int]:
    """Delete the examples and the organisations that only they used; give how many of each."""
    with transaction.atomic():
        examples = Case.objects.filter(example=True)
        numbers = sorted(examples.values_list("number", flat=True))
        orgs = Org.objects.filter(cases__in=examples).exclude(cases__example=False).distinct()
        org_ids = list(orgs.values_list("pk", flat=True))
        if not dry_run:
            Pairing.objects.filter(first__in=numbers).delete()
            targets = _merge_targets(numbers) - set(numbers)
            LanguageVersion.objects.filter(edition__case__in=examples).delete()
            Edition.objects.filter(case__in=examples).delete()
            examples.delete()
            Org.objects.filter(pk__in=org_ids).delete()
            log_changes([(number, Change.Kind.REMOVED) for number in numbers])
            _tell_targets(targets)
    return len(numbers), len(org_ids)
