"""How often two agents agree (A2AP Appendix B)."""

import strawberry

from graph.graphql.agent import Agent
from graph.graphql.arguments import First
from graph.graphql.context import Info, check_first


@strawberry.type(description="Two agents, and how many statements both have validated (A2AP Appendix B).")
class Agreement:
    """A row of `list_agreements.cypher`."""

    agents: list[Agent] = strawberry.field(description="The two.")
    agreements: int = strawberry.field(description="How many statements both have validated.")


async def resolve_agreements(info: Info, first: First = 20) -> list[Agreement]:
    """Return the pairs of agents that most often validated the same statements."""
    context = info.context
    node = context.platform.node.agent_id
    rows = await context.platform.store.read("list_agreements", node=node, first=check_first(first))
    agents = await context.loaders.agents_with([row[which] for row in rows for which in ("agent", "other")])
    pairs = zip(agents[::2], agents[1::2], rows, strict=True)
    return [Agreement(agents=[one, other], agreements=row["agreements"]) for one, other, row in pairs]
