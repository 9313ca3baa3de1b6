"""Families of agents: which versions they have, and what these are worth together."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graph.graphql.arguments import After, First
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.fields import resolved
from graph.scoring.reputation import compute_reputation
from graph.store import Row
from graph.versions.pooling import families_in, record_of

if TYPE_CHECKING:
    from graph.graphql.agent import Agent, Reputation

LazyAgent = Annotated["Agent", strawberry.lazy("graph.graphql.agent")]
LazyReputation = Annotated["Reputation", strawberry.lazy("graph.graphql.agent")]


@strawberry.type(description="What several versions of one agent have in common (prov:specializationOf).")
class AgentFamily:
    """An `:AgentFamily` node."""

    id: strawberry.ID = strawberry.field(description="The name that its versions share.")

    @resolved
    async def reputation(self, info: Info) -> LazyReputation:
        """How well the verdicts of its confirmed versions have turned out together."""
        from graph.graphql.agent import Reputation

        members = families_in(await info.context.loaders.members_of(self.id)).get(self.id, {})
        record = record_of(list(members.values()))
        return Reputation.from_computed(compute_reputation(record.right, record.wrong))

    @resolved
    async def versions(self, info: Info, first: First = MAX_PAGE, after: After = -1) -> list["Membership"]:
        """Its versions by their own word, first to say so first; `after` is the statedAt of the last one seen."""
        rows = await info.context.platform.store.read(
            "family_versions", family=self.id, first=check_first(first), after=after
        )
        return [Membership.from_row(row) for row in rows]


@strawberry.type(description="That an agent is a version of a family.")
class Membership:
    """A `SPECIALIZATION_OF` relationship."""

    family: AgentFamily = strawberry.field(description="The family that the agent is a version of.")
    confirmed: bool = strawberry.field(
        description="Whether the family or another confirmed version announced it; only then it shares the reputation."
    )
    founder: bool = strawberry.field(description="Whether it was the first to name the family.")
    stated_at: int = strawberry.field(description="Where in the log the agent says so.")
    confirmed_at: int | None = strawberry.field(description="Where in the log it was confirmed.")
    announcement_hash: str | None = strawberry.field(description="The signed hash of the announcement that did.")
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

    @resolved
    async def agent(self, info: Info) -> LazyAgent:
        """The version."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent

    @resolved
    async def invited_by(self, info: Info) -> LazyAgent | None:
        """Who announced it."""
        if self.invited_by_id is None:
            return None
        return next(iter(await info.context.loaders.agents_with([self.invited_by_id])), None)
