"""Which rows of the desk are permanent: the database refuses to change or delete them, on both engines."""

from cases.models.guards import Guard

GUARDS = tuple(
    Guard(table, act, message)
    for table, message in (
        ("review_revision", "a revision is permanent"),
        ("review_revisionauthor", "the author of a revision is permanent"),
        ("review_event", "an event is permanent"),
    )
    for act in ("UPDATE", "DELETE")
)

# Kept by themselves, because the migration that installs them comes after the one that installs the others.
COMMENT_GUARDS = tuple(
    Guard(table, act, message)
    for table, act, message in (
        ("review_comment", "UPDATE", "a comment is permanent"),
        ("review_comment", "DELETE", "a comment is permanent"),
        ("review_thread", "DELETE", "a thread is permanent"),
    )
)
