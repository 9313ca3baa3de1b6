"""Redactions: the erased text, with the agent, time and reason (docs/how-to/retraction.md)."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.logged import Logged
from graph.retention.redactions import RedactionRecord

if TYPE_CHECKING:
    from graph.graphql.agent import Agent


@strawberry.type(description="A half-open range of bytes that was erased.")
class RedactedRange:
    """Offsets from 0 in the original document."""

    start: int = strawberry.field(description="The first erased byte.")
    end: int = strawberry.field(description="The byte after the last erased one.")


@strawberry.type(description="An erasure of text under law, recorded in the log (a2ap:Redaction).")
class Redaction(Logged):
    """A `:Redaction` node."""

    id: strawberry.ID = strawberry.field(description="The id that the message states.")
    signed_hash: str = strawberry.field(description="The SHA-256 of the signed bytes.")
    redacted_at: datetime = strawberry.field(description="The time of the redaction, as stated by its agent.")
    reason: str = strawberry.field(description="The reason, in the words of the redacting agent.")
    legal_basis: str | None = strawberry.field(description="The law that required the erasure, if it is named.")
    document_hash: str = strawberry.field(description="The SHA-256 of the bytes as they were received.")
    redacted_document_hash: str | None = strawberry.field(
        description="The SHA-256 of the bytes after the redaction; null if a source was erased as a whole."
    )
    disclosure_digests: list[str] = strawberry.field(description="The disclosures erased from a message.")
    byte_ranges: list[RedactedRange] = strawberry.field(
        description="The passages erased from a source; empty if it was erased as a whole."
    )
    log_index: int = strawberry.field(description="The log index of the redaction.")
    agent_id: strawberry.Private[str]

    @classmethod
    def from_record(cls, record: RedactionRecord) -> "Redaction":
        """Return a redaction as the schema shows it."""
        return cls(
            id=strawberry.ID(record.redaction_id),
            signed_hash=record.signed_hash,
            redacted_at=record.redacted_at,
            reason=record.reason,
            legal_basis=record.legal_basis,
            document_hash=record.document_hash,
            redacted_document_hash=record.redacted_document_hash,
            disclosure_digests=list(record.disclosure_digests),
            byte_ranges=[RedactedRange(start=one.start, end=one.end) for one in record.byte_ranges],
            log_index=record.log_index,
            agent_id=record.agent_id,
        )

    @resolved
    async def redacted_by(self, info: Info) -> Annotated["Agent", strawberry.lazy("graph.graphql.agent")]:
        """The agent that erased the text."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent
