"""Rows of what statements and verdicts came out of: records by their hash, here or not."""

from collections.abc import Sequence

from graph.log.row_lists import Rows


def add_generated_by(rows: Rows, query: str, signed_hash: str, record_hashes: Sequence[str]) -> None:
    """Add the rows that say which records a message came out of, whether they are here or not."""
    for record_hash in record_hashes:
        rows.add(query, {"signed_hash": signed_hash, "record_hash": record_hash})
