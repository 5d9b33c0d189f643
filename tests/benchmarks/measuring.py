"""How things are measured: whole runs by the clock, single requests by the CPU time of this process."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Sequence


def peak_megabytes() -> float:
    """Return the largest amount of memory this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu_milliseconds(call: Callable[[], object], rounds: int = 5, calls: int = 40) -> float:
    """Return the CPU time of one call: the median of rounds, each the mean of calls, after a warm-up."""
    call()
    found = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(calls):
            call()
        found.append((time.process_time() - start) * 1000 / calls)
    return statistics.median(found)


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long one call takes by the clock, which also counts what another process does for it."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def percentile(times: Sequence[float], percent: int) -> float:
    return sorted(times)[min(len(times) * percent // 100, len(times) - 1)]


def report(name: str, value: str, goal: str = "", *, met: bool | None = None) -> None:
    mark = {None: "", True: "met", False: "NOT MET"}[met]
    print(f"{name:<58} {value:>24}  {goal:<22} {mark}")
