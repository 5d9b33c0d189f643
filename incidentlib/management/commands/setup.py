"""Brings the data folder and the database to the state this version needs. It runs at each start."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand

from cases.models import Change
from incidentlib import demo
from incidentlib.static_files import collect_changed
from incidentlib.translation_files import compile_translations

SAMPLES = Path(settings.BASE_DIR) / "cases" / "samples"


class Command(BaseCommand):
    help = "Migrates, loads the vocabulary and (once) the samples, renders, collects static files, makes demo accounts."

    def handle(self, **_options: Any) -> None:
        compile_translations()
        self.run("migrate", interactive=False)
        self.run("load_vocabulary")
        if is_new_library() and SAMPLES.is_dir():
            self.run("import_cases", str(SAMPLES))
        self.run("index_cases")
        self.run("render")
        self.stdout.write("static files")
        collect_changed()
        demo.create_accounts()
        self.greet()

    def run(self, command: str, *arguments: str, **options: bool) -> None:
        if command in get_commands():
            self.stdout.write(f"{command} {' '.join(arguments)}".strip())
            call_command(command, *arguments, verbosity=0, stdout=self.stdout, stderr=self.stderr, **options)

    def greet(self) -> None:
        self.stdout.write(self.style.SUCCESS(f"\nIncidentLib: {settings.SITE_URL}/"))
        if not settings.PRODUCTION and demo.accounts_file().exists():
            self.stdout.write(f"Sign in at {settings.SITE_URL}{settings.LOGIN_URL} (kept in {demo.accounts_file()}):")
            self.stdout.write(demo.accounts_file().read_text(encoding="utf-8"))


def is_new_library() -> bool:
    """Tell by the list of changes, which is only ever added to: a library emptied on purpose stays empty."""
    return not Change.objects.exists()
