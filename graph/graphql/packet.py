"""Context Packets and what belongs to them: items, receipts, returns, dispositions, and whether a loop is closed."""

from typing import Annotated

import strawberry

from a2ap.errors import A2APError
from graph.clearance import Reader, boundary_of
from graph.graphql.agent import Agent
from graph.graphql.arguments import After, First
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.fields import resolved
from graph.graphql.statement import Statement
from graph.packets.packet_thread import closure_of
from graph.records.packet_lookup import PACKET, PACKET_RECORD, packet_row
from graph.records.reading import read_record
from graph.store import Row

PacketName = Annotated[
    str,
    strawberry.argument(
        description="A packet by the SHA-256 of its bytes, by the hash that it states, or by its id; of several, the "
        "first in the log."
    ),
]


@strawberry.type(description="One item of a Context Packet, without its words: these are in the packet's document.")
class PacketItem:
    """An `:Item` node."""

    id: str | None = strawberry.field(description="Its item_id, unique in its packet.")
    position: int = strawberry.field(description="Its place in the packet, from 0.")
    kind: str | None = strawberry.field(description="Its role in the task.")
    epistemic_status: str | None = strawberry.field(description="Where it stands as knowledge.")
    promotion_state: str | None = strawberry.field(description="Where it stands with the producer's workspace.")
    confidence: str | None = strawberry.field(description="low, medium or high, as the producer says.")
    stakes: str | None = strawberry.field(description="low, medium or high.")
    boundary: str | None = strawberry.field(description="Its class.")
    branch_status: str | None = strawberry.field(description="On which branch it stands.")
    source: str | None = strawberry.field(description="Where it comes from, as the producer says.")
    author: str | None = strawberry.field(description="Who wrote it, as the producer says.")
    trust: str | None = strawberry.field(description="internal, external …, as the producer says.")
    superseded_by: str | None = strawberry.field(description="What took its place, as the producer says.")
    document_hash: str | None = strawberry.field(description="The SHA-256 of the document that it is about.")
    statement_hash: strawberry.Private[str | None]

    @classmethod
    def from_row(cls, row: Row) -> "PacketItem":
        """Return the item in a row of `items_of_packets.cypher`."""
        found = row["properties"]
        same = ("kind", "epistemic_status", "promotion_state", "confidence", "stakes", "boundary", "branch_status")
        source = found.get("source") or ""
        return cls(
            id=found.get("item_id"),
            position=found["position"],
            **{name: found.get(name) for name in (*same, "source", "author", "trust", "superseded_by")},
            document_hash=source.removeprefix("a2ap-document:") if source.startswith("a2ap-document:sha256:") else None,
            statement_hash=row["statement"],
        )

    @resolved
    async def statement(self, info: Info) -> Statement | None:
        """The statement of this log that it is about."""
        if self.statement_hash is None:
            return None
        return next(iter(await info.context.loaders.statements_with([self.statement_hash])), None)


@strawberry.type(description="A receipt, a return or a disposition: what somebody says that became of a packet.")
class PacketRecord:
    """A `:PacketRecord` node; what is in words is in its document."""

    record_hash: strawberry.ID = strawberry.field(description="The SHA-256 of its bytes.")
    log_index: int = strawberry.field(description="The place in the log of its first registration.")
    boundary: str = strawberry.field(description="Who may read its bytes.")
    withheld: str | None = strawberry.field(description="Why nothing more of it is shown to this reader.")
    kind: str | None = strawberry.field(description="packet-receipt, packet-return or packet-disposition.")
    record_id: str | None = strawberry.field(description="The id that it gives itself.")
    event: str | None = strawberry.field(description="Of a receipt: what happened.")
    at: str | None = strawberry.field(description="When, as it says.")
    by: str | None = strawberry.field(description="Who, as it says; `signers` is what is proved.")
    observability_ref: str | None = strawberry.field(description="The trace that it names.")
    outcome: str | None = strawberry.field(description="Of a disposition: promoted, rejected, superseded, escalated.")
    result_state: str | None = strawberry.field(description="Of a disposition: the state that it made.")
    proposal_ids: list[str] | None = strawberry.field(description="Of a return: what it proposes, by id.")
    signed_by: str | None = strawberry.field(description="The did:key under which its signature holds.")
    disposes_of: list[strawberry.ID] = strawberry.field(description="The returns that a disposition is about.")
    signer_ids: strawberry.Private[list[str]]
    byte_length: strawberry.Private[int]

    @classmethod
    def from_row(cls, row: Row, reader: Reader) -> "PacketRecord":
        """Return the record in a row of `packet_records_of.cypher`, with no more than the reader may see."""
        withheld = _reason_withheld(row, reader)
        found = row["properties"]
        shown = found if withheld is None else {}
        same = ("kind", "record_id", "event", "at", "by", "observability_ref", "outcome", "result_state")
        return cls(
            record_hash=found["record_hash"],
            log_index=found["log_index"],
            boundary=boundary_of(row["boundary"]).value,
            withheld=withheld,
            **{name: shown.get(name) for name in (*same, "proposal_ids", "signed_by")},
            disposes_of=list(row["disposed"]) if withheld is None else [],
            signer_ids=list(row["signers"]) if withheld is None else [],
            byte_length=found.get("byte_length") or 0,
        )

    @resolved
    async def signers(self, info: Info) -> list[Agent]:
        """The agents of this log whose key, in force when it came, signed it."""
        return await info.context.loaders.agents_with(self.signer_ids)

    @resolved
    async def document(self, info: Info) -> str | None:
        """Its bytes as text; null where they are withheld or not here."""
        return await _document(info, self.record_hash, PACKET_RECORD, self.withheld, self.byte_length)


_SHOWN = (
    "packet_id",
    "packet_hash",
    "hash_domain",
    "level",
    "claimed_level",
    "created_at",
    "expires_at",
    "packet_type",
    "task_ref",
    "workspace",
    "boundary_ceiling",
    "producer_id",
    "governor_id",
    "recipient_id",
    "supersedes_packet",
    "source_state_refs",
)


@strawberry.type(description="A Context Packet as it was received: context that somebody was handed, with its terms.")
class Packet:
    """A `:Packet` node; what is in words is in its document."""

    record_hash: strawberry.ID = strawberry.field(description="The SHA-256 of its bytes.")
    log_index: int = strawberry.field(description="The place in the log of its first registration.")
    boundary: str = strawberry.field(description="Who may read its bytes; that it is here, everybody may know.")
    held: bool = strawberry.field(description="Whether its bytes are here: GET /packets/{recordHash}.")
    withheld: str | None = strawberry.field(description="Why nothing more of it is shown to this reader.")
    packet_id: str | None = strawberry.field(description="The id that it gives itself.")
    packet_hash: str | None = strawberry.field(description="Its own hash, where what it states is that.")
    hash_domain: str | None = strawberry.field(description="What of it is hashed, of the readings of §4.3.")
    level: str | None = strawberry.field(description="The level that this node's validator found; null below CP-Core.")
    claimed_level: str | None = strawberry.field(description="The level that it claims.")
    created_at: str | None = strawberry.field(description="When it was made, as it says.")
    expires_at: str | None = strawberry.field(description="Until when it may be acted on, as it says.")
    packet_type: str | None = strawberry.field(description="What it is for: research, code_build …")
    task_ref: str | None = strawberry.field(description="The task that it is for.")
    workspace: str | None = strawberry.field(description="The workspace that it comes from.")
    boundary_ceiling: str | None = strawberry.field(description="The highest class of what is in it, as it says.")
    producer_id: str | None = strawberry.field(description="Who assembled it, as it says.")
    governor_id: str | None = strawberry.field(description="Who applied the rules, as it says.")
    recipient_id: str | None = strawberry.field(description="Whom it is for.")
    supersedes_packet: str | None = strawberry.field(description="The id of the packet that it supersedes.")
    source_state_refs: list[str] | None = strawberry.field(description="The states that it was assembled from.")
    byte_length: strawberry.Private[int]

    @classmethod
    def from_row(cls, row: Row, reader: Reader) -> "Packet":
        """Return the packet in a row of `packets_named.cypher`, with no more than the reader may see."""
        withheld = _reason_withheld(row, reader)
        found = row["properties"]
        shown = found if withheld is None else {}
        return cls(
            record_hash=found["record_hash"],
            log_index=found["log_index"],
            boundary=boundary_of(row["boundary"]).value,
            held=bool(found["held"]),
            withheld=withheld,
            **{name: shown.get(name) for name in _SHOWN},
            byte_length=found.get("byte_length") or 0,
        )

    @resolved
    async def items(self, info: Info, first: First = MAX_PAGE) -> list[PacketItem]:
        """Its items, in its order; none where it is withheld."""
        check_first(first)
        if self.withheld is not None:
            return []
        rows = await info.context.loaders.packets.items_of(self.record_hash, first)
        return [PacketItem.from_row(row) for row in rows]

    @resolved
    async def records(self, info: Info, first: First = MAX_PAGE) -> list[PacketRecord]:
        """The receipts, returns and dispositions that echo its hash, in log order; none where it is withheld."""
        check_first(first)
        if self.withheld is not None:
            return []
        rows = await info.context.loaders.packets.records_of(self.record_hash, first)
        return [PacketRecord.from_row(row, info.context.reader) for row in rows]

    @resolved
    async def document(self, info: Info) -> str | None:
        """Its bytes as text; null where they are withheld or not here."""
        return await _document(info, self.record_hash, PACKET, self.withheld, self.byte_length)


@strawberry.type(description="Where a loop is open (Context Packet §11.1).")
class PacketBreak:
    """A break of `a2ap.packet.closure`."""

    link: int = strawberry.field(description="1 returns, 2 disposition, 3 source-state inheritance.")
    packet: str = strawberry.field(description="Of which packet, by its id.")
    following: str | None = strawberry.field(description="Before which packet that follows, by its id.")
    words: str = strawberry.field(description="Why, in a sentence.")


@strawberry.type(description="Whether the loop of a packet's thread is closed, as far as this node has it.")
class PacketClosure:
    """The report of `graph.packets.packet_thread`."""

    state: str = strawberry.field(description="`closed`, or which link is the first that is open.")
    closed: bool = strawberry.field(description="Whether every loop is closed.")
    packets: list[strawberry.ID] = strawberry.field(description="The packets that were walked, by record hash.")
    breaks: list[PacketBreak] = strawberry.field(description="Everywhere it is open.")
    remarks: list[str] = strawberry.field(description="What neither closes nor opens anything.")


async def resolve_packet(info: Info, name: PacketName) -> Packet | None:
    """Return the packet of this name."""
    rows = await info.context.platform.store.read("packets_named", names=[name])
    return Packet.from_row(rows[0], info.context.reader) if rows else None


async def resolve_packets(info: Info, first: First = 20, after: After = -1) -> list[Packet]:
    """Return a page of the packets."""
    rows = await info.context.platform.store.read("list_packets", first=check_first(first), after=after)
    info.context.loaders.spend(len(rows))
    return [Packet.from_row(row, info.context.reader) for row in rows]


async def resolve_packet_closure(info: Info, name: PacketName) -> PacketClosure:
    """Return what the walk of a packet's thread finds."""
    platform, reader = info.context.platform, info.context.reader
    await packet_row(platform.store, name)
    found = await closure_of(platform.store, platform.content, reader, name, info.context.loaders.spend_bytes)
    return PacketClosure(
        state=found.report.state,
        closed=found.report.is_closed,
        packets=[strawberry.ID(one) for one in found.packets],
        breaks=[
            PacketBreak(link=int(one.link), packet=one.packet, following=one.following, words=one.words)
            for one in found.report.breaks
        ],
        remarks=list(found.report.remarks),
    )


def _reason_withheld(row: Row, reader: Reader) -> str | None:
    if row["redacted"] is not None:
        return f"it was {row['redacted']}"
    boundary = boundary_of(row["boundary"])
    if reader.may_read(boundary):
        return None
    return f"it is {boundary}, and this reader is cleared for {reader.clearance}"


async def _document(info: Info, record_hash: str, label: str, withheld: str | None, length: int) -> str | None:
    if withheld is not None:
        return None
    info.context.loaders.spend_bytes(length)
    platform = info.context.platform
    try:
        content = await read_record(platform.store, platform.content, record_hash, label, info.context.reader)
    except A2APError:
        return None
    return content.decode("utf-8")


__all__ = [
    "Packet",
    "PacketClosure",
    "PacketItem",
    "PacketRecord",
    "resolve_packet",
    "resolve_packet_closure",
    "resolve_packets",
]
