"""Assembles a packet from the graph of an open platform, within what its reader may see."""

from datetime import datetime

from a2ap.packet.building import write_packet

from graph.clearance import Reader
from graph.errors import ForbiddenError
from graph.keys.signing_aside import signed_aside
from graph.packets.assembly import assemble
from graph.packets.facts import Selection
from graph.packets.order import PacketOrder
from graph.packets.selection import select
from graph.platform import Platform

_ATTEMPTS = 3


async def assemble_packet(platform: Platform, reader: Reader, order: PacketOrder, now: datetime) -> bytes:
    """Return the bytes of a packet; the same graph, order and time give the same bytes.

    Raises `ForbiddenError` where the ceiling is above the reader's clearance, and what `select` and `assemble` raise.
    """
    if not reader.may_read(order.ceiling):
        raise ForbiddenError(f"the ceiling is {order.ceiling}, and this reader is cleared for {reader.clearance}")
    selection = await _select(platform, reader, order, now)
    packet = assemble(order, selection, platform.node.agent_id, now)
    if not order.signed:
        return write_packet(packet)
    node = platform.node
    return await signed_aside(node.key, lambda: write_packet(packet, signer=node.key, key_id=node.key_id))


async def _select(platform: Platform, reader: Reader, order: PacketOrder, now: datetime) -> Selection:
    """Select at one size of the log; where it keeps growing meanwhile, the packet names the size before."""
    found = await select(platform.store, platform.log, reader, order, now)
    for _ in range(_ATTEMPTS - 1):
        await platform.log.refresh()
        if platform.log.checkpoint.tree_size == found.state.size:
            break
        found = await select(platform.store, platform.log, reader, order, now)
    return found
