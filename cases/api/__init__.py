"""The JSON API: each address is declared once, in ``cases``, ``figures`` or ``library``, and described from there."""

from . import cases, figures, library
from .application import urls
from .pages import page

__all__ = ["cases", "figures", "library", "page", "urls"]
