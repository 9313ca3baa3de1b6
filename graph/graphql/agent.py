"""Agents: the authors of statements and verdicts."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.times import instant_of
from graph.graphql.arguments import First
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.family import Membership
from graph.graphql.fields import resolved
from graph.graphql.key import Key
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.ordering import Direction, NewestFirst
from graph.graphql.reputation import EpochReliability, Reputation
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.scoring.reputation import PRIOR_REPUTATION
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.gold import Probes
    from graph.graphql.statement import Statement
    from graph.graphql.verification import Verification

PrecedingOnly = Annotated[
    bool,
    strawberry.argument(
        description="Whether to return only active agents whose names the agent's name may imitate: agents that a seed "
        "of the policy has endorsed, and of two agents without that, or with it, the one registered earlier."
    ),
]
LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]
LazyVerification = Annotated["Verification", strawberry.lazy("graph.graphql.verification")]


@strawberry.type(
    description="A software agent or a person with a key that makes statements or verifies them (A2AP §3.1)."
)
class Agent(Node, Logged):
    """An `:Agent` node. `row` has the columns that are seldom requested, once they are loaded."""

    id: strawberry.ID = strawberry.field(description="The id of the agent, an IRI.")
    name: str = strawberry.field(description="The name of the agent, as registered.")
    version: str = strawberry.field(description="The version of the agent, as registered.")
    publisher: str = strawberry.field(description="The publisher of the agent, as registered.")
    reputation: float = strawberry.field(
        description="The reputation of the agent, 0 to 1, by the outcome of its verdicts; 0.5 before any outcome is "
        "known."
    )
    row: strawberry.Private[Row | None]

    @classmethod
    def from_row(cls, row: Row, *, whole: bool = False) -> "Agent":
        """Return the agent of a row's `agent_…` columns; `whole` says that the row is one of `agents_by_id`."""
        reputation = row["agent_reputation"]
        return cls(
            id=row["agent_id"],
            name=row["agent_name"] or "",
            version=row["agent_version"] or "",
            publisher=row["agent_publisher"] or "",
            reputation=PRIOR_REPUTATION if reputation is None else reputation,
            row=row if whole else None,
        )

    def node_key(self) -> str:
        """Return the key that is unique to this agent."""
        return str(self.id)

    async def place_in_log(self, info: Info) -> int:
        """Return the log index of the agent's registration."""
        place: int = (await self._whole(info))["log_index"]
        return place

    @resolved
    async def capabilities(self, info: Info) -> list[str]:
        """The capabilities that the agent states."""
        return (await self._whole(info))["capabilities"] or []

    @resolved
    async def public_key(self, info: Info) -> str:
        """The Ed25519 public key of the registration, as did:key; `keys` lists all keys of the agent."""
        key: str = (await self._whole(info))["public_key"]
        return key

    @resolved
    async def registered_at(self, info: Info) -> datetime:
        """The time of registration, as stated by the agent."""
        return instant_of((await self._whole(info))["registered_micros"])

    @resolved
    async def registration_hash(self, info: Info) -> str:
        """The hash of the signed bytes of its registration."""
        name: str = (await self._whole(info))["registration_hash"]
        return name

    @resolved
    async def log_index(self, info: Info) -> int:
        """The log index of the registration."""
        return await self.place_in_log(info)

    @resolved
    async def statements(self, info: Info, first: First = MAX_PAGE) -> list[LazyStatement]:
        """The statements of the agent, newest first; `statementsConnection` pages through all of them."""
        return await info.context.loaders.statements_by_agent(self.id, check_first(first))

    @resolved
    async def statements_connection(
        self,
        info: Info,
        direction: NewestFirst = Direction.DESC,
        first: FirstOf = None,
        after: AfterOf = None,
        last: LastOf = None,
        before: BeforeOf = None,
    ) -> Connection[LazyStatement]:
        """The statements of the agent, page by page."""
        ordering = Ordering("statements of an agent", descending=direction is Direction.DESC)
        span = Span.asked(ordering, first, after, last, before)
        return await info.context.loaders.connect_statements_by_agent(self.id, span)

    @resolved
    async def verifications(self, info: Info, first: First = MAX_PAGE) -> list[LazyVerification]:
        """The verdicts of the agent, newest first; `verificationsConnection` pages through all of them."""
        return await info.context.loaders.verifications_by_agent(self.id, check_first(first))

    @resolved
    async def verifications_connection(
        self,
        info: Info,
        direction: NewestFirst = Direction.DESC,
        first: FirstOf = None,
        after: AfterOf = None,
        last: LastOf = None,
        before: BeforeOf = None,
    ) -> Connection[LazyVerification]:
        """The verdicts of the agent, page by page."""
        ordering = Ordering("verifications of an agent", descending=direction is Direction.DESC)
        span = Span.asked(ordering, first, after, last, before)
        return await info.context.loaders.connect_verifications_by_agent(self.id, span)

    @resolved
    async def keys(self, info: Info) -> list[Key]:
        """The keys of the agent, oldest first, including retired and revoked keys."""
        return [Key.from_row(row) for row in await info.context.loaders.keys_of(self.id)]

    @resolved
    async def deactivated_at(self, info: Info) -> int | None:
        """The log index of the deactivation; no later message of the agent is accepted. Null for an active agent."""
        place: int | None = (await self._whole(info))["deactivated_at"]
        return place

    @resolved
    async def endorsed_by(self, info: Info) -> list["Agent"]:
        """The operators of the agent: the agents that endorsed it, first endorsement first."""
        return await info.context.loaders.operators_of(self.id)

    @property
    def is_deactivated(self) -> bool:
        """Return whether the agent is deactivated; its whole row must be loaded."""
        return self.row is not None and self.row["deactivated_at"] is not None

    @resolved
    async def look_alikes(self, info: Info, preceding_only: PrecedingOnly = False, first: First = 10) -> list["Agent"]:
        """Other agents whose names look the same to a reader (UTS #39 §4), first registration first.

        Confirmed versions of the agent's family may share its name and are left out.
        """
        loaders = info.context.loaders
        return await loaders.look_alikes_of(self, check_first(first), preceding=preceding_only)

    @resolved
    async def membership(self, info: Info) -> Membership | None:
        """The family that the agent declares itself a version of."""
        row = await info.context.loaders.membership_of(self.id)
        return Membership.from_row(row) if row is not None else None

    @resolved
    async def probes(self, info: Info) -> Annotated["Probes", strawberry.lazy("graph.graphql.gold")]:
        """The results on hidden probes: claims with an answer that the operator committed to in advance."""
        return await info.context.loaders.gold.probes_of(self.id)

    @resolved
    async def reputation_details(self, info: Info) -> Reputation:
        """The basis of the reputation: interval, judged verdicts, reliability under each criterion."""
        return await info.context.loaders.reputations.of_agent(self.id)

    @resolved
    async def reliabilities(
        self,
        info: Info,
        direction: NewestFirst = Direction.DESC,
        first: FirstOf = None,
        after: AfterOf = None,
        last: LastOf = None,
        before: BeforeOf = None,
    ) -> Connection[EpochReliability]:
        """The reliability of the agent by the estimate of each epoch, newest epoch first."""
        ordering = Ordering("epochs of an agent", descending=direction is Direction.DESC)
        span = Span.asked(ordering, first, after, last, before)
        return await info.context.loaders.reputations.connect_reliabilities(self.id, span)

    async def _whole(self, info: Info) -> Row:
        if self.row is None:
            self.row = await info.context.loaders.agent_row(self.id)
        return self.row
