"""A snapshot: all that is public, as files in one folder that says its day, with their checksums.

The same library gives the same bytes: nothing in the files depends on when or where they were written.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from cases import catalog
from cases.catalog import Versions
from cases.document import case_id, json_schema, write_instant, write_json
from cases.exporting import checks, export, orgs
from cases.models import Case, Change, Edition, Term
from cases.standing import standings

BATCH = 200
# How often a snapshot is begun again because somebody published meanwhile.
ATTEMPTS = 3
SAYS_EVERY = 1_000
CHECKSUMS = "SHA256SUMS"
LATEST = "latest"
README = """\
IncidentLib, {site}
A snapshot of everything that is public, up to change {sequence} of the library ({at}).

cases.jsonl       every published case, one a line, as {site}/api/cases/IL-0560 gives it
cases.csv         the same cases as a table, without their texts
editions.jsonl    every published state of these cases; "document" is the content of a case as it was then
gone.jsonl        withdrawn cases with the reason, and merged ones with the case they became part of
terms.jsonl       the controlled words of all lists, in English and Korean; "known" is false where nobody defined one
orgs.jsonl        the organisations, with their other names
checks.jsonl      the "is it in my cluster too?" questions of the library
case.schema.json  what a line of cases.jsonl holds (JSON Schema)
{checksums}        checksums of all files: sha256sum --check {checksums}

All files are UTF-8. Texts that are not told in a language are null. Times are UTC.
{license}
Quotations belong to those who published them.
"""

Say = Callable[[str], object]


class SnapshotError(Exception):
    """A snapshot that was not taken; the message says why."""


def take(folder: Path, day: dt.date, say: Say) -> Path:
    """Write a snapshot into a new folder inside ``folder`` and return it; ``latest`` there leads to it afterwards.

    Nothing is there until all is there. Raises SnapshotError, also where there is one of this day already.
    """
    target = folder / f"incidentlib-{day.isoformat()}"
    if target.exists():
        raise SnapshotError(f"{target} exists already; nothing was written")
    folder.mkdir(parents=True, exist_ok=True)
    for _attempt in range(ATTEMPTS):
        with tempfile.TemporaryDirectory(prefix=".incidentlib-", dir=folder) as temporary:
            written = Writer(Path(temporary) / "snapshot", say).write(before := catalog.versions())
            if catalog.versions() == before:
                written.rename(target)
                _lead_to(folder / LATEST, target.name)
                return target
        say("The library changed meanwhile; beginning again.")
    raise SnapshotError("the library kept changing; try again when fewer people publish")


def _lead_to(link: Path, name: str) -> None:
    """Let a fixed name lead to the newest snapshot, without a moment in which it leads nowhere."""
    new = link.with_name(f".{link.name}-new")
    new.unlink(missing_ok=True)
    new.symlink_to(name)
    new.replace(link)


@dataclass
class Writer:
    """Writes the files of one snapshot into a folder that does not exist yet."""

    folder: Path
    say: Say
    sums: dict[str, str] = field(default_factory=dict)

    def write(self, now: Versions) -> Path:
        self.folder.mkdir()
        self._file("cases.jsonl", _cases("jsonl"))
        self._file("cases.csv", _cases("csv"))
        self._file("editions.jsonl", _lines(_editions()))
        self._file("gone.jsonl", _lines(_gone()))
        self._file("terms.jsonl", _lines(_terms()))
        self._file("orgs.jsonl", _lines(orgs()))
        self._file("checks.jsonl", _lines(checks()))
        self._file("case.schema.json", [json.dumps(json_schema(), ensure_ascii=False, indent=1) + "\n"])
        self._file("README.txt", [_readme(now)])
        self._file(CHECKSUMS, [f"{digest}  {name}\n" for name, digest in sorted(self.sums.items())])
        return self.folder

    def _file(self, name: str, texts: Iterable[str]) -> None:
        """Write one file to the disk, piece by piece, and keep its checksum."""
        digest = hashlib.sha256()
        with (self.folder / name).open("xb") as file:
            for count, text in enumerate(texts, 1):
                data = text.encode()
                digest.update(data)
                file.write(data)
                if count % SAYS_EVERY == 0:
                    self.say(f"{name}: {count} lines")
            file.flush()
            os.fsync(file.fileno())
        self.sums[name] = digest.hexdigest()


# What is in them


def _cases(file_format: str) -> Iterator[str]:
    return (text for _, text in export(None, file_format=file_format, everything=False))


def _lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    return (write_json(row) + "\n" for row in rows)


def _editions() -> Iterator[dict[str, Any]]:
    editions = Edition.objects.filter(case__status=Case.Status.PUBLISHED).select_related("case")
    for edition in editions.order_by("case__number", "number").iterator(chunk_size=BATCH):
        yield {
            "id": case_id(edition.case.number),
            "edition": edition.number,
            "published_at": write_instant(edition.published_at) if edition.published_at else None,
            "note": edition.note or None,
            "document": json.loads(edition.text),
        }


def _gone() -> Iterator[dict[str, Any]]:
    """Say what became of cases that are not public any more, and nothing of what they said."""
    rows = Case.objects.exclude(status=Case.Status.PUBLISHED).order_by("number").iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        where = standings(batch)
        for case in batch:
            record = where[case.number].as_json()
            yield {"id": case.id_text, **{key: record[key] for key in ("status", "withdrawn", "merged_into")}}


def _terms() -> Iterator[dict[str, Any]]:
    for term in Term.objects.select_related("replaced_by"):
        yield {
            "list": term.list,
            "slug": term.slug,
            "label": {"en": term.label_en or None, "ko": term.label_ko or None},
            "definition": {"en": term.definition_en or None, "ko": term.definition_ko or None},
            "known": term.known,
            "replaced_by": term.replaced_by.slug if term.replaced_by else None,
        }


def _readme(now: Versions) -> str:
    last = Change.objects.filter(sequence=now.last.sequence).first()
    name, url = settings.CONTENT_LICENSE_NAME, settings.CONTENT_LICENSE_URL
    return README.format(
        site=settings.SITE_URL,
        sequence=now.last.sequence,
        at=write_instant(last.at) if last else "nothing published yet",
        checksums=CHECKSUMS,
        license=f"The texts may be used under these terms: {name} {url}".rstrip() if name else "",
    )
