"""Makes programs with tokens, and speaks as one."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from cases.models import Person
from review import programs
from review.models import Token
from tests.review.making import make_writer

ALL = tuple(Token.Scope.values)


def make_program(owner: User | None = None, name: str = "Drafter") -> Person:
    return programs.create_program(owner or make_writer(), name)


def make_token(program: Person | None = None, scopes: tuple[str, ...] = ALL, days: int = 30) -> tuple[Token, str]:
    program = program or make_program()
    assert program.owner is not None
    assert program.owner.user is not None
    return programs.make_token(program.owner.user, program, "laptop", scopes, days)


class Program:
    """A program that sends JSON with its token to /api/desk/."""

    def __init__(self, secret: str) -> None:
        self.client = Client(headers={"authorization": f"Bearer {secret}"}, raise_request_exception=False)

    def get(self, path: str = "") -> Any:
        return self.client.get(f"/api/desk/{path}")

    def post(self, path: str, sent: Any, **headers: str) -> Any:
        return self.client.post(f"/api/desk/{path}", sent, content_type="application/json", headers=headers)
