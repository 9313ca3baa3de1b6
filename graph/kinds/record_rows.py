"""Rows of record registrations, of the registered records, and of their blanking after an erasure."""

from a2ap.log.entry import LogEntry
from a2ap.messages.record_registration import RecordRegistration
from a2ap.times import format_instant
from graph.kinds.signatures import signing_key
from graph.kinds.state import State
from graph.log.row_lists import Row, Rows
from graph.records.formats import READERS


def add_record_rows(
    rows: Rows, message: RecordRegistration, entry: LogEntry, state: State, content: bytes | None
) -> None:
    """Add the rows of a registration; `content` are the record's bytes, None if they are not stored or not read."""
    rows.add("write_record_registrations", _registration_row(message, entry, state))
    reader = READERS.get(message.format)
    if reader is None:
        return
    rows.add(reader.write, {"record_hash": message.document_hash, "log_index": entry.log_index})
    if content is not None:
        for query, row in reader.rows_of(content, message.document_hash):
            rows.add(query, row)


def blanking_rows(document_hash: str) -> list[tuple[str, Row]]:
    """Return the rows that remove the graph's content of a record whose bytes were erased."""
    return [(reader.blank, {"record_hash": document_hash}) for reader in READERS.values()]


def _registration_row(message: RecordRegistration, entry: LogEntry, state: State) -> Row:
    return {
        "key_id": signing_key(message, state),
        "agent_id": entry.agent,
        "document_hash": message.document_hash,
        "format": message.format,
        "boundary": state.documents[message.document_hash].boundary,
        "stated_boundary": message.boundary,
        "possession_mac": message.possession_mac if entry.origin_index is None else None,
        "registration_id": entry.id,
        "signed_hash": entry.signed_hash,
        "registered_at": format_instant(message.envelope.time),
        "log_index": entry.log_index,
    }
