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
