"""Follows the log for who subscribes: each entry once, in order, whichever server wrote it."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager

from a2ap.log.entry import LogEntry
from graph.errors import TooManySubscribersError
from graph.log.entry import entry_from_row
from graph.log.watch import LogWatch
from graph.store import Store

MAX_SUBSCRIBERS = 500
"""Subscriptions that one process serves at once."""

PATIENCE = 60.0
"""Seconds until the watch is asked again."""

_PAGE = 200


class Subscribers:
    """Counts who follows the log, so that there are never too many."""

    def __init__(self, most: int = MAX_SUBSCRIBERS) -> None:
        self._most = most
        self.count = 0

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count one for as long as the context is open; raise `TooManySubscribersError` where there is no place."""
        if self.count >= self._most:
            raise TooManySubscribersError(f"{self.count} subscriptions are served already")
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1


async def new_entries(store: Store, watch: LogWatch, size: int) -> AsyncGenerator[list[LogEntry], None]:
    """Yield the entries after the first `size`, a page at a time, as they come; this never ends by itself."""
    while True:
        if await watch.wait_past(size, PATIENCE) <= size:
            continue
        rows = await store.read("log_entries_from", start=size, first=_PAGE)
        if rows:
            size = rows[-1]["log_index"] + 1
            yield [entry_from_row(row) for row in rows]
