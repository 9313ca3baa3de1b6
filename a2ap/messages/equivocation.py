"""Equivocations: two checkpoints of one log that cannot both be true, shown to everybody (docs/reference/log.md).

This module reads two notes; `a2ap.log.equivocation` checks that they contradict each other.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import check_note, read_agent_id, read_texts
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL

_HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class Equivocation:
    """Two notes signed by one log; `consistency_proof` has the hashes of `verify_equivocation`, if the sizes differ.

    `successions` are the notes that lead from a known key of the log to those that signed, in log order.
    """

    envelope: Envelope
    origin: str
    checkpoints: tuple[str, str]
    consistency_proof: tuple[bytes, ...] | None
    successions: tuple[str, ...] = ()

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "Equivocation":
        """Read an equivocation out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.EQUIVOCATION,
            time_member="reportedAt",
            agent_id=read_agent_id(message, "reportingAgent"),
        )
        return cls(
            envelope=envelope,
            origin=read_agent_id(message, "origin"),
            checkpoints=_read_checkpoints(message),
            consistency_proof=_read_proof(message) if "consistencyProof" in message else None,
            successions=_read_successions(message) if "successions" in message else (),
        )


def build_equivocation(
    *,
    equivocation_id: str,
    reported_at: datetime,
    reporting_agent: str,
    origin: str,
    checkpoints: tuple[str, str],
    consistency_proof: Sequence[bytes] | None = None,
    successions: Sequence[str] = (),
) -> dict[str, Any]:
    """Return an unsigned report of two notes, as received, that one log signed."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.EQUIVOCATION.wire,
        "@id": equivocation_id,
        "reportedAt": format_instant(reported_at),
        "reportingAgent": reporting_agent,
        "origin": origin,
        "checkpoints": list(checkpoints),
    }
    if consistency_proof is not None:
        message["consistencyProof"] = [base64.b64encode(node).decode("ascii") for node in consistency_proof]
    if successions:
        message["successions"] = list(successions)
    return message


def _read_checkpoints(message: Mapping[str, Any]) -> tuple[str, str]:
    notes = read_texts(message, "checkpoints")
    if len(notes) != 2:
        raise FieldError("checkpoints", f"has {len(notes)} items, not 2")
    for index, note in enumerate(notes):
        check_note(note, f"checkpoints[{index}]")
    if notes[0] == notes[1]:
        raise FieldError("checkpoints", "has one note twice")
    return notes[0], notes[1]


def _read_successions(message: Mapping[str, Any]) -> tuple[str, ...]:
    notes = read_texts(message, "successions")
    for index, note in enumerate(notes):
        check_note(note, f"successions[{index}]")
    return notes


def _read_proof(message: Mapping[str, Any]) -> tuple[bytes, ...]:
    return tuple(
        _decode(text, f"consistencyProof[{index}]")
        for index, text in enumerate(read_texts(message, "consistencyProof"))
    )


def _decode(text: str, path: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FieldError(path, "is not padded standard base64") from error
    if len(data) != _HASH_BYTES or base64.b64encode(data).decode("ascii") != text:
        raise FieldError(path, f"is not {_HASH_BYTES} bytes in padded standard base64")
    return data
