"""Source registrations: the bytes that a source's name stands for, and their boundary class (docs/decisions/0041)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.boundary import Boundary
from a2ap.errors import FieldError
from a2ap.fields import (
    read_agent_id,
    read_choice,
    read_hash,
    read_id,
    read_integer,
    read_object,
    read_optional_text,
    read_text,
)
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.possession import read_possession_mac
from a2ap.times import format_instant, parse_instant
from contexts import A2AP_CONTEXT_URL

# Shown as a link to people: nothing but the web may be behind it.
_ORIGIN = re.compile(r"https?://[^/?#]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SourceRegistration:
    """A source by name (`source_id`, `urn:doc:…`) and by hash; `origin` is the URL that it came from.

    Every message has a `title`; it is None if the description of the source is withheld from a reader.
    `licence` is an IRI or words; the bytes may be kept until `retain_until`, and are then erased. `possession_mac` is
    the agent's `PossessionMac` of the bytes, as text.
    """

    envelope: Envelope
    source_id: str
    document_hash: str
    boundary: Boundary
    title: str | None
    publisher: str | None
    origin: str | None
    media_type: str | None
    byte_length: int | None
    licence: str | None
    rights_holder: str | None
    retain_until: datetime | None
    possession_mac: str | None = None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "SourceRegistration":
        """Read a registration out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.SOURCE_REGISTRATION,
            time_member="registeredAt",
            agent_id=read_agent_id(message, "registeringAgent"),
        )
        source = read_object(message, "source")
        return cls(
            envelope=envelope,
            source_id=read_id(source, "@id", "source"),
            document_hash=read_hash(source, "documentHash", "source"),
            boundary=read_choice(source, "boundary", Boundary, "source"),
            title=read_text(source, "title", "source"),
            publisher=read_optional_text(source, "publisher", "source"),
            origin=_read_origin(source) if "origin" in source else None,
            media_type=read_optional_text(source, "mediaType", "source"),
            byte_length=read_integer(source, "byteLength", "source") if "byteLength" in source else None,
            licence=read_optional_text(source, "licence", "source"),
            rights_holder=read_optional_text(source, "rightsHolder", "source"),
            retain_until=_read_retention(source) if "retainUntil" in source else None,
            possession_mac=read_possession_mac(source),
        )


def build_source_registration(
    *,
    registration_id: str,
    registered_at: datetime,
    registering_agent: str,
    source_id: str,
    document_hash: str,
    boundary: Boundary,
    title: str,
    publisher: str | None = None,
    origin: str | None = None,
    media_type: str | None = None,
    byte_length: int | None = None,
    licence: str | None = None,
    rights_holder: str | None = None,
    retain_until: datetime | None = None,
    possession_mac: str | None = None,
) -> dict[str, Any]:
    """Return an unsigned registration; `document_hash` is that of the source's bytes, `sha256:…`.

    `possession_mac` is the agent's `PossessionMac` of the bytes, as text; such a registration is sent with the bytes.
    """
    source: dict[str, Any] = {
        "@id": source_id,
        "documentHash": document_hash,
        "boundary": boundary.value,
        "title": title,
        "publisher": publisher,
        "origin": origin,
        "mediaType": media_type,
        "byteLength": byte_length,
        "licence": licence,
        "rightsHolder": rights_holder,
        "retainUntil": None if retain_until is None else format_instant(retain_until),
        "possessionMac": possession_mac,
    }
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.SOURCE_REGISTRATION.wire,
        "@id": registration_id,
        "registeredAt": format_instant(registered_at),
        "registeringAgent": registering_agent,
        "source": {name: value for name, value in source.items() if value is not None},
    }


def _read_origin(source: Mapping[str, Any]) -> str:
    origin = read_id(source, "origin", "source")
    if _ORIGIN.match(origin) is None:
        raise FieldError("source.origin", f"is {origin!r}, not an http or https URL")
    return origin


def _read_retention(source: Mapping[str, Any]) -> datetime:
    return parse_instant(source["retainUntil"], "source.retainUntil")
