"""Collects static files when they changed: hashing and compressing all of them takes seconds at each start."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_changed() -> bool:
    """Collect unless every source file is as it was at the last time; return whether it was needed."""
    kept = Path(settings.DATA_DIR) / "static-fingerprint"
    fingerprint = _fingerprint()
    if kept.exists() and kept.read_text() == fingerprint:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    kept.write_text(fingerprint)
    return True


def _fingerprint() -> str:
    digest = hashlib.sha256(str(settings.STATIC_ROOT).encode())
    for finder in get_finders():
        for name, storage in finder.list(None):
            state = Path(storage.path(name)).stat()
            digest.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
