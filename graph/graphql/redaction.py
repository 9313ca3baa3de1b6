"""Redactions: what was erased, by whom, when and why (docs/retraction.md)."""

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
    """Counted from 0 in the document as it was."""

    start: int = strawberry.field(description="The first byte that was erased.")
    end: int = strawberry.field(description="The first byte after it that was not.")


@strawberry.type(description="Text was erased under law, and the log says so (a2ap:Redaction).")
class Redaction(Logged):
    """A `:Redaction` node."""

    id: strawberry.ID = strawberry.field(description="The message's own id.")
    signed_hash: str = strawberry.field(description="The SHA-256 of what was signed.")
    redacted_at: datetime = strawberry.field(description="When, as the redacting agent says.")
    reason: str = strawberry.field(description="Why, in the words of who erased it.")
    legal_basis: str | None = strawberry.field(description="The law that asked for it, where it is named.")
    document_hash: str = strawberry.field(description="The SHA-256 of the bytes as they were received.")
    redacted_document_hash: str | None = strawberry.field(
        description="The SHA-256 of the bytes that stand for them since; absent where a source was erased as a whole."
    )
    disclosure_digests: list[str] = strawberry.field(description="The disclosures that were taken from a message.")
    byte_ranges: list[RedactedRange] = strawberry.field(
        description="The passages that were taken from a source; none where it was erased as a whole."
    )
    log_index: int = strawberry.field(description="Its place in the log.")
    agent_id: strawberry.Private[str]

    @classmethod
    def from_record(cls, record: RedactionRecord) -> "Redaction":
        """Return the redaction as it is shown."""
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
        """Who erased it."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent
