"""Receipts of what a consumer did with a packet: separate records that echo its hash, made and not yet signed."""

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256

from a2ap.packet.canon import packet_hash
from a2ap.packet.document import PacketDocument
from a2ap.packet.records import PacketReceipt
from a2ap.packet.vocabulary import ReceiptEvent
from a2ap.times import format_instant
from graph.packets.reception import Aim, Reception


def receipts_of(
    document: PacketDocument, reception: Reception, by: str, now: datetime, trace: str | None = None
) -> tuple[PacketReceipt, ...]:
    """Return the receipts of a reception: of the delivery, of the use or of why there was none, and of the trace.

    `by` is who received, with the prefix of an author (`agent:…`); `trace` refers to the trace of its run.
    """
    return tuple(
        make_receipt(document, event, by, now, trace if event in _OF_RUN else None)
        for event in _events(reception, trace)
    )


def make_receipt(
    document: PacketDocument, event: ReceiptEvent, by: str, now: datetime, trace: str | None = None
) -> PacketReceipt:
    """Return a receipt of one event; its id is that of the event, so that the same receipt twice is one."""
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
    )


_OF_RUN = frozenset({ReceiptEvent.USED, ReceiptEvent.OPENED, ReceiptEvent.TRACED})


def _events(reception: Reception, trace: str | None) -> Iterator[ReceiptEvent]:
    yield ReceiptEvent.DELIVERED
    if not reception.accepted:
        expired = any(one.rule == "4.1-scope.expires_at" for one in reception.reasons)
        yield ReceiptEvent.EXPIRED if expired else ReceiptEvent.REJECTED
        return
    yield ReceiptEvent.USED if reception.aim is Aim.ACTION else ReceiptEvent.OPENED
    if trace is not None:
        yield ReceiptEvent.TRACED
