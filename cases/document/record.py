"""What happened to a case, beside its content: reviews, editions, withdrawal. No Django here."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from .shape import LANGUAGES, Language, MaybePair, Shape
from .text import Line
from .values import CaseId, Instant

State = Literal["missing", "draft", "in-review", "changes-requested", "approved", "stale"]


class Review(Shape):
    """The one-line review of the seed format; ``reviewed_…`` only when every present language is approved."""

    written_by: Line | None = None
    reviewed_at: Instant | None = None
    reviewed_by: Line | None = None


class LanguageReview(Shape):
    state: State = "draft"
    written_by: Line | None = None
    reviewed_by: Line | None = None
    reviewed_at: Instant | None = None
    stale_fields: Annotated[list[Line], Field(max_length=2000)] = []

    @model_validator(mode="before")
    @classmethod
    def reviewer_comes_with_a_time(cls, value: Any) -> Any:
        """A name without a time or a time without a name is no review."""
        if isinstance(value, dict) and (value.get("reviewed_by") is None) != (value.get("reviewed_at") is None):
            return {**value, "reviewed_by": None, "reviewed_at": None}
        return value


class Languages(Shape):
    en: LanguageReview
    ko: LanguageReview

    def of(self, language: Language) -> LanguageReview:
        return self.en if language == "en" else self.ko


class Withdrawal(Shape):
    at: Instant
    reason: MaybePair = None


class Record(Shape):
    """The record keys of a file. ``languages`` is None when the file tells the one-line review only."""

    review: Review = Review()
    updated_at: Instant | None = None
    status: Literal["published", "withdrawn", "merged"] = "published"
    edition: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    published_at: Instant | None = None
    withdrawn: Withdrawal | None = None
    merged_into: CaseId | None = None
    aliases: Annotated[list[CaseId], Field(max_length=1000)] = []
    languages: Languages | None = None

    def language_reviews(self, present: list[Language]) -> Languages:
        """Say per language what the file says, spreading a one-line review over the languages present."""
        if self.languages is not None:
            return self.languages
        reviewed = self.review.reviewed_by is not None and self.review.reviewed_at is not None
        told = {
            "state": "approved" if reviewed else "draft",
            "written_by": self.review.written_by,
            "reviewed_by": self.review.reviewed_by,
            "reviewed_at": self.review.reviewed_at,
        }
        return Languages.model_validate(
            {language: told if language in present else {"state": "missing"} for language in LANGUAGES}
        )
