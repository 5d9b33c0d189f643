"""What agents can attach whole: single incidents and the vocabulary, as JSON in both languages. No SDK here."""

from __future__ import annotations

from cases import catalog, stored
from cases.answers import FORGIVEN
from cases.document import splice, write_json
from cases.models import Case
from cases.vocab import vocab

SCHEME = "incidentlib://"
CASE, VOCABULARY = f"{SCHEME}cases/", f"{SCHEME}vocabulary"


def read_resource(uri: str) -> str | None:
    """Return a resource as JSON text; None where there is none, or where it was withdrawn."""
    if uri == VOCABULARY:
        return write_json(vocab(catalog.current()))
    given = FORGIVEN.fullmatch(uri.removeprefix(CASE)) if uri.startswith(CASE) else None
    found = stored.fetch(int(given[1]), "json") if given else None
    if found is not None and found.merged_into is not None:
        found = stored.fetch(found.catalog.index.standing_for(found.number), "json")
    if found is None or found.status != Case.Status.PUBLISHED:
        return None
    return splice(found.text or "{}", *found.beside)
