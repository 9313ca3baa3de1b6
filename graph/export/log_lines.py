"""The log as NDJSON, one entry a line in order: with the stored bytes, all that `a2ap rebuild` needs."""

import json
from collections.abc import AsyncIterator

from graph.log.entry import as_row, entry_from_row
from graph.store import Store

_ENTRIES = 1000


async def log_lines(store: Store, size: int) -> AsyncIterator[str]:
    """Yield the first `size` entries; `graph.log.rebuild.read_entries` reads them. They hold no text of anybody."""
    for start in range(0, size, _ENTRIES):
        rows = await store.read("log_entries_from", start=start, first=min(_ENTRIES, size - start))
        yield "".join(json.dumps(as_row(entry_from_row(row)), ensure_ascii=False) + "\n" for row in rows)
