"""The closure of a packet's thread, as far as the graph has it (Context Packet §11.1).

The thread is the packets that supersede one another, and the receipts, returns and dispositions that echo their hashes.
A record counts where a key signed it that an agent of this log holds: anybody could write a disposition. What the
reader may not see, and what was erased, is not there for the walk; the report says how much that is.
"""

from dataclasses import dataclass, replace

from a2ap.packet.closure import ClosureReport, check_closure
from a2ap.packet.document import PacketDocument, read_document
from a2ap.packet.records import read_record
from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.records.packet_lookup import packet_row
from graph.store import Row, Store

MAX_PACKETS = 200
"""Packets of one thread that are walked, nearest first."""
MAX_RECORDS = 200
"""Receipts, returns and dispositions of one packet that are walked, the first."""


@dataclass(frozen=True, slots=True)
class ThreadClosure:
    """The packets that were walked, by record hash and oldest first, and what was found."""

    packets: tuple[str, ...]
    report: ClosureReport


async def closure_of(store: Store, content: ContentStore, reader: Reader, name: str) -> ThreadClosure:
    """Return the closure of the thread of the packet of this name. Raises `NotFoundError`."""
    rows, complete = await _thread(store, await packet_row(store, name))
    hidden = 0
    packets: list[tuple[str, PacketDocument]] = []
    for row in rows:
        if await _may_read(content, reader, row):
            packets.append((row["record_hash"], read_document(await content.get(row["record_hash"]))))
        else:
            hidden += 1
    names = [record_hash for record_hash, _ in packets]
    records = await store.read("packet_records_of", hashes=names, first=MAX_RECORDS) if names else []
    members, unsigned = [], 0
    for row in {row["properties"]["record_hash"]: row for row in records}.values():
        record_hash = row["properties"]["record_hash"]
        if not row["signers"]:
            unsigned += 1
        elif await _may_read(content, reader, {**row, "record_hash": record_hash}):
            members.append(read_record(await content.get(record_hash)).members)
        else:
            hidden += 1
    report = check_closure([document for _, document in packets], members, embedded=False)
    remarks = [
        *([f"{hidden} packets or records are not for this reader, or not here"] if hidden else []),
        *([f"{unsigned} records are signed by nobody who is registered, and were not counted"] if unsigned else []),
        *(["the thread goes on beyond what was walked"] if not complete else []),
    ]
    return ThreadClosure(tuple(names), replace(report, remarks=(*report.remarks, *remarks)))


async def _thread(store: Store, start: Row) -> tuple[list[Row], bool]:
    """Return the packets that the one at the start is joined to, oldest first, and whether these are all."""
    properties = start["properties"]
    first = {name: properties[name] for name in ("record_hash", "log_index")}
    found = {properties["record_hash"]: {**first, "boundary": start["boundary"], "redacted": start["redacted"]}}
    frontier = list(found)
    while frontier and len(found) < MAX_PACKETS:
        rows = await store.read("packets_superseding", hashes=frontier, first=MAX_PACKETS)
        fresh = [row for row in rows if row["record_hash"] not in found][: MAX_PACKETS - len(found)]
        found |= {row["record_hash"]: row for row in fresh}
        frontier = [row["record_hash"] for row in fresh]
    return sorted(found.values(), key=lambda row: (row["log_index"], row["record_hash"])), not frontier


async def _may_read(content: ContentStore, reader: Reader, row: Row) -> bool:
    allowed = reader.may_read(boundary_of(row["boundary"])) and row["redacted"] is None
    return allowed and await content.has(row["record_hash"])
