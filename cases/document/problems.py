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


# The keys of a document as words; they are looked up by ``path_words``, so the catalogue must know them.
KEY_WORDS = (
    gettext_noop("org"),
    gettext_noop("date"),
    gettext_noop("docs"),
    gettext_noop("title"),
    gettext_noop("domain"),
    gettext_noop("impact"),
    gettext_noop("lessons"),
    gettext_noop("related"),
    gettext_noop("sources"),
    gettext_noop("summary"),
    gettext_noop("trigger"),
    gettext_noop("severity"),
    gettext_noop("symptoms"),
    gettext_noop("timeline"),
    gettext_noop("date kind"),
    gettext_noop("detection"),
    gettext_noop("components"),
    gettext_noop("root cause"),
    gettext_noop("remediation"),
    gettext_noop("action items"),
    gettext_noop("contributing"),
    gettext_noop("recurrence of"),
    gettext_noop("symptoms text"),
    gettext_noop("impact text"),
    gettext_noop("claims"),
    gettext_noop("detection method"),
    gettext_noop("example"),
    gettext_noop("checks"),
    gettext_noop("date precision"),
    gettext_noop("schema version"),
    gettext_noop("scope"),
    gettext_noop("users"),
    gettext_noop("region"),
    gettext_noop("url"),
    gettext_noop("kind"),
    gettext_noop("archived"),
    gettext_noop("uid"),
    gettext_noop("publisher"),
    gettext_noop("language"),
    gettext_noop("published at"),
    gettext_noop("fetched at"),
    gettext_noop("machine translated"),
    gettext_noop("state"),
    gettext_noop("detected after"),
    gettext_noop("resolved after"),
    gettext_noop("events"),
    gettext_noop("windows"),
    gettext_noop("at"),
    gettext_noop("precision"),
    gettext_noop("text"),
    gettext_noop("source"),
    gettext_noop("start"),
    gettext_noop("end"),
    gettext_noop("status"),
    gettext_noop("path"),
    gettext_noop("anchor"),
    gettext_noop("quote"),
    gettext_noop("prefix"),
    gettext_noop("suffix"),
    gettext_noop("basis"),
    gettext_noop("value"),
    gettext_noop("chosen"),
    gettext_noop("note"),
    gettext_noop("question"),
    gettext_noop("how"),
    gettext_noop("command"),
    gettext_noop("applies to"),
    gettext_noop("risk"),
)
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
