"""The closure of a packet's thread, as far as the graph has it (Context Packet §11.1).

The thread is the packets that supersede one another, and the receipts, returns and dispositions that echo their hashes.
Anyone could write a disposition, or a packet that claims to supersede another. So a record counts if it is signed with
a key that was in force in this log for an agent with a part in the packet (`a2ap.packet.authority`), and so does a
packet that follows; its producer may register it instead. The seeds of the policy act for this node if it is the
governor of a packet. The walk skips packets and records that the reader may not see, and does not count them: their
place in the thread is part of their content. Erased ones have no content left.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from a2ap.packet.authority import Governance, Role, Speaker, roles_of
from a2ap.packet.closure import MAX_DOCUMENTS, ClosureReport, check_closure
from a2ap.packet.counted import SignedPacket, SignedRecord
from a2ap.packet.document import PacketDocument, read_document
from a2ap.packet.records import read_record
from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.platform import Platform
from graph.records.packet_lookup import packet_row
from graph.store import Row, Store

MAX_PACKETS = 200
"""Maximum packets of one thread that are walked, nearest first."""
MAX_RECORDS = 200
"""Maximum receipts, returns and dispositions of one packet that are walked, the first that count."""
MAX_BYTES = 16 * 1_048_576
"""Maximum bytes of packets and records of one thread that are read."""

_PACKETS_AT_ONCE = 10
_MAX_BEFORE = 8 * MAX_PACKETS  # a packet is joined to eight of one id
_OF_A_ROW = ("record_hash", "log_index", "byte_length")


@dataclass(frozen=True, slots=True)
class ThreadClosure:
    """The packets that were walked, by record hash and oldest first, and the report on them.

    If not `complete`, the thread goes on beyond the walk, or some of its bytes are not stored.
    """

    packets: tuple[str, ...]
    report: ClosureReport
    complete: bool


def _no_budget(_length: int) -> None:
    pass


class _Reading:
    """Reads the documents of a thread within bounds; `complete` until one is missing or beyond the bounds."""

    def __init__(self, content: ContentStore, spend: Callable[[int], None]) -> None:
        self._content, self._spend = content, spend
        self._documents, self._bytes = MAX_DOCUMENTS, MAX_BYTES
        self.lacking = 0
        self.complete = True

    async def read(self, row: Row) -> bytes | None:
        """Return the bytes of a document, None if they are not stored or beyond the bounds."""
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

    `spend` is called with the number of bytes of each document before they are read, and may raise.
    """
    start = await packet_row(platform.store, name, reader)
    if start["redacted"] is not None or not reader.may_read(boundary_of(start["boundary"])):
        # Its words are not for this reader, and the packets that it is joined to are among them.
        report = check_closure([])
        remark = "the packet is not for this reader, or was erased"
        return ThreadClosure((), replace(report, remarks=(*report.remarks, remark)), complete=False)
    rights = await _rights(platform)
    rows, speakers, complete = await _thread(platform, reader, start, rights)
    reading = _Reading(platform.content, spend)
    asked = start["properties"]["record_hash"]
    found: dict[str, PacketDocument] = {}
    # The packet that is asked for comes before all others where not all can be had.
    for row in sorted(rows, key=lambda row: row["record_hash"] != asked):
        data = await reading.read(row)
        if data is not None:
            found[row["record_hash"]] = await asyncio.to_thread(read_document, data)
    names = [row["record_hash"] for row in rows if row["record_hash"] in found]
    packets = [SignedPacket(found[one], _voucher(found[one], speakers[one])) for one in names]
    records, uncounted = await _records(platform.store, reader, reading, names, rights)
    walk = partial(check_closure, packets, records, rights.governance, asked=found.get(asked))
    report = await asyncio.to_thread(walk)
    complete = complete and reading.complete
    remarks = [
        *([f"{reading.lacking} packets or records are not here"] if reading.lacking else []),
        *uncounted,
        *([] if complete else ["the thread goes on beyond the packets that were walked"]),
    ]
    return ThreadClosure(tuple(names), replace(report, remarks=(*report.remarks, *remarks)), complete)


@dataclass(frozen=True, slots=True)
class _Rights:
    """The agents that act for this node as the governor of a packet: the seeds of its policy."""

    node: str
    seeds: tuple[str, ...]

    @property
    def governance(self) -> Governance:
        return {self.node: self.seeds}

    @property
    def parameters(self) -> dict[str, Any]:
        return {"node": self.node, "seeds": list(self.seeds)}


async def _rights(platform: Platform) -> _Rights:
    rows = await platform.store.read("current_policy")
    return _Rights(platform.node.agent_id, tuple(rows[0]["seeds"] or ()) if rows else ())


def _voucher(packet: PacketDocument, speakers: Sequence[Speaker]) -> Speaker | None:
    """Return the agent that vouches for a packet: of several, its producer or governor first."""
    vouching = {Role.PRODUCER, Role.GOVERNOR}
    return min(speakers, key=lambda one: not roles_of(packet).of(one.agent_id) & vouching, default=None)


async def _records(
    store: Store, reader: Reader, reading: _Reading, names: Sequence[str], rights: _Rights
) -> tuple[list[SignedRecord], list[str]]:
    """Return the records of packets from agents with a part in them, as far as read, and remarks on the others."""
    found: list[SignedRecord] = []
    seen: set[str] = set()
    given = {"readable": list(reader.readable), **rights.parameters}
    for at in range(0, len(names), _PACKETS_AT_ONCE):
        hashes = list(names[at : at + _PACKETS_AT_ONCE])
        of_packet: Counter[str] = Counter()
        for row in await store.read("signed_packet_records", hashes=hashes, first=MAX_RECORDS + 1, **given):
            of_packet[row["packet"]] += 1
            if of_packet[row["packet"]] > MAX_RECORDS:
                reading.complete = False
            elif row["record_hash"] not in seen:
                seen.add(row["record_hash"])
                data = await reading.read(row)
                if data is not None:
                    record = await asyncio.to_thread(read_record, data)
                    speaker = Speaker(row["agent_id"], row["signed_by"], bool(row["person"]))
                    found.append(SignedRecord(record, speaker))
    (counted,) = await store.read("count_uncounted_packet_records", hashes=list(names), **given)
    remarks = []
    if unsigned := int(counted["unsigned"] or 0):
        remarks.append(f"{unsigned} records are signed by no registered agent, and were not counted")
    if strange := int(counted["without_part"] or 0):
        remarks.append(f"{strange} records are signed by agents that have no part in the packet, and were not counted")
    return found, remarks


async def _thread(
    platform: Platform, reader: Reader, start: Row, rights: _Rights
) -> tuple[list[Row], dict[str, list[Speaker]], bool]:
    """Return the packets joined to the first, oldest first, the agents behind each, and whether these are all."""
    properties = start["properties"]
    found = {properties["record_hash"]: {name: properties.get(name) for name in _OF_A_ROW}}
    speakers: dict[str, list[Speaker]] = {}
    frontier, complete = list(found), True
    while frontier:
        speakers |= await _speakers(platform, frontier)
        rows = await _joined(platform, reader, frontier, speakers, found, rights)
        left = MAX_PACKETS - len(found)
        fresh = rows[:left]
        complete = complete and len(rows) <= left
        found |= {row["record_hash"]: row for row in fresh}
        frontier = [row["record_hash"] for row in fresh]
    return _in_order(found), speakers, complete


async def _joined(
    platform: Platform,
    reader: Reader,
    frontier: Sequence[str],
    speakers: Mapping[str, Sequence[Speaker]],
    known: Mapping[str, Row],
    rights: _Rights,
) -> list[Row]:
    """Return the packets that supersede these or are superseded by them and count, in log order."""
    given = {"readable": list(reader.readable), **rights.parameters}
    agents = {one: [speaker.agent_id for speaker in speakers[one]] for one in frontier}
    before = await platform.store.read(
        "packets_before",
        rows=[{"record_hash": one, "speakers": names} for one, names in agents.items()],
        first=_MAX_BEFORE,
        **given,
    )
    after = await platform.store.read(
        "packets_after", hashes=list(frontier), known=list(known), first=MAX_PACKETS - len(known) + 1, **given
    )
    rows = {row["record_hash"]: row for row in (*after, *_rightly_before(before, agents))}
    return _in_order({name: row for name, row in rows.items() if name not in known})


def _rightly_before(rows: Sequence[Row], agents: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    """Yield the packet that each packet supersedes: several may have the id, and anyone may give one to a packet.

    If an agent stands behind both, that packet is meant; otherwise the first in the log.
    """
    of_each: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        of_each.setdefault((row["following"], row["packet_id"]), []).append(row)
    for (following, _), twins in of_each.items():
        own = [row for row in twins if set(row["vouchers"]) & set(agents[following])]
        yield from own or twins[:1]


async def _speakers(platform: Platform, hashes: Sequence[str]) -> dict[str, list[Speaker]]:
    """Return the agents behind packets: they signed them, or registered them as their producer."""
    rows = await platform.store.read("packet_speakers", hashes=list(hashes), node=platform.node.agent_id)
    return {
        row["record_hash"]: [
            Speaker(one["agent"], row["signed_by"] or "", bool(one["person"]))
            for one in (*row["signers"], *row["producers"])
            if one["agent"] is not None
        ]
        for row in rows
    }


def _in_order(found: Mapping[str, Row]) -> list[Row]:
    return sorted(found.values(), key=lambda row: (row["log_index"], row["record_hash"]))
