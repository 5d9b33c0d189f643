"""The case document: the only typed form of a case's content, and how it is read and written. No Django here."""

from .problems import DocumentError, Problem, path_words
from .public import KEY_ORDER, SPLICED_KEYS, compose, durations, json_schema, public_model, splice, write_json
from .reading import MOST_BYTES, Reading, read_case, read_document, read_json
from .record import LanguageReview, Languages, Record, Review, Withdrawal
from .shape import LANGUAGES, CaseDocument, Language, Pair
from .values import case_id, case_number, last_of_period, write_instant

__all__ = [
    "KEY_ORDER",
    "LANGUAGES",
    "MOST_BYTES",
    "SPLICED_KEYS",
    "CaseDocument",
    "DocumentError",
    "Language",
    "LanguageReview",
    "Languages",
    "Pair",
    "Problem",
    "Reading",
    "Record",
    "Review",
    "Withdrawal",
    "case_id",
    "case_number",
    "compose",
    "durations",
    "json_schema",
    "last_of_period",
    "path_words",
    "public_model",
    "read_case",
    "read_document",
    "read_json",
    "splice",
    "write_instant",
    "write_json",
]
