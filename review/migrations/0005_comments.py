"""Threads of comments, whose words the database keeps as they were said."""

import django.db.models.deletion
from django.db import migrations, models

from cases.models import guards
from review.guards import COMMENT_GUARDS


def install(_apps, schema_editor):
    guards.install(schema_editor.connection, COMMENT_GUARDS)


def remove(_apps, schema_editor):
    guards.remove(schema_editor.connection, COMMENT_GUARDS)


class Migration(migrations.Migration):
    dependencies = [
        ("cases", "0002_guards"),
        ("review", "0004_decision_guards"),
    ]

    operations = [
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
            name="Thread",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("ko", "Korean"), ("*", "Both languages")],
                        max_length=2,
                        verbose_name="language",
                    ),
                ),
                ("path", models.CharField(blank=True, max_length=200, verbose_name="place")),
                ("quote", models.CharField(blank=True, max_length=500, verbose_name="quotation")),
                ("prefix", models.CharField(blank=True, max_length=30)),
                ("suffix", models.CharField(blank=True, max_length=30)),
                ("blocking", models.BooleanField(default=False, verbose_name="holds up the approval")),
                ("opened_at", models.DateTimeField()),
                ("resolved_at", models.DateTimeField(null=True)),
                (
                    "manuscript",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="threads", to="review.manuscript"
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="cases.person"),
                ),
                (
                    "resolved_by",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="cases.person"
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="review.revision",
                        verbose_name="revision",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(verbose_name="comment")),
                ("at", models.DateTimeField(verbose_name="when")),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="cases.person",
                        verbose_name="person",
                    ),
                ),
                (
                    "thread",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="comments", to="review.thread"
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.AddConstraint(
            model_name="thread",
            constraint=models.CheckConstraint(
                condition=models.Q(("language__in", ["en", "ko", "*"])), name="thread_language"
            ),
        ),
        migrations.AddConstraint(
            model_name="thread",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("resolved_at__isnull", True), ("resolved_by__isnull", True)),
                    models.Q(("resolved_at__isnull", False), ("resolved_by__isnull", False)),
                    _connector="OR",
                ),
                name="thread_resolved_by_somebody",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
