"""What the operator knows of statements, who disputes it, and how verifiers did on hidden probes."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.scoping import origin_of
from graph.gold.probe_record import ProbeRecord, Rate
from graph.gold.standing import Standing
from graph.graphql.agent import Agent
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.interval import Interval
from graph.graphql.logged import Logged
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

show_enum(
    Standing,
    {
        "IN_FORCE": "It is observed, whatever the verdicts.",
        "SUSPENDED": "An agent of a seeded operator disputes it, unanswered.",
        "WITHDRAWN": "The operator has taken it back.",
        "REPLACED": "A later label answers the same.",
        "UNTRUSTED": "The key that signed it is not trusted.",
        "FOREIGN": "It is another node's.",
    },
    name="GoldStanding",
    description="What a gold label is worth; only what is IN_FORCE is observed.",
)


@strawberry.type(description="An agent says that a gold label is wrong (a2ap:GoldDispute).")
class GoldDispute(Logged):
    """A `:GoldDispute` node."""

    id: strawberry.ID = strawberry.field(description="Its id.")
    signed_hash: str = strawberry.field(description="The SHA-256 of what was signed.")
    disputed_at: datetime = strawberry.field(description="When, as the agent says.")
    reason: str | None = strawberry.field(description="Why; withheld like a quote.")
    suspends: bool = strawberry.field(description="Whether it is by an agent of a seeded operator, and stands.")
    withdrawn: bool = strawberry.field(description="Whether its agent has withdrawn it.")
    log_index: int = strawberry.field(description="Its place in the log.")
    disputing_agent: strawberry.Private[str]
    statements: strawberry.Private[tuple[str, ...]]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "GoldDispute":
        """Return the dispute in a row of `gold_disputes_of.cypher`."""
        return cls(
            id=row["dispute_id"],
            signed_hash=row["signed_hash"],
            disputed_at=row["disputed_at"],
            reason=row["reason"] if withheld is None else None,
            suspends=bool(row["suspends"]),
            withdrawn=bool(row["withdrawn"]),
            log_index=row["log_index"],
            disputing_agent=row["agent_id"],
            statements=tuple(row["evidence"] or ()),
        )

    @resolved
    async def agent(self, info: Info) -> Agent | None:
        """Who disputes it."""
        return next(iter(await info.context.loaders.agents_with([self.disputing_agent])), None)

    @resolved
    async def evidence(self, info: Info) -> list[Annotated["Statement", strawberry.lazy("graph.graphql.statement")]]:
        """The statements that show why, as it says."""
        return await info.context.loaders.statements_with(list(self.statements))


@strawberry.type(description="What the operator of a node knows of a statement under one criterion (a2ap:GoldLabel).")
class GoldLabel(Logged):
    """A `:GoldLabel` node."""

    id: strawberry.ID = strawberry.field(description="Its id.")
    signed_hash: str = strawberry.field(description="The SHA-256 of what was signed.")
    criterion: str = strawberry.field(description="The criterion that it answers.")
    label: str = strawberry.field(description="PASS or FAIL.")
    standing: Standing = strawberry.field(description="What it is worth now.")
    reason: str | None = strawberry.field(description="Why, where the operator says so; withheld like a quote.")
    labelled_at: datetime = strawberry.field(description="When, as the operator says.")
    log_index: int = strawberry.field(description="Its place in the log.")
    probe: bool = strawberry.field(description="Whether it reveals what the operator was bound to before it asked.")
    commitment: str | None = strawberry.field(description="The signed hash of the a2ap:Probe with the commitment.")
    salt: str | None = strawberry.field(description="The salt of the commitment, in base64.")
    answers: list[str] = strawberry.field(description="The signed hashes of the disputes that it answers.")
    origin: str | None = strawberry.field(description="The peer's log that it was taken from; null for one of ours.")
    labelling_agent: strawberry.Private[str]
    statement: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "GoldLabel":
        """Return the label in a row of `gold_labels_of.cypher`."""
        return cls(
            id=row["label_id"],
            signed_hash=row["signed_hash"],
            criterion=row["criterion"],
            label="PASS" if row["passes"] else "FAIL",
            standing=Standing(row["standing"]),
            reason=row["reason"] if withheld is None else None,
            labelled_at=row["labelled_at"],
            log_index=row["log_index"],
            probe=row["probe"],
            commitment=row["commitment"],
            salt=row["salt"],
            answers=row["answers"] or [],
            origin=origin_of(row["agent_id"]),
            labelling_agent=row["agent_id"],
            statement=row["statement"],
        )

    @resolved
    async def labelled_by(self, info: Info) -> Agent | None:
        """The node whose operator says so."""
        return next(iter(await info.context.loaders.agents_with([self.labelling_agent])), None)

    @resolved
    async def disputes(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[GoldDispute]:
        """Who says that it is wrong, oldest first, whether or not that suspends it."""
        span = Span.asked(Ordering("disputes of a label"), first, after, last, before)
        return await info.context.loaders.gold.connect_disputes_of(self.statement, self.signed_hash, span)


@strawberry.type(description="How often something happened, out of how many times it could.")
class ProbeRate:
    """A count as a share, with its uncertainty."""

    count: int = strawberry.field(description="How many.")
    of: int = strawberry.field(description="Of how many.")
    rate: float | None = strawberry.field(description="The share, 0 to 1; null where it never could happen.")
    interval: Interval = strawberry.field(description="Where the share lies with a probability of 95 % (Wilson).")
    interval95: Interval = strawberry.field(
        description="The same as `interval`.", deprecation_reason="It is `interval`, as that of other scores."
    )

    @classmethod
    def from_computed(cls, rate: Rate) -> "ProbeRate":
        """Return what was counted as the schema shows it."""
        interval = Interval(low=rate.interval95[0], high=rate.interval95[1])
        return cls(count=rate.count, of=rate.of, rate=rate.value, interval=interval, interval95=interval)


@strawberry.type(description="How an agent did on claims whose answer the operator had committed to before it asked.")
class Probes:
    """What `graph.gold.probe_record` counts."""

    seen: int = strawberry.field(description="Probes, revealed since, that it gave a verdict on before that.")
    abstentions: int = strawberry.field(description="Those of them on which it neither passed nor faulted anything.")
    false_accepts: ProbeRate = strawberry.field(description="Wrong claims that it passed.")
    false_refusals: ProbeRate = strawberry.field(description="Right claims that it failed.")
    wrong_refused_otherwise: ProbeRate = strawberry.field(
        description="Wrong claims that it faulted under another criterion than the one that the probe is about."
    )
    right_refused_otherwise: ProbeRate = strawberry.field(
        description="Right claims, under the probe's criterion, that it faulted under another; that may be no mistake."
    )

    @classmethod
    def from_computed(cls, record: ProbeRecord) -> "Probes":
        """Return what was counted as the schema shows it."""
        return cls(
            seen=record.seen,
            abstentions=record.abstentions,
            false_accepts=ProbeRate.from_computed(record.false_accepts),
            false_refusals=ProbeRate.from_computed(record.false_refusals),
            wrong_refused_otherwise=ProbeRate.from_computed(record.wrong_refused_otherwise),
            right_refused_otherwise=ProbeRate.from_computed(record.right_refused_otherwise),
        )
