"""Exports: the graph, a selection or the changes since a log size, in many formats, streamed in bounded memory.

    async for piece in export(store, content, ExportFormat.TURTLE, Boundary.PUBLIC):
        file.write(piece)

The size of the log is read first, and only nodes with a smaller `log_index` are exported, so that an export made while
others write is the graph of one moment, its scores apart. Formats of several files are a folder
(`graph.export.writing`), or over HTTP one archive (`graph.export.archive`).
"""

from collections.abc import AsyncIterator

from a2ap.boundary import Boundary
from graph.content.content_store import ContentStore
from graph.export.format import ExportFormat
from graph.export.formats import FORMATS
from graph.export.opening import Wanted, open_reader
from graph.export.selection import EVERYTHING, Selection
from graph.node import Node
from graph.store import Store

__all__ = ["EVERYTHING", "FORMATS", "ExportFormat", "Selection", "Wanted", "export", "open_reader"]


async def export(
    store: Store,
    content: ContentStore,
    format: ExportFormat,
    clearance: Boundary = Boundary.PUBLIC,
    size: int | None = None,
    *,
    selection: Selection = EVERYTHING,
    since: int = 0,
    node: Node | None = None,
) -> AsyncIterator[bytes]:
    """Yield the graph in a format of one file, for a reader with this clearance. Raises StoreError and ContentError.

    With `size`, the graph as of the first `size` log entries, or of all if there are fewer; derived values are as they
    are now. With a selection, the part that belongs to it, and with `since`, the changes from that size on. Nothing is
    yielded before the first query has been answered, so that a store that is gone is an error and not an empty file.
    Raises `InputError` for arguments that cannot be combined.
    """
    wanted = Wanted(clearance, selection=selection, since=since, size=size)
    write = FORMATS[format].write
    if write is None:
        raise ValueError(f"{format} is several files")
    async with open_reader(store, content, wanted, node=node) as reader:
        async for piece in write(reader):
            yield piece
