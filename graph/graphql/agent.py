"""Agents: who asserts and who verifies."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.epoch import Estimate
from graph.graphql.arguments import First, Seen
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.family import Membership
from graph.graphql.fields import resolved
from graph.graphql.interval import Interval
from graph.graphql.key import Key
from graph.graphql.scalars import time_at
from graph.scoring.reputation import PRIOR_REPUTATION
from graph.scoring.reputation import Reputation as ComputedReputation
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.gold import Probes
    from graph.graphql.statement import Statement
    from graph.graphql.verification import Verification

FAR_FUTURE = 2**53
"""A place in the log that no entry has."""


@strawberry.type(description="Whoever asserts or verifies: a model, a program, a person with a key (A2AP §3.1).")
class Agent:
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
        return time_at((await self._whole(info))["registered_micros"])

    @resolved
    async def registration_hash(self, info: Info) -> str:
        """The hash of the signed bytes of its registration."""
        name: str = (await self._whole(info))["registration_hash"]
        return name

    @resolved
    async def log_index(self, info: Info) -> int:
        """Where in the log it was registered."""
        place: int = (await self._whole(info))["log_index"]
        return place

    @resolved
    async def statements(
        self, info: Info, first: First = MAX_PAGE, after: Seen = None
    ) -> list[Annotated["Statement", strawberry.lazy("graph.graphql.statement")]]:
        """What it has asserted, newest first; `after` is the logIndex of the last one seen."""
        page = (check_first(first), FAR_FUTURE if after is None else after)
        return await info.context.loaders.statements_by_agent(self.id, *page)

    @resolved
    async def verifications(
        self, info: Info, first: First = MAX_PAGE, after: Seen = None
    ) -> list[Annotated["Verification", strawberry.lazy("graph.graphql.verification")]]:
        """What it has verified, newest first; `after` is the logIndex of the last one seen."""
        page = (check_first(first), FAR_FUTURE if after is None else after)
        return await info.context.loaders.verifications_by_agent(self.id, *page)

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
    async def reputation_details(self, info: Info) -> Annotated["Reputation", strawberry.lazy("graph.graphql.agent")]:
        """What its reputation was computed from: interval, verdicts judged, reliability under each criterion."""
        return Reputation.from_computed(await info.context.loaders.reputation_of(self.id))

    async def _whole(self, info: Info) -> Row:
        if self.row is None:
            self.row = await info.context.loaders.agent_row(self.id)
        return self.row


@strawberry.type(description="A reputation, and what it was computed from.")
class Reputation:
    """What `graph.scoring.reputation` computes."""

    value: float = strawberry.field(description="From 0 to 1; one half before anything is known.")
    method: str = strawberry.field(description="The method by which it was computed.")
    right: int = strawberry.field(description="Verdicts that turned out right.")
    wrong: int = strawberry.field(description="Verdicts that turned out wrong; under a2ap-0.1 all others.")
    interval95: Interval | None = strawberry.field(description="Where the value lies with a probability of 95 %.")
    reason: str = strawberry.field(description="A sentence where the value is not what the numbers alone would say.")
    judged: int = strawberry.field(description="How many of its verdicts went in.")
    epoch: int | None = strawberry.field(description="The size of the log that it was estimated at, by an epoch.")
    criteria: list["CriterionReliability"] = strawberry.field(description="What an epoch says, criterion by criterion.")
    calibration: list["CalibrationPoint"] = strawberry.field(
        description="What a verdict weighs by its stated confidence, for all verifiers; none where it weighs that."
    )

    @classmethod
    def from_computed(cls, computed: ComputedReputation) -> "Reputation":
        """Return what was computed as the schema shows it."""
        return cls(
            value=computed.value,
            method=computed.method.value,
            right=computed.right,
            wrong=computed.wrong,
            interval95=Interval.of(computed.interval95),
            reason=computed.reason,
            judged=computed.right + computed.wrong if computed.judged is None else computed.judged,
            epoch=computed.epoch,
            criteria=[CriterionReliability.from_estimate(one) for one in computed.estimates],
            calibration=[CalibrationPoint(confidence=sure, weight=weight) for sure, weight in computed.calibration],
        )


@strawberry.type(description="How reliable a verifier is under one criterion, as an epoch estimates it.")
class CriterionReliability:
    """One row of an epoch's table."""

    criterion: str = strawberry.field(description="The criterion.")
    sensitivity: float = strawberry.field(description="How often it passes what is right.")
    specificity: float = strawberry.field(description="How often it fails what is wrong.")
    judged: int = strawberry.field(description="How many of its verdicts on it went in.")
    independence: float = strawberry.field(description="What is left of its weight: less than 1 for who copies.")
    copies: strawberry.ID | None = strawberry.field(description="Whose verdicts it repeats, where it does.")

    @classmethod
    def from_estimate(cls, one: Estimate) -> "CriterionReliability":
        """Return the means of an estimate."""
        return cls(
            criterion=one.criterion,
            sensitivity=one.sensitivity[0] / sum(one.sensitivity),
            specificity=one.specificity[0] / sum(one.specificity),
            judged=one.judged,
            independence=one.independence,
            copies=None if one.copies is None else strawberry.ID(one.copies),
        )


@strawberry.type(description="What a verdict of a stated confidence turned out to deserve.")
class CalibrationPoint:
    """Between two points the weight is on the line between them."""

    confidence: float = strawberry.field(description="The confidence that is stated, 0 to 1.")
    weight: float = strawberry.field(description="What it deserves, 0 to 1.")
