"""A PostgreSQL server for the tests: the one at A2AP_TEST_POSTGRESQL_URL, or a throw-away cluster of Debian's programs.

PostgreSQL refuses to run as root: its programs then run as a user without rights.
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

WHERE = (
    "the tests look for a PostgreSQL at A2AP_TEST_POSTGRESQL_URL, whose schemas may be dropped, then for its programs"
    " (Debian: apt-get install postgresql)"
)
_USERS = ("postgres", "nobody")


class NoPostgresqlError(Exception):
    """There is no PostgreSQL to test with; the message says where it was looked for."""


@contextmanager
def postgresql_server() -> Iterator[str]:
    """Run a server and yield the URL of a database; raises `NoPostgresqlError`."""
    if url := os.environ.get("A2AP_TEST_POSTGRESQL_URL"):
        yield url
        return
    programs = find_programs()
    # A folder of pytest's is for whoever runs the tests alone.
    with tempfile.TemporaryDirectory(prefix="a2ap-postgresql-") as folder, _cluster(programs, Path(folder)) as url:
        yield url


@contextmanager
def _cluster(programs: Path, folder: Path) -> Iterator[str]:
    data, said = folder / "data", folder / "said"
    as_user = _user(folder)
    options = {"stdin": subprocess.DEVNULL, "cwd": folder, **as_user}
    making = [programs / "initdb", "--username=tester", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
    subprocess.run([*making, data], check=True, capture_output=True, **options)  # type: ignore[call-overload]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = ["fsync=off", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", "shared_buffers=32MB"]
    command = [programs / "postgres", "-D", data, "-p", str(port), *(f"--{one}" for one in settings)]
    with said.open("wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, **options)  # type: ignore[call-overload]
    try:
        url = f"postgresql://tester@127.0.0.1:{port}/postgres"
        _wait(url, server, said)
        yield url
    finally:
        server.terminate()
        server.wait(60)


def find_programs() -> Path:
    """Return the folder with `initdb` and `postgres`, the newest; raises `NoPostgresqlError`."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    program = shutil.which("initdb")
    if program is None:
        raise NoPostgresqlError(WHERE)
    return Path(program).resolve().parent


def _user(folder: Path) -> dict[str, object]:
    """Return what lets a process run as a user without rights where we are root, and give that user the folder."""
    if os.geteuid() != 0:
        return {}
    known = {one.pw_name: one for one in pwd.getpwall()}
    user = next((known[name] for name in _USERS if name in known), None)
    if user is None:
        raise NoPostgresqlError("PostgreSQL does not run as root, and there is no user `postgres` or `nobody`")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _wait(url: str, server: "subprocess.Popen[bytes]", said: Path) -> None:
    deadline = time.monotonic() + 120
    while True:
        try:
            psycopg.connect(url, connect_timeout=5).close()
            return
        except psycopg.OperationalError as error:
            if server.poll() is not None or time.monotonic() > deadline:
                raise NoPostgresqlError(f"PostgreSQL does not start: {said.read_text()[-500:]}") from error
            time.sleep(0.1)
