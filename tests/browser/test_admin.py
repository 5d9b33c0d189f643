"""The stock admin works under our content security policy."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)


def test_administrator_signs_in_and_adds_a_user(page: Page, console: list[str], live_server: LiveServer) -> None:
    User.objects.create_superuser("admin", password="a long password")
    page.goto(f"{live_server.url}/admin/auth/user/add/")
    page.fill("#id_username", "admin")
    page.fill("#id_password", "a long password")
    page.click("[type=submit]")
    page.fill("#id_username", "minji")
    page.fill("#id_password1", "correct horse battery")
    page.fill("#id_password2", "correct horse battery")
    page.click("[name=_save]")
    page.wait_for_url("**/change/")
    page.click(".datetimeshortcuts a >> nth=0")  # the scripts of the admin run
    assert User.objects.filter(username="minji").exists()
    assert console == []
