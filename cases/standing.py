"""Where a case stands: its edition, its dates and what is known of each language, as pages and the JSON tell it."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import F

from cases.document import LANGUAGES, Language, case_id, write_instant
from cases.models import Case, Edition, LanguageVersion


@dataclass(frozen=True)
class Standing:
    """What happened to a case, beside its content. A draft has no edition and no versions."""

    status: str = "published"
    edition: int | None = None
    published_at: dt.datetime | None = None
    first_published_at: dt.datetime | None = None
    updated_at: dt.datetime | None = None
    withdrawn_at: dt.datetime | None = None
    withdrawn_reason: Mapping[Language, str | None] = field(default_factory=dict)
    merged_into: int | None = None
    aliases: tuple[int, ...] = ()
    versions: Mapping[Language, LanguageVersion] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        case: Case,
        published_at: dt.datetime | None,
        versions: Iterable[LanguageVersion],
        aliases: Iterable[int] = (),
    ) -> Standing:
        """Gather where a stored case stands, without a query.

        ``versions`` are those of its current edition, persons fetched; ``aliases`` the numbers merged into it.
        """
        return cls(
            status=case.status,
            edition=case.edition_number,
            published_at=published_at,
            updated_at=case.updated_at,
            withdrawn_at=case.withdrawn_at,
            withdrawn_reason={language: case.told("withdrawn_reason", language) for language in LANGUAGES},
            merged_into=case.merged_into,
            aliases=tuple(sorted(aliases)),
            versions={version.language: version for version in versions},  # type: ignore[misc]  # en or ko by a CHECK
        )

    @property
    def present(self) -> list[LanguageVersion]:
        return [version for version in self.versions.values() if version.state != LanguageVersion.State.MISSING]

    @property
    def is_approved(self) -> bool:
        """Tell whether every present language is approved."""
        return bool(self.present) and all(version.state == LanguageVersion.State.APPROVED for version in self.present)

    def as_json(self) -> dict[str, Any]:
        """Return the record keys of the public JSON as plain values."""
        reasons = dict(self.withdrawn_reason)
        withdrawn = {"at": _instant(self.withdrawn_at), "reason": reasons if any(reasons.values()) else None}
        return {
            "review": self._review(),
            "updated_at": _instant(self.updated_at),
            "status": self.status,
            "edition": self.edition,
            "published_at": _instant(self.published_at),
            "withdrawn": withdrawn if self.withdrawn_at else None,
            "merged_into": case_id(self.merged_into) if self.merged_into else None,
            "aliases": [case_id(number) for number in self.aliases],
            "languages": {language: _version(self.versions[language]) for language in LANGUAGES},
        }

    def _review(self) -> dict[str, str | None]:
        """Return the one-line review of the seed format: the reviewers only when every present language is approved."""
        times = [version.reviewed_at for version in self.present if version.reviewed_at]
        return {
            "written_by": _names([version.written_by for version in self.present]),
            "reviewed_at": _instant(max(times)) if self.is_approved else None,
            "reviewed_by": _names([version.reviewed_by for version in self.present]) if self.is_approved else None,
        }


def _names(persons: list[Any]) -> str | None:
    names = dict.fromkeys(person.name for person in persons if person is not None)
    return ", ".join(names) or None


def _instant(value: dt.datetime | None) -> str | None:
    return write_instant(value) if value is not None else None


def _version(version: LanguageVersion) -> dict[str, Any]:
    return {
        "state": version.state,
        "written_by": version.written_by.name if version.written_by else None,
        "reviewed_by": version.reviewed_by.name if version.reviewed_by else None,
        "reviewed_at": _instant(version.reviewed_at),
        "stale_fields": version.stale_fields,
    }


def aliases_of(numbers: Iterable[int]) -> dict[int, list[int]]:
    """Return the numbers that were merged into each of these."""
    found: dict[int, list[int]] = defaultdict(list)
    for case in Case.objects.filter(merged_into__in=list(numbers)).only("merged_into", "number"):
        if case.merged_into is not None:
            found[case.merged_into].append(case.number)
    return found


def standings(cases: Sequence[Case]) -> dict[int, Standing]:
    """Read where stored cases stand, by number, in three queries."""
    published, first = _published(cases)
    versions = defaultdict(list)
    current = Edition.objects.filter(case__in=cases, number=F("case__edition_number"))
    rows = LanguageVersion.objects.filter(edition__in=current).select_related("edition", "written_by", "reviewed_by")
    for version in rows.defer("edition__text"):
        versions[version.edition.case_id].append(version)
    aliases = aliases_of(case.number for case in cases)
    found = {}
    for case in cases:
        standing = Standing.of(case, published.get(case.pk), versions[case.pk], aliases.get(case.number, ()))
        found[case.number] = replace(standing, first_published_at=first.get(case.pk))
    return found


Times = dict[int, dt.datetime | None]


def _published(cases: Sequence[Case]) -> tuple[Times, Times]:
    """Return by primary key when the current edition of each case was published, and when its first."""
    rows = Edition.objects.filter(case__in=cases).order_by("-number").values_list("case_id", "published_at")
    current, first = Times(), Times()
    for case_pk, published_at in rows:
        current.setdefault(case_pk, published_at)
        first[case_pk] = published_at
    return current, first
