"""Templates compiled once for each language, with their fixed words translated before, not at each use."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from django.conf import settings
from django.template import Context, Template, engines
from django.utils import translation
from django.utils.safestring import SafeString

from cases.document import Language

FIXED_WORDS = re.compile(r'{% translate "([^"]+)" %}')


def render(name: str, language: Language, context: dict[str, object]) -> SafeString:
    """Render ``cases/name.html`` without a request. The language must be the active one."""
    compiled = _compiled.__wrapped__ if settings.DEBUG else _compiled
    return compiled(name, language).render(Context(context))


@lru_cache(maxsize=64)
def _compiled(name: str, language: Language) -> Template:
    engine = engines["django"]
    source = engine.get_template(f"cases/{name}.html").template.source  # type: ignore[attr-defined]  # Django's own engine
    with translation.override(language):
        translated = FIXED_WORDS.sub(lambda found: escape(translation.gettext(found[1]), quote=True), source)
    return Template(translated, engine=engine.engine)  # type: ignore[attr-defined]  # Django's own engine
