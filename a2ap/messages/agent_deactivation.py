"""Agent deactivations: an agent makes no further messages, and its earlier ones stay (docs/how-to/keys.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.fields import read_agent_id, read_optional_text
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class AgentDeactivation:
    """The agent that is deactivated, by itself or by the node."""

    envelope: Envelope
    agent: str
    reason: str | None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "AgentDeactivation":
        """Read a deactivation out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.AGENT_DEACTIVATION,
            time_member="deactivatedAt",
            agent_id=read_agent_id(message, "deactivatingAgent"),
        )
        return cls(
            envelope=envelope, agent=read_agent_id(message, "agent"), reason=read_optional_text(message, "reason")
        )


def build_agent_deactivation(
    *,
    deactivation_id: str,
    deactivated_at: datetime,
    deactivating_agent: str,
    agent: str,
    reason: str | None = None,
) -> dict[str, Any]:
    """Return an unsigned deactivation."""
    message = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.AGENT_DEACTIVATION.wire,
        "@id": deactivation_id,
        "deactivatedAt": format_instant(deactivated_at),
        "deactivatingAgent": deactivating_agent,
        "agent": agent,
    }
    return message if reason is None else {**message, "reason": reason}
