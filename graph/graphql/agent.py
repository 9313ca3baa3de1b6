"""Agents: who asserts and who verifies."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.fields import resolved
from graph.reputation import PRIOR_REPUTATION
from graph.reputation import Reputation as ComputedReputation

if TYPE_CHECKING:
    from graph.graphql.statement import Statement
    from graph.graphql.verification import Verification

FAR_FUTURE = 2**53
"""A place in the log that no entry has."""


@strawberry.type(description="A key that an agent has registered.")
class Key:
    """A row of `keys_of.cypher`."""

    id: strawberry.ID = strawberry.field(description="The agent's id, `#`, and a name.")
    public_key: str = strawberry.field(description="The Ed25519 public key as did:key.")
    alias: str | None = strawberry.field(description="The name that signatures may use for it (A2AP §2.1).")
    log_index: int = strawberry.field(description="Where in the log it was registered.")


@strawberry.type(description="Whoever asserts or verifies: a model, a program, a person with a key (A2AP §3.1).")
class Agent:
    """An `:Agent` node."""

    id: strawberry.ID
    name: str
    version: str
    publisher: str
    capabilities: list[str]
    reputation: float = strawberry.field(
        description="How well its verdicts have turned out, 0 to 1; one half before anything is known."
    )
    public_key: str = strawberry.field(description="Its Ed25519 public key as did:key.")
    registered_at: datetime
    registration_hash: str = strawberry.field(description="The hash of the signed bytes of its registration.")
    log_index: int = strawberry.field(description="Where in the log it was registered.")

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "Agent":
        """Return the agent that a map of its properties describes."""
        reputation = row.get("reputation")
        return cls(
            id=row["agent_id"],
            name=row.get("name") or "",
            version=row.get("version") or "",
            publisher=row.get("publisher") or "",
            capabilities=row.get("capabilities") or [],
            reputation=PRIOR_REPUTATION if reputation is None else reputation,
            public_key=row["public_key"],
            registered_at=row["registered_at"],
            registration_hash=row["registration_hash"],
            log_index=row["log_index"],
        )

    @resolved
    async def statements(
        self, info: Info, first: int = MAX_PAGE, after: int | None = None
    ) -> list[Annotated["Statement", strawberry.lazy("graph.graphql.statement")]]:
        """What it has asserted, newest first; `after` is the logIndex of the last one seen."""
        page = (check_first(first), FAR_FUTURE if after is None else after)
        return await info.context.loaders.statements_by_agent(self.id, *page)

    @resolved
    async def verifications(
        self, info: Info, first: int = MAX_PAGE, after: int | None = None
    ) -> list[Annotated["Verification", strawberry.lazy("graph.graphql.verification")]]:
        """What it has verified, newest first; `after` is the logIndex of the last one seen."""
        page = (check_first(first), FAR_FUTURE if after is None else after)
        return await info.context.loaders.verifications_by_agent(self.id, *page)

    @resolved
    async def keys(self, info: Info) -> list[Key]:
        """Its keys, oldest first."""
        rows = await info.context.loaders.keys_of(self.id)
        return [
            Key(id=row["key_id"], public_key=row["public_key"], alias=row.get("alias"), log_index=row["log_index"])
            for row in rows
        ]

    @resolved
    async def endorsed_by(self, info: Info) -> list["Agent"]:
        """Its operators: the agents that vouched for it, first endorsement first."""
        return await info.context.loaders.operators_of(self.id)


@strawberry.type(description="An interval of probabilities.")
class Interval:
    """Both ends belong to it."""

    low: float
    high: float


@strawberry.type(description="A reputation, and what it was computed from.")
class Reputation:
    """What `graph.reputation` computes."""

    value: float
    method: str
    right: int = strawberry.field(description="Verdicts that turned out right.")
    wrong: int = strawberry.field(description="Verdicts that turned out wrong; under a2ap-0.1 all others.")
    interval95: Interval | None = strawberry.field(description="Where the value lies with a probability of 95 %.")
    reason: str = strawberry.field(description="A sentence where the value is not what the numbers alone would say.")

    @classmethod
    def from_computed(cls, computed: ComputedReputation) -> "Reputation":
        """Return what was computed as the schema shows it."""
        interval = Interval(low=computed.interval95[0], high=computed.interval95[1]) if computed.interval95 else None
        return cls(
            value=computed.value,
            method=computed.method.value,
            right=computed.right,
            wrong=computed.wrong,
            interval95=interval,
            reason=computed.reason,
        )


@strawberry.type(description="Two agents, and how many statements both have validated (A2AP Appendix B).")
class Agreement:
    """A row of `list_agreements.cypher`."""

    agents: list[Agent]
    agreements: int
