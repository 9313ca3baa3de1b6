"""Exports: the graph as a Cypher script, Turtle, JSON-LD, log lines or rows, streamed in bounded memory.

    async for piece in export(store, content, ExportFormat.TURTLE, Boundary.PUBLIC):
        file.write(piece)

The size of the log is read first, and only what has a smaller `log_index` is exported, so that an export made while
others write is the graph of one moment, its scores apart.
"""

from collections.abc import AsyncIterator

from a2ap.boundary import Boundary
from graph.content.content_store import ContentStore
from graph.export.cypher_script import cypher_script
from graph.export.format import ExportFormat
from graph.export.graph_rows import graph_rows
from graph.export.json_ld import json_ld
from graph.export.log_lines import log_lines
from graph.export.turtle import turtle
from graph.log.state_loader import log_size
from graph.store import Store

__all__ = ["ExportFormat", "export"]


async def export(
    store: Store,
    content: ContentStore,
    format: ExportFormat,
    clearance: Boundary = Boundary.PUBLIC,
    size: int | None = None,
) -> AsyncIterator[bytes]:
    """Yield the graph in a format, in UTF-8, for a reader with this clearance. Raises StoreError and ContentError.

    With `size`, the graph as of the first so many log entries, or of all where there are not so many; derived values
    are as they are now.

    Nothing is yielded before the first query has been answered, so that a store that is gone is an error and not an
    empty file.
    """
    found = await log_size(store)
    size = found if size is None else min(size, found)
    match format:
        case ExportFormat.CYPHER:
            pieces = cypher_script(store, size, clearance)
        case ExportFormat.TURTLE:
            pieces = turtle(store, content, size, clearance)
        case ExportFormat.JSON_LD:
            pieces = json_ld(store, content, size, clearance)
        case ExportFormat.LOG:
            pieces = log_lines(store, size)
        case ExportFormat.GRAPH_ROWS:
            pieces = graph_rows(store, size, clearance)
    async for piece in pieces:
        yield piece.encode()
