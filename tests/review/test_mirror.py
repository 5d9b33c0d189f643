"""A copy of the library learns from the public log what the desk decides and publishes."""

from __future__ import annotations

import pytest
from django.test import Client

from review import workflow
from review.workflow import publication
from tests.cases.mirroring import Mirror, exported, own

from .making import make_draft, make_publisher
from .test_states import decide, edit

pytestmark = pytest.mark.django_db


def test_a_copy_learns_of_editions_and_decisions(client: Client) -> None:
    saved, publisher, mirror = make_draft(), make_publisher(), Mirror(client)
    number = saved.manuscript.number
    workflow.publish(publisher, number, 1, 1)
    mirror.follow()
    (case,) = mirror.cases.values()
    assert (case["edition"], case["languages"]["en"]["state"]) == (1, "draft")
    decide(saved.manuscript, "en")
    publication.tell_readers(saved.manuscript)
    mirror.follow()
    (case,) = mirror.cases.values()
    assert case["languages"]["en"]["state"] == "approved"
    assert own(mirror.cases) == own(exported(client))
    edit(saved.manuscript, severity="minor")
    workflow.publish(publisher, number, 2, 2)
    mirror.follow()
    (case,) = mirror.cases.values()
    assert (case["edition"], case["languages"]["en"]["state"]) == (2, "stale")
    assert own(mirror.cases) == own(exported(client))
