"""Peer agreements: the terms on which a node takes entries from another node and gives its own.

See docs/how-to/federation.md.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.boundary import Boundary
from a2ap.errors import FieldError, KeyFormatError
from a2ap.fields import (
    read_agent_id,
    read_boolean,
    read_choice,
    read_id,
    read_integer,
    read_line,
    read_object,
    read_text,
)
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.signing.keys import PublicKey
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL

_URL = re.compile(r"https?://[^/?#]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PeerQuota:
    """The limits on a peer: entries in one pull, and bytes of documents in a day."""

    entries_per_pull: int
    bytes_per_day: int


@dataclass(frozen=True, slots=True)
class PeerAgreement:
    """A peer by the origin and verifier key of its log; a later agreement about the origin takes this one's place.

    `transport_key` is the key with which the peer signs its requests, `clearance` the highest class that it may read
    here. With `private_address` the name in `url` may lead into a private network.
    """

    envelope: Envelope
    origin: str
    url: str | None
    log_key: str
    transport_key: PublicKey | None
    clearance: Boundary
    quota: PeerQuota
    suspended: bool
    private_address: bool

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "PeerAgreement":
        """Read an agreement out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.PEER_AGREEMENT,
            time_member="issuedAt",
            agent_id=read_agent_id(message, "issuingAgent"),
        )
        quota = read_object(message, "quota")
        return cls(
            envelope=envelope,
            origin=read_agent_id(message, "origin"),
            url=_read_url(message) if "url" in message else None,
            log_key=read_line(message, "logKey"),
            transport_key=_read_transport_key(message) if "transportKey" in message else None,
            clearance=read_choice(message, "clearance", Boundary),
            quota=PeerQuota(
                entries_per_pull=read_integer(quota, "entriesPerPull", "quota"),
                bytes_per_day=read_integer(quota, "bytesPerDay", "quota"),
            ),
            suspended=read_boolean(message, "suspended"),
            private_address="privateAddress" in message and read_boolean(message, "privateAddress"),
        )


def build_peer_agreement(
    *,
    agreement_id: str,
    issued_at: datetime,
    issuing_agent: str,
    origin: str,
    log_key: str,
    clearance: Boundary,
    quota: PeerQuota,
    url: str | None = None,
    transport_key: PublicKey | None = None,
    suspended: bool = False,
    private_address: bool = False,
) -> dict[str, Any]:
    """Return an unsigned agreement; `log_key` is the verifier key of the peer's log."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.PEER_AGREEMENT.wire,
        "@id": agreement_id,
        "issuedAt": format_instant(issued_at),
        "issuingAgent": issuing_agent,
        "origin": origin,
        "logKey": log_key,
        "clearance": clearance.value,
        "quota": {"entriesPerPull": quota.entries_per_pull, "bytesPerDay": quota.bytes_per_day},
        "suspended": suspended,
    }
    if url is not None:
        message["url"] = url
    if transport_key is not None:
        message["transportKey"] = transport_key.did_key
    if private_address:
        message["privateAddress"] = True
    return message


def _read_url(message: Mapping[str, Any]) -> str:
    url = read_id(message, "url")
    if _URL.match(url) is None:
        raise FieldError("url", f"is {url!r}, not an http or https URL")
    return url


def _read_transport_key(message: Mapping[str, Any]) -> PublicKey:
    text = read_text(message, "transportKey")
    try:
        return PublicKey.from_did_key(text)
    except KeyFormatError as error:
        raise FieldError("transportKey", f"is no did:key: {error}") from error
