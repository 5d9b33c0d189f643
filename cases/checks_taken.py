"""The checks of a stack as a file to take along: Markdown in one language, or JSON in both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from cases.checking import Applying, OwnCheck
from cases.document import Language, Pair, case_id
from cases.labels import Labels
from cases.rendering.addresses import full_address
from cases.rendering.exposure import Question, library_question, own_question
from cases.similarity import Neighbour
from cases.telling import Told, tell

# A file has the checks of at most so many cases, the newest; it says of how many.
MOST_CASES = 200
CODE = re.compile(r"(`[^`\n]*`)")
SPECIAL = re.compile(r"([\\*_{}\[\]<>#|~`])")


@dataclass(frozen=True)
class Taken:
    """All that a file says. ``behind`` has the newest cases of each check of the library, by its slug."""

    language: Language
    labels: Labels
    stack: Sequence[str]
    query: str
    applying: Sequence[Applying]
    behind: Mapping[str, Sequence[int]]
    own: Mapping[int, Sequence[OwnCheck]]
    own_total: int
    cases: Mapping[int, Neighbour]


# Markdown


def written(taken: Taken) -> str:
    """Write the checks as Markdown. The language must be the active one."""
    return "\n".join([*_head(taken), *_library(taken), *_own(taken)]).rstrip() + "\n"


def _head(taken: Taken) -> Iterator[str]:
    names = [taken.labels.term(*term.split(":", 1)).name(taken.language).text for term in taken.stack]
    yield "# " + _("Is it in my cluster too?") + "\n"
    yield _("Chosen:") + " " + (escaped(", ".join(names)) or _("nothing, so all checks are here")) + "\n"
    yield f"<{full_address('checks', taken.language)}{taken.query}>\n"
    yield _("Questions to put to your own systems. Read a command before you run it.") + "\n"


def _library(taken: Taken) -> Iterator[str]:
    if taken.applying:
        yield "## " + _("Checks of the library") + "\n"
    for one in taken.applying:
        yield from _question(library_question(one.check, one.shared, taken.labels, taken.language))
        if one.cases:
            shown = [number for number in taken.behind[one.check.slug] if number in taken.cases]
            yield _("Cases behind it ({shown} of {total}, the newest first):").format(
                shown=len(shown), total=one.cases.bit_count()
            )
            yield "\n".join(["", *(_case(taken, number) for number in shown), ""])


def _own(taken: Taken) -> Iterator[str]:
    if taken.own:
        yield "## " + _("Checks from single cases") + "\n"
    for number in sorted(taken.own, reverse=True):
        for check in taken.own[number]:
            yield from _question(own_question(check, "", taken.language))
        yield _("From the case:") + f"\n\n{_case(taken, number)}\n"
    if taken.own_total > len(taken.own):
        yield _("These are the newest {shown} of {total} cases with checks of their own.").format(
            shown=len(taken.own), total=taken.own_total
        )


def _question(question: Question) -> Iterator[str]:
    yield f"### {_line(question.question)}\n"
    if question.why:
        yield f"{escaped(question.why.text)}\n"
    if question.how:
        yield "**" + _("How to find out") + f"**\n\n{escaped(question.how.text)}\n"
    if question.command:
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", question.command)), default=0))
        yield f"{fence}sh\n{question.command}\n{fence}\n"
    if question.bad_answer:
        yield "**" + _("A bad answer") + f"**\n\n{escaped(question.bad_answer.text)}\n"
    yield f"{question.risk}\n"


def _line(told: Told | None) -> str:
    return escaped(" ".join(told.text.split())) if told else ""


def _case(taken: Taken, number: int) -> str:
    case = taken.cases.get(number)
    title = tell(Pair.model_construct(en=case.title_en, ko=case.title_ko), taken.language) if case else None
    url = full_address("case", taken.language, id=case_id(number))
    return f"- [{case_id(number)} {_line(title)}]({url})"


def escaped(text: str) -> str:
    """Write a text so that Markdown shows it as it is; what stands between backticks is code in both."""
    parts = CODE.split(text)
    return "".join(part if place % 2 else SPECIAL.sub(r"\\\1", part) for place, part in enumerate(parts))


# JSON


def as_json(taken: Taken) -> dict[str, Any]:
    return {
        "stack": list(taken.stack),
        "url": full_address("checks", taken.language) + taken.query,
        "license": {"name": settings.CONTENT_LICENSE_NAME, "url": settings.CONTENT_LICENSE_URL},
        "checks": [_check_as_json(one, taken) for one in taken.applying],
        "own_checks": [
            {"case": _case_as_json(taken.cases[number]), **_own_as_json(check)}
            for number in sorted(taken.own, reverse=True)
            if number in taken.cases
            for check in taken.own[number]
        ],
        "cases_with_own_checks": taken.own_total,
    }


def _check_as_json(one: Applying, taken: Taken) -> dict[str, Any]:
    check = one.check
    pairs = {name: getattr(check, name) for name in ("question", "why", "how", "bad_answer")}
    newest = [taken.cases[number] for number in taken.behind[check.slug] if number in taken.cases]
    return {
        "slug": check.slug,
        **{name: {"en": pair.en, "ko": pair.ko} for name, pair in pairs.items()},
        "command": check.command or None,
        "risk": check.risk,
        "applies_to": sorted(check.terms),
        "shared": list(one.shared),
        "cases": {"total": one.cases.bit_count(), "newest": [_case_as_json(case) for case in newest]},
    }


def _own_as_json(check: OwnCheck) -> dict[str, Any]:
    return {
        "uid": check.uid,
        "question": {"en": check.question.en, "ko": check.question.ko},
        "how": {"en": check.how.en, "ko": check.how.ko},
        "command": check.command or None,
        "risk": check.risk,
        "applies_to": list(check.applies_to),
    }


def _case_as_json(case: Neighbour) -> dict[str, Any]:
    number = case_id(case.number)
    return {
        "id": number,
        "url": f"{settings.SITE_URL}/cases/{number}",
        "org": case.org_name,
        "title": {"en": case.title_en, "ko": case.title_ko},
    }
