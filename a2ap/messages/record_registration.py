"""Record registrations: bytes that are a record of another format, and their boundary class.

Context Passports, Packs and Packets are taken as they are, byte for byte, and are named by their hash. An agent that
registers one says that it was received, and not that its content is true.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from a2ap.boundary import Boundary
from a2ap.fields import read_agent_id, read_choice, read_hash
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.possession import read_possession_mac
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


class RecordFormat(StrEnum):
    """The formats of the neighbours, each with a specification of its own."""

    PASSPORT = "context-passport"
    PACK = "context-pack"
    PACKET = "context-packet"
    RECEIPT = "packet-receipt"
    RETURN = "packet-return"
    DISPOSITION = "packet-disposition"


@dataclass(frozen=True, slots=True)
class RecordRegistration:
    """A record by its format and the hash of its bytes; `possession_mac` is as in a `SourceRegistration`."""

    envelope: Envelope
    format: RecordFormat
    document_hash: str
    boundary: Boundary
    possession_mac: str | None = None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "RecordRegistration":
        """Read a registration out of the JSON of `received`; raises `MessageError`."""
        return cls(
            envelope=read_envelope(
                message,
                received,
                type=MessageType.RECORD_REGISTRATION,
                time_member="registeredAt",
                agent_id=read_agent_id(message, "registeringAgent"),
            ),
            format=read_choice(message, "format", RecordFormat),
            document_hash=read_hash(message, "documentHash"),
            boundary=read_choice(message, "boundary", Boundary),
            possession_mac=read_possession_mac(message),
        )


def build_record_registration(
    *,
    registration_id: str,
    registered_at: datetime,
    registering_agent: str,
    format: RecordFormat,
    document_hash: str,
    boundary: Boundary,
    possession_mac: str | None = None,
) -> dict[str, Any]:
    """Return an unsigned registration; `document_hash` is that of the record's bytes, `sha256:…`."""
    message = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.RECORD_REGISTRATION.wire,
        "@id": registration_id,
        "registeredAt": format_instant(registered_at),
        "registeringAgent": registering_agent,
        "format": format.value,
        "documentHash": document_hash,
        "boundary": boundary.value,
        "possessionMac": possession_mac,
    }
    return {name: value for name, value in message.items() if value is not None}
