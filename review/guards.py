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

# A thread is resolved and reopened; nothing else of it changes.
MOVED = " OR ".join(
    f"OLD.{column} <> NEW.{column}"
    for column in ("manuscript_id", "language", "path", "quote", "revision_id", "blocking", "opened_by_id")
)
# Kept by themselves, because the migration that installs them comes after the one that installs the others.
COMMENT_GUARDS = (
    Guard("review_comment", "UPDATE", "a comment is permanent"),
    Guard("review_comment", "DELETE", "a comment is permanent"),
    Guard("review_thread", "UPDATE", "what a thread is about is permanent", MOVED),
    Guard("review_thread", "DELETE", "a thread is permanent"),
)
