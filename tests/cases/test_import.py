"""``import_cases`` and ``export_cases``: what goes in comes out, and what is wrong is said by file, line and path."""

from __future__ import annotations

import datetime as dt
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from cases.models import Case, Change, Counter, Edition, LanguageVersion, Org, Person, StoredCase, Term, guards
from cases.vocabulary import load_vocabulary

from .making import SAMPLES, SHARED, make_case, make_raw
from .test_document import check_superset

pytestmark = pytest.mark.django_db


class Run:
    """One run of the import command: what it said, and whether it failed."""

    def __init__(self, *files: Path | str, **options: Any) -> None:
        out, err = StringIO(), StringIO()
        self.failed = False
        try:
            call_command("import_cases", *map(str, files), stdout=out, stderr=err, **options)
        except SystemExit as stop:
            self.failed = stop.code == 1
        self.said = out.getvalue()
        self.notes = err.getvalue().splitlines()
        self.errors = [note for note in self.notes if ": error: " in note]

    def counts(self) -> dict[str, int]:
        words = self.said.removeprefix("Dry run: ").split(" in ")[0].split(", ")
        return {name: int(count) for count, name in (word.split() for word in words)}


def exported(*ids: str, **options: Any) -> str:
    out = StringIO()
    call_command("export_cases", *ids, stdout=out, **options)
    return out.getvalue()


def write(path: Path, *raws: Any) -> Path:
    if path.suffix == ".jsonl":
        lines = [raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False) for raw in raws]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogatepass")
    else:
        path.write_text(json.dumps(raws[0], ensure_ascii=False), encoding="utf-8")
    return path


# What goes in comes out


def test_samples_import_and_a_second_run_changes_nothing() -> None:
    load_vocabulary()
    first = Run(SAMPLES)
    before = exported()
    second = Run(SAMPLES)
    assert not first.failed
    assert first.notes == []
    assert first.counts()["new"] == Case.objects.count() == len(before.splitlines())
    assert second.counts() == {"new": 0, "changed": 0, "unchanged": Case.objects.count(), "refused": 0}
    assert exported() == before
    assert Change.objects.count() == Case.objects.count()


@pytest.mark.skipif(not SHARED.exists(), reason="the shared corpus is not here")
def test_seed_and_corpus_come_out_as_a_superset(tmp_path: Path) -> None:
    load_vocabulary()
    corpus = (SHARED / "search-corpus.jsonl").read_text(encoding="utf-8").splitlines()
    raws = {raw["id"]: raw for raw in map(json.loads, corpus)}
    assert not Run(write(tmp_path / "all.jsonl", *corpus)).failed
    found = {case["id"]: case for case in map(json.loads, exported().splitlines())}
    for number, raw in raws.items():
        check_superset(raw, found[number])


@pytest.mark.skipif(not SHARED.exists(), reason="the shared seed is not here")
def test_seed_file_itself_is_imported_and_exported() -> None:
    seed = SHARED / "seeds" / "case-IL-0560.json"
    assert not Run(seed).failed
    check_superset(json.loads(seed.read_text(encoding="utf-8")), json.loads(exported("IL-0560")))


def empty_the_library() -> None:
    """Make the database as empty as that of a new site; the guards of permanent rows are lifted for it."""
    guards.remove(connection)
    for table in (LanguageVersion, Edition, Case, Change, Person):
        table.objects.all().delete()
    Counter.objects.exclude(name="vocabulary").update(value=0)
    guards.install(connection)


@pytest.mark.django_db(transaction=True)
def test_own_export_is_restored_byte_for_byte(tmp_path: Path) -> None:
    load_vocabulary()
    make_case(reviewed_by="Kim", id="IL-0700")
    make_case(reviewed_by="Kim", id="IL-0701", title={"en": "Only English", "ko": None})
    make_case(id="IL-0701", severity="minor")
    make_case(id="IL-0702", columns={"status": "merged", "merged_into": 700})
    reason = {"withdrawn_reason_en": "Not an incident", "withdrawn_reason_ko": None}
    make_case(id="IL-0703", columns={"status": "withdrawn", "withdrawn_at": "2026-11-02T00:00:00Z", **reason})
    before = exported(all=True)
    cases = [line for line in before.splitlines() if '"kind"' not in line[:20]]
    empty_the_library()
    assert not Run(write(tmp_path / "own.jsonl", *cases), trust_reviews=True).failed
    assert exported(all=True) == before


# Reviews


def test_reviewer_of_a_foreign_file_is_told_but_approves_nothing(tmp_path: Path) -> None:
    review = {"written_by": "session", "reviewed_by": "jun", "reviewed_at": "2026-11-14T09:00:00Z"}
    file = write(tmp_path / "a.json", make_raw(review=review))
    Run(file)
    version = LanguageVersion.objects.get(language="en")
    assert (version.state, version.reviewed_by, version.elsewhere_by) == ("draft", None, "jun")
    assert json.loads(exported())["review"]["reviewed_by"] is None


def test_reviewer_of_a_trusted_file_approves(tmp_path: Path) -> None:
    review = {"written_by": "session", "reviewed_by": "jun", "reviewed_at": "2026-11-14T09:00:00Z"}
    Run(write(tmp_path / "a.json", make_raw(review=review)), trust_reviews=True)
    assert LanguageVersion.objects.get(language="ko").state == "approved"
    assert json.loads(exported())["review"] == {
        key: review[key] for key in ("written_by", "reviewed_at", "reviewed_by")
    }


def test_trusted_reviewer_who_wrote_the_text_is_marked_as_an_override(tmp_path: Path) -> None:
    review = {"written_by": "jun", "reviewed_by": "jun", "reviewed_at": "2026-11-14T09:00:00Z"}
    assert not Run(write(tmp_path / "a.json", make_raw(review=review)), trust_reviews=True).failed
    assert LanguageVersion.objects.get(language="ko").override


# Updates


def test_changed_case_becomes_the_next_edition(tmp_path: Path) -> None:
    Run(write(tmp_path / "a.json", make_raw()))
    run = Run(write(tmp_path / "a.json", make_raw(severity="major")))
    assert run.counts()["changed"] == 1
    assert Case.objects.get().edition_number == 2
    assert [edition.document().severity for edition in Edition.objects.all()] == ["unknown", "major"]
    assert '"edition":2' in StoredCase.objects.get().json


def test_import_lists_what_it_empties_and_what_it_ignores(tmp_path: Path) -> None:
    Run(write(tmp_path / "a.json", make_raw()))
    seed_like = {key: value for key, value in make_raw().items() if key not in {"checks", "impact_text"}}
    run = Run(write(tmp_path / "a.json", seed_like | {"edition": 9}))
    said = "\n".join(run.notes)
    assert "a.json: warning: checks: is emptied by this import" in said
    assert "these keys are kept only for a new number and are ignored: edition" in said
    assert Case.objects.get().edition_number == 2


def test_case_with_a_draft_is_refused(tmp_path: Path) -> None:
    make_case()
    Case.objects.update(has_draft=True)
    run = Run(write(tmp_path / "a.json", make_raw(severity="major")))
    assert run.failed
    assert "has a draft on the desk" in run.notes[0]


def test_dry_run_changes_nothing(tmp_path: Path) -> None:
    run = Run(write(tmp_path / "a.json", make_raw(domain=["brand-new"])), dry_run=True)
    assert run.counts()["new"] == 1
    assert (Case.objects.count(), Change.objects.count(), Term.objects.filter(slug="brand-new").count()) == (0, 0, 0)


def test_alias_becomes_the_name_and_unknown_term_is_kept(tmp_path: Path) -> None:
    load_vocabulary()
    run = Run(write(tmp_path / "a.json", make_raw(org="Open AI", domain=["brand-new"])))
    assert "org: Open AI is written OpenAI here" in run.notes[0]
    assert "domain: brand-new is not in the vocabulary" in run.notes[1]
    assert Case.objects.get().org.slug == "openai"


def test_korean_name_takes_the_slug_of_the_file_or_a_number(tmp_path: Path) -> None:
    Run(write(tmp_path / "a.json", make_raw(org="별빛클라우드", org_slug="byeolbit")))
    Run(write(tmp_path / "b.json", make_raw(id="IL-0600", org="달빛클라우드", org_slug="!!")))
    assert list(Org.objects.order_by("slug").values_list("slug", flat=True)) == ["byeolbit", "org-1"]


# Bad input


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ('{"id": "IL-0601"', "bad.jsonl:2: error: is not JSON: line 1"),
        ("[1]", "bad.jsonl:2: error: a case must be a JSON object"),
        ('{"id": "IL-601"}', "bad.jsonl:2: error: id: must be a case number"),
        ("[" * 100_000, "bad.jsonl:2: error: is nested too deeply"),
        ('{"id": "IL-0601", "id": "IL-0602"}', "bad.jsonl:2: error: the key id stands twice in one object"),
        (make_raw(id="IL-0601", date="2026-02-30"), "bad.jsonl:2: error: date: is a date that does not exist"),
        (make_raw(id="IL-0601", colour="red"), "bad.jsonl:2: error: colour: is not a key of a case document"),
        (make_raw(id="IL-0601", related="IL-1"), "bad.jsonl:2: error: related: Input should be a valid list"),
        (
            make_raw(id="IL-0601", lessons={"en": "a\x00", "ko": None}),
            "bad.jsonl:2: error: English lessons: contains a",
        ),
        (make_raw(id="IL-0601", lessons={"en": "x" * 1_100_000, "ko": None}), "bad.jsonl:2: error: is larger than"),
    ],
)
def test_one_bad_case_stops_no_other_and_is_named(tmp_path: Path, bad: Any, said: str) -> None:
    run = Run(write(tmp_path / "bad.jsonl", make_raw(id="IL-0600"), bad, make_raw(id="IL-0603")))
    assert run.failed
    assert run.counts() == {"new": 2, "changed": 0, "unchanged": 0, "refused": 1}
    assert said in run.errors[0]
    assert sorted(Case.objects.values_list("number", flat=True)) == [600, 603]


def test_number_twice_in_a_run_is_refused_the_second_time(tmp_path: Path) -> None:
    run = Run(
        write(tmp_path / "a.jsonl", make_raw(), make_raw(severity="major")), write(tmp_path / "b.json", make_raw())
    )
    assert run.failed
    assert len(run.errors) == 2
    assert all("the same number stands in this run before, at " in note for note in run.errors)


def test_database_refusal_keeps_its_good_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the document ever let through what the database refuses, only the bad case stays out."""
    year_before = dt.date(2025, 10, 5)
    monkeypatch.setattr("cases.mapping.loading.last_of_period", lambda date, _: year_before if date.day == 5 else date)
    raws = [make_raw(id="IL-0600"), make_raw(id="IL-0601", date="2026-10-05"), make_raw(id="IL-0602")]
    run = Run(write(tmp_path / "a.jsonl", *raws))
    assert run.counts()["new"] == 2
    assert "a.jsonl:2: error: the database refuses it: " in run.errors[0]


def test_missing_file_and_folder_are_handled(tmp_path: Path) -> None:
    folder = tmp_path / "folder" / "deeper"
    folder.mkdir(parents=True)
    write(folder / "a.json", make_raw())
    write(folder / "b.jsonl", make_raw(id="IL-0600"))
    run = Run(tmp_path / "folder", tmp_path / "none.json")
    assert run.counts() == {"new": 2, "changed": 0, "unchanged": 0, "refused": 1}
    assert "none.json: error: there is no such file" in run.notes[0]


# Export


def test_export_of_an_unknown_number_fails() -> None:
    with pytest.raises(CommandError, match="no such case: IL-0999"):
        exported("IL-0999")
    with pytest.raises(CommandError, match="0999 is not a case number"):
        exported("0999")


def test_csv_cells_cannot_be_formulas() -> None:
    make_case(title={"en": "=cmd|' /C calc'!A0", "ko": None})
    header, row = exported(format="csv").splitlines()
    assert header.startswith("id,org,date")
    assert "'=cmd" in row


def test_withdrawn_case_is_exported_only_with_everything() -> None:
    make_case(columns={"status": "withdrawn", "withdrawn_at": "2026-11-02T00:00:00Z"})
    assert exported() == ""
    assert json.loads(exported(all=True).splitlines()[0])["status"] == "withdrawn"


def test_examples_are_removed_with_their_organisations() -> None:
    load_vocabulary()
    Run(SAMPLES)
    out = StringIO()
    call_command("remove_examples", dry_run=True, stdout=out)
    assert out.getvalue().startswith("Would remove 43 examples")
    call_command("remove_examples", stdout=out)
    assert not Case.objects.filter(example=True).exists()
    assert not Org.objects.filter(slug="kestrel-cdn").exists()
    assert Org.objects.filter(slug="pubnub").exists()
    assert Change.objects.filter(kind="removed").count() == 43
