"""Finds the system's Chromium for the browser tests. Run as a program, it installs one where it may.

Playwright's own browsers are not used: they come from a download address, not from a package registry.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("chromium", "fonts-noto-cjk")  # without the fonts Korean is drawn as boxes


def find() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def install() -> None:
    """Install by apt, which only root on Debian and its kin can."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        subprocess.run(
            ["apt-get", "-qq", *command], check=True, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )


def main() -> None:
    if not find() and os.geteuid() == 0 and shutil.which("apt-get"):
        install()
    if not find():
        names = ", ".join(NAMES)
        sys.exit(f"The browser tests need Chromium, and none is here ({names}). Install it, or name it in CHROMIUM.")


if __name__ == "__main__":
    main()
