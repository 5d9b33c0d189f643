"""``manage.py render``: every page that is out of date, on all processors where they can share the database."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from cases.management.commands import render
from cases.models import StoredCase
from tests.cases.making import make_cases


@pytest.mark.django_db(transaction=True)
def test_several_processes_render_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    make_cases([{"id": f"IL-{number:04d}"} for number in range(1, 6)])
    monkeypatch.setattr(render, "BATCH", 2)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert sorted(render.store_everywhere(render.outdated())) == [1, 2, 2]
    assert not render.outdated()
    assert all("<article" in stored.article_en for stored in StoredCase.objects.all())


@pytest.mark.django_db
def test_cases_are_named_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    make_cases([{"id": "IL-0001"}, {"id": "IL-0002"}])
    call_command("render", "IL-0002")
    assert "Rendered 1 cases" in capsys.readouterr().out
    assert render.outdated() == [1]
    with pytest.raises(CommandError, match="IL-x is not a case number"):
        call_command("render", "IL-x")
