"""The rows that the catalog is filled from, and a token for each change; cases that are there already get both."""

from collections import defaultdict
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import cases.models.published
from cases.models import guards

OF_CHANGES = [guard for guard in guards.GUARDS if guard.table == "cases_change"]
PUBLISHED, EXAMPLE, ENGLISH, KOREAN, REVIEWED, TIMED = (1 << place for place in range(6))


def lift_guards(_apps, schema_editor):
    """SQLite makes a table anew to add a column, and its triggers are lost with the old one."""
    guards.remove(schema_editor.connection, OF_CHANGES)


def put_guards_back(_apps, schema_editor):
    guards.install(schema_editor.connection, OF_CHANGES)


def fill(apps, _schema_editor):
    case, row, version = (apps.get_model("cases", name) for name in ("Case", "CatalogRow", "LanguageVersion"))
    words, related, states = defaultdict(list), defaultdict(list), defaultdict(set)
    for name, column in (("CaseTerm", "term_id"), ("Source", "kind_id")):
        for case_id, term_id in apps.get_model("cases", name).objects.values_list("case_id", column):
            words[case_id].append(term_id)
    for case_id, number in apps.get_model("cases", "RelatedNumber").objects.values_list("case_id", "number"):
        related[case_id].append(number)
    current = version.objects.filter(edition__number=models.F("edition__case__edition_number"))
    for case_id, state in current.exclude(state="missing").values_list("edition__case_id", "state"):
        states[case_id].add(state)
    row.objects.bulk_create(
        _row(row, one, words[one.pk], related[one.pk], is_reviewed=states[one.pk] == {"approved"})
        for one in case.objects.iterator()
    )


def _row(row: Any, case: Any, words: list[int], related: list[int], *, is_reviewed: bool) -> Any:
    made = row(
        case=case,
        number=case.number,
        first_day=case.date_first.toordinal(),
        last_day=case.date_last.toordinal(),
        recurrence_of=case.recurrence_of,
        merged_into=case.merged_into,
    )
    if case.status != "published":
        return made
    terms = dict.fromkeys([case.root_cause_id, case.severity_id, case.detection_method_id, *words])
    made.org_id = case.org_id
    made.words = " ".join(str(term) for term in terms if term)
    made.related = " ".join(map(str, related))
    made.repair_seconds = case.resolve_seconds or 0
    made.marks = (
        PUBLISHED
        + EXAMPLE * case.example
        + ENGLISH * (case.title_en is not None and case.summary_en is not None)
        + KOREAN * (case.title_ko is not None and case.summary_ko is not None)
        + REVIEWED * is_reviewed
        + TIMED * (case.resolve_seconds is not None)
    )
    return made


class Migration(migrations.Migration):
    dependencies = [("cases", "0003_search")]
    operations = [
        migrations.RunPython(lift_guards, put_guards_back),
        migrations.AddField(
            model_name="change",
            name="token",
            field=models.PositiveBigIntegerField(default=cases.models.published.random_token, editable=False),
        ),
        migrations.RunPython(put_guards_back, lift_guards),
        migrations.CreateModel(
            name="CatalogRow",
            fields=[
                (
                    "case",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="catalog_row",
                        serialize=False,
                        to="cases.case",
                    ),
                ),
                ("number", models.PositiveIntegerField(unique=True)),
                ("first_day", models.PositiveIntegerField()),
                ("last_day", models.PositiveIntegerField()),
                ("repair_seconds", models.PositiveBigIntegerField(default=0)),
                ("marks", models.PositiveSmallIntegerField(default=0)),
                ("org_id", models.BigIntegerField(default=0)),
                ("words", models.TextField(default="")),
                ("related", models.TextField(default="")),
                ("recurrence_of", models.PositiveIntegerField(null=True)),
                ("merged_into", models.PositiveIntegerField(null=True)),
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
