"""The embedded engine as a process: its command line, its start, its end, and whether it still runs."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from a2ap.file_lock import FileLock
from graph.engine.files import EngineFolder
from graph.errors import StoreUnavailableError

DATABASE = "a2ap"
_LOCK_DESCRIPTOR = 3  # in the engine's process
_POLL = 0.02  # seconds
_STOP_PATIENCE = 30.0  # seconds until a stop becomes a kill
_KILL_PATIENCE = 10.0  # seconds

# Nothing else of our environment is the engine's business: not our secrets, and not options for another Java.
_PASSED_ON = ("HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "TZ")

# Its endpoint registers itself, switched on, wherever the jar is on the class path.
_UNWANTED_JARS = ("arcadedb-mcp-",)

# The shell writes its pid down and becomes the engine, so that no engine runs whose pid nobody knows. The engine
# keeps its own log in the folder `log` of where it is.
_LAUNCH = 'umask 077; cd "$0" && echo $$ > pid && exec "$@"'


def check_platform() -> None:
    """Raise StoreUnavailableError if the embedded engine is not supported on this platform."""
    if sys.platform == "win32":
        raise StoreUnavailableError(
            "the embedded engine is not supported on Windows; set NEO4J_URI to use a Neo4j server"
        )


def command_line(
    folder: EngineFolder,
    bolt_port: int,
    http_port: int,
    *,
    heap: str,
    timeout: float,
    brief: bool = False,
    java_options: tuple[str, ...] = (),
) -> list[str]:
    """Return the engine's command. `timeout` is the seconds after which it gives up on a query.

    A `brief` engine is for short work with discarded data: it optimizes nothing and never waits for the disk, which
    halves the processor time until it has answered the first few hundred queries. `java_options` are added.
    """
    package = _package_folder()
    settings = {
        "server.rootPath": folder.path,
        "server.rootPasswordPath": folder.password_file("root"),
        # In its production mode it conceals from us the fault of a query.
        "server.mode": "development",
        "opencypher.loadCsv.allowFileUrls": "false",
        "opencypher.loadCsv.allowRemoteUrls": "false",
        "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "server.httpIncomingHost": "127.0.0.1",
        "server.httpIncomingPort": http_port,
        "server.defaultDatabases": f"{DATABASE}[]",
        "bolt.host": "127.0.0.1",
        "bolt.port": bolt_port,
        "txWalFlush": 0 if brief else 2,
        "command.timeout": round(timeout * 1000),
    }
    return [
        str(java_program()),
        f"-Xmx{heap}",
        *(("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC") if brief else ()),
        *java_options,
        f"-XX:ErrorFile={folder.path}/log/crash-%p.log",
        *("--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"),
        *("--add-exports", "java.management/sun.management=ALL-UNNAMED"),
        *("--add-opens", "java.base/java.util.concurrent.atomic=ALL-UNNAMED"),
        *("--add-opens", "java.base/java.nio.channels.spi=ALL-UNNAMED"),
        *(f"-Darcadedb.{name}={value}" for name, value in settings.items()),
        *("-cp", _class_path(package), "com.arcadedb.server.ArcadeDBServer"),
    ]


def java_program() -> Path:
    """Return the Java that comes with the engine. Raises StoreUnavailableError if the engine is not installed."""
    return _package_folder() / "jre" / "bin" / "java"


def launch(folder: EngineFolder, command: list[str], alive: FileLock) -> int:
    """Start the engine in a session of its own and return its pid; it inherits the lock `alive`.

    In its own session, Ctrl-C in a terminal reaches our process and not the engine, which only our process stops.
    """
    log = os.open(folder.new_log(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        return os.posix_spawn(
            "/bin/sh",
            ["sh", "-c", _LAUNCH, str(folder.path), *command],
            {name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, log, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
                (os.POSIX_SPAWN_DUP2, alive.descriptor, _LOCK_DESCRIPTOR),
            ],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE],
        )
    finally:
        os.close(log)


def start_time(pid: int) -> str | None:
    """Return the start time of a process, in the system's own format, or None if it no longer runs."""
    with suppress(OSError):
        os.waitpid(pid, os.WNOHANG)  # where it was our child and has ended, let it go
    stat = Path(f"/proc/{pid}/stat")
    if stat.parent.parent.joinpath("self").exists():
        try:
            # proc_pid_stat(5): the command in parentheses may hold anything; state is 3rd, start time 22nd.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            return None
        return None if fields[0] in "ZX" else fields[19]
    found = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.split(maxsplit=1)
    return None if len(found) < 2 or found[0].startswith("Z") else found[1].strip()


def runs(folder: EngineFolder) -> bool:
    """Return whether an engine's process lives on this folder, published or not."""
    alive = FileLock(folder.path / "alive.lock")
    try:
        return not alive.take(shared=True)
    finally:
        alive.close()


def stop(folder: EngineFolder, pid: int, started: str) -> None:
    """Terminate the engine's process, kill it after a while, and wait until it has ended.

    Nothing is sent to a process that started at another time: then the pid belongs to another process.
    """
    for number, patience in ((signal.SIGTERM, _STOP_PATIENCE), (signal.SIGKILL, _KILL_PATIENCE)):
        if start_time(pid) == started:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if start_time(pid) != started and not runs(folder):
                return
            time.sleep(_POLL)
    raise StoreUnavailableError(f"the engine on {folder.path} (process {pid}) does not end")


def _package_folder() -> Path:
    # Found, not imported: importing it pulls in its in-process binding.
    spec = importlib.util.find_spec("arcadedb_embedded")
    if spec is None or spec.origin is None:
        raise StoreUnavailableError("the embedded engine (package arcadedb-embedded) is not installed")
    return Path(spec.origin).parent


def _class_path(package: Path) -> str:
    jars = sorted((package / "jars").glob("*.jar"))
    return os.pathsep.join(str(jar) for jar in jars if not jar.name.startswith(_UNWANTED_JARS))
