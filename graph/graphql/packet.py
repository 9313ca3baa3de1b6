"""Context Packets as received, and the closure of their loops."""

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
from graph.records.packet_lookup import PACKET, find_packet
from graph.services.packet_closure import closure_of
from graph.store import Row

PacketName = Annotated[
    str,
    strawberry.argument(
        description="A packet by the SHA-256 of its bytes or, if this reader may see its content, by its own hash "
        "(b2:…) or its id; a name shared by several packets names the first in the log."
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


@strawberry.type(description="A Context Packet as received: the context that a recipient was given, with its terms.")
class Packet(Node, Logged):
    """A `:Packet` node; its free text is in its document only."""

    record_hash: strawberry.ID = strawberry.field(description="The SHA-256 of the packet's bytes.")
    log_index: int = strawberry.field(description="The log index of the first registration.")
    boundary: str = strawberry.field(
        description="The boundary class of the bytes; the existence of the packet is public."
    )
    held: bool = strawberry.field(description="Whether this node has the bytes: GET /packets/{recordHash}.")
    withheld: str | None = strawberry.field(
        description="The reason if the content is withheld from this reader, otherwise null."
    )
    packet_id: str | None = strawberry.field(description="The id that the packet states.")
    packet_hash: str | None = strawberry.field(description="The packet's own hash, if the stated hash is correct.")
    hash_domain: str | None = strawberry.field(
        description="The part of the packet that is hashed, among the readings of §4.3."
    )
    level: str | None = strawberry.field(description="The level that this node's validator found; null below CP-Core.")
    claimed_level: str | None = strawberry.field(description="The level that the packet claims.")
    created_at: str | None = strawberry.field(description="The time of creation, as stated in the packet.")
    expires_at: str | None = strawberry.field(description="The time of expiry, as stated in the packet.")
    packet_type: str | None = strawberry.field(description="The purpose: research, code_build …")
    task_ref: str | None = strawberry.field(description="The task of the packet.")
    workspace: str | None = strawberry.field(description="The workspace of origin.")
    boundary_ceiling: str | None = strawberry.field(
        description="The highest boundary class of its content, as stated in the packet."
    )
    producer_id: str | None = strawberry.field(description="The agent that assembled the packet, as stated in it.")
    governor_id: str | None = strawberry.field(description="The agent that applied the rules, as stated in the packet.")
    recipient_id: str | None = strawberry.field(description="The recipient.")
    supersedes_packet: str | None = strawberry.field(description="The id of the packet that it supersedes.")
    source_state_refs: list[str] | None = strawberry.field(description="The states that it was assembled from.")
    signed_by: str | None = strawberry.field(description="The did:key for which the signature is valid.")
    byte_length: strawberry.Private[int]

    @classmethod
    def from_row(cls, row: Row, reader: Reader) -> "Packet":
        """Return the packet in a row of `packets_by_hash.cypher`, without content that the reader may not see."""
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
        """Return the key that is unique to this packet."""
        return str(self.record_hash)

    @resolved
    async def items(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[PacketItem]:
        """The items, in the packet's order; empty if the packet is withheld."""
        span = Span.asked(Ordering("items of a packet"), first, after, last, before)
        if self.withheld is not None:
            return page_of(span, [], False, _nothing)
        return await info.context.loaders.packets.connect_items(self.record_hash, span, PacketItem.from_row)

    @resolved
    async def records(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[PacketRecord]:
        """The receipts, returns and dispositions that name its hash and that this reader may have, in log order."""
        span = Span.asked(Ordering("records of a packet"), first, after, last, before)
        if self.withheld is not None:
            return page_of(span, [], False, _nothing)
        return await info.context.loaders.packets.connect_records(self.record_hash, span, PacketRecord.from_row)

    @resolved
    async def document(self, info: Info) -> str | None:
        """The bytes as text; null if they are withheld or not stored."""
        return await document_of(info, self.record_hash, PACKET, self.withheld, self.byte_length)


async def _nothing() -> int:
    return 0


@strawberry.type(description="A break: a place where the loop is open (Context Packet §11.1).")
class PacketBreak:
    """A break of `a2ap.packet.closure`."""

    link: int = strawberry.field(description="The link: 1 returns, 2 disposition, 3 source-state inheritance.")
    packet: str = strawberry.field(description="The id of the packet.")
    following: str | None = strawberry.field(description="The id of the following packet, if the break is before one.")
    words: str = strawberry.field(description="The reason, in a sentence.")


@strawberry.type(description="The closure of the loops of a packet's thread, as far as this node has the thread.")
class PacketClosure:
    """The report of `graph.services.packet_closure`."""

    state: str = strawberry.field(description="`closed`, or the first open link.")
    closed: bool = strawberry.field(description="Whether every loop is closed.")
    complete: bool = strawberry.field(
        description="Whether the walk covered all of the thread that this reader may see; false if a limit cut it off."
    )
    packets: list[strawberry.ID] = strawberry.field(description="The packets that were walked, by record hash.")
    breaks: list[PacketBreak] = strawberry.field(description="All breaks.")
    remarks: list[str] = strawberry.field(description="Remarks that neither close nor open a loop.")


async def resolve_packet(info: Info, name: PacketName) -> Packet | None:
    """Return the packet of this name, None if there is none."""
    row = await find_packet(info.context.platform.store, name, info.context.reader)
    return None if row is None else Packet.from_row(row, info.context.reader)


async def resolve_packet_closure(info: Info, name: PacketName) -> PacketClosure:
    """Return the closure report of a packet's thread."""
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
