"""What programs do with drafts: look, start a case, save a revision, submit a language. Answers tell what is next."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import Http404, HttpResponse
from django.urls import reverse

from cases.document import LANGUAGES, CaseDocument, case_id, case_number, write_instant, write_json
from review import workflow
from review.duplicates import Sought, duplicates
from review.models import KeptCreation, Manuscript, Token
from review.permissions import Act, Standing, can
from review.states import LanguageState, states_of
from review.workflow import Current, Seen, require

from .bodies import Change, Creation, Submission, read_body, read_content
from .door import Caller, Rejected, answer

KEY = re.compile(r"[\x21-\x7e]{1,100}")


def whoami(caller: Caller) -> HttpResponse:
    """Tell a program what its token is good for today."""
    token, standing = caller.token, Standing.of(caller.user)
    return answer(
        {
            "program": token.program.name,
            "owner": token.program.owner.name if token.program.owner else None,
            "token": {"name": token.name, "scopes": token.scopes, "expires_at": write_instant(token.expires_at)},
            "writes_in": [language for language in LANGUAGES if standing.writes(language)],
            "changes_facts": bool(can(caller.user, Act.EDIT_FACTS, standing=standing)),
        }
    )


def show(caller: Caller, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    """Give the newest text of a case, with what a revision or a submission of it must name."""
    found = _found(caller, id)
    return answer({**_where(found), "document": found.document.model_dump(mode="json")})


def create(caller: Caller) -> HttpResponse:
    """Start a case; sent again under the same ``Idempotency-Key``, it is answered with the case made before."""
    caller.must(Token.Scope.CREATE)
    key = caller.key
    if key and not KEY.fullmatch(key):
        raise Rejected(400, "An Idempotency-Key has at most 100 characters, letters, digits and signs of ASCII.")
    if key and (made := _made_before(caller, key)) is not None:
        return _created(caller, made, [], status=200)
    told = read_body(Creation, caller.sent)
    document, warnings = read_content(told.document)
    try:
        with transaction.atomic():
            manuscript = workflow.create(caller.user, document, told.note).manuscript
            if key:
                _keep(caller, key, manuscript)
    except IntegrityError:
        if not key:
            raise
        raise Rejected(409, "A request with this Idempotency-Key is being answered already. Ask again.") from None
    return _created(caller, manuscript, warnings, document=document)


def _made_before(caller: Caller, key: str) -> Manuscript | None:
    kept = KeptCreation.objects.select_related("manuscript").filter(token=caller.token, key=key).first()
    if kept is not None and kept.sha256 != _digest(caller):
        raise Rejected(409, "This Idempotency-Key was used for another document. Take a new one for each case.")
    return kept.manuscript if kept is not None else None


def _keep(caller: Caller, key: str, manuscript: Manuscript) -> None:
    KeptCreation.objects.create(token=caller.token, key=key, sha256=_digest(caller), manuscript=manuscript)


def _digest(caller: Caller) -> str:
    return hashlib.sha256(write_json(caller.sent).encode(errors="surrogatepass")).hexdigest()


def _created(
    caller: Caller,
    manuscript: Manuscript,
    warnings: list[str],
    status: int = 201,
    document: CaseDocument | None = None,
) -> HttpResponse:
    alike = duplicates(Sought.of(document, manuscript.number)) if document is not None else []
    told = {
        **_where(_found(caller, manuscript.id_text)),
        "warnings": warnings,
        "possible_duplicates": [{"id": one.id, "reason": one.reason} for one in alike],
    }
    return answer(told, status, Location=reverse("desk-api:case", kwargs={"id": manuscript.id_text}))


def revise(caller: Caller, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    """Save a revision. What others changed elsewhere meanwhile is merged; changes of one field are a conflict (409)."""
    caller.must(Token.Scope.REVISE)
    found = _found(caller, id)
    told = read_body(Change, caller.sent)
    document, warnings = read_content(told.document, found.document.id, found.document)
    saved = workflow.save(caller.user, found.number, document, told.base_revision, told.note)
    return answer(
        {
            **_where(_found(caller, id)),
            "saved": saved.is_new,
            "merged_fields": saved.merged_fields,
            "warnings": warnings,
        },
        201 if saved.is_new else 200,
    )


def submit(caller: Caller, id: str) -> HttpResponse:  # noqa: A002  (the name that addresses give it)
    """Ask for a review of one language of exactly the revision named."""
    caller.must(Token.Scope.SUBMIT)
    found = _found(caller, id)
    told = read_body(Submission, caller.sent)
    seen = Seen(told.base_revision, {told.language: told.last_decision})
    workflow.submit(caller.user, found.number, told.language, seen, told.note)
    return answer(_where(_found(caller, id)), 201)


def _found(caller: Caller, id: str) -> Current:  # noqa: A002  (the name that addresses give it)
    require(can(caller.user, Act.SEE))
    try:
        found = workflow.current(case_number(id))
    except ValueError:
        raise Http404 from None
    if found is None:
        raise Http404
    return found


def _where(found: Current) -> dict[str, Any]:
    """Tell where a case stands on the desk."""
    states = states_of(found.manuscript, found.document)
    id_text = case_id(found.number)
    return {
        "id": id_text,
        "revision": found.revision_number,
        "published_edition": found.case.edition_number if found.case else None,
        "archived": found.manuscript is not None and found.manuscript.archived_at is not None,
        "languages": {language: _language(state) for language, state in states.items()},
        "page": f"{settings.SITE_URL}{reverse('review:manuscript', kwargs={'id': id_text})}",
    }


def _language(state: LanguageState) -> dict[str, Any]:
    return {
        "state": state.state,
        "last_decision": state.last_id,
        "note": state.last.note if state.last is not None else None,
        "missing_fields": list(state.missing_fields),
        "stale_fields": list(state.stale_fields),
    }
