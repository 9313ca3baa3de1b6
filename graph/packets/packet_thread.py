"""The closure of a packet's thread, as far as the graph has it (Context Packet §11.1).

The thread is the packets that supersede one another, and the receipts, returns and dispositions that echo their hashes.
A record counts where a key signed it that an agent of this log holds: anybody could write a disposition. What the
reader may not see, and what was erased, is not there for the walk; the report says how much that is.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from a2ap.packet.closure import MAX_DOCUMENTS, ClosureReport, check_closure
from a2ap.packet.document import Members, PacketDocument, read_document
from a2ap.packet.records import read_record
from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.records.packet_lookup import packet_row
from graph.store import Row, Store

MAX_PACKETS = 200
"""Packets of one thread that are walked, nearest first."""
MAX_RECORDS = 200
"""Receipts, returns and dispositions of one packet that are walked, the first."""
MAX_BYTES = 16 * 1_048_576
"""Bytes of packets and records of one thread that are read."""

_PACKETS_AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class ThreadClosure:
    """The packets that were walked, by record hash and oldest first, and what was found."""

    packets: tuple[str, ...]
    report: ClosureReport


def _no_budget(_length: int) -> None:
    pass


class _Reading:
    """Reads what this reader may have of a thread, within bounds; `complete` until there is more than that."""

    def __init__(self, content: ContentStore, reader: Reader, spend: Callable[[int], None]) -> None:
        self._content, self._reader, self._spend = content, reader, spend
        self._documents, self._bytes = MAX_DOCUMENTS, MAX_BYTES
        self.hidden = 0
        self.complete = True

    async def read(self, record_hash: str, length: int | None, row: Row) -> bytes | None:
        """Return the bytes of a document, None where they are hidden or beyond the bounds."""
        if not await _may_read(self._content, self._reader, {**row, "record_hash": record_hash}):
            self.hidden += 1
            return None
        length = length or 0
        if self._documents == 0 or length > self._bytes:
            self.complete = False
            return None
        self._spend(length)
        self._documents -= 1
        self._bytes -= length
        return await self._content.get(record_hash)


async def closure_of(
    store: Store, content: ContentStore, reader: Reader, name: str, spend: Callable[[int], None] = _no_budget
) -> ThreadClosure:
    """Return the closure of the thread of the packet of this name. Raises `NotFoundError`.

    `spend` is told of the bytes of each document before they are read, and may raise.
    """
    start = await packet_row(store, name)
    rows, complete = await _thread(store, start)
    reading = _Reading(content, reader, spend)
    asked = start["properties"]["record_hash"]
    found: dict[str, PacketDocument] = {}
    # The packet that is asked for comes before all others where not all can be had.
    for row in sorted(rows, key=lambda row: row["record_hash"] != asked):
        data = await reading.read(row["record_hash"], row["byte_length"], row)
        if data is not None:
            found[row["record_hash"]] = await asyncio.to_thread(read_document, data)
    names = [row["record_hash"] for row in rows if row["record_hash"] in found]
    members, unsigned = await _records(store, reading, names)
    report = await asyncio.to_thread(check_closure, [found[one] for one in names], members, embedded=False)
    remarks = [
        *([f"{reading.hidden} packets or records are not for this reader, or not here"] if reading.hidden else []),
        *([f"{unsigned} records are signed by nobody who is registered, and were not counted"] if unsigned else []),
        *([] if complete and reading.complete else ["the thread goes on beyond what was walked"]),
    ]
    return ThreadClosure(tuple(names), replace(report, remarks=(*report.remarks, *remarks)))


async def _records(store: Store, reading: _Reading, names: Sequence[str]) -> tuple[list[Members], int]:
    """Return what is read of the records of packets, and how many there are that nobody signed who is registered."""
    members: list[Members] = []
    seen: set[str] = set()
    unsigned = 0
    for at in range(0, len(names), _PACKETS_AT_ONCE):
        if not reading.complete:
            break
        hashes = list(names[at : at + _PACKETS_AT_ONCE])
        for row in await store.read("packet_records_of", hashes=hashes, first=MAX_RECORDS):
            record_hash = row["properties"]["record_hash"]
            if record_hash in seen:
                continue
            seen.add(record_hash)
            if not row["signers"]:
                unsigned += 1
                continue
            data = await reading.read(record_hash, row["properties"].get("byte_length"), row)
            if data is not None:
                members.append((await asyncio.to_thread(read_record, data)).members)
    return members, unsigned


async def _thread(store: Store, start: Row) -> tuple[list[Row], bool]:
    """Return the packets that the one at the start is joined to, oldest first, and whether these are all."""
    properties = start["properties"]
    first = {name: properties.get(name) for name in ("record_hash", "log_index", "byte_length")}
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
