"""The embedded engine's life: the first command starts it, the others share it, the last one out stops it.

- Who uses the engine holds a shared lock, and the kernel lets go of it however that command ends. Who can
  turn it into an exclusive one is the last, and stops the engine.
- Starting and stopping happen under a second lock, one command at a time.
- What is found running is used only if it is the process that was published, by pid and start time, and takes
  our password. Anything else on the folder is ended first: a command that was killed was starting it.
- A command that was killed leaves the engine running; the next one uses it and, if it is alone, stops it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from graph.endpoint import Endpoint
from graph.engine_files import EngineFolder, Running
from graph.engine_login import READER, add_reader, answers
from graph.engine_process import DATABASE, check_platform, command_line, launch, runs, start_time, stop
from graph.errors import StoreUnavailableError
from graph.file_lock import FileLock

T = TypeVar("T")

_log = logging.getLogger(__name__)

_START_PATIENCE = 120.0  # seconds until an engine that does not answer counts as failed
_LOCK_PATIENCE = 180.0  # seconds to wait for another command that starts or stops the engine
_FOUND_PATIENCE = 20.0  # seconds until a running engine that does not answer is started anew
_STARTS = 3  # attempts, because a port that was free a moment ago can be taken
_POLL = 0.02  # seconds


@asynccontextmanager
async def embedded_engine(
    data_dir: Path, *, heap: str = "1g", timeout: float = 60.0
) -> AsyncIterator[Endpoint]:
    """Yield where the embedded engine of a data folder answers; it is started where it does not run yet.

    `heap` is Java's maximum heap, such as `512m`; `timeout` the seconds after which the engine gives up on a
    query. Both apply where this call starts the engine. Raises StoreUnavailableError.
    """
    check_platform()
    use = _Use(data_dir, heap, timeout)
    try:
        yield await _to_the_end(use.begin, use.given_up)
    finally:
        await _to_the_end(use.end, threading.Event())


class _Use:
    """One command's use of the engine, from `begin` to `end`; both block."""

    def __init__(self, data_dir: Path, heap: str, timeout: float) -> None:
        self.given_up = threading.Event()
        self._data_dir = data_dir
        self._heap = heap
        self._timeout = timeout
        self._folder: EngineFolder | None = None
        self._users: FileLock | None = None

    def begin(self) -> Endpoint:
        folder = self._folder = EngineFolder.create(self._data_dir)
        with _Starting(folder, self.given_up):
            self._users = FileLock(folder.path / "users.lock")
            if not self._users.take(shared=True):
                raise StoreUnavailableError(f"{folder.path}/users.lock is held by another program")
            running = self._find(folder) or self._start(folder)
        return _endpoint(folder, running)

    def end(self) -> None:
        if self._folder is None or self._users is None:
            return
        with _Starting(self._folder, threading.Event()):
            # Nobody can come in while we hold the start lock, so alone now is alone until the engine is gone.
            if self._users.take():
                _stop_published(self._folder)
            self._users.close()

    def _find(self, folder: EngineFolder) -> Running | None:
        running = folder.running()
        if not runs(folder):
            return None
        if running is not None and start_time(running.pid) == running.started:
            deadline = time.monotonic() + _FOUND_PATIENCE
            while time.monotonic() < deadline and not self.given_up.is_set():
                if answers(running.bolt_port, folder):
                    return running
                time.sleep(_POLL)
        _log.warning("the engine on %s does not answer and is started anew", folder.path)
        _stop_published(folder)
        return None

    def _start(self, folder: EngineFolder) -> Running:
        for _ in range(_STARTS):
            running = self._start_once(folder)
            if running is not None:
                add_reader(running.http_port, folder)
                folder.publish(running)
                return running
        raise StoreUnavailableError(f"the embedded engine does not start; it says why in {folder.log}")

    def _start_once(self, folder: EngineFolder) -> Running | None:
        bolt_port, http_port = _free_ports()
        command = command_line(folder, bolt_port, http_port, heap=self._heap, timeout=self._timeout)
        alive = FileLock(folder.path / "alive.lock")
        try:
            if not alive.take():
                raise StoreUnavailableError(f"another engine runs on {folder.path}")
            folder.withdraw()
            pid = launch(folder, command, alive)
        finally:
            alive.close()
        started = start_time(pid)
        deadline = time.monotonic() + _START_PATIENCE
        while started is not None and start_time(pid) == started and time.monotonic() < deadline:
            if self.given_up.is_set():
                break
            if answers(bolt_port, folder):
                return Running(pid, started, bolt_port, http_port)
            time.sleep(_POLL)
        if started is not None:
            stop(folder, pid, started)
        if self.given_up.is_set():
            raise StoreUnavailableError("the start of the embedded engine was given up")
        return None


class _Starting:
    """Holds the start lock; in its time no other command starts or stops the engine."""

    def __init__(self, folder: EngineFolder, given_up: threading.Event) -> None:
        self._folder = folder
        self._given_up = given_up
        self._lock = FileLock(folder.path / "start.lock")

    def __enter__(self) -> None:
        if not self._lock.wait(_LOCK_PATIENCE, self._given_up):
            self._lock.close()
            raise StoreUnavailableError(f"another command keeps starting or stopping {self._folder.path}")

    def __exit__(self, *exception: object) -> None:
        self._lock.close()


def _endpoint(folder: EngineFolder, running: Running) -> Endpoint:
    return Endpoint(
        uri=f"bolt://127.0.0.1:{running.bolt_port}",
        user="root",
        password=folder.password("root"),
        database=DATABASE,
        kind="embedded",
        http_url=f"http://127.0.0.1:{running.http_port}",
        reader_user=READER,
        reader_password=folder.password(READER),
    )


def _stop_published(folder: EngineFolder) -> None:
    running = folder.running()
    if runs(folder):
        if running is not None and start_time(running.pid) == running.started:
            stop(folder, running.pid, running.started)
        else:
            _stop_unpublished(folder)
    folder.withdraw()


def _stop_unpublished(folder: EngineFolder) -> None:
    # Its shell writes the pid down before anything else; a moment later it is there.
    deadline = time.monotonic() + 5.0
    while runs(folder) and time.monotonic() < deadline:
        pid = folder.starting_pid()
        if pid is not None and start_time(pid) is not None:
            stop(folder, pid, None)
            return
        time.sleep(_POLL)
    if runs(folder):
        raise StoreUnavailableError(f"an engine runs on {folder.path} whose process is not known")


def _free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        for one in (first, second):
            one.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]


async def _to_the_end(work: Callable[[], T], given_up: threading.Event) -> T:
    """Run blocking work in a thread, and wait for it even where the caller is cancelled meanwhile."""
    task = asyncio.create_task(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        given_up.set()
        await asyncio.wait([task])
        task.exception()
        raise
