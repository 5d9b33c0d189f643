"""What search is made of: the tokens of each published case, and the words that people may have meant.

The index over the tokens is the database's own (``cases/search/engines.py``) and follows these rows by itself.
"""

from __future__ import annotations

from django.db import models

from .case import Case


class SearchText(models.Model):
    """The tokens of a published case, parted by blanks; the first letter of each says in which part it stands."""

    case = models.OneToOneField(Case, models.CASCADE, primary_key=True, related_name="search_text")
    tokens = models.TextField()

    def __str__(self) -> str:
        return f"{self.case_id}"


class SearchWord(models.Model):
    """A word as cases write it. It stays when its case goes: what is offered to readers must have hits anyway."""

    word = models.CharField(max_length=60, primary_key=True)

    def __str__(self) -> str:
        return self.word
