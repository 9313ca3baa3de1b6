"""Agents: who asserts and who verifies."""

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
from graph.graphql.reputation import Reputation
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.scoring.reputation import PRIOR_REPUTATION
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.gold import Probes
    from graph.graphql.statement import Statement
    from graph.graphql.verification import Verification

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]
LazyVerification = Annotated["Verification", strawberry.lazy("graph.graphql.verification")]


@strawberry.type(description="Whoever asserts or verifies: a model, a program, a person with a key (A2AP §3.1).")
class Agent(Node, Logged):
    """An `:Agent` node. `row` has what is seldom asked for, where it has been loaded."""

    id: strawberry.ID = strawberry.field(description="Its id, an IRI.")
    name: str = strawberry.field(description="Its name, as it registered.")
    version: str = strawberry.field(description="Its version, as it registered.")
    publisher: str = strawberry.field(description="Who publishes it, as it registered.")
    reputation: float = strawberry.field(
        description="How well its verdicts have turned out, 0 to 1; one half before anything is known."
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
        """Return what tells it from all others."""
        return str(self.id)

    async def place_in_log(self, info: Info) -> int:
        """Return the place of its registration."""
        place: int = (await self._whole(info))["log_index"]
        return place

    @resolved
    async def capabilities(self, info: Info) -> list[str]:
        """What it says it can do."""
        return (await self._whole(info))["capabilities"] or []

    @resolved
    async def public_key(self, info: Info) -> str:
        """The Ed25519 public key that it registered with, as did:key; `keys` has all that it has had."""
        key: str = (await self._whole(info))["public_key"]
        return key

    @resolved
    async def registered_at(self, info: Info) -> datetime:
        """When it registered, as it says."""
        return instant_of((await self._whole(info))["registered_micros"])

    @resolved
    async def registration_hash(self, info: Info) -> str:
        """The hash of the signed bytes of its registration."""
        name: str = (await self._whole(info))["registration_hash"]
        return name

    @resolved
    async def log_index(self, info: Info) -> int:
        """Where in the log it was registered."""
        return await self.place_in_log(info)

    @resolved
    async def statements(self, info: Info, first: First = MAX_PAGE) -> list[LazyStatement]:
        """What it has asserted, newest first; `statementsConnection` has all of it page by page."""
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
        """What it has asserted."""
        ordering = Ordering("statements of an agent", descending=direction is Direction.DESC)
        span = Span.asked(ordering, first, after, last, before)
        return await info.context.loaders.connect_statements_by_agent(self.id, span)

    @resolved
    async def verifications(self, info: Info, first: First = MAX_PAGE) -> list[LazyVerification]:
        """What it has verified, newest first; `verificationsConnection` has all of it page by page."""
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
        """What it has verified."""
        ordering = Ordering("verifications of an agent", descending=direction is Direction.DESC)
        span = Span.asked(ordering, first, after, last, before)
        return await info.context.loaders.connect_verifications_by_agent(self.id, span)

    @resolved
    async def keys(self, info: Info) -> list[Key]:
        """Its keys, oldest first, those that speak no more among them."""
        return [Key.from_row(row) for row in await info.context.loaders.keys_of(self.id)]

    @resolved
    async def deactivated_at(self, info: Info) -> int | None:
        """Where in the log it was deactivated; nothing more is taken from it since."""
        place: int | None = (await self._whole(info))["deactivated_at"]
        return place

    @resolved
    async def endorsed_by(self, info: Info) -> list["Agent"]:
        """Its operators: the agents that vouched for it, first endorsement first."""
        return await info.context.loaders.operators_of(self.id)

    @resolved
    async def membership(self, info: Info) -> Membership | None:
        """The family that it is a version of, by its own word."""
        row = await info.context.loaders.membership_of(self.id)
        return Membership.from_row(row) if row is not None else None

    @resolved
    async def probes(self, info: Info) -> Annotated["Probes", strawberry.lazy("graph.graphql.gold")]:
        """How it did on hidden probes: claims whose answer the operator had committed to before it asked."""
        return await info.context.loaders.gold.probes_of(self.id)

    @resolved
    async def reputation_details(self, info: Info) -> Reputation:
        """What its reputation was computed from: interval, verdicts judged, reliability under each criterion."""
        return await info.context.loaders.reputations.of_agent(self.id)

    async def _whole(self, info: Info) -> Row:
        if self.row is None:
            self.row = await info.context.loaders.agent_row(self.id)
        return self.row
