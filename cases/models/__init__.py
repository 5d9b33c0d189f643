"""The tables of everything that is public."""

from .case import Case, CaseTerm, RelatedNumber
from .catalog import CatalogRow
from .items import ActionItem, CaseCheck, Claim, Event, Remediation, Source, Window
from .pairing import Pairing
from .people import Person
from .published import Change, Counter, Edition, LanguageVersion, StoredCase
from .search import SearchText, SearchWord
from .vocabulary import Check, GlossaryName, GlossaryTerm, Org, OrgAlias, Term, folded

__all__ = [
    "ActionItem",
    "Case",
    "CaseCheck",
    "CaseTerm",
    "CatalogRow",
    "Change",
    "Check",
    "Claim",
    "Counter",
    "Edition",
    "Event",
    "GlossaryName",
    "GlossaryTerm",
    "LanguageVersion",
    "Org",
    "OrgAlias",
    "Pairing",
    "Person",
    "RelatedNumber",
    "Remediation",
    "SearchText",
    "SearchWord",
    "Source",
    "StoredCase",
    "Term",
    "Window",
    "folded",
]
