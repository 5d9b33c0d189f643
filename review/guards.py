"""What the database of the desk refuses, whoever asks, on both engines: changing history, and approving one's own text.

The second is the rule of four_eyes.py once more, over RevisionAuthor and Decision. It reads no documents, so it is the
coarser of the two: whether the other language's approval has read the present facts is tested there only.
"""

from cases.models.guards import Guard

PERMANENT = tuple(
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
# The number of the revision that the approval in force has read, 0 without one.
APPROVED_UP_TO = """COALESCE((
  SELECT CASE WHEN d.verdict IN ('approve', 'reaffirm') THEN r.number ELSE 0 END
  FROM review_decision d JOIN review_revision r ON r.id = d.revision_id
  WHERE d.manuscript_id = NEW.manuscript_id AND d.language = NEW.language ORDER BY d.id DESC LIMIT 1), 0)"""

# Whether the person, or a program of theirs, wrote in a scope since then.
WROTE_IN = f"""EXISTS (
  SELECT 1 FROM review_revisionauthor a
  JOIN review_revision r ON r.id = a.revision_id JOIN cases_person p ON p.id = a.person_id
  WHERE r.manuscript_id = NEW.manuscript_id AND r.number > {APPROVED_UP_TO}
  AND COALESCE(p.owner_id, p.id) = NEW.person_id AND {{scope}})"""  # noqa: S608  (no value of a user is in it)

SOMEBODY_ELSE_APPROVED_THE_OTHER = """EXISTS (
  SELECT 1 FROM review_decision d
  WHERE d.manuscript_id = NEW.manuscript_id AND d.language <> NEW.language
  AND d.verdict IN ('approve', 'reaffirm') AND d.person_id <> NEW.person_id
  AND NOT EXISTS (
    SELECT 1 FROM review_decision later
    WHERE later.manuscript_id = d.manuscript_id AND later.language = d.language AND later.id > d.id))"""

WROTE_TEXT = WROTE_IN.format(scope="(a.scope = NEW.language OR (NEW.verdict = 'reaffirm' AND a.scope <> 'facts'))")
WROTE_FACTS = WROTE_IN.format(scope="a.scope = 'facts'")
IS_PROGRAM = "EXISTS (SELECT 1 FROM cases_person p WHERE p.id = NEW.person_id AND p.kind = 'agent')"
OTHER_CASE = (
    "NOT EXISTS (SELECT 1 FROM review_revision r WHERE r.id = NEW.revision_id AND r.manuscript_id = NEW.manuscript_id)"
)

FOUR_EYES = Guard(
    "review_decision",
    "INSERT",
    "four eyes: nobody approves their own text, and programs decide nothing",
    f"({IS_PROGRAM} OR {OTHER_CASE} OR (NEW.verdict IN ('approve', 'reaffirm') AND NOT NEW.override"
    f" AND ({WROTE_TEXT} OR ({WROTE_FACTS} AND NOT {SOMEBODY_ELSE_APPROVED_THE_OTHER}))))",
)

DECISIONS = (
    *(
        Guard(table, act, message)
        for table, message in (
            ("review_decision", "a decision is permanent"),
            ("review_submission", "a submission is permanent"),
        )
        for act in ("UPDATE", "DELETE")
    ),
    FOUR_EYES,
)

GUARDS = (*PERMANENT, *DECISIONS)
