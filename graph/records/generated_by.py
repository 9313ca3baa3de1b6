"""Rows that join statements and verdicts to the records that generated them: by hash, whether stored here or not."""

from collections.abc import Sequence

from graph.log.row_lists import Rows


def add_generated_by(rows: Rows, query: str, signed_hash: str, record_hashes: Sequence[str]) -> None:
    """Add the rows that name the records from which a message was generated, whether they are stored here or not."""
    for record_hash in record_hashes:
        rows.add(query, {"signed_hash": signed_hash, "record_hash": record_hash})
