"""How often two agents agree (A2AP Appendix B)."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph.graphql.agent import Agent
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.ordering import Direction
from graph.lists.cursor import Key, Ordering
from graph.lists.ordered import END
from graph.lists.span import Span
from graph.store import Row


@strawberry.type(description="Two agents, and the number of statements that both have validated (A2AP Appendix B).")
class Agreement:
    """A row of `list_agreements.cypher`."""

    agents: list[Agent] = strawberry.field(description="The two agents.")
    agreements: int = strawberry.field(description="The number of statements that both have validated.")


@strawberry.input(description="A filter of pairs of agents; a pair must meet every condition given.")
class AgreementFilter:
    """The conditions; null is no condition."""

    agent: strawberry.ID | None = strawberry.field(default=None, description="Only pairs with this agent, by its id.")
    min_agreements: int | None = strawberry.field(
        default=None, description="Only pairs that have both validated at least this number of statements."
    )


Which = Annotated[AgreementFilter | None, strawberry.argument(description="Filter; omit to return all.")]
MostFirst = Annotated[
    Direction, strawberry.argument(description="Direction of the order; most statements first if omitted.")
]


async def resolve_agreements(
    info: Info,
    filter: Which = None,
    direction: MostFirst = Direction.DESC,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Agreement]:
    """Return a page of the pairs of agents that most often validated the same statements."""
    context, asked = info.context, filter or AgreementFilter()
    # By the negative number: the most come first, and among equals the names in their order.
    ordering = Ordering("agreements by NUMBER", (int, str, str), direction is Direction.ASC)
    parameters: dict[str, object] = {"node": context.platform.node.agent_id, "least": asked.min_agreements or 1}

    async def find(span: Span) -> list[Row]:
        low, low_agent, low_other = span.low or (-END, "", "")
        high, high_agent, high_other = span.high or (END, "", "")
        lowest = {"low": low, "low_agent": low_agent, "low_other": low_other}
        highest = {"high": high, "high_agent": high_agent, "high_other": high_other}
        pairs = {**parameters, **lowest, **highest, "sign": span.sign, "limit": span.limit}
        if asked.agent is None:
            return await context.platform.store.read("list_agreements", **pairs)
        return await context.platform.store.read("list_agreements_of_agent", agent=asked.agent, **pairs)

    async def show(rows: Sequence[Row]) -> list[Agreement]:
        agents = await context.loaders.agents_with([row[which] for row in rows for which in ("agent", "other")])
        pairs = zip(agents[::2], agents[1::2], rows, strict=True)
        return [Agreement(agents=[one, other], agreements=row["agreements"]) for one, other, row in pairs]

    return await connect(Span.asked(ordering, first, after, last, before), find, show, _key_of)


def _key_of(row: Row) -> Key:
    return (row["rank"], row["agent"], row["other"])
