"""The list of Context Passports, narrowed and ordered as the asker wants."""

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
        "LOG_INDEX": "Their places in the log.",
        "EVENT_TIME": "When their events were, as they say; what names no zone has no time.",
    },
    name="PassportOrderField",
    description="What passports are ordered by; what has no time counts as the oldest, and those of one time are by "
    "their places in the log.",
)


@strawberry.input(description="An order of passports.")
class PassportOrderBy:
    """By what, and which end first."""

    field: PassportOrder = strawberry.field(default=PassportOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="Which end comes first.")


@strawberry.input(description="Which passports are meant, by their own word: those for which all holds that is given.")
class PassportFilter:
    """The members of `graph.lists.records.PassportChoice`; null is what does not matter."""

    agent: str | None = strawberry.field(default=None, description="The agent that they name as their maker.")
    trace: str | None = strawberry.field(default=None, description="The run, trc_ and more.")
    event: str | None = strawberry.field(default=None, description="The type of the event, such as fork.")
    branch: str | None = strawberry.field(default=None, description="The branch, such as main.")

    def choice(self) -> PassportChoice:
        """Return what is chosen."""
        return PassportChoice(self.agent, self.trace, self.event, self.branch)


Which = Annotated[PassportFilter | None, strawberry.argument(description="Which; all without it.")]
OrderBy = Annotated[PassportOrderBy | None, strawberry.argument(description="In which order; newest first without it.")]


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
