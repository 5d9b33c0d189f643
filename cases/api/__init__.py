"""The JSON API: every address of it is declared once, in ``cases`` and ``library``, and described from there."""

from . import cases, library
from .application import urls
from .pages import page

__all__ = ["cases", "library", "page", "urls"]
