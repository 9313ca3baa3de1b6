"""Peer checkpoints: the state of a peer's log on which the entries taken from it rest (docs/how-to/federation.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.fields import read_agent_id, read_note
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class PeerCheckpoint:
    """The peer's origin and its signed checkpoint, a note as received."""

    envelope: Envelope
    origin: str
    checkpoint: str

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "PeerCheckpoint":
        """Read a peer's checkpoint out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.PEER_CHECKPOINT,
            time_member="issuedAt",
            agent_id=read_agent_id(message, "issuingAgent"),
        )
        return cls(
            envelope=envelope, origin=read_agent_id(message, "origin"), checkpoint=read_note(message, "checkpoint")
        )


def build_peer_checkpoint(
    *, message_id: str, issued_at: datetime, issuing_agent: str, origin: str, checkpoint: str
) -> dict[str, Any]:
    """Return an unsigned message with a peer's checkpoint."""
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.PEER_CHECKPOINT.wire,
        "@id": message_id,
        "issuedAt": format_instant(issued_at),
        "issuingAgent": issuing_agent,
        "origin": origin,
        "checkpoint": checkpoint,
    }
