"""Two people's changes of one document brought together, field by field and item by item. No Django models.

``base`` is what both began with, ``theirs`` what was saved meanwhile, ``mine`` what is about to be saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic import ValidationError

from cases.document import CaseDocument, Problem
from cases.document.problems import gettext_noop, problem, problems_of
from cases.document.timeline import computed_durations
from cases.document.values import write_duration
from cases.fields import ITEM_LISTS, FieldValue, build, by_item, fields, woven

# A field's value; or a whole item as its fields by full path, None where there is no such item.
Content = FieldValue | Mapping[str, FieldValue]

# Written from the events where these tell it, so nobody's change.
DURATIONS = {"timeline.detected_after": "detect", "timeline.resolved_after": "resolve"}


@dataclass(frozen=True)
class Own:
    """What somebody wrote to settle a conflict, neither theirs nor mine."""

    content: Content


Choice = Literal["theirs", "mine"] | Own


@dataclass(frozen=True)
class Conflict:
    """A field, an order or (its path ends with ``]``) a whole item that a person must decide.

    ``reason`` is there when both changes are possible alone but not together; then several conflicts share it, and
    one other choice may do.
    """

    path: str
    base: Content
    theirs: Content
    mine: Content
    reason: Problem | None = None


@dataclass(frozen=True)
class Merge:
    """What came out. ``document`` is None as long as there are conflicts; ``taken_from_theirs`` are paths."""

    conflicts: list[Conflict]
    taken_from_theirs: list[str]
    document: CaseDocument | None
    plan: Plan

    def resolved(self, choices: Mapping[str, Choice]) -> dict[str, Any]:
        """Put the raw document together with a choice for every conflict; it may still be an invalid one.

        Raises KeyError for a conflict without a choice. No item is lost by choosing an order that does not name it.
        """
        return self.plan.raw({conflict.path: _chosen(conflict, choices[conflict.path]) for conflict in self.conflicts})


def _chosen(conflict: Conflict, choice: Choice) -> Content:
    if isinstance(choice, Own):
        return choice.content
    return conflict.theirs if choice == "theirs" else conflict.mine


@dataclass(frozen=True)
class Versions:
    """One field or one item in the three documents."""

    base: Content
    theirs: Content
    mine: Content

    @property
    def overlap(self) -> bool:
        return self.theirs != self.mine and self.base not in (self.theirs, self.mine)

    @property
    def are_of_one(self) -> bool:
        """Tell whether exactly one of the two changed it."""
        return self.theirs != self.mine and self.base in (self.theirs, self.mine)

    @property
    def are_theirs(self) -> bool:
        return self.are_of_one and self.mine == self.base

    @property
    def settled(self) -> Content:
        """What both agree on, else what the one changed; theirs in a conflict, until somebody decides."""
        return self.mine if self.theirs == self.base else self.theirs


@dataclass(frozen=True)
class Plan:
    """The three documents as units that are decided one by one: fields, whole items, and the orders of lists."""

    case: str
    units: Mapping[str, Versions]
    orders: Mapping[str, Versions]

    def raw(self, decided: Mapping[str, Content]) -> dict[str, Any]:
        """Put the document together; what is not decided is as ``settled`` says."""
        told: dict[str, FieldValue] = {}
        for path, versions in self.units.items():
            content = decided.get(path, versions.settled)
            if isinstance(content, Mapping):
                told.update(content)
            elif not path.endswith("]"):
                told[path] = content
        items = by_item(told)
        orders = {path: self._order(path, decided.get(path)) for path in self.orders}
        kept = {path: [uid for uid in order if f"{path}[{uid}]" in items] for path, order in orders.items()}
        return build({**told, **kept}, self.case)

    def _order(self, path: str, decided: Content) -> list[str]:
        """Give the order with everything that either side has, whatever was decided."""
        versions = self.orders[path]
        theirs, mine = cast("list[str]", versions.theirs), cast("list[str]", versions.mine)
        first = theirs if _moves(versions).settled == _moves(versions).theirs else mine
        if decided is not None:
            first = list(dict.fromkeys(cast("list[str]", decided)))
        return woven(woven(first, theirs), mine)

    def clash(self, decided: Mapping[str, Content]) -> Problem | None:
        """Say what is wrong with the document that comes out, first things first."""
        try:
            document = CaseDocument.model_validate(self.raw(decided))
        except ValidationError as error:
            return problems_of(error)[0]
        told = fields(document)
        for path in DURATIONS:
            stated = decided.get(path, self.units[path].settled)
            if stated is not None and stated != told[path]:
                message = gettext_noop("the events of both give {computed}, which would replace {stated}")
                return problem(path.split("."), "computed", message, computed=told[path], stated=stated)
        return None


def merge(base: CaseDocument, theirs: CaseDocument, mine: CaseDocument) -> Merge:
    """Merge two changes of ``base``. What cannot be merged is a conflict, never an exception and never lost."""
    plan = _plan(base, theirs, mine)
    orders = {path: _moves(versions) for path, versions in plan.orders.items()}
    moved = {path: _conflict(path, plan.orders[path]) for path, moves in orders.items() if moves.overlap}
    edited = {path: _conflict(path, versions) for path, versions in plan.units.items() if versions.overlap}
    conflicts = [*edited.values(), *moved.values(), *_clashes(plan)]
    paths = {conflict.path for conflict in conflicts}
    theirs_alone = [path for path, versions in {**plan.units, **orders}.items() if versions.are_theirs]
    document = None if conflicts else CaseDocument.model_validate(plan.raw({}))
    return Merge(conflicts, [path for path in theirs_alone if path not in paths], document, plan)


def _conflict(path: str, versions: Versions, reason: Problem | None = None) -> Conflict:
    return Conflict(path, versions.base, versions.theirs, versions.mine, reason)


def _clashes(plan: Plan) -> Iterator[Conflict]:
    """Find the changes that are fine alone but not together, such as a claim on an item that the other deleted.

    Taking back one of them tells: then the document is valid, or at least something else is wrong with it. The search
    ends at the latest when all that is open is theirs, for that document was valid.
    """
    decided: dict[str, Content] = {}
    open_paths = [path for path, versions in plan.units.items() if versions.are_of_one]
    while open_paths and (reason := plan.clash(decided)) is not None:
        without = {path: plan.clash({**decided, path: plan.units[path].base}) for path in open_paths}
        guilty = [path for path, left in without.items() if left is None]
        guilty = guilty or [path for path, left in without.items() if left != reason] or open_paths
        for path in guilty:
            yield _conflict(path, plan.units[path], reason)
            decided[path] = plan.units[path].theirs
        open_paths = [path for path in open_paths if path not in guilty]


# Taking the documents apart


def _plan(base: CaseDocument, theirs: CaseDocument, mine: CaseDocument) -> Plan:
    sides = [by_item(_stated(document)) for document in (base, theirs, mine)]
    units: dict[str, Versions] = {}
    orders: dict[str, Versions] = {}
    for path in sides[0][""]:
        versions = Versions(*(side[""][path] for side in sides))
        if path not in ITEM_LISTS:
            units[path] = versions
            continue
        orders[path] = versions
        for uid in woven(cast("list[str]", versions.theirs), cast("list[str]", versions.mine)):
            units.update(_item_units(f"{path}[{uid}]", *(side.get(f"{path}[{uid}]") for side in sides)))
    return Plan(base.id, units, orders)


def _item_units(path: str, *sides: dict[str, FieldValue] | None) -> dict[str, Versions]:
    """Take an item that both have field by field, any other as a whole."""
    base, theirs, mine = sides
    if theirs is None or mine is None:
        return {path: Versions(base, theirs, mine)}
    return {key: Versions((base or {}).get(key), theirs[key], mine[key]) for key in theirs}


def _stated(document: CaseDocument) -> dict[str, FieldValue]:
    """Give the fields without the durations that follow from the events."""
    told = fields(document)
    computed = computed_durations(document.timeline.timed())
    for path, name in DURATIONS.items():
        seconds = computed[name].seconds if name in computed else None
        if seconds is not None and told[path] == write_duration(seconds):
            told[path] = None
    return told


def _moves(orders: Versions) -> Versions:
    """Reduce the orders of a list to the items that all three have: what differs now was moved."""
    versions = [cast("list[str]", order) for order in (orders.base, orders.theirs, orders.mine)]
    common = set(versions[0]).intersection(*versions[1:])
    return Versions(*([uid for uid in order if uid in common] for order in versions))
