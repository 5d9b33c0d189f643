"""Random documents through the form, the save, the publication and the tables: what comes out is what went in."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import override_settings
from hypothesis import HealthCheck, given, settings

from cases.document import CaseDocument
from cases.mapping import dump
from cases.models import Case, Counter
from review import workflow

from .making import make_administrator
from .test_forms import DOCUMENTS, posted, saved

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@given(document=DOCUMENTS)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@override_settings(PUBLISH_POLICY="any")
def test_random_document_comes_out_as_it_went_in(document: CaseDocument) -> None:
    with transaction.atomic():
        Counter.objects.filter(name="case").update(value=500_000)  # beyond the numbers that documents may name
        user = make_administrator()
        made = workflow.create(user, saved(document, posted(document)))
        assert made.revision.document() == document.model_copy(update={"id": made.manuscript.id_text})
        workflow.publish(user, made.manuscript.number, 1, 1)
        assert dump(Case.objects.get(number=made.manuscript.number)) == made.revision.document()
        transaction.set_rollback(True)
