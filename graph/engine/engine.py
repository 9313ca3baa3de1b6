"""The embedded engine's life cycle: the first command starts it, the others share it, the last one stops it.

- Every command that uses the engine holds a shared lock, which the kernel releases however that command ends. A command
  that can make it exclusive is the last, and stops the engine.
- Starting and stopping happen under a second lock, one command at a time.
- A running engine is used only if it is the published process, by pid and start time, and accepts our password. Any
  other engine on the folder is ended first, unless another command still uses it.
- A killed command leaves the engine running; the next command uses it and, if it is alone, stops it.
- A killed engine is started again, on the same ports, by a command that uses it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from a2ap.file_lock import FileLock
from graph.database.endpoint import Endpoint
from graph.engine.files import EngineFolder, Running
from graph.engine.login import READER
from graph.engine.process import DATABASE, check_platform, runs
from graph.engine.start import EngineOptions, end_engine, find_engine, start_engine
from graph.errors import StoreUnavailableError
from graph.open_files import check_open_files

T = TypeVar("T")

_log = logging.getLogger(__name__)

_LOCK_PATIENCE = 180.0  # seconds to wait for another command that starts or stops the engine
_WATCH = 1.0  # seconds between two looks at whether the engine still runs


@asynccontextmanager
async def embedded_engine(
    data_dir: Path,
    *,
    heap: str = "1g",
    timeout: float = 60.0,
    brief: bool = False,
    java_options: tuple[str, ...] = (),
) -> AsyncIterator[Endpoint]:
    """Yield the endpoint of the embedded engine of a data folder; it is started if it does not run yet.

    `heap` is Java's maximum heap, such as `512m`; `timeout` the seconds after which the engine gives up on a query;
    `brief` says that it is for short use, and that its data is discarded; `java_options` are added to Java's. They
    apply only if this call starts the engine. Raises StoreUnavailableError.
    """
    check_platform()
    check_open_files()
    use = _Use(data_dir, EngineOptions(heap, timeout, brief, java_options))
    try:
        endpoint = await _to_the_end(use.begin, use.given_up)
        watch = asyncio.create_task(_watch(use))
        try:
            yield endpoint
        finally:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch
    finally:
        await _to_the_end(use.end, threading.Event())


class _Use:
    """One command's use of the engine, from `begin` to `end`; every method blocks."""

    def __init__(self, data_dir: Path, options: EngineOptions) -> None:
        self.given_up = threading.Event()
        self._data_dir = data_dir
        self._options = options
        self._folder: EngineFolder | None = None
        self._users: FileLock | None = None

    def begin(self) -> Endpoint:
        """Join the users of the folder's engine, and start it if it does not run."""
        folder = self._folder = EngineFolder.create(self._data_dir)
        with _StartLock(folder, self.given_up):
            users = self._users = FileLock(folder.path / "users.lock")
            # Nobody can come in while we hold the start lock, so who is alone here stays alone.
            alone = users.take()
            if not users.take(shared=True):
                raise StoreUnavailableError(f"{folder.path}/users.lock is held by another program")
            return _endpoint(folder, self._found_or_started(folder, alone))

    def end(self) -> None:
        """Leave the users of the engine, and stop it if there is no other."""
        if self._folder is None or self._users is None:
            return
        try:
            with _StartLock(self._folder, threading.Event()):
                if self._users.take():
                    end_engine(self._folder)
        except StoreUnavailableError as error:
            _log.warning("the engine may have been left running: %s", error)
        finally:
            self._users.close()

    def revive(self) -> None:
        """Start the engine again if it was killed."""
        folder = self._folder
        if folder is None or runs(folder):
            return
        with _StartLock(folder, self.given_up):
            if not runs(folder):
                _log.warning("the engine on %s is gone and is started again", folder.path)
                start_engine(folder, self._options, self.given_up)

    def _found_or_started(self, folder: EngineFolder, alone: bool) -> Running:
        running = find_engine(folder, self.given_up)
        if running is not None:
            return running
        if runs(folder):
            if not alone:
                raise StoreUnavailableError(f"the engine on {folder.path} is in use and does not answer")
            _log.warning("the engine on %s does not answer and is started anew", folder.path)
            end_engine(folder)
        return start_engine(folder, self._options, self.given_up)


class _StartLock:
    """Holds the start lock; while it is held no other command starts or stops the engine."""

    def __init__(self, folder: EngineFolder, given_up: threading.Event) -> None:
        self._folder = folder
        self._given_up = given_up
        self._lock = FileLock(folder.path / "start.lock")

    def __enter__(self) -> None:
        if not self._lock.wait(_LOCK_PATIENCE, self._given_up):
            self._lock.close()
            raise StoreUnavailableError(f"another command keeps starting or stopping {self._folder.path}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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


async def _watch(use: _Use) -> None:
    while True:
        await asyncio.sleep(_WATCH)
        try:
            await _to_the_end(use.revive, use.given_up)
        except StoreUnavailableError as error:
            _log.error("%s", error)


async def _to_the_end(work: Callable[[], T], given_up: threading.Event) -> T:
    """Run blocking work in a thread, and wait for it even if the caller is cancelled meanwhile."""
    task = asyncio.create_task(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        given_up.set()
        await asyncio.wait([task])
        task.exception()
        raise
