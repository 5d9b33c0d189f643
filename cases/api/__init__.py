"""The JSON API: every address of it is declared once, in ``cases`` and ``library``, and described from there."""

from . import cases, library
from .application import urls

__all__ = ["cases", "library", "urls"]
