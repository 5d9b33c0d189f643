"""The tokens of cases, the words as they are written, and the index that the database keeps over the tokens."""

import django.db.models.deletion
from django.db import migrations, models

from cases.search import engines


def install(_apps, schema_editor):
    engines.install(schema_editor.connection)


def remove(_apps, schema_editor):
    engines.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("cases", "0002_guards")]
    operations = [
        migrations.CreateModel(
            name="SearchText",
            fields=[
                (
                    "case",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="search_text",
                        serialize=False,
                        to="cases.case",
                    ),
                ),
                ("tokens", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="SearchWord",
            fields=[("word", models.CharField(max_length=60, primary_key=True, serialize=False))],
        ),
        migrations.RunPython(install, remove),
    ]
