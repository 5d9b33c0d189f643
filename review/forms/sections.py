"""The sections of the editor, in the order of the public page, and what stands in each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from .case import CaseForm
from .items import ItemList
from .part import PartForm

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

# anchor, heading, parts, lists
SECTIONS: tuple[tuple[str, StrPromise, tuple[str, ...], tuple[str, ...]], ...] = (
    ("basics", _("Organisation and date"), ("basics",), ()),
    ("summary", _("Title and summary"), ("summary",), ()),
    ("facts", _("At a glance"), ("facts",), ()),
    ("symptoms", _("Symptoms"), ("symptoms",), ()),
    ("cause", _("Cause"), ("cause",), ()),
    ("detection", _("Detection"), ("detection",), ()),
    ("remediation", _("Remediation"), (), ("remediation",)),
    ("action-items", _("Action items"), (), ("action_items",)),
    ("lessons", _("Lessons"), ("lessons",), ()),
    ("timeline", _("Timeline"), ("durations",), ("timeline.events", "timeline.windows")),
    ("sources", _("Sources"), ("docs",), ("sources",)),
    ("quotations", _("Quotations"), (), ("claims",)),
    ("related", _("Related cases"), ("related",), ()),
    ("checks", _("Is it in my cluster too?"), (), ("checks",)),
)


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    parts: list[tuple[str, PartForm]]
    lists: list[ItemList]

    @property
    def complaints(self) -> int:
        """How many things are wrong here, for the navigation."""
        forms = [*(part for _key, part in self.parts), *(row for one in self.lists for row in one.rows)]
        return sum(len(messages) for form in forms if form.is_bound for messages in form.errors.values())


def sections(form: CaseForm) -> Iterator[Section]:
    for key, title, parts, lists in SECTIONS:
        yield Section(
            key, str(title), [(part, form.parts[part]) for part in parts], [form.lists[path] for path in lists]
        )
