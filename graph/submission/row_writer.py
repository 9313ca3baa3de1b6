"""Writes the rows of one transaction, query by query in the order of the kinds of messages."""

from collections.abc import Sequence

from a2ap.log.entry import LogEntry
from graph.kinds.registry import WRITE_ORDER
from graph.log.entry import as_row
from graph.log.row_lists import Rows
from graph.store import Transaction


async def write_rows(transaction: Transaction, rows: Rows) -> None:
    """Write rows; the number of queries does not depend on the number of rows."""
    if unknown := rows.by_query.keys() - WRITE_ORDER:
        raise LookupError(f"no kind has {min(unknown)} in its `writes`")
    for query in WRITE_ORDER:
        if rows.by_query[query]:
            await transaction.run(query, rows=rows.by_query[query])


async def write_entries(transaction: Transaction, rows: Rows, entries: Sequence[LogEntry]) -> None:
    """Write everything that a batch adds: the rows of its messages, and its entries of the log."""
    await write_rows(transaction, rows)
    await transaction.run(
        "append_log_entries",
        entries=[as_row(entry) for entry in entries],
        size=entries[-1].log_index + 1,
        statements=len(rows.by_query["write_statements"]),
    )
