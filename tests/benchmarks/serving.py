"""What the product serves in a second with its real server, beside a fixed view: granian and wrk on this machine.

The server runs as ``make run`` starts it, with two workers, and the load asks for 100 different cases. Rounds go in
turns, and ratios are taken inside a round, so that what else runs on the machine counts little. First as the product
is, which keeps some finished answers in each process; then without that, so that each answer is made anew.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from django.conf import settings
from django.db import connection

from cases.document import case_id
from cases.models import StoredCase

from .fixed import ADDRESS
from .measuring import report

CASES = 100
ROUNDS, SECONDS, CONNECTIONS = 5, 1, 8
START = 60  # seconds
FIXED = "fixed view of 30 kB"
# In times of the fixed view. That a page is served from nothing but one row of the database is a goal of its own.
GOALS = {"API case": 0.5, "API case, 304": 1, "case page": 0.6, "case page, 304": 1}
GOALS_OF_NEW = {"case page": 0.6}
# As in the Makefile.
SERVER = (
    "--interface", "wsgi", "--host", "127.0.0.1", "--workers", "2", "--blocking-threads", "4", "--no-ws", "--http", "1",
    "--http1-buffer-size", "65536", "--http1-header-read-timeout", "10000", "--backlog", "512", "--log-level", "error",
    "incidentlib.wsgi:application",
)  # fmt: skip
# Asks for one address after the other, with the tags that are known of them.
LOAD = """
local asked = {{ {requests} }}
local place = 0
request = function()
  place = place % #asked + 1
  local one = asked[place]
  return wrk.format("GET", one[1], one[2] ~= "" and {{ ["If-None-Match"] = one[2] }} or {{}})
end
"""
SPEED = re.compile(r"Requests/sec:\s+([0-9.]+)")


@dataclass(frozen=True)
class Row:
    """Addresses that are asked for, each with the tag that is known of it or ""; the goal is in fixed views."""

    name: str
    asked: list[tuple[str, str]]
    goal: float | None = None


def measure() -> None:
    if shutil.which("wrk") is None:
        report("served by granian", "skipped: there is no wrk on the path")
        return
    with tempfile.TemporaryDirectory() as folder:
        with server({}) as port:
            measure_rows("served", rows(port, GOALS), port, Path(folder))
        with server({"BENCHMARK_FINISHED_PAGES": "0"}) as port:
            measure_rows("served, nothing kept", rows(port, GOALS_OF_NEW), port, Path(folder))


def rows(port: int, goals: Mapping[str, float]) -> list[Row]:
    found = StoredCase.objects.exclude(stamp="").order_by("-number").values_list("number", flat=True)[:CASES]
    numbers = [case_id(number) for number in found]
    asked = {FIXED: [(ADDRESS, "")]}
    for name, path in (("API case", "/api/cases/{}"), ("case page", "/en/cases/{}/")):
        addresses = [path.format(number) for number in numbers]
        asked[name] = [(one, "") for one in addresses]
        asked[f"{name}, 304"] = [(one, tag_of(one, port)) for one in addresses]
    return [Row(name, one, goals.get(name)) for name, one in asked.items()]


def measure_rows(told: str, wanted: list[Row], port: int, folder: Path) -> None:
    speeds: dict[str, list[float]] = {row.name: [] for row in wanted}
    for place in range(ROUNDS + 1):
        for row in wanted:
            speed = speed_of(row, port, folder)
            if place:  # the first round only fills the memory of both workers
                speeds[row.name].append(speed)
    fixed = speeds[FIXED]
    for row in wanted:
        ratio = statistics.median(one / floor for one, floor in zip(speeds[row.name], fixed, strict=True))
        goal, met = ("", None) if row.goal is None else (f">= {row.goal:g} x", ratio >= row.goal)
        report(f"{told}: {row.name}", f"{statistics.median(speeds[row.name]):,.0f} /s, {ratio:.2f} x", goal, met=met)


def speed_of(row: Row, port: int, folder: Path) -> float:
    """Return how many requests a second were answered. Raises RuntimeError where one was answered with an error."""
    script = folder / "load.lua"
    script.write_text(LOAD.format(requests=", ".join(f"{{'{path}', '{tag}'}}" for path, tag in row.asked)))
    load = ["wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--duration", f"{SECONDS}s"]
    command = [*load, "--script", str(script), f"http://127.0.0.1:{port}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = SPEED.search(said)
    if found is None or "Non-2xx" in said or "Socket errors" in said:
        raise RuntimeError(said)
    return float(found[1])


def tag_of(path: str, port: int) -> str:
    """Return the tag of an address. Raises RuntimeError where it would not be answered 304 to somebody who has it."""
    _, tag = answer(path, port, {})
    if answer(path, port, {"If-None-Match": tag})[0] != 304:
        raise RuntimeError(path)
    return tag


def answer(path: str, port: int, headers: Mapping[str, str]) -> tuple[int, str]:
    http = HTTPConnection("127.0.0.1", port, timeout=START)
    http.request("GET", path, headers=dict(headers))
    response = http.getresponse()
    response.read()
    http.close()
    return response.status, response.getheader("ETag", "")


@contextmanager
def server(changes: Mapping[str, str]) -> Iterator[int]:
    """Serve the database of the benchmark; gives the port. A site for this machine has no limits of rates."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_RATE")} | {
        "DJANGO_SETTINGS_MODULE": "tests.benchmarks.served",
        "BENCHMARK_DATABASE": str(connection.settings_dict["NAME"]),
        "LOG_LEVEL": "WARNING",
        **changes,
    }
    command = [sys.executable, "-m", "granian", "--port", str(port), *SERVER]
    process = subprocess.Popen(command, env=environment, cwd=settings.BASE_DIR)
    try:
        wait_for(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(START)


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Return when the server answers. Raises RuntimeError where it ended, or does not in a minute."""
    end = time.monotonic() + START
    while process.poll() is None and time.monotonic() < end:
        try:
            answer("/healthz", port, {})
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("The server did not start.")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
