"""How each language writes dates, times, durations and lists."""

import datetime as dt

import pytest

from cases import formatting
from cases.document import Language

DAY = dt.date(2026, 8, 5)
MOMENT = dt.datetime(2026, 8, 25, 9, 5, tzinfo=dt.UTC)
SEOUL = dt.timezone(dt.timedelta(hours=9))


@pytest.mark.parametrize(
    ("precision", "language", "words", "code"),
    [
        ("day", "en", "5 August 2026", "2026-08-05"),
        ("month", "en", "August 2026", "2026-08"),
        ("year", "en", "2026", "2026"),
        ("day", "ko", "2026년 8월 5일", "2026-08-05"),
        ("month", "ko", "2026년 8월", "2026-08"),
        ("year", "ko", "2026년", "2026"),
    ],
)
def test_as_much_of_a_date_is_written_as_is_known(precision: str, language: Language, words: str, code: str) -> None:
    assert formatting.date_words(DAY, precision, language) == words
    assert formatting.date_code(DAY, precision) == code


@pytest.mark.parametrize(
    ("precision", "language", "words", "code"),
    [
        ("minute", "en", "25 August 2026, 09:05 UTC", "2026-08-25T09:05Z"),
        ("minute", "ko", "2026년 8월 25일 9시 5분 UTC", "2026-08-25T09:05Z"),
        ("day", "en", "25 August 2026", "2026-08-25"),
        ("month", "ko", "2026년 8월", "2026-08"),
    ],
)
def test_an_instant_is_written_in_utc(precision: str, language: Language, words: str, code: str) -> None:
    for instant in (MOMENT, MOMENT.astimezone(SEOUL)):
        assert formatting.instant_words(instant, precision, language) == words
        assert formatting.instant_code(instant, precision) == code
        assert formatting.clock_words(instant) == "09:05"


def test_a_time_with_its_day_leaves_the_zone_to_a_heading() -> None:
    assert formatting.day_and_clock_words(MOMENT, "en") == "25 August 2026, 09:05"
    assert formatting.day_and_clock_words(MOMENT, "ko") == "2026년 8월 25일 09:05"


@pytest.mark.parametrize(
    ("seconds", "english", "korean", "code"),
    [
        (0, "less than a minute", "1분 미만", "PT0M"),
        (59, "less than a minute", "1분 미만", "PT0M"),
        (180, "3m", "3분", "PT3M"),
        (4500, "1h 15m", "1시간 15분", "PT1H15M"),
        (86400, "1d", "1일", "P1D"),
        (283560, "3d 6h 46m", "3일 6시간 46분", "P3DT6H46M"),
    ],
)
def test_a_duration_is_written_in_days_hours_and_minutes(seconds: int, english: str, korean: str, code: str) -> None:
    assert formatting.duration_words(seconds, "en") == english
    assert formatting.duration_words(seconds, "ko") == korean
    assert formatting.duration_code(seconds) == code


@pytest.mark.parametrize(
    ("words", "english", "korean"),
    [
        ([], "", ""),
        (["DNS"], "DNS", "DNS"),
        (["DNS", "AWS"], "DNS and AWS", "DNS, AWS"),
        (["DNS", "AWS", "CDN"], "DNS, AWS and CDN", "DNS, AWS, CDN"),
    ],
)
def test_a_list_is_joined_as_the_language_does(words: list[str], english: str, korean: str) -> None:
    assert formatting.listed(words, "en") == english
    assert formatting.listed(words, "ko") == korean
