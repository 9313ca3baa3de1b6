"""The list of registered agents, with filter and order."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph.graphql.agent import Agent
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.lists.agents import AgentChoice, AgentOrder, find_agents, key_of, ordering_of
from graph.lists.span import Span
from graph.store import Row

show_enum(
    AgentOrder,
    {
        "LOG_INDEX": "Order by log index of registration.",
        "NAME": "Order by name, by code points.",
        "REPUTATION": "Order by reputation.",
    },
    name="AgentOrderField",
    description="The sort key of agents; ties are broken by log index of registration.",
)


@strawberry.input(description="An order of agents.")
class AgentOrderBy:
    """A sort key and a direction."""

    field: AgentOrder = strawberry.field(default=AgentOrder.LOG_INDEX, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="The direction of the order.")


@strawberry.input(description="A filter of agents; an agent must meet every condition given.")
class AgentFilter:
    """The members of `graph.lists.agents.AgentChoice`; null is no condition."""

    capability: str | None = strawberry.field(default=None, description="Only agents that state this capability.")
    publisher: str | None = strawberry.field(default=None, description="Only agents of this publisher.")
    family: strawberry.ID | None = strawberry.field(
        default=None, description="Only agents that declare themselves versions of this family."
    )
    version: str | None = strawberry.field(default=None, description="Only agents of this version.")
    name: str | None = strawberry.field(default=None, description="Only agents of this name.")
    active: bool | None = strawberry.field(
        default=None, description="True for active agents only, false for deactivated agents only."
    )

    def choice(self) -> AgentChoice:
        """Return the filter as the query's conditions."""
        return AgentChoice(self.capability, self.publisher, self.family, self.version, self.name, self.active)


Which = Annotated[AgentFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[AgentOrderBy | None, strawberry.argument(description="Order; oldest first if omitted.")]


async def resolve_agents(
    info: Info,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Agent]:
    """Return a page of the agents."""
    order = order_by or AgentOrderBy()
    ordering = ordering_of(order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    choice = AgentChoice() if filter is None else filter.choice()

    async def find(span: Span) -> list[Row]:
        return await find_agents(info.context.platform.store, choice, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Agent]:
        info.context.loaders.spend(len(rows))
        return [Agent.from_row(row, whole=True) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))
