"""Watches for erasures, by any server, while this process has graphs with the words of messages."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import Context

from a2ap.messages.message import MessageType
from graph.errors import StoreError
from graph.log.entry import log_size
from graph.log.watch import LogWatch
from graph.store import Store

logger = logging.getLogger(__name__)

ERASING = frozenset({MessageType.REDACTION.value})
"""Kinds of messages that erase earlier content: a graph that was made before one may no longer be read."""

_PATIENCE = 60.0  # seconds until the watch is asked again
_PAUSE = 0.5  # seconds, for a log that grows fast: this process knows at once the messages that it takes in itself


class Erasures:
    """Calls `forget` after erasures, with a size of the log that has them, while there is something to forget."""

    def __init__(self, store: Store, watch: LogWatch, forget: Callable[[int], None]) -> None:
        self._store = store
        self._watch = watch
        self._forget = forget
        self._holders = 0
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def followed(self) -> AsyncIterator[None]:
        """Watch for erasures from now on until the context is left."""
        size = await log_size(self._store)
        self._holders += 1
        if self._task is None:
            # In a context of its own: it does not end with the operation that has begun it.
            self._task = asyncio.create_task(self._follow(size), name="a2ap-erasures", context=Context())
        try:
            yield
        finally:
            self._holders -= 1
            if not self._holders:
                self._task.cancel()
                self._task = None

    async def _follow(self, size: int) -> None:
        while True:
            grown = await self._watch.wait_past(size, _PATIENCE)
            try:
                if grown > size and await erased_between(self._store, size, grown):
                    self._forget(grown)
                size = max(size, grown)
            except StoreError as error:
                logger.warning("whether something was erased is not known: %s", error)
            await asyncio.sleep(_PAUSE)


async def erased_between(store: Store, start: int, end: int) -> bool:
    """Return whether an entry from `start` to before `end` of the log erases something."""
    kinds = await store.read("kinds_between", start=start, end=end)
    return not ERASING.isdisjoint(row["type"] for row in kinds)
