"""Mails with a link to choose a password. The link is made from SITE_URL, never from what a request says."""

from __future__ import annotations

import logging
from threading import Thread

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from cases.document import LANGUAGES

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_RESETS = 5 * 60


def password_link(user: User) -> str:
    """Return the address where this person may choose a password: once, within PASSWORD_RESET_TIMEOUT."""
    key = {"uidb64": urlsafe_base64_encode(force_bytes(user.pk)), "token": default_token_generator.make_token(user)}
    return f"{settings.SITE_URL}{reverse('password_reset_confirm', kwargs=key)}"


def send_invitation(user: User, link: str) -> bool:
    """Send the link of an invited person, in both languages; return whether it went out.

    A site without a mail server sends nothing: whoever invited hands the link over.
    """
    if not settings.EMAIL_HOST:
        return False
    subjects, texts = [], []
    for language in LANGUAGES:
        with translation.override(language):
            subjects.append(_("Invitation to IncidentLib"))
            texts.append(render_to_string("registration/invitation_email.txt", {"user": user, "link": link}))
    return _send(EmailMessage(" · ".join(subjects), "\n\n".join(texts), to=[user.email]))


def send_reset(mail: str) -> list[Thread]:
    """Send a link to every active account with this address, at most one in five minutes.

    The mail is written for an unknown address too and thrown away, and sent outside the request: the time an answer
    takes must not tell whether an address is known.
    """
    users = list(User.objects.filter(email__iexact=mail, is_active=True))
    letters = [_reset_letter(user) for user in users or [User(username="nobody", email=mail)]]
    threads = []
    for user, letter in zip(users, letters, strict=False):
        if cache.add(f"password-reset-{user.pk}", "sent", SECONDS_BETWEEN_RESETS):
            threads.append(Thread(target=_send, args=(letter,)))
            threads[-1].start()
    return threads


def _reset_letter(user: User) -> EmailMessage:
    link = password_link(user)
    text = render_to_string("registration/password_reset_email.txt", {"user": user, "link": link})
    return EmailMessage(_("A new password for IncidentLib"), text, to=[user.email])


def _send(letter: EmailMessage) -> bool:
    try:
        letter.send()
    except OSError:  # smtplib's errors and those of the network are of this kind
        logger.exception("A mail could not be sent")
        return False
    return True
