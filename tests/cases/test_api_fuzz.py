"""Everything that a machine thinks of, at every address: never a failure of ours, always an answer as described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS
from schemathesis.specs.openapi.checks import positive_data_acceptance

from cases.api.openapi import described
from cases.publishing import merge, withdraw
from cases.vocabulary import load_vocabulary
from tests.cases.making import make_case

pytestmark = pytest.mark.django_db

# A word that fits the pattern of words and is none is refused, which that check would call wrong.
CHECKED: list[Any] = [check for check in CHECKS.get_all() if check is not positive_data_acceptance]


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Let requests use the connection of the test, which Django would close between them."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def library(module_db: None) -> None:  # noqa: ARG001  (where it is kept)
    load_vocabulary()
    for number in (560, 561, 562):
        make_case(id=f"IL-0{number}")
    make_case(id="IL-0001", title={"en": None, "ko": "이름을 찾지 못했다"}, severity="minor")
    withdraw(562, {"en": "Wrong.", "ko": None})
    merge(561, 560)


schema = schemathesis.openapi.from_dict(described())
schema.app = get_wsgi_application()


@pytest.mark.usefixtures("library", "one_connection")
@schema.parametrize()
@settings(
    max_examples=10,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described(case: schemathesis.Case[Any]) -> None:
    # Called without a network, its client does not unpack what is compressed.
    case.call_and_validate(checks=CHECKED, headers={"Accept-Encoding": "identity"})
