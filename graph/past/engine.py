"""The engine beside the platform's own that holds graphs of the past, a database for each; nothing in it is kept.

Rules:

- It is started at the first request about the past, whichever engine the platform has, and stops with the platform.
- Each database has a user of its own that can only read, for texts of others (`graph.database.text_reader`).
- Its folder is `past/<number>` in the data folder, the first that no other process has.
- Such a folder left by a killed process is removed when another platform starts on the data folder, its engine first:
  it holds content that may be erased by now.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import httpx

from a2ap.durable_files import private_folder
from a2ap.file_lock import FileLock
from graph.database.endpoint import Endpoint, http_client
from graph.engine.engine import embedded_engine
from graph.engine.files import EngineFolder
from graph.engine.login import create_reader
from graph.engine.start import end_engine
from graph.errors import StoreUnavailableError
from graph.settings import Settings
from graph.store import Store, connect_store

FOLDER = "past"
"""The name of the folder, in the data folder."""

_PATIENCE = 120.0  # seconds for the engine to make or drop a database


class PastEngine:
    """The engine of one process for its graphs of the past."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._turn = asyncio.Lock()
        self._endpoint: Endpoint | None = None
        self._names = count()

    @asynccontextmanager
    async def database(self) -> AsyncIterator[Store]:
        """Yield a store on a new, empty database, which is dropped afterwards."""
        name = f"past{next(self._names)}"
        reader, password = f"{name}_reader", secrets.token_urlsafe(32)
        started = await self._started()
        assert started.http_url is not None
        endpoint = replace(started, database=name, reader_user=reader, reader_password=password)
        await _command(endpoint, f"create database {name}")
        try:
            await asyncio.to_thread(create_reader, started.http_url, started.password, name, reader, password)
            async with connect_store(endpoint, timeout=self._settings.query_timeout) as store:
                yield store
        finally:
            await _command(endpoint, f"drop database {name}")
            await _command(endpoint, f"drop user {reader}")

    async def aclose(self) -> None:
        """Stop the engine, and remove its databases and folder."""
        await self._stack.aclose()

    async def _started(self) -> Endpoint:
        async with self._turn:
            if self._endpoint is None:
                folder = await asyncio.to_thread(self._take_folder)
                heap, timeout = self._settings.engine_heap, self._settings.query_timeout
                engine = embedded_engine(folder, heap=heap, timeout=timeout, brief=True)
                self._endpoint = await self._stack.enter_async_context(engine)
            return self._endpoint

    def _take_folder(self) -> Path:
        """Return an empty folder that is this process's until the engine is closed."""
        for number in count():
            folder = self._settings.data.absolute() / FOLDER / str(number)
            private_folder(folder.parent)
            lock = FileLock(folder.with_suffix(".lock"))
            if lock.take():
                self._stack.callback(lock.close)
                self._stack.callback(shutil.rmtree, folder, ignore_errors=True)
                _remove(folder)
                private_folder(folder)
                return folder
            lock.close()
        raise AssertionError("there is always a further number")


def remove_leftovers(data: Path) -> None:
    """Remove the folders that killed processes have left in a data folder."""
    for folder in (data.absolute() / FOLDER).glob("*/"):
        lock = FileLock(folder.with_suffix(".lock"))
        try:
            if lock.take():
                _remove(folder)
        finally:
            lock.close()


def _remove(folder: Path) -> None:
    if (folder / "engine").exists():
        end_engine(EngineFolder.create(folder))
    shutil.rmtree(folder, ignore_errors=True)


async def _command(endpoint: Endpoint, command: str) -> None:
    """Have the engine create or drop a database or user."""
    try:
        async with http_client(endpoint, _PATIENCE) as client:
            answer = await client.post("/api/v1/server", json={"command": command})
            answer.raise_for_status()
    except httpx.HTTPError as error:
        raise StoreUnavailableError(f"the engine of the past does not {command}: {error}") from error
