"""Triggers that keep the history of the desk permanent, the groups, and the counter that numbers events."""

from django.db import migrations

from cases.models import guards
from review.guards import PERMANENT
from review.models import GROUPS


def install(apps, schema_editor):
    guards.install(schema_editor.connection, PERMANENT)
    for name in GROUPS:
        apps.get_model("auth", "Group").objects.get_or_create(name=name)
    apps.get_model("cases", "Counter").objects.get_or_create(name="event", defaults={"value": 0})


def remove(apps, schema_editor):
    guards.remove(schema_editor.connection, PERMANENT)
    apps.get_model("auth", "Group").objects.filter(name__in=GROUPS).delete()
    apps.get_model("cases", "Counter").objects.filter(name="event").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0001_initial"),
        ("cases", "0002_guards"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [migrations.RunPython(install, remove)]
