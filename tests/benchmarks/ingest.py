"""How fast cases come in: a first import, an equal second one, and the rendering of their pages."""

from __future__ import annotations

import os
import time
from pathlib import Path

from django.db import connection

from cases.importing import Importer, case_texts
from cases.management.commands.render import outdated, store_everywhere
from cases.vocabulary import load_vocabulary

from .measuring import peak_megabytes, report

IMPORT_GOAL = {"sqlite": 300, "postgresql": 200}
EARLY = 2_000


def measure(file: Path, count: int) -> None:
    if connection.vendor == "sqlite":
        # As the product has it; the tests do without.
        connection.cursor().execute("PRAGMA synchronous=FULL")
    load_vocabulary()
    measure_import(file, count)
    measure_second_import(file, count)
    measure_rendering()


def measure_import(file: Path, count: int) -> None:
    """Memory is flat when the second part of the file adds little to what the first needed."""
    importer, early, started, of_cpu = Importer(), 0.0, time.perf_counter(), time.process_time()
    for looked_at in importer.run(case_texts([file])):
        if looked_at == EARLY:
            early = peak_megabytes()
    speed, of_cpu = count / (time.perf_counter() - started), time.process_time() - of_cpu
    goal = IMPORT_GOAL[connection.vendor]
    report("first import, cases a second", f"{speed:,.0f}", f">= {goal}", met=speed >= goal)
    report("first import, CPU of a case", f"{of_cpu * 1000 / count:.2f} ms")
    if early:
        grown = peak_megabytes() / early
        report("memory at the end of it / after 2,000 cases", f"{grown:.2f}", "flat: <= 1.25", met=grown <= 1.25)


def measure_second_import(file: Path, count: int) -> None:
    importer, started = Importer(), time.perf_counter()
    for _ in importer.run(case_texts([file])):
        pass
    speed = count / (time.perf_counter() - started)
    equal = importer.report.counts["unchanged"] == count
    report("equal second import, cases a second", f"{speed:,.0f}", ">= 1,000", met=equal and speed >= 1000)


def measure_rendering() -> None:
    """Render every case, as the command does, so that what is measured afterwards reads pages of its own."""
    numbers, started = outdated(), time.perf_counter()
    for _ in store_everywhere(numbers):
        pass
    seconds = time.perf_counter() - started
    pages = 2 * len(numbers)
    speed = pages / seconds
    report(f"rendering, pages a second ({os.cpu_count()} processors)", f"{speed:,.0f}", ">= 400", met=speed >= 400)
    report("cases left without a page", f"{len(outdated())}", "0", met=not outdated())
