"""The desk's tables in the admin: readable with links to the desk, and no way around the rules."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from review.models import Event, Manuscript, Revision

from .making import make_draft

pytestmark = pytest.mark.django_db
MODELS: dict[str, Any] = {"manuscript": Manuscript, "revision": Revision, "event": Event}


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", password="a"))
    return client


def test_accounts_are_not_changed_in_the_admin(admin: Client) -> None:
    user = User.objects.get()
    assert admin.get(reverse("admin:auth_user_changelist")).status_code == 200
    assert admin.post(reverse("admin:auth_user_change", args=[user.pk]), {"is_staff": ""}).status_code == 403
    assert admin.get("/admin/auth/group/").status_code == 404


@pytest.mark.parametrize("model", [*MODELS, "languagerole"])
def test_lists_open_and_link_to_the_desk(admin: Client, model: str) -> None:
    number = make_draft().manuscript.id_text
    answer = admin.get(reverse(f"admin:review_{model}_changelist"), {"q": "e"})
    assert answer.status_code == 200
    answer = admin.get(reverse(f"admin:review_{model}_changelist"))
    assert model == "languagerole" or f"/desk/cases/{number}/" in answer.content.decode()


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_changed_added_or_deleted_in_the_admin(admin: Client, model: str) -> None:
    make_draft()
    row = MODELS[model].objects.get()
    assert admin.get(reverse(f"admin:review_{model}_change", args=[row.pk])).status_code == 200
    assert admin.post(reverse(f"admin:review_{model}_change", args=[row.pk]), {"note": "x"}).status_code == 403
    assert admin.post(reverse(f"admin:review_{model}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert admin.get(reverse(f"admin:review_{model}_add")).status_code == 403
    action = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
    admin.post(reverse(f"admin:review_{model}_changelist"), action)
    assert MODELS[model].objects.filter(pk=row.pk).exists()
