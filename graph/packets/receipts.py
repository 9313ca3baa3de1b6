"""Receipts of a consumer's steps with a packet: separate records that echo its hash, made and not yet signed."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from a2ap.packet.canon import packet_hash
from a2ap.packet.document import PacketDocument
from a2ap.packet.records import PacketReceipt
from a2ap.packet.vocabulary import ReceiptEvent
from a2ap.times import format_instant
from graph.errors import InputError
from graph.packets.reception import Reception

REVALIDATED = "a2ap.revalidated"
"""The member of a receipt of use that names the state against which the packet was validated again."""


def receipts_of(document: PacketDocument, reception: Reception, by: str, now: datetime) -> tuple[PacketReceipt, ...]:
    """Return the receipts of a reception: of the delivery, and that the packet was opened or why it was not.

    `by` is the agent that received it, with the prefix of an author (`agent:…`). The use of the packet is another step.
    """
    return tuple(make_receipt(document, event, by, now) for event in _events(reception))


def receipts_of_use(
    document: PacketDocument, reception: Reception, by: str, now: datetime, trace: str | None, state: str | None
) -> tuple[PacketReceipt, ...]:
    """Return the receipts of a use: of the use, and of its trace if there is one.

    `state` is the state of the substrate against which the packet was validated again, if it was. Raises `InputError`
    if the packet may not be used now.
    """
    if not reception.usable:
        why = (*reception.reasons, *reception.outstanding)
        raise InputError(f"the packet may not be used: {why[0].words if why else 'it was received for review'}")
    ext = {} if state is None else {REVALIDATED: state}
    used = make_receipt(document, ReceiptEvent.USED, by, now, trace, ext)
    traced = (make_receipt(document, ReceiptEvent.TRACED, by, now, trace),) if trace is not None else ()
    return (used, *traced)


def make_receipt(
    document: PacketDocument,
    event: ReceiptEvent,
    by: str,
    now: datetime,
    trace: str | None = None,
    ext: Mapping[str, Any] = MappingProxyType({}),
) -> PacketReceipt:
    """Return a receipt of one event; its id is derived from the event, so that the same receipt twice is one."""
    stated = document.packet_hash or packet_hash(document.members)
    at = format_instant(now)
    name = sha256("\0".join((stated, event, at, by, trace or "")).encode()).hexdigest()[:24]
    return PacketReceipt(
        receipt_id=f"rcp_{name}",
        event=event,
        at=at,
        by=by,
        packet_id=document.packet_id or "",
        packet_hash=stated,
        observability_ref=trace,
        ext=dict(ext),
    )


def _events(reception: Reception) -> Iterator[ReceiptEvent]:
    yield ReceiptEvent.DELIVERED
    if reception.accepted:
        yield ReceiptEvent.OPENED
    else:
        expired = any(one.rule == "4.1-scope.expires_at" for one in reception.reasons)
        yield ReceiptEvent.EXPIRED if expired else ReceiptEvent.REJECTED
