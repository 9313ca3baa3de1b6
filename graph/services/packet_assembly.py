"""Assembles a packet from the graph of an open platform, within its reader's clearance."""

from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from a2ap.boundary import Boundary
from a2ap.messages.record_registration import RecordFormat
from a2ap.packet.building import write_packet
from a2ap.packet.document import PacketDocument, read_document
from a2ap.packet.packet import Packet, Receipt
from a2ap.packet.records import write_record
from a2ap.packet.vocabulary import ReceiptEvent
from a2ap.signing.keys import Signer
from graph.clearance import Reader
from graph.errors import ForbiddenError
from graph.keys.signing_aside import signed_aside
from graph.packets.assembly import ORDERED_BY, assemble
from graph.packets.facts import Selection
from graph.packets.order import PacketOrder
from graph.packets.receipts import make_receipt
from graph.packets.selection import select
from graph.platform import Platform
from graph.quotas.caller import Caller
from graph.services.record_submission import register_received

_ATTEMPTS = 3


async def assemble_packet(
    platform: Platform, reader: Reader, order: PacketOrder, now: datetime, caller: Caller | None = None
) -> bytes:
    """Return the bytes of a packet; the same graph, order, reader and time give the same bytes.

    The delivery of an audited packet is registered before this returns. Raises `ForbiddenError` if the ceiling is above
    the reader's clearance, or the use above the reader's grant, and the errors of `select` and `assemble`.
    """
    if not reader.may_read(order.ceiling):
        raise ForbiddenError(f"the ceiling is {order.ceiling}, and this reader is cleared for {reader.clearance}")
    reader.check_grant(order.use, "a packet")
    selection = await _select(platform, reader, order, now)
    node = platform.node
    packet = assemble(order, selection, node.agent_id, now, name_of_reader(reader, node.agent_id))
    if not order.signed:
        content = seal(packet, audited=order.audited)
    else:
        content = await signed_aside(
            node.key, lambda: seal(packet, audited=order.audited, key=node.key, key_id=node.key_id)
        )
    if order.audited:
        await log_delivery(platform, reader, read_document(content), order.ceiling, now, caller)
    return content


def name_of_reader(reader: Reader, node: str) -> str:
    """Return the name that a packet gives to the reader that ordered it.

    The operator of a node is named by the node, a peer by its key, and a reader with a token by eight digits that
    distinguish it from other readers and are too few to guess the token from.
    """
    if reader.operator:
        return f"operator:{node}"
    if reader.peer_key is not None:
        return f"peer:{reader.peer_key.did_key}"
    if reader.token is not None:
        return f"reader:{sha256(b'a2ap.ordered_by' + reader.token).hexdigest()[:8]}"
    return "anonymous"


async def log_delivery(
    platform: Platform,
    reader: Reader,
    document: PacketDocument,
    ceiling: Boundary,
    now: datetime,
    caller: Caller | None = None,
) -> None:
    """Register the node's receipt that it delivered an audited packet (§9), with the class of the packet.

    Raises `ForbiddenError` if records are not taken from this reader.
    """
    node = platform.node
    receipt = make_receipt(
        document,
        ReceiptEvent.DELIVERED,
        f"system:{node.agent_id}",
        now,
        ext={ORDERED_BY: name_of_reader(reader, node.agent_id)},
    )
    content = await signed_aside(node.key, lambda: write_record(receipt, key=node.key, key_id=node.key_id))
    await register_received(platform, reader, RecordFormat.RECEIPT, [content], ceiling, caller=caller)


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
    """Select at one size of the log; if it keeps growing meanwhile, the packet names the size before."""
    found = await select(platform.store, platform.log, reader, order, now)
    for _ in range(_ATTEMPTS - 1):
        await platform.log.refresh()
        if platform.log.checkpoint.tree_size == found.state.size:
            break
        found = await select(platform.store, platform.log, reader, order, now)
    return found
