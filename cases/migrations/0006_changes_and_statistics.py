"""Brings two branches of migrations together."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("cases", "0005_changes_by_time"), ("cases", "0005_statistics")]
    operations = []
