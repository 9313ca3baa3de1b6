"""Verification requests: the node may sign them for a caller that it knows, and the rows say until when they wait."""

from datetime import datetime
from typing import Any

from a2ap.errors import SignatureError
from a2ap.log.entry import LogEntry
from a2ap.messages.verification_request import VerificationRequest
from a2ap.signing.signature import verify_signature
from a2ap.times import format_instant, micros_of
from graph.errors import NotRegisteredError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import check_signed_by_agent, key_of
from graph.kinds.state import RequestRecord, State
from graph.kinds.targets import judged_statement, target_of
from graph.kinds.wanted_names import WantedNames
from graph.log.imported import is_countersigned, node_of
from graph.log.row_lists import Rows

FOREVER = 253_402_300_799_999_999
"""`open_until` of a request without a deadline: the last microsecond of the year 9999."""

NOT_OPEN = {"open_until": None, "open_for": None, "answered_by": None}

_AGENT_MEMBER = "requestingAgent"


def open_columns(agent_id: str, deadline: datetime | None) -> dict[str, Any]:
    """Return the time until which a request waits, in microseconds, and a text that sorts by agent and that time."""
    until = FOREVER if deadline is None else micros_of(deadline)
    return {"open_until": until, "open_for": f"{agent_id}|{until:020d}"}


def stretch_of(agent_id: str, now: datetime) -> dict[str, str]:
    """Return the values of `open_for` between which the requests of an agent lie that wait now."""
    # No identifier of an agent has a "|", and "~" comes after all digits.
    return {"start": f"{agent_id}|{micros_of(now):020d}", "end": f"{agent_id}|~"}


def _names(message: VerificationRequest, wanted: WantedNames) -> None:
    wanted.target_ids.add(message.target_statement)


def _check_signature(message: VerificationRequest, state: State, terms: Terms) -> None:
    envelope, origin = message.envelope, terms.origin
    by_peer = origin is not None and is_countersigned(message, origin)
    if not terms.countersigned and not by_peer:
        check_signed_by_agent(message, state, _AGENT_MEMBER)
    elif envelope.agent_id not in state.agents:
        raise NotRegisteredError(f"agent {envelope.agent_id} is not registered", _AGENT_MEMBER)
    if by_peer and origin is not None and envelope.signature is not None:
        key = key_of(envelope.signature.public_key, node_of(origin), state)
        verify_signature(envelope.signature, envelope.signed_bytes, key.public_key)
        if envelope.proofs:
            # The node signed for an agent without a key, so that the proof is no agent's.
            raise SignatureError(f"{envelope.id} is signed by its node for another, and has a proof")
    target_of(message, state)


def _record(message: VerificationRequest, state: State, _has_proof: bool) -> None:
    envelope, target = message.envelope, judged_statement(message, state)
    if target is not None:
        state.requests[envelope.signed_hash] = RequestRecord(
            envelope.signed_hash, envelope.id, target.signed_hash, message.eligible_verifiers
        )


def _add_rows(rows: Rows, message: VerificationRequest, entry: LogEntry, state: State, _content: StoredContent) -> None:
    row = {
        "agent_id": entry.agent,
        "target_hash": message.target_hash or state.statement_ids[message.target_statement][0],
        "signed_hash": entry.signed_hash,
        "document_hash": entry.document_hash,
        "origin": entry.peer_origin,
        "request_id": entry.id,
        "criteria": list(message.criteria),
        "deadline": None if message.deadline is None else format_instant(message.deadline),
        "wanted_verdicts": message.wanted_verdicts,
        "eligible_verifiers": None if message.eligible_verifiers is None else list(message.eligible_verifiers),
        "requested_at": format_instant(message.envelope.time),
        "received_at": format_instant(entry.received_at),
        "log_index": entry.log_index,
        **open_columns(entry.agent, message.deadline),
    }
    rows.add("write_requests", row)


VERIFICATION_REQUEST = Kind(
    VerificationRequest,
    agent_member=_AGENT_MEMBER,
    mutation=("request_verification", "Request the verification of a statement (a2ap:VerificationRequest)."),
    from_peers=True,
    moves_scores=False,
    names=_names,
    check_signature=_check_signature,
    record=_record,
    add_rows=_add_rows,
)
