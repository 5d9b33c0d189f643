"""The stock admin works under our content security policy."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from cases.models import Term

pytestmark = pytest.mark.django_db(transaction=True)


def test_administrator_signs_in_and_adds_a_term(page: Page, console: list[str], live_server: LiveServer) -> None:
    User.objects.create_superuser("admin", password="a long password")
    page.goto(f"{live_server.url}/admin/cases/term/add/")
    page.fill("#id_username", "admin")
    page.fill("#id_password", "a long password")
    page.click("[type=submit]")
    expect(page.locator(".select2-selection").first).to_be_visible()  # the scripts of the admin run
    page.select_option("#id_list", "domain")
    page.fill("#id_slug", "brand-new")
    page.fill("#id_label_en", "Brand new")
    page.fill("#id_label_ko", "아주 새로움")
    page.click("[name=_save]")
    page.wait_for_url("**/term/")
    assert Term.objects.get(slug="brand-new").label_ko == "아주 새로움"
    assert console == []
