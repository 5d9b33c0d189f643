"""Notices by mail: each at once, or one mail a day. Mails name the case and lead to it; they hold no text of it."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from cases.document import LANGUAGES

from .models import Notice, NoticePreference
from .notice_words import address, sentence
from .permissions import Act, can

if TYPE_CHECKING:
    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

THREAD = "notices by mail"
# A digest tells what is at most this old, and no more than this many notices.
DIGEST_REACHES = dt.timedelta(days=7)
MOST_IN_A_DIGEST = 100


@dataclass(frozen=True)
class Line:
    """A notice as a mail tells it."""

    sentence: str
    link: str


def preference_of(user: User) -> NoticePreference:
    """Return what a user chose, or what holds for who never chose (not saved)."""
    return NoticePreference.objects.filter(user=user).first() or NoticePreference(user=user)


def send_at_once(pks: Sequence[int]) -> None:
    """Mail new notices to those who want each at once. The mail server is talked to outside the request."""
    notices = list(_with_all(Notice.objects.filter(pk__in=pks, mailed_at=None, user__is_active=True)))
    chosen = {choice.user_id: choice for choice in NoticePreference.objects.filter(user__in=[n.user for n in notices])}
    letters, mailed = [], []
    for notice in notices:
        choice = chosen.get(notice.user_id) or NoticePreference(user=notice.user)
        if choice.mail == NoticePreference.Mail.AT_ONCE and notice.user.email and notice.kind not in choice.not_mailed:
            letters.append(_letter(choice, [notice]))
            mailed.append(notice.pk)
    if letters:
        Notice.objects.filter(pk__in=mailed).update(mailed_at=timezone.now())
        Thread(target=_send, args=(letters,), name=THREAD).start()


def send_digests(now: dt.datetime) -> tuple[int, int]:
    """Mail each person who wants one mail a day what is new and unread; return how many went out and how many failed.

    A second run sends nothing again: notices are claimed before the mail goes, and given back when it fails.
    """
    sent = failed = 0
    wanted = NoticePreference.objects.filter(mail=NoticePreference.Mail.DAILY, user__is_active=True)
    for choice in wanted.select_related("user").exclude(user__email=""):
        notices = _claimed(choice, now) if can(choice.user, Act.SEE) else []
        if not notices:
            continue
        if _send([_letter(choice, notices)]):
            sent += 1
        else:
            failed += 1
            Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(mailed_at=None)
    return sent, failed


def _claimed(choice: NoticePreference, now: dt.datetime) -> list[Notice]:
    new = Notice.objects.filter(user=choice.user, read_at=None, mailed_at=None, at__gte=now - DIGEST_REACHES)
    pks = list(new.exclude(kind__in=choice.not_mailed).values_list("pk", flat=True)[:MOST_IN_A_DIGEST])
    mine = [pk for pk in pks if Notice.objects.filter(pk=pk, mailed_at=None).update(mailed_at=now)]
    return list(_with_all(Notice.objects.filter(pk__in=mine)))


def _with_all(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    return notices.select_related("user", "actor", "event")


def _letter(choice: NoticePreference, notices: Sequence[Notice]) -> EmailMessage:
    """Write a mail in the language chosen, or in both. Its subject holds no word that people can type, but names."""
    subjects, texts = [], []
    for language in [choice.language] if choice.language else LANGUAGES:
        with translation.override(language):
            lines = [Line(sentence(notice), f"{settings.SITE_URL}{address(notice)}") for notice in notices]
            subjects.append(_subject(lines))
            preferences = f"{settings.SITE_URL}{reverse('review:preferences')}"
            texts.append(render_to_string("review/notice_email.txt", {"lines": lines, "preferences": preferences}))
    return EmailMessage(" · ".join(subjects), "\n\n".join(texts), to=[choice.user.email])


def _subject(lines: Sequence[Line]) -> str:
    if len(lines) == 1:
        return " ".join(lines[0].sentence.split())
    return _("IncidentLib: %(count)s new notices") % {"count": len(lines)}


def _send(letters: Sequence[EmailMessage]) -> bool:
    try:
        get_connection().send_messages(list(letters))
    except OSError:  # smtplib's errors and those of the network are of this kind
        logger.exception("Notices could not be mailed")
        return False
    return True
