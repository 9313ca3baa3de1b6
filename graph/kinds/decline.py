"""Declines: an agent that a request asks says that it will not answer."""

from a2ap.log.entry import LogEntry
from a2ap.messages.reference import Reference
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.times import format_instant
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.state import State
from graph.kinds.targets import check_request_for, find_statement
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Rows


def _names(message: VerificationDecline, wanted: WantedNames) -> None:
    wanted.target_ids.add(message.target_statement)
    wanted.requests.add(message.request_hash)


def _check(message: VerificationDecline, state: State, _terms: Terms) -> None:
    """Raise unless the request is stored, is about that statement, and may be answered by this agent."""
    target = find_statement(message.target_statement, message.target_hash, state, "targetStatement")
    request = Reference(message.request, message.request_hash)
    check_request_for(target, request, message.envelope.agent_id, state)


def _add_rows(rows: Rows, message: VerificationDecline, entry: LogEntry, state: State, _content: StoredContent) -> None:
    row = {
        "signed_hash": entry.signed_hash,
        "document_hash": entry.document_hash,
        "decline_id": entry.id,
        "agent_id": entry.agent,
        "request_hash": message.request_hash,
        "target_hash": message.target_hash,
        "reason": message.reason,
        "declined_at": format_instant(message.envelope.time),
        "received_at": format_instant(entry.received_at),
        "key_id": signing_key(message, state),
        "log_index": entry.log_index,
    }
    rows.add("write_declines", row)


VERIFICATION_DECLINE = Kind(
    VerificationDecline,
    agent_member="decliningAgent",
    mutation=("decline_verification", "Decline a verification request, with the reason (a2ap:VerificationDecline)."),
    from_peers=True,
    names=_names,
    check=_check,
    add_rows=_add_rows,
    writes=("write_declines",),
)
