"""Retractions: an agent takes back an earlier message of its own (docs/how-to/retraction.md).

The retracted message stays, with the retraction beside it. A retraction binds its target by id and by hash. A
correction is another message: a statement with `prov:wasRevisionOf`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import read_agent_id, read_hash, read_optional_text, read_uuid, shown
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL

# The messages that can be taken back: claims and verdicts of an agent, and an operator's gold and disputes of it.
RETRACTABLE = (
    MessageType.STATEMENT,
    MessageType.VERIFICATION_RESPONSE,
    MessageType.GOLD_LABEL,
    MessageType.GOLD_DISPUTE,
)


@dataclass(frozen=True, slots=True)
class Retraction:
    """The message that is retracted, by id, type and signed hash."""

    envelope: Envelope
    target_message: str
    target_type: MessageType
    target_hash: str
    reason: str | None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "Retraction":
        """Read a retraction out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.RETRACTION,
            time_member="retractedAt",
            agent_id=read_agent_id(message, "retractingAgent"),
        )
        return cls(
            envelope=envelope,
            target_message=read_uuid(message, "targetMessage"),
            target_type=_read_target_type(message),
            target_hash=read_hash(message, "targetHash"),
            reason=read_optional_text(message, "reason"),
        )


def build_retraction(
    *,
    retraction_id: str,
    retracted_at: datetime,
    retracting_agent: str,
    target_message: str,
    target_hash: str,
    target_type: MessageType = MessageType.STATEMENT,
    reason: str | None = None,
) -> dict[str, Any]:
    """Return an unsigned retraction of a message of a `RETRACTABLE` type; `target_hash` is its signed hash."""
    message = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.RETRACTION.wire,
        "@id": retraction_id,
        "retractedAt": format_instant(retracted_at),
        "retractingAgent": retracting_agent,
        "targetMessage": target_message,
        "targetType": target_type.wire,
        "targetHash": target_hash,
    }
    return message if reason is None else {**message, "reason": reason}


def _read_target_type(message: Mapping[str, Any]) -> MessageType:
    if "targetType" not in message:
        raise FieldError("targetType", "is missing")
    for target_type in RETRACTABLE:
        if message["targetType"] == target_type.wire:
            return target_type
    names = " or ".join(target_type.wire for target_type in RETRACTABLE)
    raise FieldError("targetType", f"is {shown(message['targetType'])}, not {names}")
