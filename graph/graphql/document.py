"""Source documents, and where they come from."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.boundary import Boundary
from a2ap.times import instant_of
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.log_entry import Receipt
from graph.graphql.node import Node
from graph.graphql.redaction import Redaction
from graph.graphql.scalars import ByteCount
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.agent import Agent
    from graph.graphql.chunk import Chunk

LazyChunk = Annotated["Chunk", strawberry.lazy("graph.graphql.chunk")]


@strawberry.type(description="What a document was taken from: a video, a page, a meeting.")
class Source:
    """A `:Source` node."""

    id: strawberry.ID = strawberry.field(description="The source's URN.")
    title: str | None = strawberry.field(description="Its title.")
    publisher: str | None = strawberry.field(description="Who published it.")
    origin: str | None = strawberry.field(description="Where it was found, a web address.")


@strawberry.type(
    description="A registration that states a stricter class than the document has. The owner of the document, or the "
    "operator of the node, accepts it with a registration of that class; until then it changes nothing."
)
class BoundaryRequest:
    """A `:REGISTERED` relationship whose class does not bind (docs/decisions/0280)."""

    boundary: str = strawberry.field(description="The class that is asked for.")
    log_index: int = strawberry.field(description="The place of the registration in the log.")
    agent_id: strawberry.Private[str]

    @resolved
    async def agent(self, info: Info) -> Annotated["Agent", strawberry.lazy("graph.graphql.agent")]:
        """The agent that asks for it."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent


@strawberry.type(description="The bytes that evidence is cited from, fixed by their hash.")
class Document(Node):
    """A `:Document` node."""

    id: strawberry.ID = strawberry.field(description="The source's URN that it was first registered or cited under.")
    title: str | None = strawberry.field(description="Its title, as registered.")
    hash: str | None = strawberry.field(description="The SHA-256 of its bytes; absent where it was only cited by name.")
    boundary: str = strawberry.field(description="Who may read it: public, internal, confidential …")
    byte_length: ByteCount | None = strawberry.field(description="How many bytes it has.")
    media_type: str | None = strawberry.field(description="Its media type, as registered.")
    held: bool = strawberry.field(description="Whether this node has the bytes: GET /sources/{hash}.")
    registered: bool = strawberry.field(description="Whether an agent registered it, and not only cited it.")
    licence: str | None = strawberry.field(description="Under which licence it may be used, an IRI or words.")
    rights_holder: str | None = strawberry.field(description="Who holds the rights in it.")
    retain_until: datetime | None = strawberry.field(
        description="Until when its bytes may be kept; then they are erased."
    )
    withheld: str | None = strawberry.field(description="Why its text is withheld from this reader, where it is.")
    key: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row) -> "Document":
        """Return the document that a row describes; `effective_boundary` and `withheld` are set by the loaders."""
        shown = {} if row["withheld"] is not None else row
        return cls(
            id=row["doc_id"] or row["document_key"],
            title=shown.get("title"),
            hash=row["document_hash"],
            boundary=row["effective_boundary"],
            byte_length=row["byte_length"],
            media_type=shown.get("media_type"),
            held=bool(row["held"]),
            registered=bool(row["registered"]),
            licence=shown.get("licence"),
            rights_holder=shown.get("rights_holder"),
            retain_until=None if row["retain_micros"] is None else instant_of(row["retain_micros"]),
            withheld=row["document_redacted"] or row["withheld"],
            key=row["document_key"],
        )

    def node_key(self) -> str:
        """Return what tells it from all others."""
        return self.key

    @resolved
    async def receipt(self, info: Info) -> Receipt | None:
        """What its first registration was answered with; null where it was only cited."""
        place = await info.context.loaders.log.place_of_document(self.key)
        return None if place is None else await info.context.loaders.log.receipt_at(place)

    @resolved
    async def proof(self, info: Info) -> str | None:
        """The proof that the entry of that is under the newest checkpoint, with the checkpoint (C2SP tlog-proof)."""
        log, place = info.context.loaders.log, await info.context.loaders.log.place_of_document(self.key)
        return None if place is None else await log.proof_at(info.context.platform.log, place)

    @resolved
    async def redactions(self, info: Info) -> list[Redaction]:
        """What was erased of it, oldest first."""
        return await info.context.loaders.documents.redactions_of(self.hash)

    @resolved
    async def boundary_requests(self, info: Info) -> list[BoundaryRequest]:
        """The registrations that state a stricter class than it has, newest first."""
        if self.withheld is not None:
            return []
        rows = await info.context.loaders.documents.boundary_requests_of(self.key)
        return [
            BoundaryRequest(boundary=row["boundary"], log_index=row["log_index"], agent_id=row["agent_id"])
            for row in rows
            if Boundary(row["boundary"]) > Boundary(self.boundary)
        ]

    @resolved
    async def source(self, info: Info) -> Source | None:
        """Where it comes from, by its first registration."""
        return next(iter(await self.sources(info)), None)

    @resolved
    async def sources(self, info: Info) -> list[Source]:
        """All the names that it was registered under."""
        rows = await info.context.loaders.documents.sources_of(self.key)
        return [
            Source(
                id=row["source_id"],
                title=row["title"] if row["readable"] and self.withheld is None else None,
                publisher=row["publisher"] if row["readable"] else None,
                origin=row["origin"] if row["readable"] else None,
            )
            for row in rows
        ]

    @resolved
    async def chunks(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LazyChunk]:
        """The passages that have been cited, in the order of their bytes."""
        span = Span.asked(Ordering("chunks of a document", (int, int)), first, after, last, before)
        return await info.context.loaders.documents.connect_chunks(self.key, span)
