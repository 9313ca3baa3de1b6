"""Tells waiting clients that the log has grown: at once after this process's writes, soon after another server's."""

import asyncio
import logging

from graph.errors import StoreError
from graph.log.entry import log_size
from graph.store import Store

logger = logging.getLogger(__name__)

_INTERVAL = 0.5  # seconds


class LogWatch:
    """One process's view of the log's size; it queries the graph only while a client waits."""

    def __init__(self, store: Store, interval: float = _INTERVAL) -> None:
        self._store = store
        self._interval = interval
        self._size = 0
        self._waiting = 0
        self._grown = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    async def size(self) -> int:
        """Return the size of the log now."""
        await self.note(await log_size(self._store))
        return self._size

    async def note(self, size: int) -> None:
        """Record that the log has `size` entries, and wake the clients that wait for more than it had."""
        if size > self._size:
            async with self._grown:
                self._size = max(size, self._size)
                self._grown.notify_all()

    async def wait_past(self, size: int, timeout: float) -> int:
        """Return the size of the log once it is more than `size`, or after `timeout` seconds, whichever is sooner."""
        if self._size > size:
            return self._size
        self._waiting += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._ask(), name="a2ap-log-watch")
        try:
            async with asyncio.timeout(timeout), self._grown:
                await self._grown.wait_for(lambda: self._size > size)
        except TimeoutError:
            pass
        finally:
            self._waiting -= 1
        return self._size

    async def aclose(self) -> None:
        """Stop the queries."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _ask(self) -> None:
        while self._waiting:
            try:
                await self.note(await log_size(self._store))
            except StoreError as error:
                logger.warning("the size of the log is not known: %s", error)
            await asyncio.sleep(self._interval)
        self._task = None
