"""``make bench``: measures what the design promises, on synthetic cases, and prints ratios beside absolute figures.

    python -m tests.benchmarks [--cases 10000]

Machines differ and are busy: a ratio between two things measured in the same run says more than a time.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django
from django.db import connection
from django.test.utils import setup_databases, setup_test_environment, teardown_databases

GENERATOR = Path(__file__).with_name("generate_cases.py")


def generate(count: int, file: Path) -> None:
    with file.open("wb") as lines:
        command = [sys.executable, str(GENERATOR), "--count", str(count), "--seed", "1"]
        subprocess.run(command, stdout=lines, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    count = parser.parse_args().cases
    django.setup()
    logging.disable(logging.WARNING)
    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        measure(count)
    finally:
        teardown_databases(databases, verbosity=0)


def measure(count: int) -> None:
    from . import agents, finding, ingest, programs, reading, serving  # noqa: PLC0415 - Django must be set up first

    print(f"== {connection.vendor}, {count:,} synthetic cases")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        generate(count, file)
        ingest.measure(file, count)
    reading.measure()
    programs.measure()
    finding.measure()
    agents.measure()
    serving.measure()


main()
