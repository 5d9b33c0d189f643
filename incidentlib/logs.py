"""How log records are written in production: one JSON object a line, so that no text from outside can forge a line."""

import datetime as dt
import json
import logging


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int] = {
            "time": dt.datetime.fromtimestamp(record.created, tz=dt.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        status = getattr(record, "status_code", None)
        if isinstance(status, int):
            line["status"] = status
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)
