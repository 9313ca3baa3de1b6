"""A packet that conforms to CP-Core, as a value; others stay documents."""

from collections.abc import Mapping
from typing import Any

from a2ap.packet.check_packet import Report, check_packet
from a2ap.packet.document import PacketDocument, read_document
from a2ap.packet.errors import PacketFormError
from a2ap.packet.extensions import local_mappings, mappings_of, read_boundary, read_use
from a2ap.packet.packet import Packet
from a2ap.packet.vocabulary import Level
from a2ap.packet.wire import read_members


def read_packet(data: bytes) -> Packet:
    """Read the bytes of a packet. Raises PacketTextError, and PacketFormError if it does not reach CP-Core."""
    return packet_of(read_document(data))


def packet_of(document: PacketDocument, report: Report | None = None) -> Packet:
    """Return a document as a value; `report` is the report of its check, if there is one already.

    Local words stand for the words that `ext` maps them to. Raises PacketFormError if it does not reach CP-Core.
    """
    found = report or check_packet(document)
    if found.level is None:
        errors = found.errors_at(Level.CORE)
        rest = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
        raise PacketFormError(f"{errors[0]}{rest}")
    return read_members(Packet, _resolved(document.members))


def _resolved(members: Mapping[str, Any]) -> dict[str, Any]:
    scope = members["scope"]
    mappings = mappings_of(members)
    uses = {
        name: [read_use(word, mappings) for word in scope[name]]
        for name in ("allowed_use", "disallowed_use")
        if scope.get(name) is not None
    }
    ceiling = {"boundary_ceiling": read_boundary(scope["boundary_ceiling"], mappings)}
    items = [_with_class(item, local_mappings(item.get("ext")), mappings) for item in members["items"]]
    left_out = members.get("exclusions")
    exclusions = None if left_out is None else [_with_class(one, mappings) for one in left_out]
    return {**members, "scope": {**scope, **uses, **ceiling}, "items": items, "exclusions": exclusions}


def _with_class(members: Mapping[str, Any], *mappings: Mapping[str, str]) -> dict[str, Any]:
    return {**members, "boundary": read_boundary(members.get("boundary"), *mappings)}
