"""When a document may be published: the policy of the site, in words for the person who wants to publish."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.conf import settings
from django.utils.translation import gettext as _

from cases.document import LANGUAGES, CaseDocument, Language
from cases.fields import label_parts, texts

OTHER: dict[Language, Language] = {"en": "ko", "ko": "en"}


def missing_fields(document: CaseDocument, language: Language) -> list[str]:
    """Return the fields that the other language tells and this one does not, impact aside; empty means complete."""
    own = {without_language(path) for path in texts(document, language)}
    other = {without_language(path) for path in texts(document, OTHER[language])} | {"title", "summary"}
    return sorted(path for path in other - own if not path.startswith("impact_text."))


def without_language(path: str) -> str:
    """Cut the language off a field path: ``title.en`` becomes ``title``."""
    return path.removesuffix(".en").removesuffix(".ko")


def named(document: CaseDocument, paths: Iterable[str]) -> str:
    """Name fields in a sentence for a person."""
    return " · ".join(label_parts(path, document).text(_) for path in paths)


def obstacles(document: CaseDocument, approved: Collection[Language], policy: str | None = None) -> list[str]:
    """Say in one sentence each what keeps a document from being published; none means that it may be.

    ``approved`` are the languages whose text an approval in force has read as it is.
    """
    policy = policy or settings.PUBLISH_POLICY
    if policy == "any":
        return []
    found = []
    for language in LANGUAGES:
        if texts(document, language) and (missing := missing_fields(document, language)):
            told = {"language": _language(language), "fields": named(document, missing)}
            found.append(_("%(language)s is neither absent nor complete; it lacks: %(fields)s.") % told)
    if policy == "approved":
        waiting = [language for language in document.languages if language not in approved]
        found += [_("%(language)s is not approved.") % {"language": _language(language)} for language in waiting]
    return found


def _language(language: Language) -> str:
    return _("English") if language == "en" else _("Korean")
