"""The places for queries that readers and models wrote, in Cypher and in SPARQL: few in all, one for each reader.

Rules (docs/decisions/0300):

- One query of a share runs at a time: of a token, or of all who come from one network without.
- Readers without a token have fewer places together than there are, so that those with one always find some.
- `MAX_WAITING` further queries of a share wait for its place; the next is refused. Nobody waits longer than the query
  may take.
- The platform's own queries need no place here and use other connections.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graph.errors import OwnQueriesBusyError, TooManyQueriesError
from graph.requests.share import Share

MAX_RUNNING = 3
"""Queries of all readers that run at once."""

MAX_WITHOUT_TOKEN = 1
"""Those of readers without a token."""

MAX_WAITING = 4
"""Queries of one share that wait for its place."""

MAX_WAITING_IN_ALL = 100
"""Queries of all readers that wait."""


class QueryBudget:
    """Gives out the places of one process."""

    def __init__(self) -> None:
        self._running: Counter[Share] = Counter()
        self._waiting: Counter[Share] = Counter()
        self._changed = asyncio.Condition()

    @property
    def running(self) -> int:
        """Return how many queries run."""
        return self._running.total()

    @property
    def waiting(self) -> int:
        """Return how many queries wait."""
        return self._waiting.total()

    @asynccontextmanager
    async def place(self, share: Share, seconds: float) -> AsyncIterator[None]:
        """Wait up to so many seconds for a place, and keep it while the context is open.

        Raises TooManyQueriesError if too many of this share wait, OwnQueriesBusyError if no place comes free.
        """
        if not self._is_free(share):
            await self._wait(share, seconds)
        self._running[share] += 1
        try:
            yield
        finally:
            self._running[share] -= 1
            self._running += Counter()
            async with self._changed:
                self._changed.notify_all()

    async def _wait(self, share: Share, seconds: float) -> None:
        if self._waiting[share] >= MAX_WAITING:
            raise TooManyQueriesError(f"{self._waiting[share]} queries of this reader wait for their turn already")
        if self.waiting >= MAX_WAITING_IN_ALL:
            raise OwnQueriesBusyError(f"{self.waiting} queries of readers wait already")
        self._waiting[share] += 1
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self._is_free(share))
        except TimeoutError as error:
            raise OwnQueriesBusyError(f"{self.running} queries of readers ran for {seconds:g} seconds") from error
        finally:
            self._waiting[share] -= 1
            self._waiting += Counter()

    def _is_free(self, share: Share) -> bool:
        if self._running[share] or self.running >= MAX_RUNNING:
            return False
        without = sum(number for one, number in self._running.items() if not one.has_token)
        return share.has_token or without < MAX_WITHOUT_TOKEN
