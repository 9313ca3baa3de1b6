"""The list of source documents, with filter and order."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.document import Document
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.lists.documents import DocumentChoice, DocumentOrder, find_documents, key_of, ordering_of
from graph.lists.span import Span
from graph.store import Row

show_enum(
    DocumentOrder,
    {
        "HASH": "Order by hash, or by name if only the name was cited.",
        "TITLE": "Order by title, by code points; a withheld title counts as no title.",
        "BYTE_LENGTH": "Order by length in bytes.",
        "REGISTERED": "Order by log index of the first registration; documents that were only cited count as oldest.",
    },
    name="DocumentOrderField",
    description="The sort key of documents; ties are broken by hash.",
)


@strawberry.input(description="An order of documents.")
class DocumentOrderBy:
    """A sort key and a direction."""

    field: DocumentOrder = strawberry.field(default=DocumentOrder.HASH, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="The direction of the order.")


@strawberry.input(description="A filter of documents; a document must meet every condition given.")
class DocumentFilter:
    """The members of `graph.lists.documents.DocumentChoice`; null is no condition."""

    name: str | None = strawberry.field(
        default=None, description="Only documents with this hash, sha256:…, or this URN, which several may share."
    )
    publisher: str | None = strawberry.field(
        default=None, description="Only documents of this publisher, by a registration."
    )
    licence: str | None = strawberry.field(
        default=None, description="Only documents under this licence, by the first registration."
    )
    media_type: str | None = strawberry.field(
        default=None, description="Only documents of this media type, by the registration."
    )
    boundary: list[str] | None = strawberry.field(
        default=None,
        description="Only documents of any of these classes, by the registration; a document without a registration "
        "counts as public.",
    )
    held: bool | None = strawberry.field(default=None, description="Whether this node has the bytes.")
    registered: bool | None = strawberry.field(
        default=None, description="Whether an agent registered the document; false if it was only cited."
    )

    def choice(self) -> DocumentChoice:
        """Return the filter as the query's conditions."""
        boundaries = None if self.boundary is None else tuple(self.boundary)
        return DocumentChoice(
            self.name, self.publisher, self.licence, self.media_type, boundaries, self.held, self.registered
        )


Which = Annotated[DocumentFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[DocumentOrderBy | None, strawberry.argument(description="Order; lowest hash first if omitted.")]


async def resolve_documents(
    info: Info,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Document]:
    """Return a page of the documents."""
    order = order_by or DocumentOrderBy()
    ordering = ordering_of(order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    choice = DocumentChoice() if filter is None else filter.choice()
    loaders = info.context.loaders

    async def find(span: Span) -> list[Row]:
        return await find_documents(info.context.platform.store, choice, info.context.reader, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Document]:
        loaders.spend(len(rows))
        await loaders.documents.mark_documents(rows)
        return [Document.from_row(row) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))
