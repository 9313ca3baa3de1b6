"""Log entries: the accepted messages in order. Receipts: the responses to submissions."""

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


@strawberry.type(description="The log entry of one accepted message.")
class LogEntry(Node):
    """A `:LogEntry` node."""

    log_index: int = strawberry.field(description="The log index of the entry, counted from 0 without gaps.")
    v: int = strawberry.field(description="The version of the entry's format.")
    origin: str = strawberry.field(description="The origin of the log that first had the message.")
    type: str = strawberry.field(description="The type of the message.")
    id: strawberry.ID = strawberry.field(description="The id that the message states.")
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    signed_hash: str = strawberry.field(
        description="The SHA-256 of the signed bytes, by which the graph names the message."
    )
    agent: strawberry.ID = strawberry.field(description="The agent that signed the message.")
    key: str = strawberry.field(description="The key that signed the message, as the message names it.")
    received_at: datetime = strawberry.field(description="The time of receipt by this node.")
    origin_index: int | None = strawberry.field(
        description="The log index in the log of `origin`, if that is a peer's."
    )
    origin_received_at: datetime | None = strawberry.field(description="The time of receipt by that peer.")

    def node_key(self) -> str:
        """Return the key that is unique to this entry."""
        return str(self.log_index)

    @resolved
    def entry(self) -> str:
        """The leaf of the log, as RFC 8785 JSON."""
        return entry_bytes(entry_from_row(vars(self))).decode()

    @resolved
    async def proof(self, info: Info) -> str:
        """The proof that the entry is included under the newest checkpoint, with the checkpoint (C2SP tlog-proof)."""
        return await info.context.loaders.log.proof_at(info.context.platform.log, self.log_index)

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "LogEntry":
        """Return the entry that a row of `log_entries_from.cypher` describes."""
        return cls(**row)


@strawberry.type(description="The response to a submission: the message is durable and in the log.")
class Receipt:
    """The receipt of `Platform.submit`."""

    log_index: int = strawberry.field(description="The log index of the entry, counted from 0 without gaps.")
    id: strawberry.ID = strawberry.field(description="The id that the message states.")
    type: str = strawberry.field(description="The type of the message.")
    signed_hash: str = strawberry.field(
        description="The SHA-256 of the signed bytes, by which the graph names the message."
    )
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    received_at: datetime = strawberry.field(description="The time of receipt by this node.")
    created: bool = strawberry.field(description="False if the log already had the same message.")
    entry: str = strawberry.field(description="The leaf of the log, as RFC 8785 JSON.")

    @resolved
    async def proof(self, info: Info) -> str:
        """The proof that the entry is included under the newest checkpoint, with the checkpoint (C2SP tlog-proof)."""
        return await info.context.loaders.log.proof_at(info.context.platform.log, self.log_index)

    @classmethod
    def from_receipt(cls, receipt: AppendReceipt) -> "Receipt":
        """Return a receipt as the schema shows it."""
        return cls.from_entry(receipt.entry, created=receipt.created)

    @classmethod
    def from_entry(cls, entry: Entry, *, created: bool) -> "Receipt":
        """Return the receipt of a message, made from its log entry."""
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
