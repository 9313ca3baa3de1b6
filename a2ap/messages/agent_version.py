"""Agent versions: an agent is announced as a version of a family (docs/explanation/versions.md).

The agent itself, the family's own agent or a confirmed version of the family announces it.

An agent may also name its family in its registration (`prov:specializationOf` of the agent).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import read_agent_id, read_hash
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class AgentVersion:
    """The version (`agent`), the signed hash of its registration, and the family that it is a version of."""

    envelope: Envelope
    agent: str
    target_hash: str
    family: str

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "AgentVersion":
        """Read an announcement out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.AGENT_VERSION,
            time_member="announcedAt",
            agent_id=read_agent_id(message, "announcingAgent"),
        )
        agent, family = read_agent_id(message, "agent"), read_agent_id(message, "family")
        if agent == family:
            raise FieldError("family", f"is {family}, the version itself")
        return cls(envelope=envelope, agent=agent, target_hash=read_hash(message, "targetHash"), family=family)


def build_agent_version(
    *,
    announcement_id: str,
    announced_at: datetime,
    announcing_agent: str,
    agent: str,
    target_hash: str,
    family: str,
) -> dict[str, Any]:
    """Return an unsigned announcement; `target_hash` is the signed hash of the version's registration."""
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.AGENT_VERSION.wire,
        "@id": announcement_id,
        "announcedAt": format_instant(announced_at),
        "announcingAgent": announcing_agent,
        "agent": agent,
        "targetHash": target_hash,
        "family": family,
    }
