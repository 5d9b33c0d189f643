"""The stylesheets are whole: every block that is opened is closed, so that no rule swallows those behind it."""

from pathlib import Path

import pytest
from django.conf import settings

SHEETS = sorted((Path(settings.BASE_DIR) / "incidentlib" / "static").glob("*.css"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_rules_are_closed_before_the_next_begins(sheet: Path) -> None:
    depth = 0
    for number, line in enumerate(sheet.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("/*"):
            assert depth == 0, f"a rule before line {number} is not closed"
        depth += line.count("{") - line.count("}")
    assert depth == 0
