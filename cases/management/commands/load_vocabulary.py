"""``manage.py load_vocabulary``: add the terms, glossary, organisations and checks that ship with the product."""

from typing import Any

from django.core.management.base import BaseCommand

from cases.vocabulary import load_vocabulary


class Command(BaseCommand):
    help = "Add the vocabulary, glossary, organisations and library checks that ship with the product."

    def handle(self, *_args: Any, **_options: Any) -> None:
        added = load_vocabulary()
        self.stdout.write("Added " + ", ".join(f"{count} {kind}" for kind, count in added.items()) + ".")
