"""The log as NDJSON, one entry a line in order: with the stored bytes, the complete input of `a2ap log rebuild`."""

import json
from collections.abc import AsyncIterator

from graph.export.reader import ExportReader
from graph.log.entry import as_row


async def log_lines(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the entries, without any text of messages or sources, for `graph.submission.rebuild.read_entries`."""
    async for entries in reader.entries():
        yield "".join(json.dumps(as_row(entry), ensure_ascii=False) + "\n" for entry in entries).encode()
