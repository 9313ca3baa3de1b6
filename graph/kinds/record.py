"""Registrations of records of other formats, the bytes that come with them, and the rows of the records.

At this node's own endpoint the bytes come with the registration, so that no agent can make others' bytes readable by
naming their hash; a peer's registration comes without, and makes a node that has the hash alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from a2ap.canonical import sha256_digest
from a2ap.log.entry import LogEntry
from a2ap.messages.record_registration import RecordRegistration
from a2ap.times import format_instant
from graph.errors import RedactedError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.source import add_class
from graph.kinds.state import DocumentRecord, Registrant, State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows
from graph.records.formats import READERS
from graph.retention.redactions import RedactionRecord


def record_content(
    message: RecordRegistration,
    blobs: Sequence[bytes],
    erased: Mapping[str, Sequence[RedactionRecord]],
    *,
    of_peer: bool,
) -> bytes | None:
    """Return the checked bytes of a record from those submitted with its registration; None for a peer's.

    Raises `TargetError` if the record's bytes are missing or unnamed bytes are among them, `RedactedError` if any of
    the bytes were erased, as a source or as a message, and the errors of the format's reader.
    """
    if of_peer:
        return None
    reader = READERS.get(message.format)
    if reader is None:
        raise TargetError(f"records of the format {message.format} are not read here", "format")
    given = {sha256_digest(blob): blob for blob in blobs}
    for name in sorted(given.keys() & erased.keys()):
        words = f"{name}, which came with {message.document_hash}, was {erased[name][-1].sentence}"
        raise RedactedError(words, "documentHash")
    content = given.pop(message.document_hash, None)
    if content is None:
        raise TargetError(f"the bytes of {message.document_hash} did not come with their registration", "documentHash")
    reader.check(content)
    named = set(reader.names(content))
    if others := given.keys() - named:
        raise TargetError(f"{min(others)} came with {message.document_hash}, which does not name it", "documentHash")
    if reader.whole and (missing := named - given.keys()):
        words = f"{min(missing)}, which {message.document_hash} names, did not come with it"
        raise TargetError(words, "documentHash")
    return content


def blanking_rows(document_hash: str) -> list[tuple[str, Row]]:
    """Return the rows that remove the graph's content of a record whose bytes were erased."""
    return [(reader.blank, {"record_hash": document_hash}) for reader in READERS.values()]


def _names(message: RecordRegistration, wanted: WantedNames) -> None:
    wanted.documents.add(message.document_hash)
    wanted.registered.add(message.document_hash)


def _check(message: RecordRegistration, state: State, terms: Terms) -> None:
    """Raise `RedactedError` if the bytes were erased: the registration would bring them back."""
    if terms.origin is not None:
        return
    for known in state.redactions.get(message.document_hash, ()):
        raise RedactedError(f"{message.document_hash} was {known.sentence}", "documentHash")


def _record(message: RecordRegistration, state: State, has_proof: bool) -> None:
    known = state.documents.get(message.document_hash)
    if known is None:
        known = DocumentRecord(message.document_hash, False, None, None, None, None)
    registrant = Registrant.of(message, has_proof=has_proof)
    boundary = known.boundary or message.boundary
    if message.envelope.agent_id != state.node_agent:
        # The node signs for unknown senders, which may not take from readers the access that others gave them.
        boundary = state.class_after(known, registrant)
    registrants = (*known.registrants, registrant)
    state.documents[message.document_hash] = replace(known, boundary=boundary, registrants=registrants)


def _add_rows(rows: Rows, message: RecordRegistration, entry: LogEntry, state: State, content: StoredContent) -> None:
    add_class(rows, message.document_hash, state)
    rows.add("write_record_registrations", _registration_row(message, entry, state))
    reader = READERS.get(message.format)
    if reader is None:
        return
    rows.add(reader.write, {"record_hash": message.document_hash, "log_index": entry.log_index})
    if content.record is not None:
        for query, row in reader.rows_of(content.record, message.document_hash):
            rows.add(query, row)


RECORD_REGISTRATION = Kind(
    RecordRegistration,
    agent_member="registeringAgent",
    from_peers=True,
    moves_scores=False,
    names=_names,
    check=_check,
    record=_record,
    add_rows=_add_rows,
)


def _registration_row(message: RecordRegistration, entry: LogEntry, state: State) -> Row:
    return {
        "key_id": signing_key(message, state),
        "agent_id": entry.agent,
        "document_hash": message.document_hash,
        "format": message.format,
        "stated_boundary": message.boundary,
        "possession_mac": message.possession_mac if entry.has_proof else None,
        "registration_id": entry.id,
        "signed_hash": entry.signed_hash,
        "registered_at": format_instant(message.envelope.time),
        "log_index": entry.log_index,
    }
