"""Endorsements: an operator answers for an agent, as that agent was registered (docs/explanation/consensus.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.fields import read_agent_id, read_hash
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class Endorsement:
    """The endorsed agent; `target_hash` is the signed hash of its registration."""

    envelope: Envelope
    endorsed_agent: str
    target_hash: str

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "Endorsement":
        """Read an endorsement out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.ENDORSEMENT,
            time_member="endorsedAt",
            agent_id=read_agent_id(message, "endorsingAgent"),
        )
        return cls(
            envelope=envelope,
            endorsed_agent=read_agent_id(message, "endorsedAgent"),
            target_hash=read_hash(message, "targetHash"),
        )


def build_endorsement(
    *, endorsement_id: str, endorsed_at: datetime, endorsing_agent: str, endorsed_agent: str, target_hash: str
) -> dict[str, Any]:
    """Return an unsigned endorsement; `target_hash` is the signed hash of the agent's registration."""
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.ENDORSEMENT.wire,
        "@id": endorsement_id,
        "endorsedAt": format_instant(endorsed_at),
        "endorsingAgent": endorsing_agent,
        "endorsedAgent": endorsed_agent,
        "targetHash": target_hash,
    }
