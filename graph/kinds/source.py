"""Registrations of sources: the class, owner and date of the document, and the rows of the source."""

from dataclasses import replace

from a2ap.log.entry import LogEntry
from a2ap.messages.source_registration import SourceRegistration
from a2ap.times import format_instant
from graph.kinds.kind import Kind, StoredContent
from graph.kinds.signatures import signing_key
from graph.kinds.state import DocumentRecord, Registrant, State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Rows


def add_class(rows: Rows, document_hash: str, state: State) -> None:
    """Add the rows that give a document its class from now on, and move its search texts there.

    One batch may register a document as a source and as a record: the class of the last registration is written last.
    """
    row = {"document_hash": document_hash, "boundary": state.documents[document_hash].boundary}
    rows.add("move_search_passages", row)
    rows.add("write_registered_classes", row)
    rows.add("write_search_titles", row)


def _names(message: SourceRegistration, wanted: WantedNames) -> None:
    wanted.documents.add(message.document_hash)
    wanted.registered.add(message.document_hash)


def _record(message: SourceRegistration, state: State, has_proof: bool) -> None:
    known = state.documents.get(message.document_hash)
    if known is None:
        known = DocumentRecord(message.document_hash, False, message.byte_length, message.media_type, None, None)
    # The first registration names the document, and a later one makes its class stricter, unless only one of the two
    # agents has a right over the bytes: then it is the owner (docs/decisions/0043).
    agent, registrant = message.envelope.agent_id, Registrant.of(message, has_proof=has_proof)
    after = replace(
        known,
        boundary=state.class_after(known, registrant),
        sources=known.sources | {message.source_id},
        registrants=(*known.registrants, registrant),
    )
    dates = [known.retain_until]
    if state.right_of(after, agent) > state.right_of(known, known.registered_by):
        after = replace(after, registration_hash=message.envelope.signed_hash, registered_by=agent)
        # The date of a former owner goes. If the node registered the source, the date may be the operator's, and stays.
        if state.is_answered_for(agent) and state.node_agent not in state.registrants_of(known):
            dates = []
    owner = state.owner_of(after)
    # Nothing in the log tells that a stranger has the bytes, and an erasure erases for all agents.
    if state.is_answered_for(owner) and agent in (owner, state.node_agent):
        dates.append(message.retain_until)
    retain_until = min((date for date in dates if date is not None), default=None)
    state.documents[message.document_hash] = replace(after, retain_until=retain_until)


def _add_rows(rows: Rows, message: SourceRegistration, entry: LogEntry, state: State, _content: StoredContent) -> None:
    document = state.documents[message.document_hash]
    row = {
        "key_id": signing_key(message, state),
        "first": document.registration_hash == entry.signed_hash,
        "agent_id": entry.agent,
        "answered_for": state.is_answered_for(entry.agent),
        "has_proof": entry.has_proof,
        "document_hash": message.document_hash,
        "source_id": message.source_id,
        "title": message.title,
        "publisher": message.publisher,
        "origin": message.origin,
        "media_type": message.media_type,
        "byte_length": message.byte_length,
        "licence": message.licence,
        "rights_holder": message.rights_holder,
        "retain_until": None if document.retain_until is None else format_instant(document.retain_until),
        "stated_boundary": message.boundary,
        "possession_mac": message.possession_mac if entry.has_proof else None,
        "registration_id": entry.id,
        "signed_hash": entry.signed_hash,
        "registered_at": format_instant(message.envelope.time),
        "log_index": entry.log_index,
    }
    rows.add("write_sources", row)
    add_class(rows, message.document_hash, state)


SOURCE_REGISTRATION = Kind(
    SourceRegistration,
    agent_member="registeringAgent",
    from_peers=True,
    moves_scores=False,
    names=_names,
    record=_record,
    add_rows=_add_rows,
)
