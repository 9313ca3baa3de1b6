"""Assembles a packet from the graph of an open platform, within what its reader may see."""

from dataclasses import replace
from datetime import datetime

from a2ap.keys import Signer
from a2ap.packet.building import write_packet
from a2ap.packet.document import read_document
from a2ap.packet.packet import Packet, Receipt
from a2ap.packet.vocabulary import ReceiptEvent
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

    Raises `ForbiddenError` where the ceiling is above the reader's clearance, or the use above what it grants, and what
    `select` and `assemble` raise.
    """
    if not reader.may_read(order.ceiling):
        raise ForbiddenError(f"the ceiling is {order.ceiling}, and this reader is cleared for {reader.clearance}")
    reader.check_grant(order.use, "a packet")
    selection = await _select(platform, reader, order, now)
    node = platform.node
    packet = assemble(order, selection, node.agent_id, now)
    if not order.signed:
        return seal(packet, audited=order.audited)
    return await signed_aside(node.key, lambda: seal(packet, audited=order.audited, key=node.key, key_id=node.key_id))


def seal(packet: Packet, *, audited: bool, key: Signer | None = None, key_id: str | None = None) -> bytes:
    """Return the bytes of a packet with its hash and signature; an audited one has the receipt of its assembly."""
    content = write_packet(packet, key=key, key_id=key_id)
    if not audited:
        return content
    stated = read_document(content).packet_hash
    receipt = Receipt(
        receipt_id=f"rcp_{packet.packet_id.removeprefix('cpk_')}_assembled",
        event=ReceiptEvent.ASSEMBLED,
        at=packet.created_at,
        by=f"system:{packet.producer.id}",
        observability_ref=packet.lineage.assembled_from[0],
        packet_hash=stated,
    )
    # Receipts are in no hash and under no signature, so that both stay as they are.
    return write_packet(replace(packet, receipts=(receipt,)), key=key, key_id=key_id)


async def _select(platform: Platform, reader: Reader, order: PacketOrder, now: datetime) -> Selection:
    """Select at one size of the log; where it keeps growing meanwhile, the packet names the size before."""
    found = await select(platform.store, platform.log, reader, order, now)
    for _ in range(_ATTEMPTS - 1):
        await platform.log.refresh()
        if platform.log.checkpoint.tree_size == found.state.size:
            break
        found = await select(platform.store, platform.log, reader, order, now)
    return found
