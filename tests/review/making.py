"""Makes people with roles, and manuscripts in every state."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User

from cases.document import CaseDocument, read_case
from review import workflow
from review.models import ADMINISTRATOR, PUBLISHER, WRITER, LanguageRole
from tests.cases.making import make_raw


def make_user(name: str, *groups: str, writes: str = "", translates: str = "", reviews: str = "") -> User:
    """Make an account; languages are given as words: ``writes="en ko"``."""
    user = User.objects.create_user(name, password="a long enough password")
    user.groups.set(Group.objects.filter(name__in=groups))
    for role, languages in (("writer", writes), ("translator", translates), ("reviewer", reviews)):
        for language in languages.split():
            LanguageRole.objects.create(user=user, language=language, role=role)
    return user


def make_writer(name: str = "writer") -> User:
    return make_user(name, WRITER, writes="en ko")


def make_publisher(name: str = "publisher") -> User:
    return make_user(name, PUBLISHER)


def make_administrator(name: str = "administrator") -> User:
    return make_user(name, ADMINISTRATOR)


def make_draft(user: User | None = None, **changes: Any) -> workflow.Saved:
    """Create a case on the desk from the sample document with these keys changed."""
    return workflow.create(user or make_writer(), draft_document(**changes))


def draft_document(**changes: Any) -> CaseDocument:
    return read_case(make_raw(**changes)).document


def changed(document: CaseDocument, **changes: Any) -> CaseDocument:
    """Return a document with these keys changed, validated as an import would."""
    raw = document.model_dump(mode="json") | changes
    return read_case(raw).document
