"""Whose work a language of a case is, for the pages that show it."""

from __future__ import annotations

from typing import Any

from cases.document import Language
from review import assignments
from review.permissions import Act, Standing, can
from review.workflow import Current


def whose_work(user: Any, found: Current, standing: Standing, language: Language) -> dict[str, Any]:
    """Say whose work a language is, and what this person can do about that."""
    answers = {act: can(user, act, found.manuscript, language, standing) for act in (Act.TAKE, Act.ASSIGN)}
    held = assignments.of(found.manuscript).get(language)
    is_mine = held is not None and held.person.user_id == user.pk
    return {
        "held": held,
        "is_mine": is_mine,
        "can_take": answers[Act.TAKE],
        "can_end": answers[Act.TAKE if is_mine else Act.ASSIGN],
        "people": assignments.people(language) if answers[Act.ASSIGN] else [],
        "today": assignments.today(),
    }
