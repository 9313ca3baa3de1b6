"""Context Packets as they were received, and whether their loop is closed."""

from typing import Annotated

import strawberry

from graph.clearance import Reader, boundary_of
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, page_of
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.packet_parts import PacketItem, PacketRecord, document_of, reason_withheld
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.packets.packet_thread import closure_of
from graph.records.packet_lookup import PACKET, find_packet
from graph.store import Row

PacketName = Annotated[
    str,
    strawberry.argument(
        description="A packet by the SHA-256 of its bytes, and where this reader may see its words by its own hash "
        "(b2:…) or by its id; of several, the first in the log."
    ),
]


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
    "signed_by",
)


@strawberry.type(description="A Context Packet as it was received: context that somebody was handed, with its terms.")
class Packet(Node, Logged):
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
    signed_by: str | None = strawberry.field(description="The did:key under which its signature holds.")
    byte_length: strawberry.Private[int]

    @classmethod
    def from_row(cls, row: Row, reader: Reader) -> "Packet":
        """Return the packet in a row of `packets_by_hash.cypher`, with no more than the reader may see."""
        withheld = reason_withheld(row, reader)
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

    def node_key(self) -> str:
        """Return what tells it from all others."""
        return str(self.record_hash)

    @resolved
    async def items(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[PacketItem]:
        """Its items, in its order; none where it is withheld."""
        span = Span.asked(Ordering("items of a packet"), first, after, last, before)
        if self.withheld is not None:
            return page_of(span, [], False, _nothing)
        return await info.context.loaders.packets.connect_items(self.record_hash, span, PacketItem.from_row)

    @resolved
    async def records(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[PacketRecord]:
        """The receipts, returns and dispositions that echo its hash and that this reader may have, in log order."""
        span = Span.asked(Ordering("records of a packet"), first, after, last, before)
        if self.withheld is not None:
            return page_of(span, [], False, _nothing)
        return await info.context.loaders.packets.connect_records(self.record_hash, span, PacketRecord.from_row)

    @resolved
    async def document(self, info: Info) -> str | None:
        """Its bytes as text; null where they are withheld or not here."""
        return await document_of(info, self.record_hash, PACKET, self.withheld, self.byte_length)


async def _nothing() -> int:
    return 0


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
    complete: bool = strawberry.field(
        description="Whether all of the thread that this reader may see was walked, for there are limits."
    )
    packets: list[strawberry.ID] = strawberry.field(description="The packets that were walked, by record hash.")
    breaks: list[PacketBreak] = strawberry.field(description="Everywhere it is open.")
    remarks: list[str] = strawberry.field(description="What neither closes nor opens anything.")


async def resolve_packet(info: Info, name: PacketName) -> Packet | None:
    """Return the packet of this name."""
    row = await find_packet(info.context.platform.store, name, info.context.reader)
    return None if row is None else Packet.from_row(row, info.context.reader)


async def resolve_packet_closure(info: Info, name: PacketName) -> PacketClosure:
    """Return what the walk of a packet's thread finds."""
    platform, reader = info.context.platform, info.context.reader
    found = await closure_of(platform, reader, name, info.context.loaders.spend_bytes)
    return PacketClosure(
        state=found.report.state,
        closed=found.report.is_closed,
        complete=found.complete,
        packets=[strawberry.ID(one) for one in found.packets],
        breaks=[
            PacketBreak(link=int(one.link), packet=one.packet, following=one.following, words=one.words)
            for one in found.report.breaks
        ],
        remarks=list(found.report.remarks),
    )


__all__ = [
    "Packet",
    "PacketClosure",
    "resolve_packet",
    "resolve_packet_closure",
]
