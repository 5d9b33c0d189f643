"""What the editor's views share: the form a request is about, what the page shows around it, and unsaved work."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language

from cases.document import LANGUAGES, CaseDocument, Language
from cases.fields import Scope
from cases.labels import current_labels
from cases.rendering.quotes import Quotes
from cases.rendering.times import Chronicler, DurationRow
from review import working_copies
from review.forms import CaseForm
from review.forms.sections import sections
from review.models import Revision, WorkingCopy
from review.permissions import Act, Standing, can
from review.workflow import Current
from review.working_copies import Typing

from .words import SCRIPT_WORDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# Kept in the session: what each of the newest tabs saved last, as (base, revision, sequence).
TABS = "editor_tabs"
MOST_TABS = 20


def editable_scopes(user: User, found: Current | None) -> frozenset[Scope]:
    """Say what a person may type in; the rest is shown for reading."""
    standing = Standing.of(user)
    manuscript = found.manuscript if found is not None else None
    scopes: set[Scope] = {
        language for language in LANGUAGES if can(user, Act.EDIT_TEXT, manuscript, language, standing=standing)
    }
    facts = can(user, Act.CREATE if found is None else Act.EDIT_FACTS, manuscript, standing=standing)
    return frozenset(scopes | {"facts"} if facts else scopes)


def base_of(found: Current, number: int | None) -> CaseDocument | None:
    """Find the document that a form was made from, even one that is still to be taken in."""
    if number == found.revision_number:
        return found.document
    if number is None or found.manuscript is None:
        return None
    revision = Revision.objects.filter(manuscript=found.manuscript, number=number).first()
    return revision.document() if revision is not None else None


@dataclass(frozen=True)
class Post:
    """What an editor posted: the form over its base, and the marks of the page it came from."""

    request: HttpRequest
    user: User
    found: Current | None
    base_number: int | None
    form: CaseForm
    tab: str
    # The working copy that this page took over, if it took over one.
    restored: int | None = None

    @classmethod
    def read(cls, request: HttpRequest, user: User, found: Current | None) -> Post:
        base_number = _whole(request.POST.get("base_revision"), digits=9)
        if found is not None:
            base_number = _followed(request, base_number)
        base = (base_of(found, base_number) or found.document) if found is not None else None
        form = CaseForm(base, current_labels(), request.POST, editable=editable_scopes(user, found))
        tab, restored = request.POST.get("tab", ""), _whole(request.POST.get("restored"))
        return cls(request, user, found, base_number, form, tab, restored)

    @property
    def sequence(self) -> int:
        """Count up with time, so that what is typed later wins, with the script of the page or without it."""
        return _whole(self.request.POST.get("sequence")) or time.time_ns() // 1_000_000

    @property
    def note(self) -> str:
        return self.request.POST.get("note", "").replace("\x00", "").strip()[:500]

    def step(self) -> bool:
        """Do what a button of the form asks that saves nothing, such as adding an item; tell whether there was one."""
        verb, path, uid = (*self.request.POST.get("do", "").split(":"), "", "", "")[:3]
        item_list = self.form.lists.get(path)
        if item_list is None or not item_list.can_change or verb not in {"add", "up", "down"}:
            return False
        if verb == "add":
            item_list.add()
        else:
            item_list.move(uid, -1 if verb == "up" else 1)
        return True

    def keep(self) -> WorkingCopy | None:
        """Keep everything that was typed, so that nothing is lost whatever becomes of the save."""
        number = self.found.number if self.found is not None else None
        typing = Typing(number, self.base_number, self.tab, self.sequence)
        kept = working_copies.keep(self.user, self.request.POST, typing, self.form.changed_paths())
        if kept is not None and self.restored is not None:
            working_copies.drop(self.user, self.restored)
        return kept

    def forget(self) -> None:
        working_copies.forget(self.user, self.tab)
        if self.restored is not None:
            working_copies.drop(self.user, self.restored)

    def note_saved(self, revision_number: int) -> None:
        """Remember in the session what this tab saved: a second save from it goes on from there."""
        tabs = dict(self.request.session.get(TABS, {}))
        tabs.pop(self.tab, None)
        kept = list(tabs.items())[-MOST_TABS + 1 :]
        self.request.session[TABS] = dict([*kept, (self.tab, (self.base_number, revision_number, self.sequence))])

    def is_late(self) -> bool:
        """Tell whether this tab has saved something newer meanwhile."""
        saved = self.request.session.get(TABS, {}).get(self.tab)
        return saved is not None and self.sequence <= saved[2]


def _followed(request: HttpRequest, base_number: int | None) -> int | None:
    """Go on from what the same tab saved a moment ago, when nobody else's changes came in with that."""
    saved = request.session.get(TABS, {}).get(request.POST.get("tab", ""))
    return saved[1] if saved is not None and saved[0] == base_number else base_number


def _whole(text: str | None, digits: int = 15) -> int | None:
    """Read a whole number that fits its column; None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= digits else None


# The page


def new_tab() -> str:
    return secrets.token_hex(8)


def edit_page(
    request: HttpRequest,
    user: User,
    form: CaseForm,
    found: Current | None = None,
    *,
    base_number: int | None = None,
    restored: int | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Show the editor. What was typed before is shown again; the tab keeps its name through all answers to it."""
    tab = request.POST.get("tab") or new_tab()
    restored = restored or _whole(request.POST.get("restored"))
    unsaved = working_copies.of_user(user, found.number if found else None, but=tab)
    context = {
        "form": form,
        "complaints": form.complaints,
        "found": found,
        "document": form.document or form.base,
        "base_number": base_number if base_number is not None or found is None else found.revision_number,
        "sections": list(sections(form)),
        "tab": tab,
        "note": request.POST.get("note", ""),
        "durations": duration_rows(form.document or form.base),
        "unsaved": [copy for copy in unsaved if copy.pk != restored],
        "restored": restored,
        "others": working_copies.of_others(user, found.number, found.document) if found else [],
        "editable": form.editable,
        "words": script_words(),
        "here": here(found),
        "section": "desk",
        **more,
    }
    return render(request, "review/edit.html", context, status=status)


def here(found: Current | None) -> str:
    """Give the address of the editor of a case, or of a new one."""
    return reverse("review:edit", args=[found.document.id]) if found is not None else reverse("review:new")


def interface_language() -> Language:
    return "ko" if get_language() == "ko" else "en"


def duration_rows(document: CaseDocument | None) -> Sequence[DurationRow]:
    """Give the durations as readers will see them, each with its sum."""
    if document is None:
        return []
    labels, language = current_labels(), interface_language()
    chronicler = Chronicler(document, labels, Quotes(document, labels, language), language)
    return list(chronicler.chronicle().durations.values())


def script_words() -> dict[str, str]:
    """Give what the script of the page says, in the language of the page."""
    return {key: str(text) for key, text in SCRIPT_WORDS.items()}
