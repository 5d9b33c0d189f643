"""From a case document to the HTML that readers fetch. Nothing here asks the database but ``store_rendered``."""

from .linked_data import dataset, script
from .markdown import render_markdown
from .pages import HEAD_MARK, RELATED_MARK, render_article, render_card, render_case, render_related
from .related import reason_words, reasons_text
from .stamps import stamp
from .storing import store_rendered
from .trust import badge

__all__ = [
    "HEAD_MARK",
    "RELATED_MARK",
    "badge",
    "dataset",
    "reason_words",
    "reasons_text",
    "render_article",
    "render_card",
    "render_case",
    "render_markdown",
    "render_related",
    "script",
    "stamp",
    "store_rendered",
]
