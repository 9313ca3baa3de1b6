"""Log entries: what was accepted, in which order. Receipts: the answer to a submission."""

from datetime import datetime
from typing import Any

import strawberry

from a2ap.log.entry import LogEntry as Entry
from a2ap.log.entry import entry_bytes
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.node import Node
from graph.log.entry import Receipt as AppendReceipt
from graph.log.entry import entry_from_row


@strawberry.type(description="What the log says of one accepted message.")
class LogEntry(Node):
    """A `:LogEntry` node."""

    log_index: int = strawberry.field(description="Its place in the log, counted from 0 without a gap.")
    v: int = strawberry.field(description="The version of the entry.")
    origin: str = strawberry.field(description="The log that it is in.")
    type: str = strawberry.field(description="What the message is.")
    id: strawberry.ID = strawberry.field(description="The message's own id.")
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    signed_hash: str = strawberry.field(description="The SHA-256 of the signed bytes; the message's name in the graph.")
    agent: strawberry.ID = strawberry.field(description="Who signed it.")
    key: str = strawberry.field(description="The key that signed it, as the message names it.")
    received_at: datetime = strawberry.field(description="When this node took it in.")
    origin_index: int | None = strawberry.field(description="Its place in the log of `origin`, where that is a peer.")
    origin_received_at: datetime | None = strawberry.field(description="When that peer took it in.")

    def node_key(self) -> str:
        """Return what tells it from all others."""
        return str(self.log_index)

    @resolved
    def entry(self) -> str:
        """The leaf of the log: RFC 8785 JSON."""
        return entry_bytes(entry_from_row(vars(self))).decode()

    @resolved
    async def proof(self, info: Info) -> str:
        """The proof that the entry is under the newest checkpoint, with the checkpoint (C2SP tlog-proof)."""
        return await info.context.loaders.log.proof_at(info.context.platform.log, self.log_index)

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "LogEntry":
        """Return the entry that a row of `log_entries_from.cypher` describes."""
        return cls(**row)


@strawberry.type(description="What a submission is answered with: the message is durable and in the log.")
class Receipt:
    """The receipt of `Platform.submit`."""

    log_index: int = strawberry.field(description="Its place in the log, counted from 0 without a gap.")
    id: strawberry.ID = strawberry.field(description="The message's own id.")
    type: str = strawberry.field(description="What the message is.")
    signed_hash: str = strawberry.field(description="The SHA-256 of the signed bytes; the message's name in the graph.")
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    received_at: datetime = strawberry.field(description="When this node took it in.")
    created: bool = strawberry.field(description="False where the same message was here already.")
    entry: str = strawberry.field(description="The leaf of the log: RFC 8785 JSON.")

    @resolved
    async def proof(self, info: Info) -> str:
        """The proof that the entry is under the newest checkpoint, with the checkpoint (C2SP tlog-proof)."""
        return await info.context.loaders.log.proof_at(info.context.platform.log, self.log_index)

    @classmethod
    def from_receipt(cls, receipt: AppendReceipt) -> "Receipt":
        """Return a receipt as the schema shows it."""
        return cls.from_entry(receipt.entry, created=receipt.created)

    @classmethod
    def from_entry(cls, entry: Entry, *, created: bool) -> "Receipt":
        """Return the receipt of a message by its entry."""
        return cls(
            log_index=entry.log_index,
            id=strawberry.ID(entry.id),
            type=entry.type,
            signed_hash=entry.signed_hash,
            document_hash=entry.document_hash,
            received_at=entry.received_at,
            created=created,
            entry=entry_bytes(entry).decode(),
        )
