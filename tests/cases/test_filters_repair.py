"""Lists by the time a repair took and by what was reviewed."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from cases.facets import REPAIR
from cases.models import LanguageVersion
from cases.publishing import refresh
from tests.cases.asking import asked, found, state
from tests.cases.making import make_case, make_raw

pytestmark = pytest.mark.django_db


def repaired(number: int, after: str | None, **changes: Any) -> None:
    timeline = {**make_raw()["timeline"], "resolved_after": after, "events": [], "windows": []}
    make_case(id=f"IL-{number:04d}", timeline=timeline, date=f"2026-01-{number:02d}", **changes)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("repair_min=90", [4, 2]),
        ("repair_min=91", [4]),
        ("repair_max=90", [2, 1]),
        ("repair_min=30&repair_max=89", [1]),
        ("repair_max=0", []),
        ("repair_min=0", [4, 2, 1]),
        ("sort=longest", [4, 2, 1, 5, 3]),
        ("sort=shortest", [1, 2, 4, 5, 3]),
        ("repair_max=90&sort=longest", [2, 1]),
    ],
)
def test_a_repair_time_is_asked_for_in_minutes(query: str, expected: list[int]) -> None:
    for number, after in enumerate(["30m", "1h 30m", None, "2d", "some time"], 1):
        repaired(number, after)
    assert found(query) == expected
    assert "&".join(f"{name}={value}" for name, (value,) in asked(query).chosen.items()) == query


def test_a_time_counts_in_whole_minutes_as_it_is_shown() -> None:
    seconds = [("IL-0001", "12:29:59"), ("IL-0002", "12:30:00"), ("IL-0003", "12:30:59"), ("IL-0004", "12:31:00")]
    for place, (number, end) in enumerate(seconds, 1):
        kinds = (("e-1", "impact-started", "12:00:00"), ("e-2", "detected", end), ("e-3", "impact-ended", end))
        events = [
            {"uid": uid, "kind": kind, "at": f"2026-01-01T{at}Z", "precision": "minute"} for uid, kind, at in kinds
        ]
        timeline = {**make_raw()["timeline"], "detected_after": None, "resolved_after": None, "events": events}
        make_case(id=number, timeline={**timeline, "windows": []}, date=f"2026-01-{place:02d}", claims=[])
    for name in ("repair", "detect"):
        assert found(f"{name}_min=30&{name}_max=30") == [3, 2]
        assert found(f"{name}_max=29") == [1]
        assert found(f"{name}_min=31") == [4]


def test_a_time_to_detect_is_asked_for_in_minutes() -> None:
    for number, after in enumerate(["5m", "1h", None, "long"], 1):
        timeline = {**make_raw()["timeline"], "detected_after": after, "events": [], "windows": []}
        make_case(id=f"IL-{number:04d}", timeline=timeline, date=f"2026-01-{number:02d}")
    assert found("detect_min=5") == [2, 1]
    assert found("detect_max=59") == [1]
    assert asked("detect_min=9&detect_max=8").problems == [
        "Noticed after at most: The longest is shorter than the shortest."
    ]


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "９０", "1e3", "1_0", "1" * 9])
def test_a_wrong_number_of_minutes_is_said_and_left_out(text: str) -> None:
    repaired(1, "30m")
    wrong = asked(repair_min=text)
    assert list(wrong.form.errors) == ["repair_min"]
    assert found(repair_min=text) == [1]
    (box,) = (box for box in state(urlencode({"repair_min": text})).boxes(REPAIR) if box.errors)
    assert (box.name, box.value) == ("repair_min", text)


def test_a_longest_time_below_the_shortest_is_said() -> None:
    repaired(1, "2h")
    turned = asked("repair_min=60&repair_max=30")
    assert list(turned.form.errors) == ["repair_max"]
    assert found("repair_min=60&repair_max=30") == [1]


def test_a_case_is_reviewed_when_every_present_language_is() -> None:
    make_case(id="IL-0001", reviewed_by="Kim")
    make_case(id="IL-0002")
    make_case(id="IL-0003", reviewed_by="Kim", title={"en": "Only English", "ko": None})
    make_case(id="IL-0004", reviewed_by="Kim")
    LanguageVersion.objects.filter(edition__case__number=4, language="ko").update(state="stale")
    refresh([4])
    assert found(reviewed="yes") == [3, 1]
    assert found(reviewed="no") == [4, 2]
    assert found("reviewed=yes&reviewed=no") == [4, 3, 2, 1]
    assert [
        (choice.value, choice.count, str(choice.label)) for choice in state("reviewed=no").facet("reviewed").choices
    ] == [
        ("yes", 2, "Every language reviewed"),
        ("no", 2, "Not reviewed yet"),
    ]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("90", 90), ("1h 30m", 90), ("1h30m", 90), ("1 h 30 m", 90), ("2 hours", 120), ("45 min", 45), ("1d", 1440),
        ("1d 2h", 1560), ("2시간", 120), ("1시간 30분", 90), ("1일 2시간 3분", 1563), ("  1H  ", 60), ("0m", 0),
    ],
)  # fmt: skip
def test_a_time_is_read_as_people_write_it(text: str, minutes: int) -> None:
    assert asked(repair_min=text).chosen == {"repair_min": [str(minutes)]}


@pytest.mark.parametrize(
    "text", ["h", "1h 30", "30m 1h", "1h1h", "1:30", "1,5h", "1y", "시간", "1시간반", "1" * 5 + "d"]
)
def test_a_time_that_nobody_can_be_sure_of_is_refused(text: str) -> None:
    assert asked(repair_max=text).problems == [
        "Repair took at most: Write a time as 90 (minutes), 1h 30m or 2d.",
    ]
