"""The admin: words are edited in both languages, cases and editions only looked at, in a fixed number of queries."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from cases.labels import VOCABULARY, WORDING, counted
from cases.models import Case, Edition, Org, Person, Term

from .making import make_case

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("admin", password="a"))
    return client


def address(model: str, page: str = "changelist", *args: Any) -> str:
    return reverse(f"admin:cases_{model}_{page}", args=args)


MODELS = ("term", "org", "check", "glossaryterm", "glossaryname", "person", "case", "edition")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_list_opens_in_both_languages(admin: Client, model: str, language: str) -> None:
    make_case(reviewed_by="Kim")
    admin.cookies["django_language"] = language
    assert admin.get(address(model)).status_code == 200
    assert admin.get(address(model), {"q": "LiveKit"}).status_code == 200


@pytest.mark.parametrize("model", MODELS)
def test_lists_are_closed_without_an_account(client: Client, model: str) -> None:
    answer = client.get(address(model))
    assert (answer.status_code, answer["Location"].startswith("/admin/login/")) == (302, True)


@pytest.mark.parametrize("model", ["case", "edition"])
def test_cases_and_editions_are_read_only(admin: Client, model: str) -> None:
    case = make_case(reviewed_by="Kim")
    row = case if model == "case" else Edition.objects.get()
    page = admin.get(address(model, "change", row.pk))
    assert page.status_code == 200
    assert "reviewed by Kim" in page.content.decode() or model == "edition"
    assert admin.post(address(model, "change", row.pk), {"title_en": "Changed"}).status_code == 403
    assert admin.get(address(model, "add")).status_code == 403
    assert admin.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert Case.objects.get().title_en == case.title_en


def test_case_list_shows_writer_and_reviewer_and_filters_by_state(admin: Client) -> None:
    make_case(reviewed_by="Kim")
    make_case(id="IL-0600", title={"en": "Only in English", "ko": None})
    page = admin.get(address("case")).content.decode()
    assert "Approved · written by session · reviewed by Kim on 2026-11-01" in page
    assert "Not reviewed · written by session" in page
    approved = admin.get(address("case"), {"state_en": "approved"}).content.decode()
    assert "IL-0561" in approved
    assert "IL-0600" not in approved
    missing = admin.get(address("case"), {"state_ko": "missing"}).content.decode()
    assert "IL-0600" in missing
    assert "IL-0561" not in missing


def test_case_is_found_by_its_number(admin: Client) -> None:
    make_case()
    make_case(id="IL-0600")
    page = admin.get(address("case"), {"q": " il-0600 "}).content.decode()
    assert "IL-0600" in page
    assert "IL-0561" not in page


def test_case_list_costs_the_same_however_many_cases(admin: Client, django_assert_max_num_queries: Any) -> None:
    for number in range(600, 620):
        make_case(id=f"IL-{number:04d}")
    with django_assert_max_num_queries(13):
        admin.get(address("case"))


def test_label_is_changed_in_one_language_whatever_language_is_active(admin: Client) -> None:
    term = Term.objects.create(list="domain", slug="dns", label_en="DNS", label_ko="디엔에스", definition_en="Names")
    versions = counted(VOCABULARY), counted(WORDING)
    values = {"label_en": "DNS", "label_ko": "도메인 이름", "definition_en": "Names", "position": 1, "known": "on"}
    with translation.override("ko"):
        answer = admin.post(address("term", "change", term.pk), values)
    term.refresh_from_db()
    assert answer.status_code == 302
    assert (term.label_en, term.label_ko, term.definition_en, term.definition_ko) == (
        "DNS",
        "도메인 이름",
        "Names",
        None,
    )
    assert (counted(VOCABULARY), counted(WORDING)) == (versions[0] + 1, versions[1] + 1)


def test_term_replaced_in_a_circle_is_refused(admin: Client) -> None:
    first = Term.objects.create(list="domain", slug="first")
    second = Term.objects.create(list="domain", slug="second", replaced_by=first)
    answer = admin.post(address("term", "change", first.pk), {"position": 0, "replaced_by": second.pk})
    assert "replace each other in a circle" in answer.content.decode()
    other = Term.objects.create(list="symptom", slug="other")
    answer = admin.post(address("term", "change", first.pk), {"position": 0, "replaced_by": other.pk})
    assert "must be of the same list" in answer.content.decode()


def org_values(**changes: Any) -> dict[str, Any]:
    formset = {"aliases-TOTAL_FORMS": 1, "aliases-INITIAL_FORMS": 0, "aliases-0-alias": ""}
    return {"slug": "open-ai", "name": "Open AI", "homepage": "", **formset, **changes}


def test_second_spelling_of_an_organisation_is_refused(admin: Client) -> None:
    Org.objects.create(slug="openai", name="OpenAI", folded="openai")
    page = admin.post(address("org", "add"), org_values()).content.decode()
    assert "This is a spelling of OpenAI." in page
    other = org_values(name="Other", slug="other", **{"aliases-0-alias": "open-ai"})
    page = admin.post(address("org", "add"), other).content.decode()
    assert "This is a spelling of OpenAI." in page
    assert Org.objects.count() == 1


def test_organisation_without_a_latin_slug_is_refused(admin: Client) -> None:
    page = admin.post(address("org", "add"), org_values(name="누리클라우드", slug="누리")).content.decode()
    assert "Use lower-case Latin letters" in page


def test_organisation_with_an_alias_is_saved(admin: Client) -> None:
    values = org_values(name="누리클라우드", slug="nuri-cloud", **{"aliases-0-alias": "Nuri Cloud"})
    assert admin.post(address("org", "add"), values).status_code == 302
    org = Org.objects.get()
    assert (org.folded, org.aliases.get().folded) == ("누리클라우드", "nuricloud")


def test_only_a_human_owns_an_agent(admin: Client) -> None:
    owner = Person.objects.create(name="Owner")
    page = admin.post(address("person", "add"), {"name": "Other", "kind": "human", "owner": owner.pk}).content.decode()
    assert "Only an agent has an owner" in page
    assert admin.post(address("person", "delete", owner.pk), {"post": "yes"}).status_code == 403
