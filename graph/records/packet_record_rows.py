"""Rows of receipts, returns and dispositions: their names and vocabulary words, and the key that signed each.

They are joined to the packets whose hash they echo, and a disposition to the return of the same packet that it names.
Text that was returned, proposed or decided is in the bytes alone. `signed_by` is set only if the signature holds under
the key that the record names; the log's registrations name the owner of that key.
"""

from collections.abc import Callable

from a2ap.messages.record_registration import RecordFormat
from a2ap.packet.canon import read_hash
from a2ap.packet.records import (
    PacketDisposition,
    PacketReceipt,
    PacketReturn,
    RecordDocument,
    read_record,
)
from graph.errors import InputError
from graph.log.row_lists import Row
from graph.records.packet_rows import MAX_NAMES, signed_by
from graph.records.record_reader import RecordReader
from graph.records.short_text import short_text

KINDS: dict[type, RecordFormat] = {
    PacketReceipt: RecordFormat.RECEIPT,
    PacketReturn: RecordFormat.RETURN,
    PacketDisposition: RecordFormat.DISPOSITION,
}


def format_of(content: bytes) -> RecordFormat:
    """Return the format of the record in these bytes. Raises `PacketTextError` and `PacketFormError`."""
    return KINDS[type(read_record(content).value)]


def packet_record_rows(content: bytes, record_hash: str) -> list[tuple[str, Row]]:
    """Return the rows of one receipt, return or disposition."""
    document = read_record(content)
    row = _content_row(document, record_hash)
    rows: list[tuple[str, Row]] = [("write_packet_record_contents", row)]
    if row["packet_hash"]:
        rows.append(("write_packet_record_echoes", {"record_hash": record_hash, "packet_hash": row["packet_hash"]}))
    if isinstance(document.value, PacketReturn) and row["record_id"] and row["packet_hash"]:
        rows.append(("write_return_dispositions", {"record_hash": record_hash, "record_id": row["record_id"]}))
    if isinstance(document.value, PacketDisposition) and row["return_id"] and row["packet_hash"]:
        rows.append(("write_disposition_returns", {"record_hash": record_hash, "return_id": row["return_id"]}))
    return rows


def plain_hash(value: str | None) -> str | None:
    """Return a hash in the form that names packets: `b2:` or `sha256:` and digits; None for any other text."""
    found = read_hash(value)
    return None if found is None or found[0] is None else found[0].prefix + found[1]


def _content_row(document: RecordDocument, record_hash: str) -> Row:
    value = document.value
    row: Row = {
        "record_hash": record_hash,
        "byte_length": len(document.data),
        "kind": KINDS[type(value)].value,
        "at": short_text(value.at),
        "by": short_text(value.by),
        "packet_hash": plain_hash(value.packet_hash),
        "signed_by": signed_by(document.members),
        **dict.fromkeys(("event", "observability_ref", "outcome", "result_state", "return_id", "proposal")),
        **dict.fromkeys(("outputs", "proposals", "proposal_ids")),
    }
    match value:
        case PacketReceipt():
            row |= {"record_id": value.receipt_id, "packet_id": value.packet_id, "event": value.event}
            row["observability_ref"] = short_text(value.observability_ref)
        case PacketReturn():
            row |= {"record_id": value.return_id, "packet_id": value.packet_id}
            row["observability_ref"] = short_text(value.observability_ref)
            row |= {"outputs": len(value.outputs), "proposals": len(value.proposals)}
            named = [short_text(one.proposal_id) for one in value.proposals[:MAX_NAMES]]
            row["proposal_ids"] = [name for name in named if name is not None]
        case PacketDisposition():
            row |= {"record_id": value.disposition_id, "packet_id": value.from_packet, "outcome": value.outcome.value}
            row |= {name: short_text(getattr(value, name)) for name in ("result_state", "return_id", "proposal")}
    return row | {name: short_text(row[name]) for name in ("record_id", "packet_id", "event")}


def _check_as(format: RecordFormat) -> Callable[[bytes], None]:
    def check(content: bytes) -> None:
        found = format_of(content)
        if found is not format:
            raise InputError(f"the record is a {found}, not a {format}", "format")

    return check


PACKET_RECORDS = {
    format: RecordReader(
        label="PacketRecord",
        check=_check_as(format),
        write="write_packet_records",
        rows_of=packet_record_rows,
        blank="blank_packet_records",
    )
    for format in KINDS.values()
}
