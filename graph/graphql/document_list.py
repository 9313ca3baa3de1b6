"""The list of source documents, narrowed and ordered as the asker wants."""

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
        "HASH": "Their hashes, or names where only these were cited.",
        "TITLE": "Their titles, by code points; one that is withheld counts as none.",
        "BYTE_LENGTH": "How long they are.",
        "REGISTERED": "Where in the log they were first registered; what was only cited is ahead of all.",
    },
    name="DocumentOrderField",
    description="What documents are ordered by; those of one rank by their hashes.",
)


@strawberry.input(description="An order of documents.")
class DocumentOrderBy:
    """By what, and which end first."""

    field: DocumentOrder = strawberry.field(default=DocumentOrder.HASH, description="By what.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="Which end comes first.")


@strawberry.input(description="Which documents are meant: those for which all holds that is given.")
class DocumentFilter:
    """The members of `graph.lists.documents.DocumentChoice`; null is what does not matter."""

    name: str | None = strawberry.field(
        default=None, description="A hash, sha256:…, or a URN, which may stand for several."
    )
    publisher: str | None = strawberry.field(default=None, description="Who published it, by a registration.")
    licence: str | None = strawberry.field(default=None, description="Under which licence, by the first registration.")
    media_type: str | None = strawberry.field(default=None, description="Of which media type, by the registration.")
    boundary: list[str] | None = strawberry.field(
        default=None, description="Of any of these classes, by its registration; public where it has none."
    )
    held: bool | None = strawberry.field(default=None, description="Whether this node has the bytes.")
    registered: bool | None = strawberry.field(
        default=None, description="Whether an agent registered it, and not only cited it."
    )

    def choice(self) -> DocumentChoice:
        """Return what is chosen."""
        boundaries = None if self.boundary is None else tuple(self.boundary)
        return DocumentChoice(
            self.name, self.publisher, self.licence, self.media_type, boundaries, self.held, self.registered
        )


Which = Annotated[DocumentFilter | None, strawberry.argument(description="Which; all without it.")]
OrderBy = Annotated[
    DocumentOrderBy | None, strawberry.argument(description="In which order; the lowest hash first without it.")
]


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
