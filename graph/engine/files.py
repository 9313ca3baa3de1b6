"""The files of the embedded engine's folder: its locks, its secrets and its address.

All are in `<data>/engine`, readable by the owner only:

- `start.lock`  held while the engine is being started or stopped, so that one command at a time does either
- `users.lock`  held, shared, by every command that uses the engine; a command that gets it alone is the last one
- `alive.lock`  held by the engine's process itself, from before it starts until it is gone, however it ends
- `engine.json` pid, start time and ports of the running engine, written whole or not at all
- `pid`         pid of an engine that is being started
- `root.password`, `reader.password`, `log/`, and the engine's own `config/`, `databases/` and `backups/`
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from a2ap.durable_files import private_folder, write_private
from graph.errors import StoreUnavailableError


@dataclass(frozen=True, slots=True)
class Running:
    """The process and the ports of a running engine; `started` tells it from a later process with the same pid."""

    pid: int
    started: str
    bolt_port: int
    http_port: int


@dataclass(frozen=True, slots=True)
class EngineFolder:
    """The engine's folder inside a data folder."""

    path: Path

    @classmethod
    def create(cls, data_dir: Path) -> EngineFolder:
        """Create the folder, for its owner alone, if it does not exist. Raises StoreUnavailableError."""
        path = data_dir.absolute() / "engine"
        try:
            private_folder(path / "log")
            path.chmod(0o700)
        except OSError as error:
            raise StoreUnavailableError(f"{path} cannot hold the engine: {error.strerror}") from error
        return cls(path)

    @property
    def log(self) -> Path:
        """Return the file of the engine's output."""
        return self.path / "log" / "engine.log"

    def new_log(self) -> Path:
        """Return the log file for a new start; the output of the start before is kept beside it."""
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.before"))
        return self.log

    def running(self) -> Running | None:
        """Return the published engine, or None if nothing readable is published."""
        try:
            return Running(**json.loads((self.path / "engine.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def publish(self, running: Running) -> None:
        """Publish the process and the ports of the engine."""
        write_private(self.path / "engine.json", json.dumps(asdict(running)))

    def withdraw(self) -> None:
        """Delete the published engine and the pid of the last start."""
        (self.path / "engine.json").unlink(missing_ok=True)
        self.forget_start()

    def password_file(self, user: str) -> Path:
        """Return the file with a database user's password, created with a random one if it does not exist."""
        path = self.path / f"{user}.password"
        if not path.is_file():
            if user == "root":
                # The engine takes root's password once, when it makes its list of users.
                (self.path / "config" / "server-users.jsonl").unlink(missing_ok=True)
            write_private(path, secrets.token_urlsafe(32))
        return path

    def password(self, user: str) -> str:
        """Return a database user's password."""
        return self.password_file(user).read_text(encoding="utf-8")

    def forget_start(self) -> None:
        """Delete the pid that the last start wrote."""
        (self.path / "pid").unlink(missing_ok=True)

    def starting_pid(self) -> int | None:
        """Return the pid that a starting engine wrote, None if there is none."""
        try:
            return int((self.path / "pid").read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
