"""The bytes of a packet that is made here: members in the order of the text, signed if a key is given, and hashed.

Nothing here selects or judges content: that is the assembler's (§13).
"""

import json
from collections.abc import Mapping
from typing import Any

from a2ap.packet.canon import packet_hash
from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import PacketDocument, part_of, read_document
from a2ap.packet.errors import PacketFormError
from a2ap.packet.packet import Packet
from a2ap.packet.signature import sign_members
from a2ap.packet.vocabulary import CANONICALIZER, ORDER, HashAlgorithm, Level
from a2ap.packet.wire import wire_members
from a2ap.signing.keys import Signer


def packet_members(packet: Packet) -> dict[str, Any]:
    """Return a packet as on the wire, members in the order of the text."""
    members = wire_members(packet)
    return {name: members[name] for name in ORDER if name in members}


def seal_packet(
    members: Mapping[str, Any],
    algorithm: HashAlgorithm = HashAlgorithm.BLAKE2B_256,
    *,
    key: Signer | None = None,
    key_id: str | None = None,
) -> dict[str, Any]:
    """Return the members of a packet with its hash, and before that with a signature if a key is given.

    A missing `reproducibility` block is added. Raises PacketHashError if the packet has no canonical form, and
    ValueError for a key without its id.
    """
    block = {**part_of(members, "reproducibility"), "hash_algorithm": str(algorithm)}
    block["canonicalizer_version"] = CANONICALIZER
    block.pop("packet_hash", None)
    sealed: dict[str, Any] = {**members, "reproducibility": block}
    if key is not None:
        if key_id is None:
            raise ValueError("a key signs under an id")
        sealed = sign_members(sealed, key, key_id)
    block = {"packet_hash": packet_hash(sealed, algorithm), **block}
    return _in_order({**sealed, "reproducibility": block})


def write_packet(
    packet: Packet,
    algorithm: HashAlgorithm = HashAlgorithm.BLAKE2B_256,
    *,
    key: Signer | None = None,
    key_id: str | None = None,
) -> bytes:
    """Return the bytes of a packet with its hash, as people read it. Raises PacketFormError below CP-Core."""
    document = write_members(seal_packet(packet_members(packet), algorithm, key=key, key_id=key_id))
    report = check_packet(document)
    if report.level is None:
        raise PacketFormError(f"the packet does not reach CP-Core: {report.errors_at(Level.CORE)[0]}")
    return document.data


def write_members(members: Mapping[str, Any]) -> PacketDocument:
    """Return a packet of these members, written with indents, as a reader will read it. Raises PacketFormError."""
    try:
        text = json.dumps(members, ensure_ascii=False, allow_nan=False, indent=2)
        return read_document(text.encode("utf-8") + b"\n")
    except (ValueError, TypeError, RecursionError) as error:
        raise PacketFormError(f"the packet cannot be written as JSON: {error}") from error


def _in_order(members: Mapping[str, Any]) -> dict[str, Any]:
    places = {name: place for place, name in enumerate(ORDER)}
    return {name: members[name] for name in sorted(members, key=lambda name: places.get(name, len(places)))}
