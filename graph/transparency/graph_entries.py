"""The log's entries as the graph has them, in order and without a gap, and their leaves."""

import asyncio
from collections.abc import AsyncIterator

from a2ap.log.entry import LogEntry, entry_bytes
from graph.errors import LogMismatchError
from graph.log.entry import entry_from_row
from graph.store import Reads

PAGE = 4096  # entries

_READINGS = 4
_PAUSE = 0.1  # seconds before the second reading, and more before each later one


async def entries_between(store: Reads, start: int, end: int) -> list[LogEntry]:
    """Return the entries from `start` to before `end`, up to the first gap or duplicate.

    The embedded engine may show a part of a batch while it commits it, so the entries are read up to four times if the
    first is missing before another. Raises `LogMismatchError` if it is still missing then, or is there twice.
    """
    for reading in range(_READINGS):
        await asyncio.sleep(_PAUSE * reading)
        rows = await store.read("log_entries_between", start=start, end=end)
        entries = [entry_from_row(row) for row in rows]
        # One after the other, and none of them again.
        places = [entry.log_index for entry in entries] + [end]
        length = next(
            (n for n in range(len(entries)) if places[n] != start + n or places[n + 1] == places[n]), len(entries)
        )
        if length or not entries:
            return entries[:length]
        if places[0] == start:
            raise LogMismatchError(f"entry {start} is in the graph twice", start)
    raise LogMismatchError(f"entry {start} is missing from the graph; entry {places[0]} follows", start)


async def pages_between(store: Reads, start: int, end: int) -> AsyncIterator[list[LogEntry]]:
    """Yield the entries from `start` to before `end`, some thousands at a time, up to the first gap or duplicate."""
    while start < end and (page := await entries_between(store, start, min(start + PAGE, end))):
        yield page
        start += len(page)


def leaf_of(entry: LogEntry) -> bytes:
    """Return the bytes of an entry's leaf; raises `LogMismatchError` if the graph's entry makes none."""
    try:
        return entry_bytes(entry)
    except (AttributeError, TypeError, ValueError) as error:
        raise LogMismatchError(f"entry {entry.log_index} of the graph is not one: {error}", entry.log_index) from error
