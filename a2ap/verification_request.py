"""Verification requests: an agent asks others to check a statement (A2AP §2.2).

The form of §2.2 is unsigned and names its target by id alone. Signed, and with `targetHash`, it binds
(design §4.5); what an unsigned one is worth is the platform's to decide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.envelope import Envelope, MessageType, read_envelope
from a2ap.errors import FieldError
from a2ap.fields import check_distinct, read_agent_id, read_optional_hash, read_texts, read_uuid
from a2ap.identifiers import MAX_ID_BYTES
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class VerificationRequest:
    """A statement to be checked, and by which criteria (at least one, each once)."""

    envelope: Envelope
    target_statement: str
    target_hash: str | None
    criteria: tuple[str, ...]

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "VerificationRequest":
        """Read a request out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.VERIFICATION_REQUEST,
            time_member="requestedAt",
            agent_id=read_agent_id(message, "requestingAgent"),
            signed=False,
        )
        return cls(
            envelope=envelope,
            target_statement=read_uuid(message, "targetStatement"),
            target_hash=read_optional_hash(message, "targetHash"),
            criteria=read_criteria(message, "verificationCriteria"),
        )


def build_verification_request(
    *,
    request_id: str,
    requested_at: datetime,
    requesting_agent: str,
    target_statement: str,
    target_hash: str | None,
    criteria: Sequence[str],
) -> dict[str, Any]:
    """Return an unsigned request (A2AP §2.2); `target_hash` is the signed hash of the statement."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.VERIFICATION_REQUEST.wire,
        "@id": request_id,
        "requestedAt": format_instant(requested_at),
        "requestingAgent": requesting_agent,
        "targetStatement": target_statement,
    }
    if target_hash is not None:
        message["targetHash"] = target_hash
    return {**message, "verificationCriteria": list(criteria)}


def read_criteria(message: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Read a list of criteria: at least one, each once and no longer than an id."""
    criteria = read_texts(message, name)
    if not criteria:
        raise FieldError(name, "is empty")
    for index, criterion in enumerate(criteria):
        check_criterion(criterion, f"{name}[{index}]")
    check_distinct(criteria, name)
    return criteria


def check_criterion(criterion: str, path: str) -> None:
    """Raise `FieldError` unless a criterion has 1 to 512 bytes; which words there are is not fixed."""
    if not criterion or len(criterion.encode()) > MAX_ID_BYTES:
        raise FieldError(path, f"has {len(criterion.encode())} bytes, not 1 to {MAX_ID_BYTES}")
