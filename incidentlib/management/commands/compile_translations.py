from typing import Any

from django.core.management.base import BaseCommand

from incidentlib.translation_files import compile_translations


class Command(BaseCommand):
    help = "Compiles the interface texts that changed into the data folder."
    requires_system_checks = ()

    def handle(self, **_options: Any) -> None:
        for path in compile_translations():
            self.stdout.write(f"compiled {path}")
