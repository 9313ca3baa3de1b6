"""The list of Context Packs, with filter and order."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.graphql.pack import Pack
from graph.lists.records import PackChoice, PackOrder, find_packs, key_of, ordering_of
from graph.lists.span import Span
from graph.store import Row

show_enum(
    PackOrder,
    {
        "LOG_INDEX": "Order by log index.",
        "CREATED": "Order by the stated time of creation, to the second.",
    },
    name="PackOrderField",
    description="The sort key of packs; ties are broken by log index.",
)


@strawberry.input(description="An order of packs.")
class PackOrderBy:
    """A sort key and a direction."""

    field: PackOrder = strawberry.field(default=PackOrder.LOG_INDEX, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="The direction of the order.")


@strawberry.input(description="A filter of packs; a pack must meet every condition given.")
class PackFilter:
    """The members of `graph.lists.records.PackChoice`; null is no condition."""

    model: str | None = strawberry.field(default=None, description="Only runs of this model.")
    content: str | None = strawberry.field(
        default=None, description="Only packs that used or generated this content, by hash."
    )
    parent: strawberry.ID | None = strawberry.field(
        default=None, description="Only packs that follow this pack, by hash."
    )

    def choice(self) -> PackChoice:
        """Return the filter as the query's conditions."""
        return PackChoice(self.model, self.content, self.parent)


Which = Annotated[PackFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[PackOrderBy | None, strawberry.argument(description="Order; newest first if omitted.")]


async def resolve_packs(
    info: Info,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Pack]:
    """Return a page of the packs."""
    order = order_by or PackOrderBy()
    ordering = ordering_of("packs", order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    choice = PackChoice() if filter is None else filter.choice()

    async def find(span: Span) -> list[Row]:
        return await find_packs(info.context.platform.store, choice, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Pack | None]:
        found = await info.context.loaders.records.packs_with([row["record_hash"] for row in rows])
        by_hash = {one.record_hash: one for one in found}
        return [by_hash.get(row["record_hash"]) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))
