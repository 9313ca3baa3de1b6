"""Places for the queries of readers: few for each reader, so that no reader takes the processor from all others.

Rules (docs/decisions/0048):

- A share is of one token, or of all readers of one network that have no token. One query in Cypher or SPARQL of a share
  runs at a time, and one export; of GraphQL queries, searches, bundles and fetches of messages together, as many as
  `OPERATIONS.of_share`.
- Readers without a token have, together, fewer of the places for own queries and exports than there are: some are left
  for readers with a token.
- Up to `Places.waiting` more of a share wait; the next is refused. Each waits up to the seconds that `place` is given.
- The platform's own queries need no place here and use other connections.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from graph.errors import OwnQueriesBusyError, TooManyQueriesError
from graph.requests.share import Share


@dataclass(frozen=True, slots=True)
class Places:
    """The queries that run at once, of one share, without a token, of all; and that wait, of one share, of all."""

    of_share: int
    without_token: int
    in_all: int
    waiting: int
    waiting_in_all: int


OWN_QUERIES = Places(of_share=1, without_token=1, in_all=3, waiting=4, waiting_in_all=100)
"""The places for queries in Cypher and SPARQL, each of which may keep a processor busy."""

OPERATIONS = Places(of_share=3, without_token=1_000, in_all=1_000, waiting=50, waiting_in_all=1_000)
"""The places for queries in GraphQL, searches, bundles and fetches of messages, most of which are short."""

EXPORTS = Places(of_share=1, without_token=2, in_all=4, waiting=4, waiting_in_all=100)
"""The places for exports and for the history of scores, each of which reads the whole graph or log."""


class QueryBudget:
    """Gives out the places of one kind in one process."""

    def __init__(self, places: Places = OWN_QUERIES) -> None:
        self._places = places
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
        """Wait up to `seconds` for a place, and keep it while the context is open.

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
        if self._waiting[share] >= self._places.waiting:
            raise TooManyQueriesError(f"{self._waiting[share]} queries of this reader wait for their turn already")
        if self.waiting >= self._places.waiting_in_all:
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
        if self._running[share] >= self._places.of_share or self.running >= self._places.in_all:
            return False
        without = sum(number for one, number in self._running.items() if not one.has_token)
        return share.has_token or without < self._places.without_token
