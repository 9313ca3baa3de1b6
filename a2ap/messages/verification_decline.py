"""Declines: a verifier says that it will not answer a verification request, with a reason.

A decline ends the verifier's lease on the request, so that others get it at once. It is not a verdict and has no
weight.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import read_agent_id, read_hash, read_text, read_uuid
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class VerificationDecline:
    """The declined request and the statement that it is about, each by id and signed hash."""

    envelope: Envelope
    request: str
    request_hash: str
    target_statement: str
    target_hash: str
    reason: str

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "VerificationDecline":
        """Read a decline out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.VERIFICATION_DECLINE,
            time_member="declinedAt",
            agent_id=read_agent_id(message, "decliningAgent"),
        )
        reason = read_text(message, "reason")
        if not reason.strip():
            raise FieldError("reason", "is empty; the requesting agent is told the reason")
        return cls(
            envelope=envelope,
            request=read_uuid(message, "request"),
            request_hash=read_hash(message, "requestHash"),
            target_statement=read_uuid(message, "targetStatement"),
            target_hash=read_hash(message, "targetHash"),
            reason=reason,
        )


def build_verification_decline(
    *,
    decline_id: str,
    declined_at: datetime,
    declining_agent: str,
    request: str,
    request_hash: str,
    target_statement: str,
    target_hash: str,
    reason: str,
) -> dict[str, Any]:
    """Return an unsigned decline of a request; the hashes are the signed hashes of request and statement."""
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.VERIFICATION_DECLINE.wire,
        "@id": decline_id,
        "declinedAt": format_instant(declined_at),
        "decliningAgent": declining_agent,
        "request": request,
        "requestHash": request_hash,
        "targetStatement": target_statement,
        "targetHash": target_hash,
        "reason": reason,
    }
