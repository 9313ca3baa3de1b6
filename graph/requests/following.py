"""Follows the log for who subscribes: each entry once, in order, whichever server wrote it."""

from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager

from a2ap.log.entry import LogEntry
from graph.errors import TooManySubscribersError
from graph.log.entry import entry_from_row
from graph.log.watch import LogWatch
from graph.store import Store

MAX_SUBSCRIBERS = 500
"""Subscriptions that one process serves at once."""

MAX_OF_READER = 50
"""Those of one reader: of a token, or of an address that brings none."""

PATIENCE = 60.0
"""Seconds until the watch is asked again."""

_PAGE = 200


class Subscribers:
    """Counts who follows the log, so that there are never too many, of all or of one reader."""

    def __init__(self, most: int = MAX_SUBSCRIBERS, most_of_reader: int = MAX_OF_READER) -> None:
        self._most = most
        self._most_of_reader = most_of_reader
        self._counted: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """How many there are."""
        return self._counted.total()

    @contextmanager
    def one_more(self, reader: str) -> Iterator[None]:
        """Count one for as long as the context is open; raise `TooManySubscribersError` where there is no place."""
        if self._counted[reader] >= self._most_of_reader:
            raise TooManySubscribersError(f"{self._counted[reader]} subscriptions of this reader are served already")
        if self.count >= self._most:
            raise TooManySubscribersError(f"{self.count} subscriptions are served already")
        self._counted[reader] += 1
        try:
            yield
        finally:
            self._counted[reader] -= 1
            self._counted += Counter()  # forgets who has none


async def new_entries(store: Store, watch: LogWatch, size: int) -> AsyncGenerator[list[LogEntry], None]:
    """Yield the entries after the first `size`, a page at a time, as they come; this never ends by itself."""
    while True:
        if await watch.wait_past(size, PATIENCE) <= size:
            continue
        rows = await store.read("log_entries_from", start=size, first=_PAGE)
        if rows:
            size = rows[-1]["log_index"] + 1
            yield [entry_from_row(row) for row in rows]
