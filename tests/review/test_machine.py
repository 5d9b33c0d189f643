"""Long random ways of cases through the desk, with the invariants of the review tested after each step."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.test import override_settings
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from cases.document import CaseDocument, Language
from cases.models import Change, Counter, LanguageVersion, Person
from review import workflow
from review.log import broken_links
from review.models import Decision, Event, Manuscript, RevisionAuthor
from review.states import shown_hash, states_of, wrong_states
from review.workflow import Seen
from review.workflow.publication import REWRITTEN, language_versions

from .making import changed, draft_document, make_publisher, make_user, make_writer

STEPS = 2_000
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
        self.events = Event.objects.count()
        self.numbers: list[int] = []

    def teardown(self) -> None:
        Desk.verbs |= set(Event.objects.values_list("verb", flat=True))
        transaction.set_rollback(True)
        self.rolled_back.__exit__(None, None, None)

    def attempt(self, act: Callable[[], Any], events: Callable[[Any], int] = lambda _done: 1) -> Any:
        """Do an act; if it is done, note how many events it must have written."""
        Desk.steps += 1
        try:
            with transaction.atomic():
                done = act()
        except (workflow.Refused, PermissionDenied):
            return None
        self.events += events(done)
        return done

    def current(self, index: int) -> tuple[int, workflow.Current, Seen]:
        found = workflow.current(self.numbers[index])
        assert found is not None
        states = states_of(found.manuscript, found.document)
        return found.number, found, Seen(found.revision_number, {key: one.last_id for key, one in states.items()})

    @initialize()
    def begin(self) -> None:
        for user in (self.users["writer"], self.users["mighty"]):
            saved = self.attempt(lambda user=user: workflow.create(user, self.document))  # type: ignore[misc]  # the default is the user
            self.numbers.append(saved.manuscript.number)

    @rule(who=people, case=cases, language=languages, choice=st.integers(0, 2))
    def edit_text(self, who: str, case: int, language: Language, choice: int) -> None:
        title = json.loads(self.current(case)[1].document.text())["title"]
        self.save(who, case, title={**title, language: TITLES[language][choice]})

    @rule(who=people, case=cases, severity=st.sampled_from(["major", "minor"]))
    def edit_facts(self, who: str, case: int, severity: str) -> None:
        self.save(who, case, severity=severity)

    def save(self, who: str, case: int, **changes: Any) -> None:
        number, found, _seen = self.current(case)
        document = changed(found.document, **changes)
        act = lambda: workflow.save(self.users[who], number, document, found.revision_number)  # noqa: E731
        self.attempt(act, lambda saved: int(saved.is_new))

    @rule(who=people, case=cases, back=st.integers(1, 4))
    def restore(self, who: str, case: int, back: int) -> None:
        number, found, _seen = self.current(case)
        newest = found.revision_number
        act = lambda: workflow.restore(self.users[who], number, newest - back, newest)  # noqa: E731
        self.attempt(act, lambda saved: int(saved.is_new))

    @rule(who=people, case=cases, language=languages, is_back=st.booleans())
    def submit(self, who: str, case: int, language: Language, *, is_back: bool) -> None:
        number, _found, seen = self.current(case)
        act = workflow.withdraw_submission if is_back else workflow.submit
        self.attempt(lambda: act(self.users[who], number, language, seen))

    @rule(
        case=cases,
        language=languages,
        second_thought=st.sampled_from([None, None, workflow.request_changes, workflow.withdraw_approval]),
    )
    def review(self, case: int, language: Language, second_thought: Callable[..., Decision] | None) -> None:
        """Decide as it should be done, so that there are approvals for the other rules to spoil."""
        number, found, seen = self.current(case)
        is_stale = states_of(found.manuscript, found.document)[language].state == "stale"
        act = workflow.reaffirm if is_stale else workflow.approve
        third = self.users["third"]
        self.attempt(lambda: act(third, number, [language], seen), len)
        if second_thought is not None:
            _number, _found, now = self.current(case)
            self.attempt(lambda: second_thought(third, number, language, now, "a reason"))

    @rule(who=deciders, case=cases, chosen=st.sampled_from([["en"], ["ko"], ["en", "ko"]]), is_odd=st.booleans())
    def approve(self, who: str, case: int, chosen: list[Language], *, is_odd: bool) -> None:
        """Reaffirm what is stale and approve the rest, or, oddly, the other way round."""
        number, found, seen = self.current(case)
        states = states_of(found.manuscript, found.document)
        is_stale = all(states[language].state == "stale" for language in chosen)
        act = workflow.reaffirm if is_stale != is_odd else workflow.approve
        self.attempt(lambda: act(self.users[who], number, chosen, seen), len)

    @rule(who=deciders, case=cases, language=languages, is_withdrawal=st.booleans())
    def refuse(self, who: str, case: int, language: Language, *, is_withdrawal: bool) -> None:
        number, _found, seen = self.current(case)
        act = workflow.withdraw_approval if is_withdrawal else workflow.request_changes
        self.attempt(lambda: act(self.users[who], number, language, seen, "a reason"))

    @rule(case=cases, back=st.integers(0, 2), policy=st.sampled_from(["any", "complete", "approved"]))
    def publish(self, case: int, back: int, policy: str) -> None:
        number, found, _seen = self.current(case)
        newest = found.revision_number
        with override_settings(PUBLISH_POLICY=policy):
            act = lambda: workflow.publish(self.users["publisher"], number, newest - back, newest)  # noqa: E731
            if self.attempt(act) and policy == "approved":
                states = set(live_versions(number).values_list("state", flat=True))
                assert states <= {"approved", "missing"}, "under this policy nothing else becomes public"

    @rule(case=cases, is_back=st.sampled_from([True, True, True, False]))
    def withdraw_case(self, case: int, *, is_back: bool) -> None:
        number, publisher = self.numbers[case], self.users["publisher"]
        if is_back:
            self.attempt(lambda: workflow.undo_withdrawal(publisher, number, "after all"))
        else:
            self.attempt(lambda: workflow.withdraw(publisher, number, {"en": "Wrong", "ko": None}))

    @invariant()
    def approved_means_read(self) -> None:
        """I1: what is shown as approved was read exactly so; the cache and what readers are told are true."""
        assert wrong_states() == []
        for manuscript in Manuscript.objects.select_related("head", "live", "case"):
            assert manuscript.head is not None
            document = manuscript.head.document()
            for language, one in states_of(manuscript, document).items():
                assert one.state != "approved" or was_read(manuscript, document, language)
            if manuscript.live is not None and manuscript.case and manuscript.case.status == "published":
                check_what_readers_are_told(manuscript)

    @invariant()
    def nobody_approved_own_text(self) -> None:
        """I2: no approver is among the authors since the approval that was in force."""
        in_force: dict[tuple[int, str], int] = {}
        for decision in Decision.objects.select_related("revision", "person").order_by("pk"):
            key = (decision.manuscript_id, decision.language)
            if decision.approves:
                authors = RevisionAuthor.objects.filter(
                    revision__manuscript=decision.manuscript_id,
                    revision__number__gt=in_force.get(key, 0),
                    revision__number__lte=decision.revision.number,
                    scope=decision.language,
                )
                owners = {owner or person for person, owner in authors.values_list("person", "person__owner")}
                assert decision.person_id not in owners
                assert decision.person.kind == "human"
            in_force[key] = decision.revision.number if decision.approves else 0

    @invariant()
    def numbers_are_never_reused(self) -> None:
        """I3."""
        assert len(set(self.numbers)) == len(self.numbers)
        assert set(self.numbers) <= set(Manuscript.objects.values_list("number", flat=True))

    @invariant()
    def one_event_for_each_act(self) -> None:
        """I4, and what was refused wrote none."""
        assert broken_links() == []
        assert Event.objects.count() == self.events

    @invariant()
    def changes_are_numbered_without_gaps(self) -> None:
        """I7."""
        sequences = list(Change.objects.order_by("sequence").values_list("sequence", flat=True))
        assert sequences == list(range(1, Counter.objects.get(name="change").value + 1))


def live_versions(number: int) -> Any:
    case = Manuscript.objects.select_related("case").get(number=number).case
    assert case is not None
    return LanguageVersion.objects.filter(edition__case=case, edition__number=case.edition_number)


def was_read(manuscript: Manuscript, document: CaseDocument, language: Language) -> bool:
    shown = shown_hash(document, language)
    return Decision.objects.filter(
        manuscript=manuscript, language=language, shown=shown, verdict__in=["approve", "reaffirm"]
    ).exists()


def check_what_readers_are_told(manuscript: Manuscript) -> None:
    assert manuscript.live is not None
    document = manuscript.live.document()
    true = language_versions(manuscript.live, document)
    for row in live_versions(manuscript.number):
        language: Any = row.language
        assert [getattr(row, name) for name in REWRITTEN] == [getattr(true[language], name) for name in REWRITTEN]
        assert row.state != "approved" or was_read(manuscript, document, language)


@pytest.mark.slow
@pytest.mark.django_db
def test_invariants_hold_over_thousands_of_steps() -> None:
    Desk.users, Desk.document, Desk.steps = make_people(), short_document(), 0
    run_state_machine_as_test(
        Desk,
        settings=settings(
            max_examples=3,
            stateful_step_count=60,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
    assert Desk.steps >= STEPS
    assert VERBS - Desk.verbs == set(), "acts that were never done"
