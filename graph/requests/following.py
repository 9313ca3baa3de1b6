"""Follows the log for subscribers: each entry once, in order, from all servers."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from time import monotonic

from a2ap.log.entry import LogEntry
from graph.errors import TooManySubscribersError
from graph.log.entry import entry_from_row
from graph.log.watch import LogWatch
from graph.requests.share import Share
from graph.store import Store

MAX_SUBSCRIBERS = 500
"""Subscriptions that one process serves at once."""

MAX_OF_READER = 50
"""Subscriptions of one reader at once: of a token, or of an address that sends none."""

RESERVED = 5
"""One place in this many is kept for readers with a token: addresses are easier to come by."""

ROWS_A_SECOND = 50_000
"""The most rows, by estimate, that all subscriptions of one reader are sent in a second, however far behind they are.
"""

MAX_CONNECTIONS = 1000
"""WebSockets that one process serves at once, with any subscriptions."""

MAX_CONNECTIONS_OF_READER = 100
"""WebSockets of one reader at once."""

PATIENCE = 60.0
"""The longest wait for new entries in seconds, before the next wait begins."""

_PAGE = 200


class Subscribers:
    """Counts the subscribers of the log, and bounds their number, in all and for one reader.

    `ended` is set when the server stops, so that no subscriber keeps it waiting; `noun` names the things counted, in
    the plural.
    """

    def __init__(
        self, most: int = MAX_SUBSCRIBERS, most_of_reader: int = MAX_OF_READER, noun: str = "subscriptions"
    ) -> None:
        self._most = most
        self._most_of_reader = most_of_reader
        self._noun = noun
        self._counted: Counter[Share] = Counter()
        self._paid_at: dict[Share, float] = {}
        self.ended = asyncio.Event()

    @property
    def count(self) -> int:
        """The number of subscribers."""
        return self._counted.total()

    @property
    def _without_token(self) -> int:
        return sum(count for share, count in self._counted.items() if not share.has_token)

    @contextmanager
    def one_more(self, share: Share) -> Iterator[None]:
        """Count one for as long as the context is open; raise `TooManySubscribersError` if there is no place."""
        if self._counted[share] >= self._most_of_reader:
            raise TooManySubscribersError(f"{self._counted[share]} {self._noun} of this reader are served already")
        if self.count >= self._most:
            raise TooManySubscribersError(f"{self.count} {self._noun} are served already")
        if not share.has_token and self._without_token >= self._most - self._most // RESERVED:
            message = f"{self._without_token} {self._noun} of readers without a token are served already"
            raise TooManySubscribersError(message)
        self._counted[share] += 1
        try:
            yield
        finally:
            self._counted[share] -= 1
            self._counted += Counter()  # forgets who has none
            now = monotonic()
            self._paid_at = {share: at for share, at in self._paid_at.items() if at > now}

    async def take_turn(self, share: Share, rows: int) -> None:
        """Wait for as long as the rows that this reader was sent before take at `ROWS_A_SECOND`; count these rows."""
        now = monotonic()
        begins = max(now, self._paid_at.get(share, now))
        self._paid_at[share] = begins + rows / ROWS_A_SECOND
        await asyncio.sleep(begins - now)


async def new_entries(store: Store, watch: LogWatch, size: int) -> AsyncGenerator[list[LogEntry], None]:
    """Yield the entries after the first `size`, a page at a time, as they come; this never ends by itself."""
    while True:
        if await watch.wait_past(size, PATIENCE) <= size:
            continue
        rows = await store.read("log_entries_from", start=size, first=_PAGE)
        if rows:
            size = rows[-1]["log_index"] + 1
            yield [entry_from_row(row) for row in rows]
