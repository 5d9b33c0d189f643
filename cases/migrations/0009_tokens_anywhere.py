"""Tokens are kept in another way now: ``index_cases``, which ``setup`` calls, writes them again."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("cases", "0008_merged_into_index")]
    operations = [migrations.RunSQL("DELETE FROM cases_searchtext", "DELETE FROM cases_searchtext")]
