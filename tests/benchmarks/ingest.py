"""How fast cases come in: a first import, an equal second one, and the rendering of their pages."""

from __future__ import annotations

import time
from pathlib import Path

from django.db import connection

from cases.importing import Importer, case_texts
from cases.management.commands.render import outdated
from cases.models import StoredCase
from cases.rendering import store_rendered
from cases.vocabulary import load_vocabulary

from .measuring import peak_megabytes, report

IMPORT_GOAL = {"sqlite": 300, "postgresql": 200}
EARLY = 2_000
BATCH = 200


def measure(file: Path, count: int) -> None:
    load_vocabulary()
    measure_import(file, count)
    measure_second_import(file, count)
    measure_rendering()


def measure_import(file: Path, count: int) -> None:
    """Memory is flat when the second part of the file adds little to what the first needed."""
    importer, early, started = Importer(), 0.0, time.perf_counter()
    for looked_at in importer.run(case_texts([file])):
        if looked_at == EARLY:
            early = peak_megabytes()
    speed = count / (time.perf_counter() - started)
    goal = IMPORT_GOAL[connection.vendor]
    report("first import, cases a second", f"{speed:,.0f}", f">= {goal}", met=speed >= goal)
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
    numbers, started = outdated()[:2_000], time.perf_counter()
    for first in range(0, len(numbers), BATCH):
        store_rendered(numbers[first : first + BATCH])
    pages = 2 * len(numbers)
    speed = pages / (time.perf_counter() - started)
    report("rendering, pages a second (article and card)", f"{speed:,.0f}", ">= 400", met=speed >= 400)
    render_the_others(numbers[0])


def render_the_others(like: int) -> None:
    """Give the other cases the pages of one, which cost a reader the same and are there at once."""
    made = (
        StoredCase.objects.filter(number=like).values("stamp", "card_en", "card_ko", "article_en", "article_ko").get()
    )
    StoredCase.objects.exclude(stamp=made["stamp"]).update(**made)
