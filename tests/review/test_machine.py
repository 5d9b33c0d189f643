"""Long random ways of cases through the desk, with the invariants of the review tested after each step."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.db.models import F
from django.test import override_settings
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cases import fields
from cases.document import CaseDocument, Language, read_case, read_document
from cases.exporting import export
from cases.mapping import dump
from cases.models import Case, Change, Counter, Edition, LanguageVersion, Person, StoredCase
from cases.publishing import public_json
from cases.standing import standings
from review import workflow
from review.answers import APPROVING
from review.log import START, broken_links
from review.models import Decision, Event, Manuscript, RevisionAuthor, manuscripts
from review.policy import OTHER
from review.states import shown_hash, states_of, wrong_states
from review.workflow import Seen, publication
from review.workflow import review as reviewing
from review.workflow.publication import REWRITTEN, language_versions

from .making import changed, draft_document, make_publisher, make_user, make_writer

WAYS, STEPS_OF_A_WAY = 40, 60
STEPS = 2_500
PEOPLE = ("writer", "translator", "first", "second", "mighty", "publisher", "program")
people = st.sampled_from(PEOPLE)
# The third reviewer writes nothing, so that many decisions are taken; the others try, too.
deciders = st.sampled_from(("third", *PEOPLE))
languages: st.SearchStrategy[Language] = st.sampled_from(["en", "ko"])
# Few texts, so that edits are often undone.
TITLES = {"en": ("One title", "Two titles", "Three titles"), "ko": ("제목 하나", "제목 둘", "제목 셋")}
cases = st.integers(0, 1)
VERBS = {
    *("created", "saved", "restored", "published", "withdrew", "undid-withdrawal", "submitted", "withdrew-submission"),
    *("approved", "reaffirmed", "requested-changes", "withdrew-approval"),
}


def make_people() -> dict[str, User]:
    mighty = make_user("mighty", "writer", writes="en ko", reviews="en ko")
    mighty.is_superuser = True
    mighty.save()
    found = {
        "writer": make_writer(),
        "translator": make_user("translator", translates="en", reviews="ko"),
        "first": make_user("first", reviews="en ko"),
        "second": make_user("second", "writer", writes="en", reviews="en ko"),
        "mighty": mighty,
        "third": make_user("third", reviews="en ko"),
        "publisher": make_publisher(),
        "program": make_user("program", "writer", writes="en ko"),
    }
    owner = workflow.person_of(found["first"])
    Person.objects.create(name="Program", kind="agent", owner=owner, user=found["program"])
    return found


def short_document() -> CaseDocument:
    """Make a case with little text: thousands of revisions of it are compared."""
    lists: dict[str, Any] = {"remediation": [], "action_items": [], "checks": []}
    summary = {"en": "It was down.", "ko": "멈추었다."}
    told: dict[str, Any] = {
        "trigger": None,
        "symptoms_text": None,
        "detection": None,
        "timeline": {"events": []},
        "impact_text": None,
    }
    return draft_document(**lists, **told, title={"en": "One title", "ko": "제목 하나"}, summary=summary)


@dataclass(frozen=True)
class Opened:
    """What somebody sees of a case: its newest text, and what a form of the page posts back."""

    number: int
    document: CaseDocument
    newest: int
    seen: Seen
    states: dict[str, str]


class Desk(RuleBasedStateMachine):
    """Two cases and seven people who try everything; what is refused must leave no trace."""

    users: ClassVar[dict[str, User]] = {}
    document: ClassVar[CaseDocument]
    steps: ClassVar[int] = 0
    verbs: ClassVar[set[str]] = set()

    def __init__(self) -> None:
        super().__init__()
        self.rolled_back = transaction.atomic()
        self.rolled_back.__enter__()
        self.events = 0
        self.numbers: list[int] = []
        self.seen_events, self.last_hash, self.changes = 0, START, 0
        self.touched = self.asked = 0

    def teardown(self) -> None:
        Desk.verbs |= set(Event.objects.values_list("verb", flat=True))
        self.look_at_everything()
        transaction.set_rollback(True)
        self.rolled_back.__exit__(None, None, None)

    def look_at_everything(self) -> None:
        """I3, I6, I8, and once more what each step asked of one case."""
        connection.check_constraints()
        assert (broken_links(), wrong_states()) == ([], [])
        assert sorted(Manuscript.objects.values_list("number", flat=True)) == sorted(set(self.numbers))
        check_what_is_public(self.numbers)
        check_export()
        for number in self.numbers:
            check_four_eyes(number, decisions_on(number))
            editions = Edition.objects.filter(case__number=number).order_by("number").values_list("number", flat=True)
            current = Case.objects.filter(number=number).values_list("edition_number", flat=True).first()
            assert list(editions) == list(range(1, (current or 0) + 1))

    def attempt(self, act: Callable[[], Any], events: Callable[[Any], int] = lambda _done: 1) -> Any:
        """Do an act; if it is done, note how many events it must have written. Its own transaction undoes a refusal."""
        try:
            done = act()
        except (workflow.Refused, PermissionDenied):
            return None
        self.events += events(done)
        return done

    def opened(self, index: int) -> Opened:
        """Open the page of a case: what it shows is what an act is about."""
        Desk.steps += 1
        manuscript = Manuscript.objects.select_related("head").get(number=self.numbers[index])
        self.touched = manuscript.number
        assert manuscript.head is not None
        last = {"en": 0, "ko": 0}
        last |= dict(manuscript.decisions.order_by("pk").values_list("language", "pk"))
        newest = manuscript.head.number
        return Opened(manuscript.number, manuscript.head.document(), newest, Seen(newest, last), manuscript.kept_states)  # type: ignore[arg-type]  # en and ko

    @initialize()
    def begin(self) -> None:
        for user in (self.users["writer"], self.users["mighty"]):
            saved = self.attempt(lambda user=user: workflow.create(user, self.document))  # type: ignore[misc]  # the default is the user
            self.touched = saved.manuscript.number
            self.numbers.append(saved.manuscript.number)

    @rule(who=people, case=cases, language=languages, choice=st.integers(0, 2))
    def edit_text(self, who: str, case: int, language: Language, choice: int) -> None:
        opened = self.opened(case)
        title = opened.document.title.model_dump(mode="json")
        self.save(who, opened, title={**title, language: TITLES[language][choice]})

    @rule(who=people, case=cases, severity=st.sampled_from(["major", "minor"]))
    def edit_facts(self, who: str, case: int, severity: str) -> None:
        self.save(who, self.opened(case), severity=severity)

    def save(self, who: str, opened: Opened, **changes: Any) -> None:
        document = changed(opened.document, **changes)
        act = lambda: workflow.save(self.users[who], opened.number, document, opened.newest)  # noqa: E731
        self.attempt(act, lambda saved: int(saved.is_new))

    @rule(who=people, case=cases, back=st.integers(1, 4))
    def restore(self, who: str, case: int, back: int) -> None:
        opened = self.opened(case)
        act = lambda: workflow.restore(self.users[who], opened.number, opened.newest - back, opened.newest)  # noqa: E731
        self.attempt(act, lambda saved: int(saved.is_new))

    @rule(who=people, case=cases, language=languages)
    def submit(self, who: str, case: int, language: Language) -> None:
        opened = self.opened(case)
        is_back = opened.states[language] == "in-review"
        act = workflow.withdraw_submission if is_back else workflow.submit
        self.attempt(lambda: act(self.users[who], opened.number, language, opened.seen))

    @rule(
        case=cases,
        language=languages,
        second_thought=st.sampled_from([None, None, workflow.request_changes, workflow.withdraw_approval]),
    )
    def review(self, case: int, language: Language, second_thought: Callable[..., Decision] | None) -> None:
        """Decide as it should be done, so that there are approvals for the other rules to spoil."""
        opened, third = self.opened(case), self.users["third"]
        act = workflow.reaffirm if opened.states[language] == "stale" else workflow.approve
        self.attempt(lambda: act(third, opened.number, [language], opened.seen), len)
        if second_thought is not None:
            now = self.opened(case).seen
            self.attempt(lambda: second_thought(third, opened.number, language, now, "a reason"))

    @rule(case=cases, language=languages, choice=st.integers(0, 2))
    def correct(self, case: int, language: Language, choice: int) -> None:
        """Correct one language, and reaffirm the other if its approval has become stale by that."""
        self.edit_text("writer", case, language, choice)
        opened, beside = self.opened(case), OTHER[language]
        if opened.states[beside] == "stale":
            act = lambda: workflow.reaffirm(self.users["third"], opened.number, [beside], opened.seen)  # noqa: E731
            self.attempt(act, len)

    @rule(who=deciders, case=cases, chosen=st.sampled_from([["en"], ["ko"], ["en", "ko"]]), is_odd=st.booleans())
    def approve(self, who: str, case: int, chosen: list[Language], *, is_odd: bool) -> None:
        """Reaffirm what is stale and approve the rest, or, oddly, the other way round."""
        opened = self.opened(case)
        is_stale = all(opened.states[language] == "stale" for language in chosen)
        act = workflow.reaffirm if is_stale != is_odd else workflow.approve
        self.attempt(lambda: act(self.users[who], opened.number, chosen, opened.seen), len)

    @rule(who=deciders, case=cases, language=languages, is_withdrawal=st.booleans())
    def refuse(self, who: str, case: int, language: Language, *, is_withdrawal: bool) -> None:
        opened = self.opened(case)
        act = workflow.withdraw_approval if is_withdrawal else workflow.request_changes
        self.attempt(lambda: act(self.users[who], opened.number, language, opened.seen, "a reason"))

    @rule(case=cases, back=st.integers(0, 2), policy=st.sampled_from(["any", "complete", "approved"]))
    def publish(self, case: int, back: int, policy: str) -> None:
        opened, publisher = self.opened(case), self.users["publisher"]
        with override_settings(PUBLISH_POLICY=policy):
            act = lambda: workflow.publish(publisher, opened.number, opened.newest - back, opened.newest)  # noqa: E731
            if self.attempt(act) and policy == "approved":
                states = set(live_versions(opened.number).values_list("state", flat=True))
                assert states <= {"approved", "missing"}, "under this policy nothing else becomes public"

    @precondition(lambda self: self.changes > 0)
    @rule(case=cases)
    def withdraw_case(self, case: int) -> None:
        """Take a published case back, or put it back; a case is published before this is tried on either."""
        number, publisher = self.opened(case).number, self.users["publisher"]
        if Case.objects.filter(number=number, status="withdrawn").exists():
            self.attempt(lambda: workflow.undo_withdrawal(publisher, number, "after all"))
        else:
            self.attempt(lambda: workflow.withdraw(publisher, number, {"en": "Wrong", "ko": None}))

    @invariant()
    def everything_holds(self) -> None:
        """Ask the log at each step, and the rest when something was done: what is refused writes nothing.

        The rest is asked of the case it was done to, since nothing else has changed; at the end of a way, of all.
        """
        self.check_log()
        if self.events != self.asked:
            self.asked = self.events
            decisions = decisions_on(self.touched)
            check_states(self.touched, decisions)
            check_four_eyes(self.touched, decisions)
            self.check_changes(self.touched)

    def check_log(self) -> None:
        """I4: one event for each act, and the chain goes on where it ended."""
        for event in Event.objects.filter(sequence__gt=self.seen_events).order_by("sequence"):
            assert event.sequence == self.seen_events + 1
            assert event.previous_hash == self.last_hash
            assert event.chained() == event.hash
            self.seen_events, self.last_hash = event.sequence, event.hash
        assert self.seen_events == self.events

    def check_changes(self, number: int) -> None:
        """I7, and when there is a change, I5 of the case it was done to."""
        changes = Counter.objects.get(name="change").value
        if changes != self.changes:
            new = Change.objects.filter(sequence__gt=self.changes, sequence__lte=changes)
            assert new.count() == changes - self.changes
            self.changes = changes
            check_what_is_public([number])


class Decided(NamedTuple):
    """What is checked of a decision: who read what, and as what of which revision."""

    language: Language
    verdict: str
    read: int
    person: int
    kind: str
    shown: str


def decisions_on(number: int) -> list[Decided]:
    told = Decision.objects.filter(manuscript__number=number).order_by("pk")
    names = ("language", "verdict", "revision__number", "person", "person__kind", "shown")
    return [Decided(*row) for row in told.values_list(*names)]


def check_states(number: int, decisions: Sequence[Decided]) -> None:
    """I1: what is shown as approved was read exactly so; the cache and what readers are told are true."""
    manuscript = Manuscript.objects.select_related("head", "live", "case").get(number=number)
    assert manuscript.head is not None
    document = manuscript.head.document()
    found = states_of(manuscript, document)
    assert {language: str(one.state) for language, one in found.items()} == manuscript.kept_states
    for language, one in found.items():
        assert one.state != "approved" or was_read(decisions, document, language)
    if manuscript.live is not None and manuscript.case and manuscript.case.status == "published":
        check_what_readers_are_told(manuscript, decisions)


def check_four_eyes(number: int, decisions: Sequence[Decided]) -> None:
    """I2: no approver is among the authors since the approval that was in force."""
    authors = list(
        RevisionAuthor.objects.filter(revision__manuscript__number=number).values_list(
            "scope", "revision__number", "person", "person__owner"
        )
    )
    in_force = {"en": 0, "ko": 0}
    for one in decisions:
        approves = one.verdict in APPROVING
        if approves:
            since = in_force[one.language]
            wrote = {
                owner or person
                for scope, at, person, owner in authors
                if scope == one.language and since < at <= one.read
            }
            assert one.person not in wrote
            assert one.kind == "human"
        in_force[one.language] = one.read if approves else 0


def live_versions(number: int) -> Any:
    return LanguageVersion.objects.filter(
        edition__case__number=number, edition__number=F("edition__case__edition_number")
    )


def was_read(decisions: Sequence[Decided], document: CaseDocument, language: Language) -> bool:
    shown = shown_hash(document, language)
    return any((one.language, one.shown) == (language, shown) and one.verdict in APPROVING for one in decisions)


def check_what_readers_are_told(manuscript: Manuscript, decisions: Sequence[Decided]) -> None:
    assert manuscript.live is not None
    document = manuscript.live.document()
    true = language_versions(manuscript.live, document)
    for row in live_versions(manuscript.number):
        language: Any = row.language
        assert [getattr(row, name) for name in REWRITTEN] == [getattr(true[language], name) for name in REWRITTEN]
        assert row.state != "approved" or was_read(decisions, document, language)


def check_what_is_public(numbers: Sequence[int]) -> None:
    """I5: the tables and the stored rows of these cases say what their editions say, or nothing at all."""
    cases = list(Case.objects.filter(status="published", number__in=numbers).select_related("org"))
    stored = dict(StoredCase.objects.filter(number__in=numbers).values_list("number", "json"))
    where = standings(cases)
    assert set(stored) == {case.number for case in cases}
    for case in cases:
        document = Edition.objects.get(case=case, number=case.edition_number).document()
        assert dump(case) == document
        assert stored[case.number] == public_json(document, where[case.number], case.org)


def check_export() -> None:
    """I8: the export says what the editions say and can be read back."""
    public = Edition.objects.filter(number=F("case__edition_number"), case__status="published")
    exported = [
        read_case(json.loads(text)).document.text()
        for _number, text in export(None, file_format="jsonl", everything=False)
    ]
    assert exported == list(public.order_by("case__number").values_list("text", flat=True))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each text once, and render no pages: thousands of steps come by few texts, and no step looks at a page."""
    monkeypatch.setattr(manuscripts, "read_document", lru_cache(4096)(read_document))
    known: dict[int, tuple[CaseDocument, dict[str, fields.FieldValue]]] = {}
    told = fields.fields

    def kept(document: CaseDocument) -> dict[str, fields.FieldValue]:
        if id(document) not in known:
            known[id(document)] = (document, told(document))
        return known[id(document)][1]

    monkeypatch.setattr(fields, "fields", kept)
    for module in (publication, reviewing):
        monkeypatch.setattr(module, "store_rendered", lambda _numbers: None)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("quick")
def test_invariants_hold_over_thousands_of_steps() -> None:
    Desk.users, Desk.document, Desk.steps = make_people(), short_document(), 0
    run_state_machine_as_test(
        Desk,
        settings=settings(
            max_examples=WAYS,
            stateful_step_count=STEPS_OF_A_WAY,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
    assert Desk.steps >= STEPS
    assert VERBS - Desk.verbs == set(), "acts that were never done"
