"""What statistics need in the rows of the catalog: the time to detect, lessons, promises, and what checks apply to."""

from collections import defaultdict

from django.db import migrations, models

NOTICED, TAUGHT = 1 << 6, 1 << 7
STATUSES = ("planned", "underway", "done", "dropped", None)
DIGITS = 9
BATCH = 1_000


def fill(apps, _schema_editor):
    names = ("Case", "CatalogRow", "ActionItem", "CaseCheck", "Term")
    case, row, item, check, term = (apps.get_model("cases", name) for name in names)
    ids = {f"{list_name}:{slug}": pk for list_name, slug, pk in term.objects.values_list("list", "slug", "pk")}
    follow_ups: dict[int, int] = defaultdict(int)
    words: dict[int, dict[str, None]] = defaultdict(dict)
    for case_id, status in item.objects.values_list("case_id", "status"):
        follow_ups[case_id] += 1 << DIGITS * STATUSES.index(status)
    for case_id, applies_to in check.objects.values_list("case_id", "applies_to"):
        words[case_id] |= dict.fromkeys(f"k{ids[one]}" for one in applies_to if one in ids)
    words |= {case_id: {"k0": None} for case_id, found in words.items() if not found}
    published = case.objects.filter(status="published").only("detect_seconds", "lessons_en", "lessons_ko")
    rows = row.objects.in_bulk(published.values_list("pk", flat=True))
    for one in published.iterator():
        made = rows[one.pk]
        made.detect_seconds = one.detect_seconds or 0
        made.follow_ups = follow_ups[one.pk]
        made.words = " ".join([*made.words.split(), *words[one.pk]])
        is_taught = one.lessons_en is not None or one.lessons_ko is not None
        made.marks += NOTICED * (one.detect_seconds is not None) + TAUGHT * is_taught
    row.objects.bulk_update(rows.values(), ["detect_seconds", "follow_ups", "words", "marks"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [("cases", "0004_catalog")]
    operations = [
        migrations.AddField(
            model_name="catalogrow", name="detect_seconds", field=models.PositiveBigIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="catalogrow", name="follow_ups", field=models.PositiveBigIntegerField(default=0)
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
