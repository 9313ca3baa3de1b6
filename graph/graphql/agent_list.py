"""The registry of agents as a list, narrowed and ordered as the asker wants."""

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
        "LOG_INDEX": "Where in the log they were registered.",
        "NAME": "Their names, by code points.",
        "REPUTATION": "How well their verdicts have turned out.",
    },
    name="AgentOrderField",
    description="What agents are ordered by; those of one rank by their registration.",
)


@strawberry.input(description="An order of agents.")
class AgentOrderBy:
    """By what, and which end first."""

    field: AgentOrder = strawberry.field(default=AgentOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="Which end comes first.")


@strawberry.input(description="Which agents are meant: those for which all holds that is given.")
class AgentFilter:
    """The members of `graph.lists.agents.AgentChoice`; null is what does not matter."""

    capability: str | None = strawberry.field(default=None, description="That say they can do it.")
    publisher: str | None = strawberry.field(default=None, description="Who publishes them.")
    family: strawberry.ID | None = strawberry.field(
        default=None, description="Versions of this family, by their own word."
    )
    version: str | None = strawberry.field(default=None, description="Of this version.")
    name: str | None = strawberry.field(default=None, description="Of this name.")
    active: bool | None = strawberry.field(default=None, description="Whether anything is taken from them still.")

    def choice(self) -> AgentChoice:
        """Return what is chosen."""
        return AgentChoice(self.capability, self.publisher, self.family, self.version, self.name, self.active)


Which = Annotated[AgentFilter | None, strawberry.argument(description="Which; all without it.")]
OrderBy = Annotated[AgentOrderBy | None, strawberry.argument(description="In which order; oldest first without it.")]


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
