"""The list of Context Passports, with filter and order."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.graphql.passport import Passport
from graph.lists.records import PassportChoice, PassportOrder, find_passports, key_of, ordering_of
from graph.lists.span import Span
from graph.store import Row

show_enum(
    PassportOrder,
    {
        "LOG_INDEX": "Order by log index.",
        "EVENT_TIME": "Order by the stated time of the event; a time without a zone counts as absent.",
    },
    name="PassportOrderField",
    description="The sort key of passports; a passport without a time counts as the oldest, and ties are broken by "
    "log index.",
)


@strawberry.input(description="An order of passports.")
class PassportOrderBy:
    """A sort key and a direction."""

    field: PassportOrder = strawberry.field(default=PassportOrder.LOG_INDEX, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="The direction of the order.")


@strawberry.input(
    description="A filter of passports by their stated members; a passport must meet every condition given."
)
class PassportFilter:
    """The members of `graph.lists.records.PassportChoice`; null is no condition."""

    agent: str | None = strawberry.field(
        default=None, description="Only passports that name this agent as their maker."
    )
    trace: str | None = strawberry.field(
        default=None, description="Only passports of this run: an id that starts with trc_."
    )
    event: str | None = strawberry.field(
        default=None, description="Only passports of this type of event, such as fork."
    )
    branch: str | None = strawberry.field(default=None, description="Only passports of this branch, such as main.")

    def choice(self) -> PassportChoice:
        """Return the filter as the query's conditions."""
        return PassportChoice(self.agent, self.trace, self.event, self.branch)


Which = Annotated[PassportFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[PassportOrderBy | None, strawberry.argument(description="Order; newest first if omitted.")]


async def resolve_passports(
    info: Info,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Passport]:
    """Return a page of the passports."""
    order = order_by or PassportOrderBy()
    ordering = ordering_of("passports", order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    choice = PassportChoice() if filter is None else filter.choice()

    async def find(span: Span) -> list[Row]:
        return await find_passports(info.context.platform.store, choice, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Passport | None]:
        found = await info.context.loaders.records.passports_with([row["record_hash"] for row in rows])
        by_hash = {one.record_hash: one for one in found}
        return [by_hash.get(row["record_hash"]) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))
