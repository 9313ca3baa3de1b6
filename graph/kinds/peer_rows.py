"""Rows of the graph for this node's messages about its peers: agreements, checkpoints, equivocations."""

import base64
from typing import Any

from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.entry import LogEntry
from a2ap.log.signed_note import read_note
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.peer_checkpoint import PeerCheckpoint
from a2ap.times import format_instant

Row = dict[str, Any]


def peer_rows(message: PeerAgreement | PeerCheckpoint | Equivocation, entry: LogEntry) -> tuple[str, Row]:
    """Return the query that writes the message, and its row."""
    row = {"origin": message.origin, "signed_hash": entry.signed_hash, "log_index": entry.log_index}
    match message:
        case PeerAgreement():
            return "write_peers", row | _agreement(message)
        case PeerCheckpoint():
            return "write_peer_checkpoints", row | _checkpoint(message)
        case Equivocation():
            return "write_equivocations", row | _equivocation(message)


def _agreement(message: PeerAgreement) -> Row:
    return {
        "agreement_id": message.envelope.id,
        "issued_at": format_instant(message.envelope.time),
        "url": message.url,
        "log_key": message.log_key,
        "transport_key": message.transport_key.did_key if message.transport_key else None,
        "clearance": message.clearance.value,
        "entries_per_pull": message.quota.entries_per_pull,
        "bytes_per_day": message.quota.bytes_per_day,
        "suspended": message.suspended,
        "private_address": message.private_address or None,
    }


def _checkpoint(message: PeerCheckpoint) -> Row:
    checkpoint = read_checkpoint(read_note(message.checkpoint).text)
    return {
        "message_id": message.envelope.id,
        "issued_at": format_instant(message.envelope.time),
        "tree_size": checkpoint.tree_size,
        "root_hash": checkpoint.root_hash.hex(),
        "checkpoint": message.checkpoint,
    }


def _equivocation(message: Equivocation) -> Row:
    proof = message.consistency_proof or ()
    return {
        "equivocation_id": message.envelope.id,
        "reported_at": format_instant(message.envelope.time),
        "reporting_agent": message.envelope.agent_id,
        "checkpoints": list(message.checkpoints),
        "consistency_proof": [base64.b64encode(node).decode("ascii") for node in proof],
    }
