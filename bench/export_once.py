"""Exports a graph once and discards it: `{endpoint, data, format}` on standard input, memory and time as the answer.

`peak` is the peak memory of the process, in KiB.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from a2ap.boundary import STRICTEST
from bench.memory import peak_kib
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.export import ExportFormat, Wanted, open_reader
from graph.export.pieces import file_parts
from graph.node import load_node
from graph.settings import Settings
from graph.store import connect_store


async def export_once(asked: dict[str, Any]) -> dict[str, float]:
    """Return the peak memory, the seconds and the bytes of the export."""
    settings = Settings(data=Path(asked["data"]))
    node = load_node(settings.data / "node.key")
    started, written = time.perf_counter(), 0
    async with (
        connect_store(Endpoint(**asked["endpoint"])) as store,
        open_reader(store, open_content_store(settings), Wanted(STRICTEST), node=node) as reader,
    ):
        async for part in file_parts(reader, ExportFormat(asked["format"])):
            written += len(part.content)
    seconds = time.perf_counter() - started
    return {"peak": peak_kib(), "seconds": seconds, "bytes": written}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(export_once(json.load(sys.stdin)))))
