"""Packets by the names that they go by: the SHA-256 of their bytes, the hash that they state, and their id."""

from graph.errors import NotFoundError
from graph.store import Row, Store

PACKET = "Packet"
PACKET_RECORD = "PacketRecord"


async def packet_row(store: Store, name: str) -> Row:
    """Return the row of the first packet in the log of that record hash, packet hash or id; raise `NotFoundError`."""
    rows = await store.read("packets_named", names=[name])
    if not rows:
        raise NotFoundError(f"no packet {name[:200]} is registered")
    return rows[0]
