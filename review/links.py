"""Where an event can be looked at: the address that the log, the inbox and mails lead to."""

from __future__ import annotations

from django.urls import reverse

from cases.document import case_id

from .models import Event

OF_A_PAIR = {Event.Verb.PINNED, Event.Verb.KEPT_APART, Event.Verb.UNPAIRED}
IN_A_THREAD = {Event.Verb.COMMENTED, Event.Verb.RESOLVED_THREAD, Event.Verb.REOPENED_THREAD}

OF_A_REVIEW = {
    Event.Verb.SUBMITTED,
    Event.Verb.WITHDREW_SUBMISSION,
    Event.Verb.APPROVED,
    Event.Verb.REAFFIRMED,
    Event.Verb.REQUESTED_CHANGES,
    Event.Verb.WITHDREW_APPROVAL,
    Event.Verb.ASSIGNED,
}


def address_of(event: Event) -> str:
    """Return the address of what an event is about; empty for an act that is about no case."""
    if event.number is None:
        return ""
    id_text = case_id(event.number)
    if event.verb in IN_A_THREAD:
        return f"{reverse('review:comments', args=[id_text])}#{event.about.replace(' ', '-')}"
    if event.verb in OF_A_PAIR:
        return reverse("review:related", args=[id_text])
    changed_text = event.verb in {Event.Verb.SAVED, Event.Verb.RESTORED}
    if changed_text and event.revision_number is not None and event.revision_number > 1:
        return reverse("review:compared", args=[id_text, event.revision_number - 1, event.revision_number])
    if event.verb in OF_A_REVIEW and event.language:
        return reverse("review:review", args=[id_text, event.language])
    return reverse("review:manuscript", args=[id_text])
