"""From a case document to the HTML that readers fetch. Nothing here asks the database but ``store_rendered``."""

from .pages import RELATED_MARK, render_article, render_card, render_related
from .related import reason_words, reasons_text
from .stamps import stamp
from .storing import store_rendered
from .trust import badge

__all__ = [
    "RELATED_MARK",
    "badge",
    "reason_words",
    "reasons_text",
    "render_article",
    "render_card",
    "render_related",
    "stamp",
    "store_rendered",
]
