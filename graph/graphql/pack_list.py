"""The list of Context Packs, narrowed and ordered as the asker wants."""

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
        "LOG_INDEX": "Their places in the log.",
        "CREATED": "When they were made, as they say, to the second.",
    },
    name="PackOrderField",
    description="What packs are ordered by; those of one time by their places in the log.",
)


@strawberry.input(description="An order of packs.")
class PackOrderBy:
    """By what, and which end first."""

    field: PackOrder = strawberry.field(default=PackOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="Which end comes first.")


@strawberry.input(description="Which packs are meant: those for which all holds that is given.")
class PackFilter:
    """The members of `graph.lists.records.PackChoice`; null is what does not matter."""

    model: str | None = strawberry.field(default=None, description="The model that ran.")
    content: str | None = strawberry.field(default=None, description="Content that they used or generated, by hash.")
    parent: strawberry.ID | None = strawberry.field(default=None, description="The pack that they follow, by hash.")

    def choice(self) -> PackChoice:
        """Return what is chosen."""
        return PackChoice(self.model, self.content, self.parent)


Which = Annotated[PackFilter | None, strawberry.argument(description="Which; all without it.")]
OrderBy = Annotated[PackOrderBy | None, strawberry.argument(description="In which order; newest first without it.")]


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
