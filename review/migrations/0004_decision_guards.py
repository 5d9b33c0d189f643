"""Triggers over decisions and submissions, and the states of manuscripts written before there were any."""

import json

from django.db import migrations

from cases.models import guards
from review.guards import DECISIONS


def install(apps, schema_editor):
    guards.install(schema_editor.connection, DECISIONS)
    for manuscript in apps.get_model("review", "Manuscript").objects.select_related("head").exclude(head=None):
        told = json.loads(manuscript.head.text)
        for language in ("en", "ko"):
            is_present = all((told.get(key) or {}).get(language) for key in ("title", "summary"))
            setattr(manuscript, f"state_{language}", "draft" if is_present else "missing")
            setattr(manuscript, f"state_{language}_at", manuscript.changed_at)
        manuscript.save(update_fields=["state_en", "state_ko", "state_en_at", "state_ko_at"])


def remove(_apps, schema_editor):
    guards.remove(schema_editor.connection, DECISIONS)


class Migration(migrations.Migration):
    dependencies = [("review", "0003_decisions")]
    operations = [migrations.RunPython(install, remove)]
