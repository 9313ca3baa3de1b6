"""Rows of the graph for accepted messages: the `$rows` of each write query."""

from a2ap.log.entry import LogEntry
from a2ap.messages.message import Message
from graph.kinds.kind import StoredContent
from graph.kinds.registry import kind_of
from graph.kinds.state import State
from graph.log.row_lists import Rows


def add_rows(
    rows: Rows,
    message: Message,
    entry: LogEntry,
    state: State,
    chunk_texts: tuple[str, ...] = (),
    record: bytes | None = None,
) -> None:
    """Add the rows of one accepted message; `chunk_texts` and `record` as in `graph.kinds.kind.StoredContent`."""
    kind_of(message).add_rows(rows, message, entry, state, StoredContent(chunk_texts, record))
