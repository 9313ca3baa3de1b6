"""Chunks: cited passages of documents. Evidence: a chunk as one statement cites it."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graph.graphql.arguments import First
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.document import Document
from graph.graphql.fields import resolved
from graph.graphql.node import Node
from graph.graphql.ordering import Direction, OldestFirst
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]


@strawberry.type(description="A half-open range of bytes.")
class ByteRange:
    """Offsets from 0 in the original document."""

    start: int = strawberry.field(description="The first byte.")
    end: int = strawberry.field(description="The byte after the last one.")


@strawberry.type(
    description="The time range in which the cited words are spoken, as HH:MM:SS; the start is rounded down, the end "
    "up."
)
class CueRange:
    """The cue times of captions."""

    start: str = strawberry.field(description="The start as HH:MM:SS, rounded down.")
    end: str = strawberry.field(description="The end as HH:MM:SS, rounded up.")
    start_milliseconds: int | None = strawberry.field(description="The exact start in milliseconds, if stated.")
    end_milliseconds: int | None = strawberry.field(description="The exact end in milliseconds, if stated.")


@strawberry.type(description="A passage of a document that statements cite (A2AP §3.1).")
class Chunk(Node):
    """A `:Chunk` node with its document."""

    id: strawberry.ID = strawberry.field(
        description="The id of the passage, made of the document's name and the first byte."
    )
    text: str = strawberry.field(description='The text of the passage; "" if `withheld` gives a reason.')
    byte_start: int = strawberry.field(description="The first byte of the passage.")
    byte_end: int = strawberry.field(description="The byte after the last byte of the passage.")
    withheld: str | None = strawberry.field(description="The reason if the text is not shown, otherwise null.")
    content_hash: str | None = strawberry.field(
        description="The SHA-256 of the passage, as cited; null if the text is withheld."
    )
    timestamp: CueRange | None = strawberry.field(
        description="The time range in which the passage is spoken, if a statement states it."
    )
    document: Document = strawberry.field(description="The document of the passage.")
    key: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row) -> "Chunk":
        """Return the chunk of a row, with its document, and without text that this reader may not see."""
        return cls(
            id=row["chunk_id"],
            text="" if row["withheld"] else row["text"],
            byte_start=row["byte_start"],
            byte_end=row["byte_end"],
            withheld=row["passage_redacted"] or row["withheld"] or _reason_without_text(row),
            content_hash=None if _is_withheld(row) else row["content_hash"],
            timestamp=_cue_range(row["timestamp_start"], row["timestamp_end"]),
            document=Document.from_row(row),
            key=row["chunk_key"],
        )

    def node_key(self) -> str:
        """Return the key that is unique to this chunk."""
        return self.key

    @resolved
    async def cited_by(self, info: Info, first: First = MAX_PAGE) -> list[LazyStatement]:
        """The statements that cite the passage, oldest first; `citedByConnection` pages through all of them."""
        return await info.context.loaders.statements_citing(self.key, check_first(first))

    @resolved
    async def cited_by_connection(
        self,
        info: Info,
        direction: OldestFirst = Direction.ASC,
        first: FirstOf = None,
        after: AfterOf = None,
        last: LastOf = None,
        before: BeforeOf = None,
    ) -> Connection[LazyStatement]:
        """The statements that cite the passage, page by page."""
        ordering = Ordering("statements citing a chunk", descending=direction is Direction.DESC)
        span = Span.asked(ordering, first, after, last, before)
        return await info.context.loaders.connect_statements_citing(self.key, span)


@strawberry.type(description="A passage as one statement cites it (A2AP §2.1).")
class Evidence:
    """A `CITES` relationship with its chunk."""

    source_document: str = strawberry.field(description="The name of the document, as cited.")
    chunk_id: strawberry.ID = strawberry.field(description="The id of the passage.")
    byte_range: ByteRange = strawberry.field(description="The byte range of the passage in the document.")
    quote: str = strawberry.field(description='The quote in the statement; "" if there is none or it is withheld.')
    withheld: str | None = strawberry.field(
        description="The reason if the quote is withheld from this reader, otherwise null."
    )
    relevance_score: float | None = strawberry.field(
        description="The relevance of the passage to the claim, 0 to 1, as stated by the author."
    )
    timestamp: CueRange | None = strawberry.field(
        description="The time range in which the passage is spoken, as stated by the author."
    )
    page: int | None = strawberry.field(description="The page of the passage, counted from 1, as stated by the author.")
    content_hash: str | None = strawberry.field(
        description="The SHA-256 of the passage, as stated by the author; null if the quote is withheld."
    )
    chunk: Chunk = strawberry.field(description="The passage.")

    @classmethod
    def from_row(cls, row: Row) -> "Evidence":
        """Return the evidence that a row of `citations_of.cypher` describes."""
        return cls(
            source_document=row["source_document"],
            chunk_id=row["cited_chunk_id"],
            byte_range=ByteRange(start=row["byte_start"], end=row["byte_end"]),
            quote="" if row["withheld"] else row["quote_text"] or "",
            withheld=row["passage_redacted"] or row["withheld"],
            relevance_score=row["relevance_score"],
            timestamp=_cue_range(
                row["cited_start"], row["cited_end"], row["start_milliseconds"], row["end_milliseconds"]
            ),
            page=row["page"],
            content_hash=None if _is_withheld(row) else row["cited_content_hash"],
            chunk=Chunk.from_row(_as_cited(row)),
        )


def _as_cited(row: Row) -> Row:
    """Return the row with its chunk as this statement cites it: the node has the values of the first citation."""
    return {
        **row,
        "chunk_id": row["cited_chunk_id"],
        "content_hash": row["cited_content_hash"],
        "timestamp_start": row["cited_start"],
        "timestamp_end": row["cited_end"],
    }


def _is_withheld(row: Row) -> bool:
    """Say whether the passage was erased or is withheld from this reader, since its hash reveals its text."""
    return bool(row["passage_redacted"] or row["withheld"])


def _cue_range(
    start: str | None, end: str | None, start_milliseconds: int | None = None, end_milliseconds: int | None = None
) -> CueRange | None:
    if start is None or end is None:
        return None
    return CueRange(start=start, end=end, start_milliseconds=start_milliseconds, end_milliseconds=end_milliseconds)


def _reason_without_text(row: Row) -> str | None:
    if row["text"]:
        return None
    if row["document_redacted"]:
        return f"the source was {row['document_redacted']}"
    if not row["held"]:
        return "the source is not held here"
    return "the passage is not text, or too long for the graph: GET /sources/{hash} has it"
