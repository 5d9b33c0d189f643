"""How Korean pages write dates, on a 24-hour clock."""

DATE_FORMAT = "Y년 n월 j일"
DATETIME_FORMAT = "Y년 n월 j일 H:i"
TIME_FORMAT = "H:i"
YEAR_MONTH_FORMAT = "Y년 n월"
SHORT_DATE_FORMAT = "Y-m-d"
SHORT_DATETIME_FORMAT = "Y-m-d H:i"
