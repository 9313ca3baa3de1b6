"""The closure of a packet's thread, as far as the graph has it (Context Packet §11.1).

The thread is the packets that supersede one another, and the receipts, returns and dispositions that echo their hashes.
Anybody could write a disposition, or a packet that says what it supersedes. So a record counts where a key signed it
that an agent of this log holds, and a packet but for the one that is asked for where such a key signed it as well, or
the agent that it names as its producer registered it. What the reader may not see is not there for the walk, and is
not counted: that it is joined to the thread is among its words. What was erased has no words left.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from a2ap.packet.closure import MAX_DOCUMENTS, ClosureReport, check_closure
from a2ap.packet.document import Members, PacketDocument, read_document
from a2ap.packet.records import read_record
from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.platform import Platform
from graph.records.packet_lookup import packet_row
from graph.store import Row, Store

MAX_PACKETS = 200
"""Packets of one thread that are walked, nearest first."""
MAX_RECORDS = 200
"""Receipts, returns and dispositions of one packet that are walked, the first that count."""
MAX_BYTES = 16 * 1_048_576
"""Bytes of packets and records of one thread that are read."""

_PACKETS_AT_ONCE = 10
_OF_A_ROW = ("record_hash", "log_index", "byte_length")


@dataclass(frozen=True, slots=True)
class ThreadClosure:
    """The packets that were walked, by record hash and oldest first, and what was found.

    Where not `complete`, the thread goes on beyond what was walked, or bytes of it are not here.
    """

    packets: tuple[str, ...]
    report: ClosureReport
    complete: bool


def _no_budget(_length: int) -> None:
    pass


class _Reading:
    """Reads the documents of a thread within bounds; `complete` until there is more than that, or something lacks."""

    def __init__(self, content: ContentStore, spend: Callable[[int], None]) -> None:
        self._content, self._spend = content, spend
        self._documents, self._bytes = MAX_DOCUMENTS, MAX_BYTES
        self.lacking = 0
        self.complete = True

    async def read(self, row: Row) -> bytes | None:
        """Return the bytes of a document, None where they are not here or beyond the bounds."""
        record_hash, length = row["record_hash"], row["byte_length"] or 0
        if not await self._content.has(record_hash):
            self.lacking += 1
            self.complete = False
            return None
        if self._documents == 0 or length > self._bytes:
            self.complete = False
            return None
        self._spend(length)
        self._documents -= 1
        self._bytes -= length
        return await self._content.get(record_hash)


async def closure_of(
    platform: Platform, reader: Reader, name: str, spend: Callable[[int], None] = _no_budget
) -> ThreadClosure:
    """Return the closure of the thread of the packet of this name. Raises `NotFoundError`.

    `spend` is told of the bytes of each document before they are read, and may raise.
    """
    start = await packet_row(platform.store, name, reader)
    if start["redacted"] is not None or not reader.may_read(boundary_of(start["boundary"])):
        # Its words are not for this reader, and what it is joined to is among them.
        report = check_closure([], embedded=False)
        remark = "the packet is not for this reader, or was erased"
        return ThreadClosure((), replace(report, remarks=(*report.remarks, remark)), complete=False)
    rows, complete = await _thread(platform, reader, start)
    reading = _Reading(platform.content, spend)
    asked = start["properties"]["record_hash"]
    found: dict[str, PacketDocument] = {}
    # The packet that is asked for comes before all others where not all can be had.
    for row in sorted(rows, key=lambda row: row["record_hash"] != asked):
        data = await reading.read(row)
        if data is not None:
            found[row["record_hash"]] = await asyncio.to_thread(read_document, data)
    names = [row["record_hash"] for row in rows if row["record_hash"] in found]
    members, unsigned = await _records(platform.store, reader, reading, names)
    report = await asyncio.to_thread(check_closure, [found[one] for one in names], members, embedded=False)
    complete = complete and reading.complete
    remarks = [
        *([f"{reading.lacking} packets or records are not here"] if reading.lacking else []),
        *([f"{unsigned} records are signed by nobody who is registered, and were not counted"] if unsigned else []),
        *([] if complete else ["the thread goes on beyond what was walked"]),
    ]
    return ThreadClosure(tuple(names), replace(report, remarks=(*report.remarks, *remarks)), complete)


async def _records(store: Store, reader: Reader, reading: _Reading, names: Sequence[str]) -> tuple[list[Members], int]:
    """Return what is read of the records of packets, and how many there are that nobody signed who is registered."""
    members: list[Members] = []
    seen: set[str] = set()
    readable = list(reader.readable)
    for at in range(0, len(names), _PACKETS_AT_ONCE):
        hashes = list(names[at : at + _PACKETS_AT_ONCE])
        of_packet: Counter[str] = Counter()
        for row in await store.read("signed_packet_records", hashes=hashes, readable=readable, first=MAX_RECORDS + 1):
            of_packet[row["packet"]] += 1
            if of_packet[row["packet"]] > MAX_RECORDS:
                reading.complete = False
            elif row["record_hash"] not in seen:
                seen.add(row["record_hash"])
                data = await reading.read(row)
                if data is not None:
                    members.append((await asyncio.to_thread(read_record, data)).members)
    (counted,) = await store.read("count_unsigned_packet_records", hashes=list(names), readable=readable)
    return members, int(counted["number"])


async def _thread(platform: Platform, reader: Reader, start: Row) -> tuple[list[Row], bool]:
    """Return the packets that the one at the start is joined to, oldest first, and whether these are all."""
    properties = start["properties"]
    found = {properties["record_hash"]: {name: properties.get(name) for name in _OF_A_ROW}}
    frontier = list(found)
    while frontier:
        left = MAX_PACKETS - len(found)
        rows = await platform.store.read(
            "packets_superseding",
            hashes=frontier,
            known=list(found),
            readable=list(reader.readable),
            node=platform.node.agent_id,
            first=left + 1,
        )
        fresh = rows[:left]
        found |= {row["record_hash"]: row for row in fresh}
        if len(rows) > left:
            return _in_order(found), False
        frontier = [row["record_hash"] for row in fresh]
    return _in_order(found), True


def _in_order(found: Mapping[str, Row]) -> list[Row]:
    return sorted(found.values(), key=lambda row: (row["log_index"], row["record_hash"]))
