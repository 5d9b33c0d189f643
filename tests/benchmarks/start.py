"""Fills the catalog in a new process and tells as JSON how long that took and how much memory it keeps.

python -m tests.benchmarks.start SETTINGS_OF_THE_DATABASE_AS_JSON
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django
from django.db import connection


def megabytes() -> float:
    """Return the memory that is this process's own, without mapped files such as the database."""
    told = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines())
    return int(told["RssAnon"].split()[0]) / 1024


def main() -> None:
    django.setup()
    from django.test import Client  # noqa: PLC0415 - Django must be set up first

    from cases import catalog  # noqa: PLC0415
    from cases.catalog.index import filled  # noqa: PLC0415
    from cases.labels import current_labels  # noqa: PLC0415

    connection.settings_dict.update(json.loads(sys.argv[1]))
    client = Client(headers={"host": "localhost"})
    client.get("/en/about/")
    now = catalog.versions()
    current_labels(now.vocabulary)
    before = megabytes()
    started, of_cpu = time.perf_counter(), time.process_time()
    client.get("/en/cases/?domain=networking")
    seconds, of_cpu = time.perf_counter() - started, time.process_time() - of_cpu
    kept = megabytes() - before
    again = filled(now.last)
    told = {
        "seconds": seconds,
        "of_cpu": of_cpu,
        "megabytes": kept,
        "peak": megabytes() - before,
        "cases": len(again.columns),
    }
    print(json.dumps(told))


main()
