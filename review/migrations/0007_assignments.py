"""Whose work a language of a case is, and the batch of an event.

SQLite makes a table anew to add a column, and its triggers go with the old one: they are put back.
"""

import django.db.models.deletion
from django.db import migrations, models

from cases.models import guards
from review.guards import PERMANENT

OF_EVENTS = [guard for guard in PERMANENT if guard.table == "review_event"]


def put_guards_back(_apps, schema_editor):
    guards.remove(schema_editor.connection, OF_EVENTS)
    guards.install(schema_editor.connection, OF_EVENTS)


class Migration(migrations.Migration):
    dependencies = [
        ("cases", "0004_catalog"),
        ("review", "0006_notices"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="batch",
            field=models.CharField(blank=True, max_length=20),
        ),
        migrations.RunPython(put_guards_back, put_guards_back),
        migrations.AlterField(
            model_name="event",
            name="verb",
            field=models.CharField(
                choices=[
                    ("created", "created the case"),
                    ("took-in", "took in an edition"),
                    ("saved", "saved"),
                    ("restored", "restored an older revision"),
                    ("archived", "archived the draft"),
                    ("reopened", "reopened the draft"),
                    ("published", "published"),
                    ("withdrew", "withdrew the case"),
                    ("undid-withdrawal", "put the case back"),
                    ("merged", "merged the case"),
                    ("undid-merge", "undid the merge"),
                    ("commented", "wrote a comment"),
                    ("resolved-thread", "resolved a thread of comments"),
                    ("reopened-thread", "took up a thread of comments again"),
                    ("submitted", "submitted for review"),
                    ("withdrew-submission", "took the submission back"),
                    ("approved", "approved"),
                    ("reaffirmed", "reaffirmed"),
                    ("requested-changes", "requested changes"),
                    ("withdrew-approval", "withdrew the approval"),
                    ("assigned", "assigned"),
                    ("unassigned", "ended the assignment"),
                    ("invited", "invited a person"),
                    ("renewed-invitation", "made a new link for a person"),
                    ("changed-roles", "changed the roles of a person"),
                    ("renamed", "changed the public name of a person"),
                    ("deactivated", "deactivated an account"),
                    ("reactivated", "reactivated an account"),
                ],
                max_length=20,
                verbose_name="act",
            ),
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("ko", "Korean")], max_length=2, verbose_name="language"
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="when")),
                ("until", models.DateField(null=True, verbose_name="until")),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="cases.person",
                        verbose_name="assigned by",
                    ),
                ),
                (
                    "manuscript",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="assignments", to="review.manuscript"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="cases.person",
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("manuscript", "language"), name="one_assignment_of_a_language"),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ["en", "ko"])), name="assignment_language"
                    ),
                ],
            },
        ),
    ]
