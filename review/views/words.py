"""What the script of the editor says; it stands in the page in the language of the interface."""

from django.utils.translation import gettext_lazy as _

SCRIPT_WORDS = {
    "characters": _("{count} characters"),
    "of": _("{count} of {most}"),
    "tooLong": _("{count} of {most}: too long"),
    "unsaved": _("Unsaved changes"),
    "kept": _("Unsaved changes, kept at {time}"),
    "keptHere": _("The site cannot be reached. Your text is kept in this browser."),
    "saving": _("Saving …"),
    "tooMuch": _("This is more than can be sent at once (8 MB or 10,000 fields). Your text is kept in this browser."),
    "undo": _("Undo"),
    "remove": _("Remove"),
    "removed": _("Item {position} will be removed when you save."),
    "moved": _("Moved to place {position}."),
    "added": _("Added as item {position}."),
    "find": _("Find a word in either language"),
    "nothing": _("No such word in the list"),
    "drop": _("Remove {word}"),
    "found": _("Text from {time} was never sent. It is kept in this browser."),
    "restore": _("Restore"),
    "discard": _("Discard"),
    "otherPerson": _("Somebody else is signed in now. Sign in with your own account, then try again."),
    "stillOut": _("You are not signed in yet."),
    "source": _("Source {position}"),
    "none": _("None"),
}
