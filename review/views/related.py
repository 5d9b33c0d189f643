"""What readers see beside a case: what the editors chose, what is computed, and where to change that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from cases.document import Language, Pair, case_id, case_number
from cases.labels import Labels, current_labels
from cases.models import Case, Pairing
from cases.pairings import pairing_of, pairings_of
from cases.rendering import reasons_text
from cases.similarity import Neighbour, fetch_links, neighbours, read_links
from cases.telling import Told, tell
from review import workflow
from review.act_forms import PairForm, UnpairForm
from review.permissions import Act, can
from review.workflow import Current, Refused, require

from .acts import answer_refusal
from .opened import actor, opened

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True)
class Beside:
    """A case that stands beside another, or is kept from it, as the page lists it."""

    id: str
    title: Told
    reasons: str = ""
    pairing: Pairing | None = None
    note: Told | None = None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def related(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002  (the word of the address)
    """Show what stands beside a case and why, and decide on one more (``?other=`` names it)."""
    user, found = _published(request, id)
    form = PairForm(request.POST) if request.method == "POST" else PairForm(initial=_asked(request, found.number))
    if form.is_valid():
        told = form.cleaned_data
        note: dict[Language, str | None] = {"en": told["note_en"], "ko": told["note_ko"]}
        verdict = Pairing.Verdict(told["verdict"])
        try:
            workflow.pair(user, found.number, told["other"], verdict, note, told["seen"])
        except Refused as refusal:
            return answer_refusal(request, refusal, found)
        messages.success(request, _("Readers see it from now on, at both cases."))
        return redirect("review:related", id=id)
    return render(request, "review/related.html", {"found": found, "form": form, **_beside(found.number)})


@login_required
@require_POST
def unpair(request: HttpRequest, id: str) -> HttpResponse:  # noqa: A002
    """Take back what was decided of two cases."""
    user, found = _published(request, id)
    form = UnpairForm(request.POST)
    if not form.is_valid():
        raise Http404(id)
    try:
        workflow.unpair(user, found.number, form.cleaned_data["other"], form.cleaned_data["seen"])
    except Refused as refusal:
        return answer_refusal(request, refusal, found)
    messages.success(request, _("The choice is taken back."))
    return redirect("review:related", id=id)


def _published(request: HttpRequest, id: str) -> tuple[User, Current]:  # noqa: A002
    """Find a case that readers see; nothing stands beside any other."""
    user = actor(request)
    found = opened(user, id)
    require(can(user, Act.PAIR))
    if found.case is None or found.case.status != Case.Status.PUBLISHED:
        raise Http404(id)
    return user, found


def _asked(request: HttpRequest, number: int) -> dict[str, Any]:
    """Return what the form begins with: the case that the address names, with what is decided of it."""
    try:
        other = case_number(request.GET.get("other", ""))
    except ValueError:
        return {}
    present = pairing_of(number, other)
    known = {} if present is None else {name: getattr(present, name) for name in ("verdict", "note_en", "note_ko")}
    return {"other": case_id(other), "seen": present.verdict if present else "", **known}


def _beside(number: int) -> dict[str, Any]:
    labels, language = current_labels(), cast("Language", get_language())
    decided = {pairing.beside(number): pairing for pairing in pairings_of(number)}
    near = neighbours(number)
    links = read_links(fetch_links(decided))
    return {
        "near": [_computed(one, decided.get(one.number), labels, language) for one in near],
        "decided": [_decided(other, pairing, links.get(other), language) for other, pairing in decided.items()],
    }


def _computed(one: Neighbour, pairing: Pairing | None, labels: Labels, language: Language) -> Beside:
    reasons = reasons_text(one.reasons, None, labels, language)
    return Beside(case_id(one.number), _title(one, language), reasons, pairing)


def _decided(other: int, pairing: Pairing, link: Neighbour | None, language: Language) -> Beside:
    title = _title(link, language) if link else Told(_("Not public now"))
    return Beside(case_id(other), title, pairing=pairing, note=tell(pairing.note, language))


def _title(one: Neighbour, language: Language) -> Told:
    return tell(Pair.model_construct(en=one.title_en, ko=one.title_ko), language) or Told(case_id(one.number))
