"""Search tokens hold trigrams, too: ``index_cases``, which ``setup`` calls, writes all of them again."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("cases", "0009_tokens_anywhere")]
    operations = [migrations.RunSQL("DELETE FROM cases_searchtext", "DELETE FROM cases_searchtext")]
