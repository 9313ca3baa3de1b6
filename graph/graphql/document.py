"""Source documents, and their origins."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.boundary import Boundary
from a2ap.times import instant_of
from graph.errors import InputError
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.log_entry import Receipt
from graph.graphql.node import Node
from graph.graphql.redaction import Redaction
from graph.graphql.scalars import ByteCount
from graph.lists.cursor import Ordering
from graph.lists.span import MAX_PAGE, Span
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.agent import Agent
    from graph.graphql.chunk import Chunk

LazyChunk = Annotated["Chunk", strawberry.lazy("graph.graphql.chunk")]


@strawberry.type(description="The origin of a document: a video, a page, a meeting.")
class Source:
    """A `:Source` node."""

    id: strawberry.ID = strawberry.field(description="The URN of the source.")
    title: str | None = strawberry.field(description="The title of the source.")
    publisher: str | None = strawberry.field(description="The publisher of the source.")
    origin: str | None = strawberry.field(description="The web address at which the source was found.")


@strawberry.type(
    description="A registration that states a stricter class than the document has. The class changes nothing until "
    "the owner of the document, or the operator of the node, accepts it with a registration of that class."
)
class BoundaryRequest:
    """A `:REGISTERED` relationship whose class does not bind (docs/decisions/0043)."""

    boundary: str = strawberry.field(description="The class requested.")
    log_index: int = strawberry.field(description="The log index of the registration.")
    agent_id: strawberry.Private[str]

    @resolved
    async def agent(self, info: Info) -> Annotated["Agent", strawberry.lazy("graph.graphql.agent")]:
        """The agent that requests the class."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent


@strawberry.type(description="One of the equal parts of a document, with the number of citations that begin in it.")
class CitationCount:
    """A row of `citation_counts_of.cypher`."""

    byte_start: int = strawberry.field(description="The first byte of the part.")
    byte_end: int = strawberry.field(description="The byte after the last byte of the part.")
    first_byte: int = strawberry.field(description="The first byte of the first cited passage in the part.")
    citations: int = strawberry.field(description="The number of citations of passages that begin in the part.")

    @classmethod
    def from_row(cls, row: Row, parts: int) -> "CitationCount":
        """Return the count of a row, one of so many parts of its document."""
        part, length = row["part"], row["byte_length"]
        return cls(
            byte_start=-(-part * length // parts),
            byte_end=-(-(part + 1) * length // parts),
            first_byte=row["first_byte"],
            citations=row["number"],
        )


Overlap = Annotated[int | None, strawberry.argument(description="A byte; only passages that end after it.")]
OverlapEnd = Annotated[int | None, strawberry.argument(description="A byte; only passages that begin before it.")]
Parts = Annotated[int, strawberry.argument(description=f"The number of parts, from 1 to {MAX_PAGE}.")]


@strawberry.type(description="The bytes that evidence is cited from, identified by their hash.")
class Document(Node):
    """A `:Document` node."""

    id: strawberry.ID = strawberry.field(
        description="The URN of the source under which the document was first registered or cited."
    )
    title: str | None = strawberry.field(description="The title, as registered.")
    hash: str | None = strawberry.field(description="The SHA-256 of the document; null if it was only cited by name.")
    boundary: str = strawberry.field(description="The boundary class: public, internal, confidential …")
    byte_length: ByteCount | None = strawberry.field(description="The number of bytes.")
    media_type: str | None = strawberry.field(description="The media type, as registered.")
    held: bool = strawberry.field(description="Whether this node has the bytes: GET /sources/{hash}.")
    registered: bool = strawberry.field(
        description="Whether an agent registered the document; false if it was only cited."
    )
    licence: str | None = strawberry.field(description="The licence, an IRI or words.")
    rights_holder: str | None = strawberry.field(description="The holder of the rights in the document.")
    retain_until: datetime | None = strawberry.field(
        description="The end of the retention period; the bytes are erased afterwards."
    )
    withheld: str | None = strawberry.field(
        description="The reason if the text is withheld from this reader, otherwise null."
    )
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
        """Return the key that is unique to this document."""
        return self.key

    @resolved
    async def receipt(self, info: Info) -> Receipt | None:
        """The receipt of the first registration; null if the document was only cited."""
        place = await info.context.loaders.log.place_of_document(self.key)
        return None if place is None else await info.context.loaders.log.receipt_at(place)

    @resolved
    async def proof(self, info: Info) -> str | None:
        """The inclusion proof of the first registration under the newest checkpoint, with it (C2SP tlog-proof)."""
        log, place = info.context.loaders.log, await info.context.loaders.log.place_of_document(self.key)
        return None if place is None else await log.proof_at(info.context.platform.log, place)

    @resolved
    async def redactions(self, info: Info) -> list[Redaction]:
        """The redactions of the document, oldest first."""
        return await info.context.loaders.documents.redactions_of(self.hash)

    @resolved
    async def boundary_requests(self, info: Info) -> list[BoundaryRequest]:
        """The registrations that state a stricter class than the document has, newest first."""
        if self.withheld is not None:
            return []
        rows = await info.context.loaders.documents.boundary_requests_of(self.key)
        return [
            BoundaryRequest(boundary=row["boundary"], log_index=row["log_index"], agent_id=row["agent_id"])
            for row in rows
            if Boundary(row["boundary"]) > Boundary(self.boundary)
        ]

    @resolved
    async def record_kind(self, info: Info) -> str | None:
        """Passport, Pack or Packet if the document is such a record; null for others, and if it is withheld."""
        return None if self.withheld is not None else await info.context.loaders.documents.record_kind_of(self.key)

    @resolved
    async def source(self, info: Info) -> Source | None:
        """The source of the document, by its first registration."""
        return next(iter(await self.sources(info)), None)

    @resolved
    async def sources(self, info: Info) -> list[Source]:
        """All sources that the document was registered under."""
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
        self,
        info: Info,
        start: Overlap = None,
        end: OverlapEnd = None,
        first: FirstOf = None,
        after: AfterOf = None,
        last: LastOf = None,
        before: BeforeOf = None,
    ) -> Connection[LazyChunk]:
        """The passages that have been cited, in byte order; with start and end, those in a part of the document."""
        span = Span.asked(Ordering("chunks of a document", (int, int)), first, after, last, before)
        return await info.context.loaders.documents.connect_chunks(self.key, (start, end), span)

    @resolved
    async def citation_counts(self, info: Info, parts: Parts = 50) -> list[CitationCount]:
        """The number of citations along the document, by equal parts of it; parts without any are left out.

        Empty if the length of the document is not registered.
        """
        if not 1 <= parts <= MAX_PAGE:
            raise InputError(f"parts is {parts}, not from 1 to {MAX_PAGE}", "parts")
        rows = await info.context.loaders.documents.citation_counts_of(self.key, parts)
        return [CitationCount.from_row(row, parts) for row in rows]
