"""Writes the rows and log entries of one transaction, in the order in which they refer to each other."""

from collections.abc import Sequence

from a2ap.log.entry import LogEntry
from graph.log.entry import as_row
from graph.log.row_lists import WRITE_ORDER, Rows
from graph.store import Transaction


async def write_rows(transaction: Transaction, rows: Rows, entries: Sequence[LogEntry]) -> None:
    """Write everything that a batch adds; the number of queries does not depend on the size of the batch."""
    for query in WRITE_ORDER:
        if rows.by_query[query]:
            await transaction.run(query, rows=rows.by_query[query])
    await transaction.run("append_log_entries", entries=[as_row(entry) for entry in entries])
    statements = len(rows.by_query["write_statements"])
    await transaction.run("advance_log_head", size=entries[-1].log_index + 1, statements=statements)
