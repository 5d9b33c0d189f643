"""The public past of a case: its editions, as pages and programs tell of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from cases.document import LANGUAGES, write_instant
from cases.models import Edition, LanguageVersion
from cases.publishing import public_json
from cases.standing import Standing


@dataclass(frozen=True)
class PastEdition:
    """One edition as it was published; ``before`` is the one that it replaced, if any is kept here."""

    edition: Edition
    standing: Standing
    before: Edition | None
    newest: int

    def text(self) -> str:
        """Write its public JSON, without the keys that depend on other cases."""
        return public_json(self.edition.document(), self.standing, self.edition.case.org)


def past_edition(number: int, edition_number: int) -> PastEdition | None:
    """Read one edition of a case; None when there is none of this number."""
    kept = Edition.objects.filter(case__number=number)
    found = kept.select_related("case__org").filter(number=edition_number).first()
    if found is None:
        return None
    rows = LanguageVersion.objects.filter(edition=found).select_related("written_by", "reviewed_by")
    versions = {row.language: row for row in rows}
    standing = Standing(edition=found.number, published_at=found.published_at, versions=versions)  # type: ignore[arg-type]  # en or ko by a CHECK
    before = kept.filter(number=edition_number - 1).first()
    return PastEdition(found, standing, before, max(kept.values_list("number", flat=True)))


def editions_json(number: int) -> list[dict[str, Any]]:
    """Tell of the editions of a case, newest first, in two queries."""
    editions = list(Edition.objects.filter(case__number=number).defer("text").order_by("-number"))
    states: dict[int, dict[str, str]] = defaultdict(dict)
    for version in LanguageVersion.objects.filter(edition__in=editions):
        states[version.edition_id][version.language] = version.state
    return [
        {
            "edition": edition.number,
            "published_at": write_instant(edition.published_at) if edition.published_at else None,
            "note": edition.note or None,
            "languages": {language: states[edition.pk].get(language, "missing") for language in LANGUAGES},
        }
        for edition in editions
    ]
