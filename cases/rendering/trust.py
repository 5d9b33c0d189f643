"""What a reader may trust: for each language who wrote it, who reviewed it, and what is newer than the review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cases.document import LANGUAGES, Language
from cases.formatting import date_words
from cases.models import LanguageVersion, Person
from cases.standing import Standing
from cases.telling import Shown


@dataclass(frozen=True)
class TrustLine(Shown):
    """What is known of one language of the case. ``tone`` is the state's slug, for its looks."""

    name: str
    tone: str
    state: str
    remarks: list[str]


@dataclass(frozen=True)
class Badge(Shown):
    """The review of the whole case in one word."""

    tone: str
    word: str


def trust_lines(standing: Standing, language: Language) -> list[TrustLine]:
    """Say what is known of each language; a draft has no versions and nothing to say."""
    names = language_names()
    return [_line(standing.versions[one], names[one], language) for one in LANGUAGES if one in standing.versions]


def badge(standing: Standing) -> Badge:
    states = {version.state for version in standing.present}
    if not states:
        return Badge("draft", _("Draft"))
    if standing.is_approved:
        return Badge("approved", _("Reviewed"))
    if states & {LanguageVersion.State.APPROVED, LanguageVersion.State.STALE}:
        return Badge("partly", _("Partly reviewed"))
    return Badge("draft", _("Not reviewed"))


def language_names() -> Mapping[Language, str]:
    return {"en": _("English"), "ko": _("Korean")}


def _line(version: LanguageVersion, name: str, language: Language) -> TrustLine:
    remarks = [_written_by(version.written_by)] if version.written_by else []
    if version.override:
        reason = version.override_reason
        remarks.append(_("The rule that nobody approves their own text was set aside: {reason}").format(reason=reason))
    if version.elsewhere_by:
        remarks.append(_elsewhere(version, language))
    return TrustLine(name, str(version.state), _state(version, language), remarks)


def _state(version: LanguageVersion, language: Language) -> str:
    if version.reviewed_by is not None and version.reviewed_at is not None:
        when = date_words(version.reviewed_at.date(), "day", language)
        reviewed = _("Reviewed by {name} on {date}").format(name=version.reviewed_by.name, date=when)
        if version.state == LanguageVersion.State.APPROVED:
            return reviewed
        return f"{reviewed} · {_newer(version)}"
    states = {
        LanguageVersion.State.MISSING: _("Not available"),
        LanguageVersion.State.IN_REVIEW: _("In review, not approved yet"),
        LanguageVersion.State.CHANGES_REQUESTED: _("A reviewer asked for changes"),
    }
    return states.get(LanguageVersion.State(version.state), _("Not reviewed yet"))


def _newer(version: LanguageVersion) -> str:
    """Say that there is text which the review did not see, and how much where that is known."""
    count = len(version.stale_fields)
    if version.state == LanguageVersion.State.STALE and count:
        return ngettext(
            "{count} passage is newer than the review", "{count} passages are newer than the review", count
        ).format(count=count)
    return _("Changed since the review")


def _written_by(person: Person) -> str:
    if person.kind == Person.Kind.AGENT:
        return _("Written by {name}, a program").format(name=person.name)
    return _("Written by {name}").format(name=person.name)


def _elsewhere(version: LanguageVersion, language: Language) -> str:
    if version.elsewhere_at is None:
        return _("Reviewed elsewhere by {name}").format(name=version.elsewhere_by)
    when = date_words(version.elsewhere_at.date(), "day", language)
    return _("Reviewed elsewhere by {name} on {date}").format(name=version.elsewhere_by, date=when)
