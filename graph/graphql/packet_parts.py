"""The parts of Context Packets: items, and receipts, returns and dispositions."""

import strawberry

from a2ap.errors import A2APError
from graph.clearance import Reader, boundary_of
from graph.graphql.agent import Agent
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.logged import Logged
from graph.graphql.statement import Statement
from graph.records.packet_lookup import PACKET_RECORD
from graph.records.reading import bytes_of_record
from graph.store import Row


@strawberry.type(description="An item of a Context Packet, without its text, which is in the packet's document.")
class PacketItem:
    """An `:Item` node."""

    id: str | None = strawberry.field(description="The item_id, unique within the packet.")
    position: int = strawberry.field(description="The position in the packet, from 0.")
    kind: str | None = strawberry.field(description="The role in the task.")
    epistemic_status: str | None = strawberry.field(description="The epistemic status.")
    promotion_state: str | None = strawberry.field(description="The state of promotion in the producer's workspace.")
    confidence: str | None = strawberry.field(description="low, medium or high, as stated by the producer.")
    stakes: str | None = strawberry.field(description="low, medium or high.")
    boundary: str | None = strawberry.field(description="The boundary class.")
    branch_status: str | None = strawberry.field(description="The status of its branch.")
    source: str | None = strawberry.field(description="The source, as stated by the producer.")
    author: str | None = strawberry.field(description="The author, as stated by the producer.")
    trust: str | None = strawberry.field(description="internal, external …, as stated by the producer.")
    superseded_by: str | None = strawberry.field(description="The replacement of the item, as stated by the producer.")
    document_hash: str | None = strawberry.field(description="The SHA-256 of the document that the item is about.")
    statement_hash: strawberry.Private[str | None]

    @classmethod
    def from_row(cls, row: Row) -> "PacketItem":
        """Return the item in a row of `items_of_packets.cypher`."""
        found = row["properties"]
        same = ("kind", "epistemic_status", "promotion_state", "confidence", "stakes", "boundary", "branch_status")
        return cls(
            id=found.get("item_id"),
            position=found["position"],
            **{name: found.get(name) for name in (*same, "source", "author", "trust", "superseded_by")},
            document_hash=row["document"],
            statement_hash=row["statement"],
        )

    @resolved
    async def statement(self, info: Info) -> Statement | None:
        """The statement of this log that the item is about."""
        if self.statement_hash is None:
            return None
        return next(iter(await info.context.loaders.statements_with([self.statement_hash])), None)


@strawberry.type(description="A receipt, a return or a disposition: a report on the use of a packet.")
class PacketRecord(Logged):
    """A `:PacketRecord` node; its free text is in its document only."""

    record_hash: strawberry.ID = strawberry.field(description="The SHA-256 of the record's bytes.")
    log_index: int = strawberry.field(description="The log index of the first registration.")
    boundary: str = strawberry.field(description="The boundary class of the bytes.")
    kind: str | None = strawberry.field(description="packet-receipt, packet-return or packet-disposition.")
    record_id: str | None = strawberry.field(description="The id that the record states.")
    event: str | None = strawberry.field(description="The event that a receipt reports.")
    at: str | None = strawberry.field(description="The time, as stated in the record.")
    by: str | None = strawberry.field(
        description="The author, as stated in the record; `signers` are the proved authors."
    )
    observability_ref: str | None = strawberry.field(description="The trace that the record names.")
    outcome: str | None = strawberry.field(
        description="The outcome of a disposition: promoted, rejected, superseded, escalated."
    )
    result_state: str | None = strawberry.field(description="The state that resulted from a disposition.")
    proposal_ids: list[str] | None = strawberry.field(description="The ids of the proposals in a return.")
    signed_by: str | None = strawberry.field(description="The did:key for which the signature is valid.")
    disposes_of: list[strawberry.ID] = strawberry.field(
        description="The returns that the disposition decides on, as far as this reader may have them."
    )
    signer_ids: strawberry.Private[list[str]]
    byte_length: strawberry.Private[int]

    @classmethod
    def from_row(cls, row: Row) -> "PacketRecord":
        """Return the record in a row of `packet_records_of.cypher`, which has only records that the reader may have."""
        found = row["properties"]
        same = ("kind", "record_id", "event", "at", "by", "observability_ref", "outcome", "result_state")
        return cls(
            record_hash=found["record_hash"],
            log_index=found["log_index"],
            boundary=boundary_of(row["boundary"]).value,
            **{name: found.get(name) for name in (*same, "proposal_ids", "signed_by")},
            disposes_of=list(row["disposed"]),
            signer_ids=list(row["signers"]),
            byte_length=found.get("byte_length") or 0,
        )

    @resolved
    async def signers(self, info: Info) -> list[Agent]:
        """The agents of this log that signed the record with a key in force at its registration."""
        return await info.context.loaders.agents_with(self.signer_ids)

    @resolved
    async def document(self, info: Info) -> str | None:
        """The bytes as text; null if they are not stored."""
        return await document_of(info, self.record_hash, PACKET_RECORD, None, self.byte_length)


def reason_withheld(row: Row, reader: Reader) -> str | None:
    """Return the reason why a packet or record is withheld from a reader: it was erased, or is above the clearance."""
    if row["redacted"] is not None:
        return f"it was {row['redacted']}"
    boundary = boundary_of(row["boundary"])
    if reader.may_read(boundary):
        return None
    return f"it is {boundary}, and this reader is cleared for {reader.clearance}"


async def document_of(info: Info, record_hash: str, label: str, withheld: str | None, length: int) -> str | None:
    """Return the bytes of a packet or record as text; None if they are withheld or not stored."""
    if withheld is not None:
        return None
    info.context.loaders.spend_bytes(length)
    platform = info.context.platform
    try:
        content = await bytes_of_record(platform.store, platform.content, record_hash, label, info.context.reader)
    except A2APError:
        return None
    return content.decode("utf-8")
