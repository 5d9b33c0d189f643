"""Triggers that keep history permanent, and the counters that number cases and changes."""

from django.db import migrations

from cases.models import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection)
    counter = apps.get_model("cases", "Counter")
    counter.objects.bulk_create(counter(name=name, value=0) for name in ("case", "change", "vocabulary", "wording"))


def remove(apps, schema_editor):
    guards.remove(schema_editor.connection)
    apps.get_model("cases", "Counter").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("cases", "0001_initial")]
    operations = [migrations.RunPython(install, remove)]
