"""Log key rotations: the old log key names the new one, and from which tree size on it signs (docs/reference/log.md).

`note` is the signed note that `a2ap.log.log_key` makes and reads; here it is a text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.fields import read_agent_id, read_note
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class LogKeyRotation:
    """The log's origin and the succession, a note signed by the old log key."""

    envelope: Envelope
    origin: str
    note: str

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "LogKeyRotation":
        """Read a rotation out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.LOG_KEY_ROTATION,
            time_member="issuedAt",
            agent_id=read_agent_id(message, "issuingAgent"),
        )
        return cls(envelope=envelope, origin=read_agent_id(message, "origin"), note=read_note(message, "note"))


def build_log_key_rotation(
    *, rotation_id: str, issued_at: datetime, issuing_agent: str, origin: str, note: str
) -> dict[str, Any]:
    """Return an unsigned rotation; `note` is a result of `a2ap.log.log_key.build_succession`."""
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.LOG_KEY_ROTATION.wire,
        "@id": rotation_id,
        "issuedAt": format_instant(issued_at),
        "issuingAgent": issuing_agent,
        "origin": origin,
        "note": note,
    }
