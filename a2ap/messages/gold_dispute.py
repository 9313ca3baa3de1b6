"""Gold disputes: an agent says that a gold label is wrong, and why (docs/how-to/gold.md).

Any registered agent may dispute. A dispute by an agent of a seeded operator suspends the label until the operator
states it again in a label that answers the dispute; the policy decides which agents those are, not this module.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.fields import read_agent_id, read_hash, read_text, read_uuid
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.probe import read_hashes
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class GoldDispute:
    """The label that is disputed, by id and signed hash; `evidence` are signed hashes of statements that show why."""

    envelope: Envelope
    target_label: str
    target_hash: str
    reason: str
    evidence: tuple[str, ...]

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "GoldDispute":
        """Read a dispute out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.GOLD_DISPUTE,
            time_member="disputedAt",
            agent_id=read_agent_id(message, "disputingAgent"),
        )
        return cls(
            envelope=envelope,
            target_label=read_uuid(message, "targetLabel"),
            target_hash=read_hash(message, "targetHash"),
            reason=read_text(message, "reason"),
            evidence=read_hashes(message, "evidence") if "evidence" in message else (),
        )


def build_gold_dispute(
    *,
    dispute_id: str,
    disputed_at: datetime,
    disputing_agent: str,
    target_label: str,
    target_hash: str,
    reason: str,
    evidence: Sequence[str] = (),
) -> dict[str, Any]:
    """Return an unsigned dispute of a gold label; `target_hash` is the label's signed hash."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.GOLD_DISPUTE.wire,
        "@id": dispute_id,
        "disputedAt": format_instant(disputed_at),
        "disputingAgent": disputing_agent,
        "targetLabel": target_label,
        "targetHash": target_hash,
        "reason": reason,
    }
    return {**message, "evidence": list(evidence)} if evidence else message
