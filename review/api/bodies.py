"""The bodies that programs send, as types, and the case document inside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, StringConstraints, ValidationError

from cases.document import CaseDocument, DocumentError, Language, Problem, read_case
from cases.document.problems import gettext_noop, problem, problems_of
from cases.document.reading import RECORD_KEYS
from cases.document.shape import Shape
from cases.document.text import normal
from review.workflow import NoBase

LARGEST = 2**31 - 1
# Stands for the number that a new case does not have yet.
NO_ID = "IL-999999999"

Note = Annotated[str, StringConstraints(max_length=500), AfterValidator(normal)]
Revision = Annotated[int, Field(ge=1, le=LARGEST)]
Envelope = TypeVar("Envelope", bound=Shape)


class Creation(Shape):
    document: dict[str, Any]
    note: Note = ""


class Change(Shape):
    """``base_revision`` is the revision that the document was made from."""

    base_revision: Revision
    document: dict[str, Any]
    note: Note = ""


class Submission(Shape):
    """``last_decision`` is the id that the language's last decision had when the program looked, 0 for none."""

    base_revision: Revision
    language: Language
    last_decision: Annotated[int, Field(ge=0, le=LARGEST)]
    note: Note = ""


def read_body(envelope: type[Envelope], sent: dict[str, Any]) -> Envelope:
    """Read what was sent. Raises ``NoBase`` where it does not say what it was made from, else ``DocumentError``."""
    for name in ("base_revision", "last_decision"):
        if name in envelope.model_fields and sent.get(name) is None:
            raise NoBase(f"Say in {name} what this was made from; GET the case to learn it.")
    try:
        return envelope.model_validate(sent)
    except ValidationError as error:
        raise DocumentError(problems_of(error)) from None


def read_content(
    raw: dict[str, Any],
    id: str | None = None,  # noqa: A002  (the key of a document)
    known: CaseDocument | None = None,
) -> tuple[CaseDocument, list[str]]:
    """Read a document under a number, None for a new case; return it with what is worth a look.

    Items without a uid take that of the equal item of ``known``. What the library itself notes of a case is refused,
    so that no program believes it had approved something.
    """
    if wrong := [*_record_keys(raw), *_wrong_id(raw, id)]:
        raise DocumentError(wrong)
    try:
        found = read_case({**raw, "id": id or NO_ID}, known.model_dump(mode="json") if known else None)
    except DocumentError as error:
        raise DocumentError(_inside(error.problems)) from None
    return found.document, [warning.text() for warning in _inside(found.warnings)]


def _record_keys(raw: dict[str, Any]) -> list[Problem]:
    message = gettext_noop("is noted by the library itself, and cannot be sent")
    return [problem(("document", key), "record_key", message) for key in RECORD_KEYS if key in raw]


def _wrong_id(raw: dict[str, Any], id: str | None) -> list[Problem]:  # noqa: A002  (the key of a document)
    given = raw.get("id")
    if given is None or given == id:
        return []
    if id is None:
        message = gettext_noop("must be left out: a new case gets its number from the library")
        return [problem(("document", "id"), "id", message)]
    return [problem(("document", "id"), "id", gettext_noop("must be {id} or left out"), id=id)]


def _inside(problems: list[Problem]) -> list[Problem]:
    return [replace(one, path=("document", *one.path)) for one in problems]
