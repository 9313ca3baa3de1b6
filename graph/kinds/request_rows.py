"""Rows of the graph for requests, declines and answers, and the columns of verdicts beside their findings."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from a2ap.log.entry import LogEntry
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from a2ap.times import format_instant, micros_of
from graph.kinds.state import State
from graph.log.row_lists import Row

FOREVER = 253_402_300_799_999_999
"""`open_until` of a request without a deadline: the last microsecond of the year 9999."""

NOT_OPEN = {"open_until": None, "open_for": None, "answered_by": None}


def open_columns(agent_id: str, deadline: datetime | None) -> dict[str, Any]:
    """Return the time until which a request waits, in microseconds, and a text that sorts by agent and that time."""
    until = FOREVER if deadline is None else micros_of(deadline)
    return {"open_until": until, "open_for": f"{agent_id}|{until:020d}"}


def stretch_of(agent_id: str, now: datetime) -> dict[str, str]:
    """Return the values of `open_for` between which the requests of an agent lie that wait now."""
    # No identifier of an agent has a "|", and "~" comes after all digits.
    return {"start": f"{agent_id}|{micros_of(now):020d}", "end": f"{agent_id}|~"}


def request_row(message: VerificationRequest, entry: LogEntry, state: State) -> Row:
    """Return the row of a request for `write_requests`."""
    return {
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


def decline_row(message: VerificationDecline, entry: LogEntry, key_id: str) -> Row:
    """Return the row of a decline for `write_declines`; `key_id` is the key that signed it."""
    return {
        "signed_hash": entry.signed_hash,
        "document_hash": entry.document_hash,
        "decline_id": entry.id,
        "agent_id": entry.agent,
        "request_hash": message.request_hash,
        "target_hash": message.target_hash,
        "reason": message.reason,
        "declined_at": format_instant(message.envelope.time),
        "received_at": format_instant(entry.received_at),
        "key_id": key_id,
        "log_index": entry.log_index,
    }


def answer_row(message: ChallengeAnswer, entry: LogEntry, key_id: str, state: State) -> Row:
    """Return the row of an answer for `write_challenge_answers`; `key_id` is the key that signed it."""
    challenge = state.verdicts.get(message.target_hash)
    return {
        "signed_hash": entry.signed_hash,
        "document_hash": entry.document_hash,
        "answer_id": entry.id,
        "agent_id": entry.agent,
        "target_hash": message.target_hash,
        "statement_hash": None if challenge is None else challenge.statement,
        "text": message.text,
        "answered_at": format_instant(message.envelope.time),
        "received_at": format_instant(entry.received_at),
        "key_id": key_id,
        "log_index": entry.log_index,
        **pointer_columns(message.evidence),
    }


def response_columns(message: VerificationResponse) -> Row:
    """Return the messages that a verdict names beside its statement, by signed hash, as columns; None for none."""
    return {
        "request_hash": None if message.request is None else message.request.target_hash,
        "supersedes": None if message.supersedes is None else message.supersedes.target_hash,
        "counter_statement": None if message.counter_statement is None else message.counter_statement.target_hash,
        "cross_references": [reference.target_hash for reference in message.cross_references] or None,
        **pointer_columns(message.evidence),
    }


def pointer_columns(pointers: Sequence[EvidenceSegment]) -> Row:
    """Return passages as columns of one length, "" for a pointer without a hash; all None if there are no passages."""
    columns: Row = {
        "evidence_documents": [pointer.document_hash or "" for pointer in pointers],
        "evidence_sources": [pointer.source_document for pointer in pointers],
        "evidence_chunks": [pointer.chunk_id for pointer in pointers],
        "evidence_starts": [pointer.byte_range.start for pointer in pointers],
        "evidence_ends": [pointer.byte_range.end for pointer in pointers],
        "evidence_hashes": [pointer.content_hash or "" for pointer in pointers],
    }
    return columns if pointers else dict.fromkeys(columns)
