"""Finds packets by their names: the SHA-256 of their bytes, the hash that they state, and their id.

The form of a name decides its kind, so that no packet is found under a hash because it states it as its id: `sha256:`
and digits are the hash of bytes, `b2:` and digits a packet's own hash, and everything else is an id. The hash of its
bytes is open to everyone; its own hash and its id are part of its content, and find it only for readers with access to
that.
"""

import re

from graph.clearance import Reader
from graph.errors import NotFoundError
from graph.store import Row, Store

PACKET = "Packet"
PACKET_RECORD = "PacketRecord"

_OF_BYTES = re.compile(r"sha256:[0-9a-f]{64}")
_OF_PACKET = re.compile(r"b2:[0-9a-f]{64}")


async def find_packet(store: Store, name: str, reader: Reader) -> Row | None:
    """Return the row of the packet of that name, with its class; of several, the first in the log."""
    if _OF_BYTES.fullmatch(name):
        rows = await store.read("packets_by_hash", hashes=[name])
    else:
        query = "packets_of_hash" if _OF_PACKET.fullmatch(name) else "packets_of_id"
        rows = await store.read(query, names=[name], readable=list(reader.readable), first=1)
    return rows[0] if rows else None


async def packet_row(store: Store, name: str, reader: Reader) -> Row:
    """Return the row that `find_packet` finds; raise `NotFoundError` if there is none."""
    row = await find_packet(store, name, reader)
    if row is None:
        raise NotFoundError(f"no packet {name[:200]} is registered")
    return row
