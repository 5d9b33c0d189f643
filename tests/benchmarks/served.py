"""The settings that the benchmark serves with: the product's own, for the database of the benchmark."""

import os

from incidentlib.settings import *  # noqa: F403 - all of them
from incidentlib.settings import DATABASES, FINISHED_PAGES, STATIC_ROOT, STORAGES

DATABASES["default"]["NAME"] = os.environ["BENCHMARK_DATABASE"]
ROOT_URLCONF = "tests.benchmarks.fixed"
FINISHED_PAGES = int(os.environ.get("BENCHMARK_FINISHED_PAGES") or FINISHED_PAGES)
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # nothing is collected
STATIC_ROOT.mkdir(exist_ok=True)
