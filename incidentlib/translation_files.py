"""Compiles the interface texts (.po) to what Django reads (.mo), without the gettext system package."""

import os
from pathlib import Path

import polib
from django.conf import settings


def compile_translations() -> list[Path]:
    """Write what is missing or older than its source into the data folder; return the files written."""
    source_folder, target_folder = map(Path, settings.LOCALE_PATHS)
    return [
        target
        for source in sorted(source_folder.rglob("*.po"))
        if _compile(source, target := target_folder / source.relative_to(source_folder).with_suffix(".mo"))
    ]


def _compile(source: Path, target: Path) -> bool:
    if target.exists() and target.stat().st_mtime_ns == source.stat().st_mtime_ns:
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(f".{os.getpid()}")
    polib.pofile(str(source)).save_as_mofile(str(draft))
    # The times are made equal, not ordered: a checked-out older source must be compiled again too.
    os.utime(draft, ns=(source.stat().st_atime_ns, source.stat().st_mtime_ns))
    draft.replace(target)
    return True
