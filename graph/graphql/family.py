"""Families of agents: their versions and their common reputation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.reputation import Reputation
from graph.lists.cursor import Ordering
from graph.lists.ordered import find_numbered
from graph.lists.span import Span
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.agent import Agent

LazyAgent = Annotated["Agent", strawberry.lazy("graph.graphql.agent")]


@strawberry.type(description="The common identity of several versions of an agent (prov:specializationOf).")
class AgentFamily(Node):
    """An `:AgentFamily` node."""

    id: strawberry.ID = strawberry.field(description="The name that the versions share.")

    def node_key(self) -> str:
        """Return the key that is unique to this family."""
        return str(self.id)

    @resolved
    async def reputation(self, info: Info) -> Reputation:
        """The common reputation of the confirmed versions, by the outcome of their verdicts."""
        return await info.context.loaders.reputations.of_family(self.id)

    @resolved
    async def versions(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Membership"]:
        """The agents that declare themselves versions of the family, first declaration first."""
        span = Span.asked(Ordering("versions of a family"), first, after, last, before)

        async def find(span: Span) -> list[Row]:
            return await find_numbered(info.context.platform.store, "family_versions", span, {"family": self.id})

        async def show(rows: Sequence[Row]) -> list[Membership]:
            info.context.loaders.spend(len(rows))
            return [Membership.from_row(row) for row in rows]

        return await connect(span, find, show, lambda row: (row["stated_at"],))


@strawberry.type(description="The membership of an agent in a family, as a version of it.")
class Membership(Logged):
    """A `SPECIALIZATION_OF` relationship."""

    family: AgentFamily = strawberry.field(description="The family that the agent is a version of.")
    confirmed: bool = strawberry.field(
        description="Whether the family or another confirmed version announced the agent; only then does it share "
        "the reputation."
    )
    founder: bool = strawberry.field(description="Whether the agent was the first to name the family.")
    stated_at: int = strawberry.field(description="The log index of the agent's declaration.")
    confirmed_at: int | None = strawberry.field(description="The log index of the confirmation.")
    announcement_hash: str | None = strawberry.field(
        description="The signed hash of the announcement that confirmed it."
    )
    agent_id: strawberry.Private[str]
    invited_by_id: strawberry.Private[str | None]

    @classmethod
    def from_row(cls, row: Row) -> "Membership":
        """Return the membership of a row of `memberships_of` or `family_versions`."""
        return cls(
            family=AgentFamily(id=row["family"]),
            confirmed=row["confirmed"],
            founder=row["founder"],
            stated_at=row["stated_at"],
            confirmed_at=row["confirmed_at"],
            announcement_hash=row["invitation_hash"],
            agent_id=row["agent_id"],
            invited_by_id=row["invited_by"],
        )

    async def place_in_log(self, info: Info) -> int:
        """Return the log index of the message with the agent's declaration."""
        return self.stated_at

    @resolved
    async def agent(self, info: Info) -> LazyAgent:
        """The agent that is a version of the family."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent

    @resolved
    async def invited_by(self, info: Info) -> LazyAgent | None:
        """The agent that announced this version."""
        if self.invited_by_id is None:
            return None
        return next(iter(await info.context.loaders.agents_with([self.invited_by_id])), None)
