"""Notices in words, in the language that is active: for the inbox and for mails."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from cases.document import case_id

from .links import address_of
from .models import Event, Notice

SENTENCES = {
    Notice.Kind.MENTION: gettext_noop("%(name)s calls you in a comment on %(case)s"),
    Notice.Kind.REPLY: gettext_noop("%(name)s answered in a thread you wrote in, on %(case)s"),
    Notice.Kind.COMMENT: gettext_noop("%(name)s commented on %(case)s"),
    Notice.Kind.ASSIGNED: gettext_noop("%(name)s assigned %(case)s to you"),
    Notice.Kind.REVIEW_WANTED: gettext_noop("%(name)s asks for a review of %(case)s"),
    Notice.Kind.PUBLISHED: gettext_noop("%(name)s published %(case)s"),
    Notice.Kind.SAVED: gettext_noop("%(name)s changed your text in %(case)s"),
    Notice.Kind.WITHDRAWN: gettext_noop("%(name)s withdrew %(case)s"),
}
DECIDED: dict[str, str] = {
    Event.Verb.APPROVED: gettext_noop("%(name)s approved %(case)s"),
    Event.Verb.REAFFIRMED: gettext_noop("%(name)s reaffirmed %(case)s"),
    Event.Verb.REQUESTED_CHANGES: gettext_noop("%(name)s asks for changes to %(case)s"),
    Event.Verb.WITHDREW_APPROVAL: gettext_noop("%(name)s withdrew the approval of %(case)s"),
}
BECAME_STALE = {
    ("en",): gettext_noop("The English text of %(case)s is out of date: %(name)s changed what it rests on"),
    ("ko",): gettext_noop("The Korean text of %(case)s is out of date: %(name)s changed what it rests on"),
    ("en", "ko"): gettext_noop("Both texts of %(case)s are out of date: %(name)s changed what they rest on"),
}
IN_LANGUAGE = {"en": gettext_noop("%(notice)s (English)"), "ko": gettext_noop("%(notice)s (Korean)")}


def sentence(notice: Notice) -> str:
    """Say who did what to which case, in which language where that matters, and how often."""
    told = {"name": notice.actor.name, "case": case_id(notice.number) if notice.number else ""}
    said = _(_message(notice)) % told
    if notice.event.language in IN_LANGUAGE:
        said = _(IN_LANGUAGE[notice.event.language]) % {"notice": said}
    if notice.count > 1:
        said = _("%(notice)s, %(count)s times") % {"notice": said, "count": notice.count}
    return said


def _message(notice: Notice) -> str:
    if notice.kind == Notice.Kind.BECAME_STALE:
        return BECAME_STALE[tuple(notice.languages)]
    if notice.kind == Notice.Kind.DECISION:
        return DECIDED[notice.event.verb]
    return SENTENCES[Notice.Kind(notice.kind)]


def address(notice: Notice) -> str:
    """Return where a notice leads: to the review of the language that is out of date, else to what happened."""
    if notice.kind == Notice.Kind.BECAME_STALE and notice.number:
        case, languages = case_id(notice.number), notice.languages
        if len(languages) == 1:
            return reverse("review:review", args=[case, *languages])
        return reverse("review:manuscript", args=[case])
    return address_of(notice.event) or reverse("review:inbox")
