"""Submits the packs of an agent's runs, each under the agent's own registration."""

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from a2ap.boundary import Boundary
from a2ap.client import Client, Receipt
from a2ap.client.possession import send_with_proof
from a2ap.messages.possession import possession_mac
from a2ap.messages.record_registration import RecordFormat, build_record_registration
from a2ap.pack.archive import write_archive
from a2ap.pack.packing import Pack


def registration_of(
    agent_id: str, name: str, boundary: Boundary, at: datetime, mac: str | None = None
) -> dict[str, Any]:
    """Return the unsigned registration of a pack; the same arguments give the same one, so it can be sent again."""
    return build_record_registration(
        registration_id=_registration_id(agent_id, name, boundary, mac),
        registered_at=at,
        registering_agent=agent_id,
        format=RecordFormat.PACK,
        document_hash=name,
        boundary=boundary,
        possession_mac=mac,
    )


def hand_in_pack(
    client: Client,
    pack: Pack,
    agent_id: str,
    boundary: Boundary,
    at: datetime,
    sign: Callable[[dict[str, Any]], dict[str, Any]],
) -> Receipt:
    """Register a pack with its contents, signed by the agent of the run. Raises the errors of the client."""
    archive = write_archive([pack])

    def hand_in(mac: str | None) -> Receipt:
        registration = sign(registration_of(agent_id, pack.hash, boundary, at, mac))
        (receipt,) = client.register_records("/packs", archive, registration=registration)
        return receipt

    return send_with_proof(hand_in, possession_mac(agent_id, pack.data))


def _registration_id(agent_id: str, name: str, boundary: Boundary, mac: str | None) -> str:
    # A version 5 id is for statements; the randomness of this one is that of the pack's hash.
    words = " ".join(filter(None, [agent_id, "pack", name, boundary.value, mac]))
    digest = sha256(words.encode()).digest()
    return UUID(bytes=digest[:16], version=4).urn
