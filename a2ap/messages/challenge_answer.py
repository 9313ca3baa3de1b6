"""Answers to challenges: the author of a statement replies to a verdict that challenges it.

The answer changes neither statement nor verdict; both stay, with the answer beside them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import read_agent_id, read_hash, read_text, read_uuid
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.pointers import read_pointers
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class ChallengeAnswer:
    """The challenge, by id and signed hash, and the challenged author's reply to it, with pointers to passages."""

    envelope: Envelope
    target_verification: str
    target_hash: str
    text: str
    evidence: tuple[EvidenceSegment, ...] = ()

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "ChallengeAnswer":
        """Read an answer out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.CHALLENGE_ANSWER,
            time_member="answeredAt",
            agent_id=read_agent_id(message, "answeringAgent"),
        )
        text = read_text(message, "text")
        if not text.strip():
            raise FieldError("text", "is empty")
        return cls(
            envelope=envelope,
            target_verification=read_uuid(message, "targetVerification"),
            target_hash=read_hash(message, "targetHash"),
            text=text,
            evidence=read_pointers(message),
        )


def build_challenge_answer(
    *,
    answer_id: str,
    answered_at: datetime,
    answering_agent: str,
    target_verification: str,
    target_hash: str,
    text: str,
    evidence: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return an unsigned answer; `target_hash` is the signed hash of the verdict, `evidence` of `build_segment`."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.CHALLENGE_ANSWER.wire,
        "@id": answer_id,
        "answeredAt": format_instant(answered_at),
        "answeringAgent": answering_agent,
        "targetVerification": target_verification,
        "targetHash": target_hash,
        "text": text,
    }
    if evidence:
        message["evidence"] = [dict(pointer) for pointer in evidence]
    return message
