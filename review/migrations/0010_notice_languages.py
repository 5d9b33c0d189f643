"""A notice that a text became stale names the languages."""

from typing import Any

from django.db import migrations, models


def name_both(apps: Any, _schema_editor: Any) -> None:
    """Let older notices, which named no language, lead to the page of the case."""
    apps.get_model("review", "Notice").objects.filter(kind="became-stale").update(languages=["en", "ko"])


class Migration(migrations.Migration):
    dependencies = [("review", "0009_tokens")]

    operations = [
        migrations.AddField("notice", "languages", models.JSONField(default=list)),
        migrations.RunPython(name_both, migrations.RunPython.noop),
    ]
