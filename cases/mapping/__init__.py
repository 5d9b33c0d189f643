"""The only two crossings between a case document and the tables: ``load`` writes, ``dump`` reads.

Everything is read and written as ``…_en`` and ``…_ko``, so neither depends on the active language.
"""

from .dumping import dump
from .loading import load

__all__ = ["dump", "load"]
