"""What can be wrong with a case document, said with a path that a person can read. No Django here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pydantic import ValidationError

type_of_path = tuple[str | int, ...]


def gettext_noop(message: str) -> str:
    """Mark a message for the catalogue; whoever shows it translates it."""
    return message


LANGUAGE_WORDS = {"en": gettext_noop("English {field}"), "ko": gettext_noop("Korean {field}")}
ITEM_WORDS = gettext_noop("item {position}")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong (or, as a warning, worth a look) at one place of a document."""

    path: type_of_path
    code: str
    message: str
    values: Mapping[str, object]

    def text(self, translate: Callable[[str], str] = str) -> str:
        """Say it in one line: ``remediation, item 2, Korean text: must not be empty``."""
        said = translate(self.message)
        for name, value in self.values.items():
            said = said.replace("{" + name + "}", str(value))
        return f"{path_words(self.path, translate)}: {said}" if self.path else said


class DocumentError(ValueError):
    """A document that cannot be taken in; ``problems`` says all that is wrong with it, first things first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("; ".join(problem.text() for problem in self.problems))


def problem(path: Sequence[str | int], code: str, message: str, **values: object) -> Problem:
    return Problem(tuple(path), code, message, values)


def path_words(path: Sequence[str | int], translate: Callable[[str], str] = str) -> str:
    """Turn ``("remediation", 1, "text", "ko")`` into ``remediation, item 2, Korean text``."""
    words: list[str] = []
    for step in path:
        if isinstance(step, int):
            words.append(translate(ITEM_WORDS).format(position=step + 1))
        elif step in LANGUAGE_WORDS and words:
            words[-1] = translate(LANGUAGE_WORDS[step]).replace("{field}", words[-1])
        else:
            words.append(translate(printable(step).replace("_", " ")))
    return ", ".join(words)


def printable(text: str, longest: int = 60) -> str:
    """Make foreign text safe to print in a message: one line, no control characters, no lone surrogates."""
    shown = text if len(text) <= longest else text[:longest] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)


def problems_of(error: ValidationError) -> list[Problem]:
    """Translate pydantic's errors: its location becomes the path, its words stay."""
    found = []
    for row in error.errors(include_url=False, include_input=False):
        values = {name: value for name, value in row.get("ctx", {}).items() if name != "error"}
        path, message = row["loc"], row["msg"]
        if row["type"] == "extra_forbidden":
            message = gettext_noop("is not a key of a case document")
        found.append(Problem(tuple(path), row["type"], message, values))
    return found
